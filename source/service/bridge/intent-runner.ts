import {setTimeout as sleep} from 'node:timers/promises';
import type {BridgeStatus} from '../../contract/bridge.ts';
import {originOf} from './bridge-of.ts';
import {findDeposit} from './deposit.ts';
import {createIntentSteps, type StepOptions} from './intent-steps.ts';

export interface RunnerOptions extends StepOptions {
	/** Delay after a failure of the chain or of the store, in milliseconds. */
	readonly troubleMs?: number | undefined;
}

/** Works on intents from their broadcast to their end: one worker for each intent, which can restart at any point. */
export interface IntentRunner {
	/** Starts a worker for the intent, unless there is one. */
	watch(intentId: string): void;
	/** Looks once for the deposit of an intent that was only quoted: its user may have sent it. */
	lookForDeposit(intentId: string): Promise<void>;
	/** Looks for the deposit of a signed quote until the quote has expired. */
	expectDeposit(intentId: string): void;
	/** Resumes the intents that an earlier run left unfinished. */
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
	const workers = new Map<string, Promise<void>>();
	const expected = new Set<string>();
	const stopping = new AbortController();
	const {signal} = stopping;
	const {advance, recordDeposit} = createIntentSteps(options, signal);

	const work = async (intentId: string) => {
		while (!signal.aborted) {
			try {
				const intent = await book.get(intentId);
				if (intent === undefined || !STEPS.has(intent.status)) return;
				if (!(await advance(intent))) return;
			} catch (error) {
				// The chain or the store is away, which proves nothing: the same step is tried again later.
				log(`bridge intent ${intentId} waits: ${error instanceof Error ? error.message : String(error)}`);
				await sleep(troubleMs, undefined, {ref: false, signal}).catch(() => {});
			}
		}
	};

	const watch = (intentId: string) => {
		if (signal.aborted || workers.has(intentId)) return;
		const worker = work(intentId).finally(() => workers.delete(intentId));
		workers.set(intentId, worker);
	};

	const lookForDeposit = async (intentId: string): Promise<void> => {
		const intent = await book.get(intentId);
		if (intent === undefined || intent.status !== null || signal.aborted) return;
		const origin = await chains.ready(intent.originChainId);
		if (origin.instance !== intent.originInstance) return;
		const deposit = await findDeposit(originOf(intent, origin), intent);
		if (deposit && (await recordDeposit(intent, deposit))) watch(intentId);
	};

	const pollDeposit = async (intentId: string): Promise<void> => {
		while (!signal.aborted) {
			const intent = await book.get(intentId);
			if (intent === undefined || intent.status !== null || now() > intent.expiresAtMs + LATE_MS) return;
			await lookForDeposit(intentId).catch(error => log(`bridge intent ${intentId} waits: ${String(error)}`));
			await sleep(DEPOSIT_POLL_MS, undefined, {ref: false, signal}).catch(() => {});
		}
	};

	const expectDeposit = (intentId: string): void => {
		if (expected.has(intentId)) return;
		expected.add(intentId);
		pollDeposit(intentId)
			.catch(error => log(`bridge intent ${intentId} is no longer looked for: ${String(error)}`))
			.finally(() => expected.delete(intentId));
	};

	return {
		watch,
		lookForDeposit,
		expectDeposit,
		async recover() {
			for (const {intentId} of await book.expected(now())) expectDeposit(intentId);
			for (const intent of await book.open()) {
				if (intent.status !== null) {
					watch(intent.intentId);
					continue;
				}
				// The hash is stored before anything is sent. Without a hash nothing was sent; the status says so,
				// since the caller got no answer.
				await book.advance(intent.intentId, [null], {
					status: 'failed',
					failureCode: 'not-sent',
					failureReason: 'the service stopped before the batch was sent: no tokens moved',
				});
			}
		},
		async close() {
			stopping.abort();
			// The next run resumes what is unfinished by then.
			await Promise.race([Promise.all(workers.values()), sleep(CLOSE_MS, undefined, {ref: false})]);
		},
	};
}
