import {setTimeout as sleep} from 'node:timers/promises';
import type {BridgeStatus} from '../../contract/bridge.ts';
import {type RowLease, RowTaken} from '../store/row-leases.ts';
import {originOf} from './bridge-of.ts';
import {findDeposit} from './deposit.ts';
import {createIntentSteps, recordDeposit, type StepOptions} from './intent-steps.ts';
import {type Intent, type IntentBook, UNFINISHED} from './intents.ts';

export interface RunnerOptions extends Omit<StepOptions, 'record'> {
	readonly book: IntentBook;
	/** Delay after a failure of the chain or of the store, in milliseconds. */
	readonly troubleMs?: number | undefined;
}

/**
 * Works on intents from their broadcast to their end: one worker for each intent among all processes of the store, which
 * another one can follow at any point.
 */
export interface IntentRunner {
	/** Starts a worker for the intent, unless it has one. */
	watch(intentId: string): void;
	/** Starts a worker that goes on with the lease of an execution. */
	start(lease: RowLease): void;
	/** Looks once for the deposit of an intent that was only quoted: its user may have sent it. */
	lookForDeposit(intentId: string): Promise<void>;
	/** Looks for the deposit of a signed quote until the quote has expired. */
	expectDeposit(intentId: string): void;
	/** Resumes the intents that have no worker: those of an earlier run, and from now on those of replicas that are gone. */
	recover(): Promise<void>;
	/** Resolves when all workers have stopped. */
	close(): Promise<void>;
}

/** How long a worker may take to reach a point where it can stop. */
const CLOSE_MS = 1000;

/** How often a deposit that a user sends directly is looked for. */
const DEPOSIT_POLL_MS = 250;

/** How long past its expiry the deposit of a quote is looked for without a request. */
const LATE_MS = 60_000;

/** How many intents of replicas that are gone are taken at once. */
const TAKE_OVER_MOST = 100;

/** How long an intent is left alone whose next step cannot be made now. */
const REST_MS = 60_000;

/** After this many failures in a row another replica may try: it may reach the chain. */
const TROUBLES_MOST = 5;

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
	const {book, chains, log, now, troubleMs = 2000} = options;
	const {leases} = book;
	const workers = new Set<Promise<void>>();
	const expected = new Set<string>();
	const stopping = new AbortController();
	const {signal} = stopping;
	const pause = (ms: number, until = signal) => sleep(ms, undefined, {ref: false, signal: until}).catch(() => {});
	const waits = (intentId: string, error: unknown) =>
		log(`bridge intent ${intentId} waits: ${error instanceof Error ? error.message : String(error)}`);

	/** Works on an intent to its end. */
	const work = async (lease: RowLease): Promise<void> => {
		const ending = AbortSignal.any([signal, lease.signal]);
		const {advance} = createIntentSteps({...options, record: book.under(lease)}, ending);
		let troubles = 0;
		while (!ending.aborted) {
			try {
				const intent = await book.get(lease.key);
				if (intent === undefined) return lease.done();
				const {status} = intent;
				if (status === null && (intent.isGasless || !(await awaitUser(intent)))) return await giveUp(intent, lease);
				if (status !== null && !STEPS.has(status)) return lease.done();
				if (status !== null && !(await advance(intent))) {
					if (ending.aborted) return;
					// It has ended, or it waits for something that may take long.
					if ((await book.get(lease.key))?.status === status) return await lease.release(REST_MS);
				}
				troubles = 0;
			} catch (error) {
				if (error instanceof RowTaken) return lease.done();
				// The chain or the store is away, which proves nothing: the same step is tried again later.
				waits(lease.key, error);
				if (++troubles >= TROUBLES_MOST && leases.isShared) return await lease.release();
				await pause(troubleMs, ending);
			}
		}
	};

	/** Looks for the deposit that a user may send; false when it is not waited for any more. */
	const awaitUser = async (intent: Intent): Promise<boolean> => {
		if (signal.aborted || now() > intent.expiresAtMs + LATE_MS) return false;
		await lookForDeposit(intent.intentId);
		await pause(DEPOSIT_POLL_MS);
		return true;
	};

	/** Ends an intent of which nothing was sent. */
	const giveUp = async ({intentId, claim}: Intent, lease: RowLease): Promise<void> => {
		// Who claimed it is gone, since its lease is free. The hash is stored before anything is sent: without a hash
		// nothing was sent. The status says so, since the caller got no answer.
		if (claim !== null) {
			await book.under(lease).advance(intentId, [null], {
				status: 'failed',
				failureCode: 'not-sent',
				failureReason: 'the service stopped before the batch was sent: no tokens moved',
			});
		}
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

	const lookForDeposit = async (intentId: string): Promise<void> => {
		const intent = await book.get(intentId);
		if (intent === undefined || intent.status !== null || signal.aborted) return;
		const origin = await chains.ready(intent.originChainId);
		if (origin.instance !== intent.originInstance) return;
		const deposit = await findDeposit(originOf(intent, origin), intent);
		// Whoever looks may find it: of several, one records it.
		if (deposit && (await recordDeposit(book, intent, deposit))) watch(intentId);
	};

	const expectDeposit = async (intentId: string): Promise<void> => {
		const intent = await book.get(intentId);
		if (intent === undefined || expected.has(intentId)) return;
		if (!intent.isGasless) return watch(intentId);
		// It may be executed meanwhile, for which it must be free.
		expected.add(intentId);
		for (let now = intent; now.status === null && (await awaitUser(now)); now = (await book.get(intentId)) ?? now);
		expected.delete(intentId);
	};

	/** Intents that someone has to work on; with other replicas only those whose chains this one has. */
	const workLeft = () => {
		const {sql, parameters = []} = book.now();
		const awaited = `status IS NULL AND isGasless = 0 AND expiresAtMs > ${sql}`;
		if (!leases.isShared) return {sql: `${UNFINISHED} OR (${awaited})`, parameters};
		const own = chains.infos.filter(({id}) => chains.outline(id).kind === 'external');
		const ids = own.map(({id}) => id).join(', ') || 'NULL';
		const left = `${UNFINISHED} OR (${awaited} AND workerUntilMs IS NOT NULL)`;
		return {sql: `(${left}) AND originChainId IN (${ids}) AND destinationChainId IN (${ids})`, parameters};
	};
	const takeOver = async (): Promise<void> => {
		const most = leases.isShared ? TAKE_OVER_MOST : Number.MAX_SAFE_INTEGER;
		for (const lease of await leases.takeFree(workLeft(), most)) start(lease);
	};
	let trouble: string | undefined;
	const takeOverAgain = async (): Promise<void> => {
		while (!signal.aborted) {
			await pause(leases.lookMs);
			try {
				await takeOver();
				trouble = undefined;
			} catch (error) {
				const why = error instanceof Error ? error.message : String(error);
				if (why !== trouble) log(`transfers of other replicas were not looked at: ${why}`);
				trouble = why;
			}
		}
	};

	return {
		watch,
		start,
		lookForDeposit,
		expectDeposit(intentId) {
			expectDeposit(intentId).catch(error => waits(intentId, error));
		},
		async recover() {
			await takeOver();
			if (leases.isShared) void takeOverAgain();
		},
		async close() {
			stopping.abort();
			// The next run, or another replica, resumes what is unfinished by then.
			await Promise.race([Promise.all(workers), sleep(CLOSE_MS, undefined, {ref: false})]);
		},
	};
}
