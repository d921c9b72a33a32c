import {expect, onTestFinished, test} from 'vitest';
import {entryKey} from '../../../source/contract/entry.ts';
import {createFollowedMarket, type FollowedMarket} from '../../../source/service/follow/followed-market.ts';
import type {EventSink, SourceReport} from '../../../source/service/market/event-source.ts';
import type {MarketEvent} from '../../../source/service/market/events.ts';
import {until} from '../../helpers/until.ts';
import {address, batch, blockMs, CHAIN, launch, trade} from './made-events.ts';

const A = address(1);
const HOUR_MS = 3_600_000;
const HISTORY: MarketEvent[] = [launch(A, 10), trade(A, 11), trade(A, 12), trade(A, 13), trade(A, 14)];
const WINDOWS = ['trades_5min', 'trades_1h', 'trades_24h'] as const;

/** A followed market whose machine's clock and monotonic clock the test sets. It runs as of block 14. */
class World {
	wallMs = blockMs(14);
	passedMs = 5000;
	readonly lines: string[] = [];
	readonly announced: MarketEvent[] = [];
	sink!: EventSink;
	/** The first block that was not read. */
	#next = 10;
	readonly market: FollowedMarket;

	constructor(aheadMs = 0) {
		this.wallMs += aheadMs;
		this.market = createFollowedMarket({
			options: {chains: [{chainId: CHAIN, name: 'base', urls: ['http://127.0.0.1:1']}]},
			sources: [
				() => ({
					start: sink => {
						this.sink = sink;
					},
					stop: async () => {},
				}),
			],
			dataDir: undefined,
			nowMs: () => this.wallMs,
			passedMs: () => this.passedMs,
			log: line => this.lines.push(line),
		});
		this.market.onEvent(event => this.announced.push(event));
		this.market.start();
		onTestFinished(() => this.market.close());
	}

	/** Reads blocks up to the newest one, which the source says is the head. */
	async read(block: number, events: readonly MarketEvent[], state: SourceReport['state'] = 'live'): Promise<void> {
		await this.sink.append(batch(this.#next, block, events));
		this.#next = block + 1;
		this.report(block, state);
	}

	report(block: number, state: SourceReport['state']): void {
		const blockTime = new Date(blockMs(block)).toISOString();
		const counts = {reorgs: 0, unknownEvents: 0, unknownBlocks: 0, tokens: 1, maxTokens: 10, droppedTokens: 0};
		const traffic = {callsPerMinute: 0, bytesPerSecond: 0, priced: [], unpriced: []};
		const blocks = {head: block, block, blockTime, finalized: null, since: null};
		this.sink.report({chainId: CHAIN, node: 'node', state, why: null, ...blocks, ...counts, ...traffic});
	}

	pass(ms: number): void {
		this.wallMs += ms;
		this.passedMs += ms;
	}

	figures(): (number | null)[] {
		const row = this.market.table.rowOf(entryKey(CHAIN, A));
		return WINDOWS.map(name => (row === undefined ? null : this.market.table.numbers(name)[row]!));
	}
}

test('a clock that is two hours ahead for nine seconds takes nothing out of the windows', async () => {
	const world = new World();
	await world.read(14, HISTORY);
	expect(world.figures()).toEqual([4, 4, 4]);
	world.wallMs += 2 * HOUR_MS;
	for (let s = 0; s < 9; s++) {
		world.pass(1000);
		world.market.advance(world.market.nowMs());
		await world.read(15 + s, [], 'behind');
		expect(world.figures()).toEqual([4, 4, 4]);
	}
	world.wallMs -= 2 * HOUR_MS;
	world.pass(1000);
	await world.read(24, [trade(A, 24)]);
	expect(world.figures()).toEqual([5, 5, 5]);
	expect(world.announced.at(-1)).toMatchObject({type: 'trade', block: 24});
});

test.each([2, 30 * 24])(
	'a program that starts with a clock that is %i hours ahead is right with the first block',
	async hours => {
		const world = new World(hours * HOUR_MS);
		await world.read(14, HISTORY, 'behind');
		world.report(14, 'behind');
		await until(() => world.market.isFilled && world.lines.length > 0);
		expect(world.figures()).toEqual([4, 4, 4]);
		world.wallMs -= hours * HOUR_MS;
		world.pass(2000);
		await world.read(15, [trade(A, 15)]);
		expect(world.figures()).toEqual([5, 5, 5]);
		// It is news, though it is older than the clock was at the start.
		expect(world.announced.at(-1)).toMatchObject({type: 'trade', block: 15});
		expect(world.lines).toHaveLength(1);
		expect(world.lines[0]).toContain('the clock was ahead');
	},
);

test('the windows are right again when the clock is, of a chain whose head nobody has named', async () => {
	const world = new World();
	await world.sink.append(batch(10, 14, HISTORY));
	world.wallMs += 2 * HOUR_MS;
	await until(() => world.market.nowMs() > blockMs(14) + HOUR_MS);
	expect(world.figures()).toEqual([0, 0, 4]);
	world.wallMs -= 2 * HOUR_MS;
	await until(() => world.lines.length > 0 && world.market.isFilled);
	expect(world.figures()).toEqual([4, 4, 4]);
});

test('a clock that is days ahead deletes nothing of what was read', async () => {
	const world = new World();
	await world.read(14, HISTORY);
	world.report(14, 'behind');
	world.wallMs += 30 * 24 * HOUR_MS;
	world.market.advance(world.wallMs);
	await world.sink.append(batch(15, 15, [trade(A, 15)]));
	expect(world.market.journal.token(entryKey(CHAIN, A))).toBeDefined();
	world.wallMs -= 30 * 24 * HOUR_MS;
	world.pass(2000);
	await until(() => world.market.isFilled && world.figures()[0] === 5);
});

test('a chain that stands still grows old: time passes without blocks', async () => {
	const world = new World();
	await world.read(14, HISTORY);
	for (let minute = 0; minute < 90; minute++) {
		world.pass(60_000);
		world.market.advance(world.market.nowMs());
	}
	await until(() => world.figures()[1] === 0);
	expect(world.figures()).toEqual([0, 0, 4]);
	expect(world.lines).toEqual([]);
});

test('a machine that slept for two hours is right with the first block after it', async () => {
	const world = new World();
	await world.read(14, HISTORY);
	// The monotonic clock stands still meanwhile.
	world.wallMs += 2 * HOUR_MS;
	const block = 14 + (2 * HOUR_MS) / 2000;
	await world.read(block, [trade(A, block)]);
	await until(() => world.figures()[0] === 1);
	expect(world.figures()).toEqual([1, 1, 5]);
});
