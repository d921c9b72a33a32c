import {setTimeout as after} from 'node:timers/promises';
import type {Market} from './market/market.ts';

const EVERY_MS = 100;

/** Whether no chain is still at its start or reads its past; true for a market that follows none. */
export function isCaughtUp({coverage}: Pick<Market, 'coverage'>): boolean {
	return coverage?.().every(({state}) => state !== 'starting' && state !== 'backfilling') ?? true;
}

interface WaitOptions {
	/** Default: no limit. */
	readonly maxMs?: number;
	readonly signal: AbortSignal;
}

/** Resolves when the market has read the past of its chains, or after `maxMs`. Keeps no process alive. */
export function untilCaughtUp(market: Pick<Market, 'coverage'>, options: WaitOptions): Promise<void> {
	return pollUntil(() => isCaughtUp(market), options);
}

/** Resolves when the market of a replica is close to the end of the log, or after `maxMs`. Keeps no process alive. */
export function untilReady({log}: Pick<Market, 'log'>, options: WaitOptions): Promise<void> {
	return pollUntil(() => log?.isReady() !== false, options);
}

async function pollUntil(
	isDone: () => boolean,
	{maxMs = Number.POSITIVE_INFINITY, signal}: WaitOptions,
): Promise<void> {
	const endMs = performance.now() + maxMs;
	while (!isDone() && performance.now() < endMs && !signal.aborted)
		await after(EVERY_MS, undefined, {ref: false, signal}).catch(() => {});
}
