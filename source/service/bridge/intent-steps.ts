import {setTimeout as sleep} from 'node:timers/promises';
import type {Hash} from 'viem';
import type {Chain, ChainSet} from '../chain/chain-set.ts';
import {isKnown, mineNow} from '../chain/receipt.ts';
import {endsOf, originOf} from './bridge-of.ts';
import {awaitSponsoredDeposit, type Deposit} from './deposit.ts';
import type {Intent, IntentBook} from './intents.ts';
import type {LaunchTrader} from './launch-trade.ts';
import {
	arrivedRaw,
	cancelFill,
	depositStateOf,
	dueRaw,
	fill,
	fillFromVenue,
	fillStateOf,
	LESS_THAN_PROMISED,
	mined,
	refund,
	type StepOutcome,
	settle,
} from './solver.ts';

export interface StepOptions {
	readonly chains: ChainSet;
	readonly book: IntentBook;
	readonly now: () => number;
	readonly log: (line: string) => void;
	/** Trades launches; without it none can arrive. */
	readonly trader?: LaunchTrader | undefined;
	/** Delays between attempts of a fill, in milliseconds; default: by what arrives. */
	readonly retryMs?: readonly number[] | undefined;
}

/** The steps of an intent, each of which can be repeated after a crash: the stored state and the chain say what is done. */
export interface IntentSteps {
	/**
	 * Makes the next step of an intent; false after the last step, or after an abort.
	 * @throws ChainUnavailable, StoreFailed: then the same step is to be tried again later
	 */
	advance(intent: Intent): Promise<boolean>;
	/** Stores the deposit of an intent; false when the intent has one. */
	recordDeposit(intent: Intent, deposit: Deposit): Promise<boolean>;
}

/** Three attempts altogether (contract gaps 4.5). */
const RETRY_MS = [500, 2000];
/** A launch is not traded for four seconds between its curve and its pool: one attempt more comes after that. */
const LAUNCH_RETRY_MS = [...RETRY_MS, 4000];

/** @param signal stops waiting steps */
export function createIntentSteps(
	{book, chains, log, now, trader, retryMs}: StepOptions,
	signal: AbortSignal,
): IntentSteps {
	const advance = async (intent: Intent): Promise<boolean> => {
		const chainIds = [intent.originChainId, intent.destinationChainId];
		const [from, to] = (await Promise.all(chainIds.map(id => chains.ready(id)))) as [Chain, Chain];
		if (from.instance !== intent.originInstance || to.instance !== intent.destinationInstance) {
			if (intent.status !== 'filled')
				await fail(intent, 'devnet-reset', 'the practice chain was reset: its tokens are gone');
			return false;
		}
		const ends = await endsOf(intent, {origin: from, destination: to});
		if (ends === undefined) {
			const reason = 'the bridge contract of its quote does not stand on both chains any more';
			if (intent.status !== 'filled') await fail(intent, 'bridge-replaced', reason);
			return false;
		}
		const {origin, destination} = ends;
		switch (intent.status) {
			case 'pending':
				return onPending(intent);
			case 'deposited':
			case 'filling':
				return onDeposited(intent, destination);
			case 'retrying':
				return onRetrying(intent, origin, destination);
			case 'filled':
				return onFilled(intent, origin);
			default:
				return false;
		}
	};

	const onPending = async (intent: Intent): Promise<boolean> => {
		const outcome = await awaitSponsoredDeposit(ownOrigin(intent), intent, {now, signal});
		if (outcome === undefined) return false;
		if ('depositId' in outcome) return recordDeposit(intent, outcome);
		return fail(intent, outcome.code, outcome.reason);
	};

	const ownOrigin = (intent: Intent) => async () => originOf(intent, await chains.ready(intent.originChainId));

	const recordDeposit = (intent: Intent, {depositId, amountRaw, txHash}: Deposit): Promise<boolean> =>
		book.advance(intent.intentId, [null, 'pending'], {
			status: 'deposited',
			depositTxHash: txHash,
			depositId,
			depositedRaw: amountRaw,
			depositDetectedAtMs: now(),
		});

	const onDeposited = async (intent: Intent, destination: Chain): Promise<boolean> => {
		// An earlier run may have sent a fill with an unknown result.
		if (intent.status === 'filling' && intent.fillTxHash !== null && (await isKnown(destination, intent.fillTxHash))) {
			await mineNow(destination);
			await mined(destination, intent.fillTxHash);
		}
		const state = await fillStateOf(destination, intent);
		if (state === 'filled') return recordFill(intent, destination);
		if (state === 'cancelled') return toRetrying(intent, 'cancelled', 'the fill was cancelled');
		const onSend = async (fillTxHash: Hash): Promise<void> =>
			void (await book.advance(intent.intentId, ['filling'], {fillTxHash, fillSentAtMs: now()}));
		let outcome: StepOutcome;
		if (intent.launch === 'destination') {
			await book.advance(intent.intentId, ['deposited', 'filling'], {status: 'filling'});
			outcome = await fillFromVenue(destination, trader, intent, onSend);
		} else {
			const amountRaw = await dueRaw(destination, intent);
			if (amountRaw < intent.minOutRaw) return toRetrying(intent, 'slippage', LESS_THAN_PROMISED);
			await book.advance(intent.intentId, ['deposited', 'filling'], {status: 'filling', outRaw: amountRaw});
			outcome = await fill(destination, intent, amountRaw, onSend);
		}
		// The stored state may be old, and the hash of an attempt that failed is not the one that filled: the bridge
		// contract knows.
		if (outcome.done || (await fillStateOf(destination, intent)) === 'filled') {
			return recordFill((await book.get(intent.intentId))!, destination);
		}
		const code = outcome.reason === LESS_THAN_PROMISED ? 'slippage' : 'fill-failed';
		return toRetrying(intent, code, outcome.reason);
	};

	const recordFill = async (intent: Intent, destination: Chain): Promise<boolean> => {
		const outRaw = intent.launch === 'destination' ? ((await arrivedRaw(destination, intent)) ?? null) : intent.outRaw;
		return book.advance(intent.intentId, ['deposited', 'filling', 'retrying'], {
			status: 'filled',
			outRaw,
			fillConfirmedAtMs: now(),
			failureCode: null,
			failureReason: null,
		});
	};

	const toRetrying = (intent: Intent, failureCode: string, failureReason: string): Promise<boolean> =>
		book.advance(intent.intentId, ['deposited', 'filling'], {
			status: 'retrying',
			failedFills: intent.failedFills + 1,
			fillTxHash: null,
			failureCode,
			failureReason,
		});

	const onRetrying = async (intent: Intent, origin: Chain, destination: Chain): Promise<boolean> => {
		const delays = retryMs ?? (intent.launch === 'destination' ? LAUNCH_RETRY_MS : RETRY_MS);
		const waitMs = delays[intent.failedFills - 1];
		if (waitMs === undefined || intent.cancelTxHash !== null) return refundDeposit(intent, origin, destination);
		await sleep(waitMs, undefined, {ref: false, signal}).catch(() => {});
		return !signal.aborted && (await book.advance(intent.intentId, ['retrying'], {status: 'filling'}));
	};

	/** Closes the destination before it returns the deposit: never both filled and refunded. */
	const refundDeposit = async (intent: Intent, origin: Chain, destination: Chain): Promise<boolean> => {
		const {intentId} = intent;
		if ((await fillStateOf(destination, intent)) === 'open') {
			await cancelFill(destination, intent, async cancelTxHash => {
				await book.advance(intentId, ['retrying'], {cancelTxHash});
			});
		}
		const state = await fillStateOf(destination, intent);
		if (state === 'filled') return recordFill(intent, destination);
		if (state === 'open')
			return fail(intent, 'refund-failed', 'the fill could not be cancelled, so nothing was refunded');
		const outcome = await onceMore(origin, intent, 'refunded', () =>
			refund(origin, intent, async refundTxHash => {
				await book.advance(intentId, ['retrying'], {refundTxHash});
			}),
		);
		if (!outcome.done) return fail(intent, 'refund-failed', `the refund failed: ${outcome.reason}`);
		return book.advance(intentId, ['retrying'], {status: 'refunded'});
	};

	const onFilled = async (intent: Intent, origin: Chain): Promise<boolean> => {
		const outcome = await onceMore(origin, intent, 'settled', () =>
			settle(origin, intent, async settleTxHash => {
				await book.advance(intent.intentId, ['filled'], {settleTxHash});
			}),
		);
		if (outcome.done) await book.advance(intent.intentId, ['filled'], {status: 'settled', settledAtMs: now()});
		else log(`bridge intent ${intent.intentId} is not settled: ${outcome.reason}`);
		return false;
	};

	/** A step on the deposit, unless the bridge contract has it already. */
	const onceMore = async (
		origin: Chain,
		intent: Intent,
		end: 'settled' | 'refunded',
		act: () => Promise<StepOutcome>,
	): Promise<StepOutcome> => {
		const made = {done: true, txHash: intent.depositId!} as const;
		if ((await depositStateOf(origin, intent)) === end) return made;
		const outcome = await act();
		return outcome.done || (await depositStateOf(origin, intent)) !== end ? outcome : made;
	};

	const fail = async (intent: Intent, failureCode: string, failureReason: string): Promise<false> => {
		await book.advance(intent.intentId, [intent.status], {status: 'failed', failureCode, failureReason});
		return false;
	};

	return {advance, recordDeposit};
}
