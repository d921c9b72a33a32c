import {setTimeout as sleep} from 'node:timers/promises';
import type {Hash} from 'viem';
import type {BridgeStatus} from '../../contract/bridge.ts';
import type {Chain, ChainSet} from '../chain/chain-set.ts';
import {mineNow} from '../chain/receipt.ts';
import {SendRejected} from '../chain/sender.ts';
import {endsOf, originOf} from './bridge-of.ts';
import {awaitSponsoredDeposit, type Deposit} from './deposit.ts';
import type {Intent, IntentPatch, IntentRecord} from './intents.ts';
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
	mayBeMined,
	mined,
	type OnSend,
	refund,
	StepDelayed,
	type StepOutcome,
	settle,
} from './solver.ts';

export interface StepOptions {
	readonly chains: ChainSet;
	/** The intents as their worker has them. */
	readonly record: IntentRecord;
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
	 * Makes the next step of an intent whose chains are not those of another process (`isElsewhere`); false after the last step, or after an abort.
	 * @throws ChainUnavailable, StoreFailed, StepDelayed: then the same step is to be tried again later; RowTaken when another
	 *   process works on the intent by now
	 */
	advance(intent: Intent): Promise<boolean>;
}

/** Three attempts altogether (contract gaps 4.5). */
const RETRY_MS = [500, 2000];
/** A launch is not traded for four seconds between its curve and its pool: one attempt more comes after that. */
const LAUNCH_RETRY_MS = [...RETRY_MS, 4000];

/** @param signal stops waiting steps */
export function createIntentSteps(
	{record, chains, log, now, trader, retryMs}: StepOptions,
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
		if ('depositId' in outcome) return recordDeposit(record, intent, outcome);
		return fail(intent, outcome.code, outcome.reason);
	};

	const ownOrigin = (intent: Intent) => async () => originOf(intent, await chains.ready(intent.originChainId));

	const onDeposited = async (intent: Intent, destination: Chain): Promise<boolean> => {
		if (intent.status === 'filling') await awaitEarlier(destination, intent.fillTxHash);
		const state = await fillStateOf(destination, intent);
		if (state === 'filled') return recordFill(intent, destination);
		if (state === 'cancelled') return toRetrying(intent, 'cancelled', 'the fill was cancelled');
		const onSend = noted(intent, 'filling', fillTxHash => ({fillTxHash, fillSentAtMs: record.now()}));
		let outcome: StepOutcome;
		if (intent.launch === 'destination') {
			await record.advance(intent.intentId, ['deposited', 'filling'], {status: 'filling'});
			outcome = await fillFromVenue(destination, trader, intent, onSend);
		} else {
			const amountRaw = await dueRaw(destination, intent);
			if (amountRaw < intent.minOutRaw) return toRetrying(intent, 'slippage', LESS_THAN_PROMISED);
			await record.advance(intent.intentId, ['deposited', 'filling'], {status: 'filling', outRaw: amountRaw});
			outcome = await fill(destination, intent, amountRaw, onSend);
		}
		// The stored state may be old, and the hash of an attempt that failed is not the one that filled: the bridge
		// contract knows.
		if (outcome.done || (await fillStateOf(destination, intent)) === 'filled') {
			return recordFill((await record.get(intent.intentId))!, destination);
		}
		const code = outcome.reason === LESS_THAN_PROMISED ? 'slippage' : 'fill-failed';
		return toRetrying(intent, code, outcome.reason);
	};

	const recordFill = async (intent: Intent, destination: Chain): Promise<boolean> => {
		const outRaw = intent.launch === 'destination' ? ((await arrivedRaw(destination, intent)) ?? null) : intent.outRaw;
		return record.advance(intent.intentId, ['deposited', 'filling', 'retrying'], {
			status: 'filled',
			outRaw,
			fillConfirmedAtMs: record.now(),
			failureCode: null,
			failureReason: null,
		});
	};

	const toRetrying = (intent: Intent, failureCode: string, failureReason: string): Promise<boolean> =>
		record.advance(intent.intentId, ['deposited', 'filling'], {
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
		return !signal.aborted && (await record.advance(intent.intentId, ['retrying'], {status: 'filling'}));
	};

	/**
	 * Closes the destination before it returns the deposit: never both filled and refunded. The intent is `retrying` until both are
	 * done, however long that takes: it fails only when the chain refuses one of them for good.
	 */
	const refundDeposit = async (intent: Intent, origin: Chain, destination: Chain): Promise<boolean> => {
		const {intentId} = intent;
		await awaitEarlier(destination, intent.cancelTxHash);
		if ((await fillStateOf(destination, intent)) === 'open') {
			const outcome = await cancelFill(
				destination,
				intent,
				noted(intent, 'retrying', cancelTxHash => ({cancelTxHash})),
			);
			if (!outcome.done) {
				const reason = `the fill could not be cancelled, so nothing was refunded: ${outcome.reason}`;
				return fail(intent, 'refund-failed', reason);
			}
		}
		const state = await fillStateOf(destination, intent);
		if (state === 'filled') return recordFill(intent, destination);
		// Nodes behind one address differ.
		if (state === 'open') throw new StepDelayed('the node does not have the cancelled fill yet');
		await awaitEarlier(origin, intent.refundTxHash);
		const outcome = await onceMore(origin, intent, 'refunded', () =>
			refund(
				origin,
				intent,
				noted(intent, 'retrying', refundTxHash => ({refundTxHash})),
			),
		);
		if (!outcome.done) return fail(intent, 'refund-failed', `the refund failed: ${outcome.reason}`);
		return record.advance(intentId, ['retrying'], {status: 'refunded'});
	};

	const onFilled = async (intent: Intent, origin: Chain): Promise<boolean> => {
		await awaitEarlier(origin, intent.settleTxHash);
		const outcome = await onceMore(origin, intent, 'settled', () =>
			settle(
				origin,
				intent,
				noted(intent, 'filled', settleTxHash => ({settleTxHash})),
			),
		);
		if (outcome.done) await record.advance(intent.intentId, ['filled'], {status: 'settled', settledAtMs: record.now()});
		else log(`bridge intent ${intent.intentId} is not settled: ${outcome.reason}`);
		return false;
	};

	/**
	 * Awaits the transaction of a step that an earlier run or another replica may have sent: what a chain has, and what a
	 * replica is going to send, is not made once more.
	 * @throws StepDelayed when it is not mined in time
	 */
	const awaitEarlier = async (chain: Chain, hash: Hash | null): Promise<void> => {
		if (hash === null || !(await mayBeMined(chain, hash))) return;
		await mineNow(chain);
		await mined(chain, hash);
	};

	/** Stores the hash of a transaction right before it is sent, which a worker may do only while the intent is its own. */
	const noted =
		(intent: Intent, status: BridgeStatus, patch: (hash: Hash) => IntentPatch): OnSend =>
		async hash => {
			if (await record.advance(intent.intentId, [status], patch(hash))) return;
			throw new SendRejected('the transfer is at another step by now');
		};

	/**
	 * A step on the deposit, unless the bridge contract has it already.
	 * @throws StepDelayed while it is unknown whether the step can be made
	 */
	const onceMore = async (
		origin: Chain,
		intent: Intent,
		end: 'settled' | 'refunded',
		act: () => Promise<StepOutcome>,
	): Promise<StepOutcome> => {
		const state = await depositStateOf(origin, intent);
		if (state === end) return {done: true, txHash: intent.depositId!};
		// It may come back: a node can be behind, and blocks can be reorganised.
		if (state === 'none') throw new StepDelayed('the node does not have the deposit');
		if (state !== 'deposited') return {done: false, reason: `the deposit is ${state}`, isReverted: true};
		return act();
	};

	const fail = async (intent: Intent, failureCode: string, failureReason: string): Promise<false> => {
		await record.advance(intent.intentId, [intent.status], {status: 'failed', failureCode, failureReason});
		return false;
	};

	return {advance};
}

/** Stores the deposit of an intent; false when the intent has another status by now. */
export function recordDeposit(
	record: IntentRecord,
	{intentId, status}: Intent,
	{depositId, amountRaw, txHash}: Deposit,
): Promise<boolean> {
	return record.advance(intentId, [status], {
		status: 'deposited',
		depositTxHash: txHash,
		depositId,
		depositedRaw: amountRaw,
		depositDetectedAtMs: record.now(),
	});
}
