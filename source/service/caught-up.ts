import {setTimeout as after} from 'node:timers/promises';
import type {Market} from './market/market.ts';

const EVERY_MS = 100;

/** Whether no chain is still at its start or reads its past; true for a market that follows none. */
export function isCaughtUp({coverage}: Pick<Market, 'coverage'>): boolean {
	return coverage?.().every(({state}) => state !== 'starting' && state !== 'backfilling') ?? true;
}

/** Resolves when the market has read the past of its chains, or after `mostMs`. Keeps no process alive. */
export async function untilCaughtUp(
	market: Pick<Market, 'coverage'>,
	{mostMs = Number.POSITIVE_INFINITY, signal}: {mostMs?: number; signal: AbortSignal},
): Promise<void> {
	const endMs = performance.now() + mostMs;
	while (!isCaughtUp(market) && performance.now() < endMs && !signal.aborted)
		await after(EVERY_MS, undefined, {ref: false, signal}).catch(() => {});
}

/** Resolves when the market of a replica has about all of the log, or after `mostMs`. Keeps no process alive. */
export async function untilReady(
	{log}: Pick<Market, 'log'>,
	{mostMs, signal}: {mostMs: number; signal: AbortSignal},
): Promise<void> {
	const endMs = performance.now() + mostMs;
	while (log?.isReady() === false && performance.now() < endMs && !signal.aborted)
		await after(EVERY_MS, undefined, {ref: false, signal}).catch(() => {});
}
