import {setTimeout as sleep} from 'node:timers/promises';
import type {BridgeStatus} from '../../contract/bridge.ts';
import type {Chain, ChainSet} from '../chain/chain-set.ts';
import type {MarketTokens} from './assets.ts';
import {awaitSponsoredDeposit, type Deposit, findDeposit, isKnown} from './deposit.ts';
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

export interface RunnerOptions {
	readonly chains: ChainSet;
	readonly book: IntentBook;
	readonly now: () => number;
	readonly log: (line: string) => void;
	readonly tokens?: MarketTokens | undefined;
	/** Waits between tries of a fill. */
	readonly retryMs?: readonly number[] | undefined;
	/** Waits after a failure of the chain or of the store itself. */
	readonly troubleMs?: number | undefined;
}

/** Drives intents from their broadcast to their end: one worker for each intent, which can be begun anew anywhere. */
export interface IntentRunner {
	/** Begins to work on an intent, unless that is being done. */
	watch(intentId: string): void;
	/** Looks once for the deposit of an intent that was only quoted: its user may have sent it. */
	lookForDeposit(intentId: string): Promise<void>;
	/** Looks for the deposit of a signed quote until the quote has expired. */
	expectDeposit(intentId: string): void;
	/** Takes up everything that a former run has left. */
	recover(): void;
	/** Resolves when no worker is at work any more. */
	close(): Promise<void>;
}

/** Three tries altogether (contract gaps 4.5). */
const RETRY_MS = [500, 2000];

/** How long a worker may take to come to a point where it can stop. */
const CLOSE_MS = 1000;

/** How often a deposit that a user sends himself is looked for. */
const LOOK_MS = 250;

/** How long after its end a quote's deposit is still looked for without being asked. */
const LATE_MS = 60_000;

/** Statuses from which a step follows. */
const STEPS: ReadonlySet<BridgeStatus | null> = new Set<BridgeStatus>([
	'pending',
	'deposited',
	'filling',
	'retrying',
	'filled',
]);

export function createIntentRunner(options: RunnerOptions): IntentRunner {
	const {book, chains, log, now, retryMs = RETRY_MS, troubleMs = 2000} = options;
	const workers = new Map<string, Promise<void>>();
	const expected = new Set<string>();
	const stopping = new AbortController();
	const {signal} = stopping;

	const work = async (intentId: string) => {
		while (!signal.aborted) {
			try {
				const intent = book.get(intentId);
				if (intent === undefined || !STEPS.has(intent.status)) return;
				if (!(await advance(intent))) return;
			} catch (error) {
				// The chain or the store is away. Nothing is concluded from that: the same step is tried again later.
				log(`bridge intent ${intentId} waits: ${error instanceof Error ? error.message : String(error)}`);
				await sleep(troubleMs, undefined, {ref: false, signal}).catch(() => {});
			}
		}
	};

	/** One step; false when there is nothing more to do. */
	const advance = async (intent: Intent): Promise<boolean> => {
		const [origin, destination] = await Promise.all([
			chains.ready(intent.originChainId),
			chains.ready(intent.destinationChainId),
		]);
		if (origin.instance !== intent.originInstance || destination.instance !== intent.destinationInstance) {
			if (intent.status !== 'filled')
				fail(intent, 'devnet-reset', 'the practice chain was begun anew: its tokens are gone');
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
		// A former run may have sent one, of which nothing is known yet.
		if (intent.status === 'filling' && intent.fillTxHash !== null && (await isKnown(destination, intent.fillTxHash))) {
			await mined(destination, intent.fillTxHash);
		}
		const state = await fillStateOf(destination, intent);
		if (state === 'filled') return recordFill(intent);
		if (state === 'cancelled') return toRetrying(intent, 'cancelled', 'the fill was cancelled');
		const amountRaw = await dueRaw(destination, intent, options.tokens);
		if (amountRaw < intent.minOutRaw) {
			const words = 'the price moved: less than the promised minimum would arrive';
			return toRetrying(intent, 'slippage', words);
		}
		book.advance(intent.intentId, ['deposited', 'filling'], {status: 'filling', outRaw: amountRaw});
		const outcome = await fill(destination, intent, amountRaw, fillTxHash =>
			book.advance(intent.intentId, ['filling'], {fillTxHash, fillSentAtMs: now()}),
		);
		if (outcome.done) return recordFill(intent);
		// Its own answer may be old: the bridge knows whether the intent was filled.
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
		if (waitMs === undefined || intent.cancelTxHash !== null) return giveBack(intent, origin, destination);
		await sleep(waitMs, undefined, {ref: false, signal}).catch(() => {});
		return !signal.aborted && book.advance(intent.intentId, ['retrying'], {status: 'filling'});
	};

	/** First the destination is closed, then the deposit goes back: never both filled and refunded. */
	const giveBack = async (intent: Intent, origin: Chain, destination: Chain): Promise<boolean> => {
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

	/** A step on the deposit, unless the bridge says that it was made before. */
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

	const watch = (intentId: string) => {
		if (signal.aborted || workers.has(intentId)) return;
		const worker = work(intentId).finally(() => workers.delete(intentId));
		workers.set(intentId, worker);
	};

	const lookForDeposit = async (intentId: string): Promise<void> => {
		const intent = book.get(intentId);
		if (intent === undefined || intent.status !== null || signal.aborted) return;
		const origin = await chains.ready(intent.originChainId);
		if (origin.instance !== intent.originInstance) return;
		const deposit = await findDeposit(origin, intent);
		if (deposit && recordDeposit(intent, deposit)) watch(intentId);
	};

	const keepLooking = async (intentId: string): Promise<void> => {
		while (!signal.aborted) {
			const intent = book.get(intentId);
			if (intent === undefined || intent.status !== null || now() > intent.expiresAtMs + LATE_MS) return;
			await lookForDeposit(intentId).catch(error => log(`bridge intent ${intentId} waits: ${String(error)}`));
			await sleep(LOOK_MS, undefined, {ref: false, signal}).catch(() => {});
		}
	};

	const expectDeposit = (intentId: string): void => {
		if (expected.has(intentId)) return;
		expected.add(intentId);
		keepLooking(intentId)
			.catch(error => log(`bridge intent ${intentId} is no longer looked for: ${String(error)}`))
			.finally(() => expected.delete(intentId));
	};

	return {
		watch,
		lookForDeposit,
		expectDeposit,
		recover() {
			for (const {intentId} of book.expected(now())) expectDeposit(intentId);
			for (const intent of book.open()) {
				if (intent.status !== null) {
					watch(intent.intentId);
					continue;
				}
				// The hash is written down before anything is sent. There is none, so nothing was: that must be said, since the
				// caller was cut off without an answer and reads the status.
				book.advance(intent.intentId, [null], {
					status: 'failed',
					failureCode: 'not-sent',
					failureReason: 'the service stopped before the batch was sent: no tokens moved',
				});
			}
		},
		async close() {
			stopping.abort();
			// What is not finished by then is taken up by the next run.
			await Promise.race([Promise.all(workers.values()), sleep(CLOSE_MS, undefined, {ref: false})]);
		},
	};
}
