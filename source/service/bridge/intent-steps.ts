import {setTimeout as sleep} from 'node:timers/promises';
import type {Chain, ChainSet} from '../chain/chain-set.ts';
import {isKnown} from '../chain/receipt.ts';
import type {MarketTokens} from './assets.ts';
import {awaitSponsoredDeposit, type Deposit} from './deposit.ts';
import type {Intent, IntentBook} from './intents.ts';
import {
	cancelFill,
	depositStateOf,
	dueRaw,
	fill,
	fillStateOf,
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
	readonly tokens?: MarketTokens | undefined;
	/** Delays between attempts of a fill, in milliseconds. */
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
	recordDeposit(intent: Intent, deposit: Deposit): boolean;
}

/** Three attempts altogether (contract gaps 4.5). */
const RETRY_MS = [500, 2000];

/** @param signal stops waiting steps */
export function createIntentSteps(
	{book, chains, log, now, tokens, retryMs = RETRY_MS}: StepOptions,
	signal: AbortSignal,
): IntentSteps {
	const advance = async (intent: Intent): Promise<boolean> => {
		const [origin, destination] = await Promise.all([
			chains.ready(intent.originChainId),
			chains.ready(intent.destinationChainId),
		]);
		if (origin.instance !== intent.originInstance || destination.instance !== intent.destinationInstance) {
			if (intent.status !== 'filled') fail(intent, 'devnet-reset', 'the practice chain was reset: its tokens are gone');
			return false;
		}
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
		const outcome = await awaitSponsoredDeposit(() => chains.ready(intent.originChainId), intent, {now, signal});
		if (outcome === undefined) return false;
		if ('depositId' in outcome) return recordDeposit(intent, outcome);
		return fail(intent, outcome.code, outcome.reason);
	};

	const recordDeposit = (intent: Intent, {depositId, amountRaw, txHash}: Deposit): boolean =>
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
			await mined(destination, intent.fillTxHash);
		}
		const state = await fillStateOf(destination, intent);
		if (state === 'filled') return recordFill(intent);
		if (state === 'cancelled') return toRetrying(intent, 'cancelled', 'the fill was cancelled');
		const amountRaw = await dueRaw(destination, intent, tokens);
		if (amountRaw < intent.minOutRaw) {
			const reason = 'the price moved: less than the promised minimum would arrive';
			return toRetrying(intent, 'slippage', reason);
		}
		book.advance(intent.intentId, ['deposited', 'filling'], {status: 'filling', outRaw: amountRaw});
		const outcome = await fill(destination, intent, amountRaw, fillTxHash =>
			book.advance(intent.intentId, ['filling'], {fillTxHash, fillSentAtMs: now()}),
		);
		if (outcome.done) return recordFill(intent);
		// The stored state may be old: the bridge contract knows whether the intent was filled.
		if ((await fillStateOf(destination, intent)) === 'filled') return recordFill(intent);
		return toRetrying(intent, 'fill-failed', outcome.reason);
	};

	const recordFill = (intent: Intent): boolean =>
		book.advance(intent.intentId, ['deposited', 'filling', 'retrying'], {
			status: 'filled',
			fillConfirmedAtMs: now(),
			failureCode: null,
			failureReason: null,
		});

	const toRetrying = (intent: Intent, failureCode: string, failureReason: string): boolean =>
		book.advance(intent.intentId, ['deposited', 'filling'], {
			status: 'retrying',
			failedFills: intent.failedFills + 1,
			fillTxHash: null,
			failureCode,
			failureReason,
		});

	const onRetrying = async (intent: Intent, origin: Chain, destination: Chain): Promise<boolean> => {
		const waitMs = retryMs[intent.failedFills - 1];
		if (waitMs === undefined || intent.cancelTxHash !== null) return refundDeposit(intent, origin, destination);
		await sleep(waitMs, undefined, {ref: false, signal}).catch(() => {});
		return !signal.aborted && book.advance(intent.intentId, ['retrying'], {status: 'filling'});
	};

	/** Closes the destination before it returns the deposit: never both filled and refunded. */
	const refundDeposit = async (intent: Intent, origin: Chain, destination: Chain): Promise<boolean> => {
		const {intentId} = intent;
		if ((await fillStateOf(destination, intent)) === 'open') {
			await cancelFill(destination, intent, cancelTxHash => book.advance(intentId, ['retrying'], {cancelTxHash}));
		}
		const state = await fillStateOf(destination, intent);
		if (state === 'filled') return recordFill(intent);
		if (state === 'open')
			return fail(intent, 'refund-failed', 'the fill could not be cancelled, so nothing was refunded');
		const outcome = await onceMore(origin, intent, 'refunded', () =>
			refund(origin, intent, refundTxHash => book.advance(intentId, ['retrying'], {refundTxHash})),
		);
		if (!outcome.done) return fail(intent, 'refund-failed', `the refund failed: ${outcome.reason}`);
		return book.advance(intentId, ['retrying'], {status: 'refunded'});
	};

	const onFilled = async (intent: Intent, origin: Chain): Promise<boolean> => {
		const outcome = await onceMore(origin, intent, 'settled', () =>
			settle(origin, intent, settleTxHash => book.advance(intent.intentId, ['filled'], {settleTxHash})),
		);
		if (outcome.done) book.advance(intent.intentId, ['filled'], {status: 'settled', settledAtMs: now()});
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

	const fail = (intent: Intent, failureCode: string, failureReason: string): false => {
		book.advance(intent.intentId, [intent.status], {status: 'failed', failureCode, failureReason});
		return false;
	};

	return {advance, recordDeposit};
}
