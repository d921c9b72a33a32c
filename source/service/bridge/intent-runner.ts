import {setTimeout as sleep} from 'node:timers/promises';
import type {BridgeStatus} from '../../contract/bridge.ts';
import {reasonOf} from '../../errors.ts';
import type {Chain} from '../chain/chain-set.ts';
import {externalIds} from '../chain/external-ids.ts';
import {isElsewhere} from '../chain/instance.ts';
import {pollMs} from '../chain/receipt.ts';
import {type RowLease, RowTaken} from '../store/row-leases.ts';
import type {Expression} from '../store/table.ts';
import {takeOver} from '../store/take-over.ts';
import {originOf} from './bridge-of.ts';
import {findDeposit} from './deposit.ts';
import {createIntentSteps, recordDeposit, type StepOptions} from './intent-steps.ts';
import {type Intent, type IntentBook, LEASED, STARTED, UNFINISHED} from './intents.ts';
import {StepDelayed} from './solver.ts';

export interface RunnerOptions extends Omit<StepOptions, 'record'> {
	readonly book: IntentBook;
	/**
	 * Delay before a retry after a failure of the chain or of the store, in milliseconds, and before the first retry of a step that
	 * is delayed; doubles with each further one.
	 */
	readonly failureDelayMs?: number | undefined;
	/** Replaces a delay. */
	readonly pause?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/**
 * Works on intents from their broadcast to their end: one worker for each intent among all processes of the store. Another
 * process can take a worker's intent over at any point.
 */
export interface IntentRunner {
	/** Starts a worker for the intent, unless it has one. */
	watch(intentId: string): void;
	/** Starts a worker under the lease of an execution. */
	start(lease: RowLease): void;
	/** Checks once for the deposit of an intent that was only quoted: its user may have sent it. */
	lookForDeposit(intentId: string): Promise<void>;
	/** Polls for the deposit of a signed quote until the quote has expired. */
	expectDeposit(intentId: string): void;
	/** Resumes the intents without a worker: those of an earlier run, and from now on those of dead replicas. */
	recover(): Promise<void>;
	/** Resolves when all workers have stopped. */
	close(): Promise<void>;
}

/** Timeout of `close`, in which workers can reach a point where they stop. */
const CLOSE_MS = 1000;

/** Shortest polling interval for a deposit that a user sends directly. */
const DEPOSIT_POLL_MS = 250;

/** How long after its expiry the deposit of a quote is polled for. */
const LATE_MS = 60_000;

/** Delay before the next attempt of a step that is not possible now, and the longest one of a delayed step. */
const STEP_DELAY_MS = 60_000;

/** After this many failures in a row the intent is released: another replica may reach the chain. */
const MAX_FAILURES = 5;

/** Statuses with a next step. */
const STEPS: ReadonlySet<BridgeStatus | null> = new Set<BridgeStatus>([
	'pending',
	'deposited',
	'filling',
	'retrying',
	'filled',
]);

/** Makes a runner without workers; `recover` starts them. */
export function createIntentRunner(options: RunnerOptions): IntentRunner {
	const {book, chains, log, now, failureDelayMs = 2000} = options;
	const {leases} = book;
	const workers = new Set<Promise<void>>();
	const expected = new Set<string>();
	const stopping = new AbortController();
	const {signal} = stopping;
	const {pause = (ms, until) => sleep(ms, undefined, {ref: false, signal: until}).catch(() => {})} = options;
	const waits = (intentId: string, error: unknown) => log(`bridge intent ${intentId} waits: ${reasonOf(error)}`);

	/** Works on an intent to its end. */
	const work = async (lease: RowLease): Promise<void> => {
		const ending = AbortSignal.any([signal, lease.signal]);
		const {advance} = createIntentSteps({...options, record: book.under(lease)}, ending);
		let failures = 0;
		const waited = {ms: 0};
		while (!ending.aborted) {
			try {
				const intent = await book.get(lease.key);
				if (intent === undefined) return lease.done();
				const {status} = intent;
				if (await isForAnother(intent)) return await lease.release(STEP_DELAY_MS);
				if (status === null && (intent.isGasless || !(await awaitUser(intent, waited))))
					return await giveUp(intent, lease);
				if (status !== null && !STEPS.has(status)) return lease.done();
				if (status !== null && !(await advance(intent))) {
					if (ending.aborted) return;
					// Without a new status the step is not possible now, which may last.
					if ((await book.get(lease.key))?.status === status) return await lease.release(STEP_DELAY_MS);
				}
				failures = 0;
			} catch (error) {
				if (error instanceof RowTaken) return lease.done();
				// The chain or the store is unreachable, or the step is delayed, which proves nothing: the same step is retried.
				waits(lease.key, error);
				const isDelayed = error instanceof StepDelayed;
				const delayMs = isDelayed ? stepDelayMs(failures, failureDelayMs) : failureDelayMs;
				if (++failures >= MAX_FAILURES && leases.isShared) return await lease.release(isDelayed ? delayMs : 0);
				await pause(delayMs, ending);
			}
		}
	};

	/** Whether an intent is of a chain that another process has under the number. */
	const isForAnother = async ({intentId, ...intent}: Intent): Promise<boolean> => {
		const isAway =
			(await isElsewhere(chains, intent.originChainId, intent.originInstance)) ||
			(await isElsewhere(chains, intent.destinationChainId, intent.destinationInstance));
		if (isAway) log(`bridge intent ${intentId} is left alone: it is of other chains than those of this service`);
		return isAway;
	};

	/**
	 * Checks for the deposit that a user may send, and pauses; false when the wait has timed out.
	 * @param waited the pauses so far
	 */
	const awaitUser = async (intent: Intent, waited: {ms: number}): Promise<boolean> => {
		if (signal.aborted || now() > intent.expiresAtMs + LATE_MS) return false;
		const origin = await findUserDeposit(intent.intentId);
		const delayMs = Math.max(DEPOSIT_POLL_MS, origin === undefined ? 0 : pollMs(origin, waited.ms));
		await pause(delayMs, signal);
		waited.ms += delayMs;
		return true;
	};

	/** Ends an intent whose batch was never sent. */
	const giveUp = async ({intentId, claim}: Intent, lease: RowLease): Promise<void> => {
		// The claimant is dead, since its lease is free. The hash is stored before anything is sent: without a hash nothing
		// was sent. The status reports it, since the caller got no answer.
		if (claim === null) return book.expire(lease);
		await book.under(lease).advance(intentId, [null], {
			status: 'failed',
			failureCode: 'not-sent',
			failureReason: 'the service stopped before the batch was sent: no tokens moved',
		});
		lease.done();
	};

	const start = (lease: RowLease): void => {
		if (signal.aborted) return;
		const worker = work(lease).finally(() => workers.delete(worker));
		workers.add(worker);
	};

	const watch = (intentId: string): void => {
		leases.take(intentId).then(
			taken => taken && start(taken),
			error => waits(intentId, error),
		);
	};

	/** Checks once for the deposit of an intent that was only quoted. @returns the chain that was asked */
	const findUserDeposit = async (intentId: string): Promise<Chain | undefined> => {
		const intent = await book.get(intentId);
		if (intent === undefined || intent.status !== null || signal.aborted) return undefined;
		const origin = await chains.ready(intent.originChainId);
		if (origin.instance !== intent.originInstance) return undefined;
		const deposit = await findDeposit(originOf(intent, origin), intent);
		// Several processes may find the deposit: one of them records it.
		if (deposit && (await recordDeposit(book, intent, deposit))) watch(intentId);
		return origin;
	};

	const expectDeposit = async (intentId: string): Promise<void> => {
		const intent = await book.get(intentId);
		if (intent === undefined || expected.has(intentId)) return;
		if (!intent.isGasless) return watch(intentId);
		// Without a lease: the intent may be executed meanwhile.
		expected.add(intentId);
		const waited = {ms: 0};
		for (
			let now = intent;
			now.status === null && (await awaitUser(now, waited));
			now = (await book.get(intentId)) ?? now
		);
		expected.delete(intentId);
	};

	/** Intents that need a worker; among replicas only intents on chains of this one. */
	const workLeft = (): Expression[] => {
		const {sql, parameters = []} = book.now();
		const awaited = `status IS NULL AND isGasless = 0 AND expiresAtMs > ${sql}`;
		if (!leases.isShared) return [{sql: `${UNFINISHED} OR (${awaited})`, parameters}];
		const ids = externalIds(chains);
		const isHere = `originChainId IN (${ids}) AND destinationChainId IN (${ids})`;
		// As one condition PostgreSQL may read the whole table: it overestimates how many intents are leased, since those that
		// ended keep their last lease.
		return [
			{sql: `${STARTED} AND ${isHere}`},
			{sql: `${LEASED} AND (claim IS NOT NULL OR (${awaited})) AND ${isHere}`, parameters},
		];
	};

	return {
		watch,
		start,
		async lookForDeposit(intentId) {
			await findUserDeposit(intentId);
		},
		expectDeposit(intentId) {
			expectDeposit(intentId).catch(error => waits(intentId, error));
		},
		recover() {
			const logFailure = (why: string): void => log(`transfers of other replicas were not looked at: ${why}`);
			return takeOver({leases, work: workLeft, start, log: logFailure, signal});
		},
		async close() {
			stopping.abort();
			// The next run, or another replica, resumes what is unfinished by then.
			await Promise.race([Promise.all(workers), sleep(CLOSE_MS, undefined, {ref: false})]);
		},
	};
}

/**
 * Delay before a delayed step is tried again, in milliseconds: doubles with each failure, up to a minute.
 * @param failures how many there were before
 */
export function stepDelayMs(failures: number, firstMs: number): number {
	return Math.min(firstMs * 2 ** failures, STEP_DELAY_MS);
}
