import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {EventSink} from '../../../source/service/market/event-source.ts';
import type {MarketEvent} from '../../../source/service/market/events.ts';
import type {LogRecord} from '../../../source/service/replicas/log-entry.ts';
import type {ReplicaMarket} from '../../../source/service/replicas/replica-market.ts';
import {Simulation, signOf} from '../../../source/service/replicas/simulation.ts';
import {PATIENCE_MS} from '../../helpers/patience.ts';
import {PlainSink} from '../../helpers/plain-sink.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {randomBy} from '../../torture/processes.ts';
import {MadeSource} from '../follow/made-chain.ts';
import {address, blockMs, CHAIN} from '../follow/made-events.ts';
import {MemoryLog} from './memory-log.ts';
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
				last: signOf(events.at(-1)!),
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

/** Writes what the source of a made chain tells its sink: blocks, reorganisations, times that could not be read, tokens that are dropped. */
async function writeMadeChain(log: MemoryLog, {seed, steps}: {seed: number; steps: number}): Promise<void> {
	const random = randomBy(seed);
	const plain = new PlainSink();
	const source = new MadeSource(seed);
	let atMs = blockMs(0);
	const write = (record: LogRecord): void => log.write(record, atMs);
	const sink: EventSink = {
		append: async batch => {
			await plain.append(batch);
			// Read a moment after the block.
			atMs = Math.max(atMs, blockMs(batch.toBlock)) + Math.floor(random() * 5000);
			write({kind: 'batch', batch});
		},
		takeBack: async (chainId, fromBlock) => {
			write({kind: 'take-back', chainId, fromBlock});
			return await plain.takeBack(chainId, fromBlock);
		},
		gap: async gap => write({kind: 'gap', gap}),
		forget: async (chainId, tokens) => write({kind: 'forget', chainId, tokens}),
		report: report => write({kind: 'report', report}),
	};
	source.start(sink, new Map());
	for (let n = 0; n < steps; n++) {
		await source.step();
		const {block} = source;
		if (random() < 0.01) {
			// What its last block says of the state after it comes behind it.
			const gap = {fromBlock: block + 1, toBlock: block + 1, fromMs: blockMs(block), toMs: blockMs(block + 1)};
			// After a restart a source says again what it could not read.
			for (let times = 0; times < 2; times++) await sink.gap({...gap, chainId: CHAIN, why: 'a test'});
		}
		if (random() < 0.02) await sink.forget(CHAIN, [address(1 + Math.floor(random() * 20))]);
		if (random() < 0.3) write({kind: 'clock'});
	}
}

const SIMULATED = {seed: SEED, rate: 1, historyTokens: 120};
const FOLLOWED = {follow: {chains: [{chainId: CHAIN, name: 'base', urls: ['http://127.0.0.1:1']}]}};

test.each([
	{name: 'a simulation', sources: SIMULATED, startMs: START_MS},
	{name: 'a followed chain', sources: FOLLOWED, startMs: blockMs(0)},
])(
	'replicas of $name show the same bytes at the same entry: always there, restarted, and begun from a copy',
	{timeout: PATIENCE_MS},
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
			await always.journal.backup(join(copied, 'replica.db'));
			await untilAt(restarted, seq);
			const expected = bytesOf(always);
			expect(differing(expected, bytesOf(restarted)), `seed ${SEED}, entry ${seq}`).toEqual([]);
			await restarted.close();
			restarted = await open(own);
			const joined = await open(copied);
			for (const market of [restarted, joined]) {
				await untilAt(market, seq);
				expect(differing(expected, bytesOf(market)), `seed ${SEED}, entry ${seq}`).toEqual([]);
			}
			await joined.close();
		}
		expect(always.table.length).toBeGreaterThan('follow' in sources ? 20 : 120);
	},
);
