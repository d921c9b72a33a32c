import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {MarketEvent} from '../../../source/service/market/events.ts';
import type {ReplicaMarket} from '../../../source/service/replicas/replica-market.ts';
import {eventFingerprint, Simulation} from '../../../source/service/replicas/simulation.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {randomBy} from '../../torture/processes.ts';
import {blockMs} from '../follow/made-events.ts';
import {MADE_CHAIN, writeMadeChain} from '../log/made-log.ts';
import {MemoryLog} from '../log/memory-log.ts';
import {copyAsKilled} from '../log/replica-file.ts';
import {bytesOf, differing, openReplica, untilAt} from './replica-pages.ts';

const SEED = Number(process.env['PULSETOP_SEED'] ?? 7);
const START_MS = Date.UTC(2026, 10, 23, 8, 0, 0);

/** Writes a simulation as its leaders do, without waiting for its time to pass. */
function writeSimulation(
	log: MemoryLog,
	{seed, minutes, historyTokens}: {seed: number; minutes: number; historyTokens: number},
): void {
	const simulation = new Simulation({seed, rate: 1, startMs: START_MS, historyTokens});
	const counts = new Map<string, number>();
	const write = (atMs: number): void => {
		for (const chainId of [...simulation.waiting()]) {
			const events = simulation.eventsOf(chainId, 0, 500);
			const count = (counts.get(chainId) ?? 0) + events.length;
			counts.set(chainId, count);
			const cursor = {
				count,
				atMs,
				last: eventFingerprint(events.at(-1)!),
				...(simulation.hasHistory && {isHistory: true}),
			};
			const blocks = events.flatMap((event: MarketEvent) => ('block' in event ? [event.block] : []));
			log.write(
				{
					kind: 'batch',
					batch: {
						chainId,
						fromBlock: Math.min(0, ...blocks),
						toBlock: Math.max(0, ...blocks),
						isPart: true,
						events,
						facts: [],
						cursor: JSON.stringify(cursor),
					},
				},
				atMs,
			);
			simulation.written(chainId, cursor);
		}
	};
	for (let atMs = START_MS; atMs <= START_MS + minutes * 60_000; atMs += 500) {
		while (simulation.step(atMs));
		while ([...simulation.waiting()].length > 0) write(atMs);
		log.write({kind: 'clock'}, atMs);
	}
}

const SIMULATED = {seed: SEED, rate: 1, historyTokens: 120};

test.each([
	{name: 'a simulation', sources: SIMULATED, startMs: START_MS},
	{name: 'a followed chain', sources: MADE_CHAIN, startMs: blockMs(0)},
])(
	'replicas of $name show the same bytes at the same entry: always there, restarted, killed, and begun from a copy',
	async ({sources, startMs}) => {
		const random = randomBy(SEED);
		const log = new MemoryLog();
		if ('follow' in sources) await writeMadeChain(log, {seed: SEED, steps: 600});
		else writeSimulation(log, {seed: SEED, minutes: 3, historyTokens: 120});
		const home = temporaryDirectory();
		const directory = (name: string): string => {
			const path = join(home, name);
			mkdirSync(path);
			return path;
		};
		const open = (path: string): Promise<ReplicaMarket> => openReplica(log, {sources, startMs, directory: path});
		log.show(0);
		const always = await open(directory('always'));
		const own = directory('restarted');
		let restarted = await open(own);
		const cuts = Array.from({length: 3}, () => 1 + Math.floor(random() * log.length)).sort((a, b) => a - b);
		for (const [n, seq] of [...cuts, log.length].entries()) {
			log.show(seq);
			const copied = directory(`copy-${n}`);
			await untilAt(always, seq);
			const killed = copyAsKilled(join(home, 'always'), directory(`killed-${n}`));
			await always.journal.backup(join(copied, 'replica.db'));
			await untilAt(restarted, seq);
			const expected = bytesOf(always);
			expect(differing(expected, bytesOf(restarted)), `seed ${SEED}, entry ${seq}`).toEqual([]);
			await restarted.close();
			restarted = await open(own);
			const [joined, resumed] = [await open(copied), await open(killed)];
			for (const market of [restarted, joined, resumed]) {
				await untilAt(market, seq);
				expect(differing(expected, bytesOf(market)), `seed ${SEED}, entry ${seq}`).toEqual([]);
			}
			await Promise.all([joined.close(), resumed.close()]);
		}
		expect(always.table.length).toBeGreaterThan('follow' in sources ? 20 : 120);
	},
);
