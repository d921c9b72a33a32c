import {expect, onTestFinished, test} from 'vitest';
import type {ChainResume, EventBatch, EventSink} from '../../../source/service/market/event-source.ts';
import type {MarketEvent} from '../../../source/service/market/events.ts';
import {SimulatedStream} from '../../../source/service/replicas/simulated-stream.ts';
import {Simulation} from '../../../source/service/replicas/simulation.ts';
import {StoreFailed} from '../../../source/service/store/database.ts';
import {until} from '../../helpers/until.ts';
import {randomBy} from '../../torture/processes.ts';

/** What leaders wrote, by chain. */
class Written {
	readonly batches: EventBatch[] = [];

	eventsOf(chainId: string): readonly MarketEvent[] {
		return this.batches.flatMap(batch => (batch.chainId === chainId ? batch.events : []));
	}

	get chains(): ReadonlySet<string> {
		return new Set(this.batches.map(({chainId}) => chainId));
	}

	get resume(): ReadonlyMap<string, ChainResume> {
		return new Map(this.batches.map(({chainId, cursor, toBlock}) => [chainId, {cursor, toBlock, facts: []}] as const));
	}
}

/** A sink that takes some batches, then fails: it may have written the one that it fails with, or not. */
function dyingSink(
	written: Written,
	{lives, writesLast}: {lives: number; writesLast: boolean},
): EventSink & {hasDied: boolean} {
	let left = lives;
	const refuse = (): Promise<never> => Promise.reject(new Error('not of this source'));
	const sink = {
		hasDied: false,
		async append(batch: EventBatch) {
			const isOver = left-- <= 0;
			if (!sink.hasDied && (!isOver || writesLast)) written.batches.push(JSON.parse(JSON.stringify(batch)));
			if (!isOver) return;
			sink.hasDied = true;
			throw new StoreFailed('a test');
		},
		takeBack: refuse,
		gap: refuse,
		forget: refuse,
		report: () => {},
	};
	return sink;
}

test('what leaders that die write one after the other is what one leader writes, event for event', async () => {
	const seed = Number(process.env['PULSETOP_SEED'] ?? 11);
	const random = randomBy(seed);
	// The service began a minute ago, so that some of it is due at once.
	const startMs = Date.now() - 60_000;
	const options = {seed, rate: 2, startMs, historyTokens: 300, clock: async () => Date.now()};
	const faults: string[] = [];
	const written = new Written();
	const streams = Array.from({length: 3}, () => new SimulatedStream({...options, fault: line => faults.push(line)}));
	onTestFinished(async () => {
		for (const stream of streams) await stream.stop();
	});
	streams[2]!.start();
	let read = 0;
	for (let n = 0; n < 12; n++) {
		// Replicas read the log when they come to it: one is always behind.
		for (const {chainId, cursor} of written.batches.slice(read)) {
			streams[1]!.written(chainId, cursor);
			streams[2]!.written(chainId, cursor);
		}
		read = written.batches.length;
		const source = await streams[Math.floor(random() * streams.length)]!.open();
		const sink = dyingSink(written, {lives: Math.floor(random() * 12), writesLast: random() < 0.5});
		source.start(sink, written.resume);
		await until(() => sink.hasDied);
		expect(await source.ended).toBeInstanceOf(StoreFailed);
		await source.stop();
	}
	expect(faults).toEqual([]);
	const alone = new Simulation(options);
	while (alone.step(Date.now()));
	expect(written.chains.size).toBeGreaterThan(5);
	expect(written.batches.at(-1)!.cursor).not.toContain('isHistory');
	for (const chainId of written.chains) {
		const events = written.eventsOf(chainId);
		expect(events, `seed ${seed}`).toEqual(JSON.parse(JSON.stringify(alone.eventsOf(chainId, 0, events.length))));
		// Nothing that was due is missing.
		const {atMs, count} = JSON.parse(written.resume.get(chainId)!.cursor);
		expect(count).toBe(events.length);
		const due = new Simulation(options);
		while (due.step(atMs));
		expect(due.eventsOf(chainId, 0, Number.MAX_SAFE_INTEGER)).toHaveLength(count);
	}
});

test('a leader whose program computes another simulation continues with its own, and reports that', async () => {
	const startMs = Date.now() - 10_000;
	const options = {rate: 1, startMs, historyTokens: 5, clock: async () => Date.now()};
	const faults: string[] = [];
	const written = new Written();
	for (const seed of [1, 2]) {
		const stream = new SimulatedStream({...options, seed, fault: line => faults.push(line)});
		const source = await stream.open();
		const batches = written.batches.length;
		const sink = dyingSink(written, {lives: 1000, writesLast: false});
		source.start(sink, written.resume);
		await until(() => written.batches.length > batches + 8 && !written.batches.at(-1)!.cursor.includes('isHistory'));
		await source.stop();
		await stream.stop();
	}
	expect(faults).toHaveLength(1);
	expect(faults[0]).toContain('another version');
	// Counted on, so that a third one can go on behind it.
	for (const chainId of written.chains) {
		expect(JSON.parse(written.resume.get(chainId)!.cursor).count).toBe(written.eventsOf(chainId).length);
	}
});

test('a new market of replicas has a history that they bear: a tenth of that of one process, within seconds', () => {
	const startMs = Date.UTC(2026, 0, 2);
	const simulation = new Simulation({seed: 7, rate: 1, startMs});
	while (simulation.step(startMs + 12_000));
	const events = [...simulation.waiting()].flatMap(chainId => simulation.eventsOf(chainId, 0, 1_000_000));
	const old = events.filter(({timeMs}) => timeMs < startMs);
	expect(simulation.hasHistory).toBe(false);
	expect(old.filter(({type}) => type === 'launch').length).toBeGreaterThanOrEqual(400);
	expect(old.length).toBeLessThan(70_000);
});
