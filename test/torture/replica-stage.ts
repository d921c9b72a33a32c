import {waitFor} from '../service/chain/practice.ts';
import type {CallKind} from './replica-calls.ts';
import type {Expect} from './replica-checks.ts';
import type {LaunchReceiver} from './replica-hooks.ts';
import type {ReplicaSubscriber} from './replica-subscriber.ts';
import type {ReplicaWorld} from './replica-world.ts';

/** Something that happens to a service under load. Returns its figures, one a line. */
export type Stage = (world: ReplicaWorld, parts: StageParts) => Promise<readonly string[]>;

export interface StageParts {
	readonly hooks: LaunchReceiver;
	readonly expect: Expect;
}

/** What users do. */
export interface Load {
	readonly executesPerS: number;
	/** Transfers under way at a time. */
	readonly executesMost: number;
	/** Requests of perpetuals. */
	readonly perpPerS: number;
}

/** Runs a stage under load, and waits for the answers to it and until all subscribers are served. */
export async function underLoad(
	world: ReplicaWorld,
	load: Load,
	act: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
	const {executes, perp, health, set, readers} = world;
	const stop = new AbortController();
	const moving = Promise.all([
		executes.run(load.executesPerS, stop.signal, load.executesMost),
		perp.run(load.perpPerS, stop.signal),
		health.run(set.urls, stop.signal),
	]);
	try {
		return await act();
	} finally {
		stop.abort();
		await moving;
		await waitFor(() => readers.every(({isServed, isClosed}) => isServed || isClosed));
	}
}

export const openOf = (readers: readonly ReplicaSubscriber[]): ReplicaSubscriber[] =>
	readers.filter(({isClosed}) => !isClosed);

export const lossesOf = (readers: readonly ReplicaSubscriber[]): number =>
	readers.reduce((sum, {losses}) => sum + losses, 0);

/** What is back after something, and after how many milliseconds; see `timesBack`. */
export type Back = ReadonlyMap<string, number>;

const LOOK_MS = 20;

/**
 * Waits until everything works again: requests of each kind, the health of replicas, streams, webhooks.
 * @param fromMs when it could work again, by `performance.now()`
 * @param maxMs what comes later is a violation
 */
export async function timesBack(
	{calls, perp, health, readers}: ReplicaWorld,
	{hooks, expect}: StageParts,
	{fromMs, replicas, maxMs}: {readonly fromMs: number; readonly replicas: readonly number[]; readonly maxMs: number},
): Promise<Back> {
	const open = openOf(readers);
	const [hooksBefore, positions] = [hooks.tokens.size, new Map(open.map(reader => [reader, reader.at]))];
	const isTaken = (kind: CallKind) => () =>
		calls.all.some(call => call.kind === kind && call.sentMs >= fromMs && call.status === 200);
	const tests = new Map<string, () => boolean>([
		['quotes', isTaken('quote')],
		['executes', isTaken('execute')],
		['perpetuals', () => perp.takenMs >= fromMs],
		['health', () => health.areReady(replicas, fromMs)],
		['streams', () => open.every(reader => reader.isServed && !reader.isStale && reader.at !== positions.get(reader))],
		['webhooks', () => hooks.tokens.size > hooksBefore],
	]);
	const back = new Map<string, number>();
	while (back.size < tests.size && performance.now() - fromMs < 4 * maxMs) {
		for (const [name, isSo] of tests) if (!back.has(name) && isSo()) back.set(name, performance.now() - fromMs);
		await new Promise(resolve => setTimeout(resolve, LOOK_MS));
	}
	for (const name of tests.keys()) {
		const tookMs = back.get(name);
		expect(tookMs !== undefined && tookMs <= maxMs, `${name}: back after ${tookMs?.toFixed(0) ?? 'no'} ms`);
	}
	return back;
}

export function backText(back: Back): string {
	return `back after: ${[...back].map(([name, ms]) => `${name} ${(ms / 1000).toFixed(1)} s`).join(', ')}`;
}
