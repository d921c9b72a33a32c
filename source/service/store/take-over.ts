import {setTimeout as sleep} from 'node:timers/promises';
import {logFailuresOnce} from '../log-failures-once.ts';
import type {RowLease, RowLeases} from './row-leases.ts';
import type {Expression} from './table.ts';

export interface TakeOverOptions {
	readonly leases: RowLeases;
	/** Condition of the rows with work that this process can do. Several are searched one by one: each can have its own index. */
	readonly work: () => Expression | readonly Expression[];
	/** Starts the work on a row. */
	readonly start: (lease: RowLease) => void;
	/** Called with the reason when a later poll fails: each reason once. */
	readonly log: (why: string) => void;
	/** Ends the polling. */
	readonly signal: AbortSignal;
}

/** Maximum number of rows that one poll takes. */
const POLL_LIMIT = 100;

/**
 * Takes the free rows with work: once, and from then on every `leases.pollMs` where other processes share the table.
 * @throws StoreFailed when the first poll fails
 */
export async function takeOver({leases, work, start, log, signal}: TakeOverOptions): Promise<void> {
	const limit = leases.isShared ? POLL_LIMIT : Number.MAX_SAFE_INTEGER;
	const poll = async (): Promise<void> => {
		for (const condition of [work()].flat()) {
			for (const lease of await leases.takeFree(condition, limit)) start(lease);
		}
	};
	const keepPolling = async (): Promise<void> => {
		const attempt = logFailuresOnce(log);
		while (!signal.aborted) {
			await sleep(leases.pollMs, undefined, {ref: false, signal}).catch(() => {});
			await attempt(poll);
		}
	};
	await poll();
	if (leases.isShared) void keepPolling();
}
