import {expect, onTestFinished, test, vi} from 'vitest';
import {findEvmChain} from '../../../source/chains/evm-chains.ts';
import type {ChainCoverage} from '../../../source/contract/coverage.ts';
import {entryKey} from '../../../source/contract/entry.ts';
import {quoteLaunches} from '../../../source/service/follow/evm/quote-launches.ts';
import {createFollowedMarket, type FollowedMarket} from '../../../source/service/follow/followed-market.ts';
import type {ChainResume, EventSink, EventSource} from '../../../source/service/market/event-source.ts';
import type {MarketEvent} from '../../../source/service/market/events.ts';
import {EntryCache} from '../../../source/service/pulse/entry-cache.ts';
import {publishedAsset} from '../../contract/published-entries.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {withConnection} from '../log/replica-file.ts';
import {address, batch, blockMs, CHAIN, launch, trade, transfer} from './made-events.ts';
import {NOW_MS, openFollowed, shown} from './shown-market.ts';

const A = address(1);
const B = address(2);

/** A source that emits what the test says. */
class TestSource implements EventSource {
	sink!: EventSink;
	resume: ReadonlyMap<string, ChainResume> = new Map();
	stopped = false;
	isStarted = false;
	readonly #ended = Promise.withResolvers<unknown>();
	readonly ended = this.#ended.promise;
	/** Tokens whose holders were asked for. */
	readonly wanted: string[] = [];

	start(sink: EventSink, resume: ReadonlyMap<string, ChainResume>): void {
		this.isStarted = true;
		this.sink = sink;
		this.resume = resume;
	}

	end(why: unknown): void {
		this.#ended.resolve(why);
	}

	async stop(): Promise<void> {
		this.stopped = true;
	}

	holdersWanted(chainId: string, token: string): void {
		this.wanted.push(entryKey(chainId, token));
	}
}

interface Running {
	readonly market: FollowedMarket;
	readonly source: TestSource;
	readonly lines: string[];
}

function follow({dataDir, nowMs = NOW_MS}: {dataDir?: string; nowMs?: number} = {}): Running {
	const source = new TestSource();
	const lines: string[] = [];
	const market = openFollowed(source, dataDir, {nowMs, log: line => lines.push(line)});
	market.start();
	onTestFinished(() => market.close());
	return {market, source, lines};
}

const HISTORY: MarketEvent[] = [
	launch(A, 10),
	transfer(A, 11),
	trade(A, 11),
	launch(B, 12, {isBonded: true}),
	transfer(B, 13, {to: address(7)}),
	trade(B, 13, {wallet: address(7), valueUSD: 40}),
	transfer(A, 14, {from: address(0xa11ce), to: null, amountToken: 400}),
	trade(A, 14, {side: 'sell', amountToken: 400, valueUSD: 1.5}),
];

test('what a source emits is in the market at once', async () => {
	const {market, source} = follow();
	await source.sink.append(batch(10, 14, HISTORY));
	const row = market.table.rowOf(entryKey(CHAIN, A))!;
	expect(market.assetEntry(row)).toMatchObject({symbol: 'T0001', trades_24h: 2, buys_24h: 1, sells_24h: 1});
	expect(market.invented).toBeUndefined();
});

test('of a coin that prices others, whose trades are not followed, no figure is known', () => {
	const base = findEvmChain(CHAIN)!;
	const market = createFollowedMarket({
		options: {chains: [{chainId: CHAIN, name: 'base', urls: ['http://127.0.0.1:1']}]},
		sources: [() => new TestSource()],
		quotes: quoteLaunches(base),
		dataDir: undefined,
		nowMs: () => NOW_MS,
	});
	onTestFinished(() => market.close());
	const row = market.table.rowOf(entryKey(CHAIN, base.quotes[0]!.address))!;
	const entry = market.assetEntry(row, 10);
	expect(entry).toMatchObject({symbol: base.quotes[0]!.symbol, created_at: null, priceTokenString: ''});
	expect(publishedAsset('seen').safeParse(entry).error?.issues ?? []).toEqual([]);
	expect(Object.keys(entry).filter(name => /_\d+(?:min|h)|^trending|^totalFees|^price$/.test(name))).toEqual([]);
});

test('after a restart the market is the same, and the source goes on where it was', async () => {
	const dataDir = temporaryDirectory();
	const first = follow({dataDir});
	await first.source.sink.append(batch(10, 12, HISTORY.slice(0, 4), [{key: 'price', block: 11, value: '3000'}]));
	await first.source.sink.append(batch(13, 14, HISTORY.slice(4)));
	const before = shown(first.market);
	expect(Object.keys(before)).toHaveLength(2);
	return first.market.close().then(() => {
		expect(first.source.stopped).toBe(true);
		const second = follow({dataDir});
		expect(second.source.resume.get(CHAIN)).toEqual({
			cursor: 'at 14',
			toBlock: 14,
			facts: [{key: 'price', block: 11, value: '3000'}],
		});
		expect(shown(second.market)).toEqual(before);
		const {table} = second.market;
		expect(table.numbers('bonded_at')[table.rowOf(entryKey(CHAIN, B))!]).toBe(blockMs(12));
	});
});

test('blocks that are taken back leave the market as if they had never been', async () => {
	const expected = follow();
	await expected.source.sink.append(batch(10, 14, HISTORY));

	const {market, source} = follow();
	await source.sink.append(batch(10, 12, HISTORY.slice(0, 4), [{key: 'price', block: 11, value: '1'}]));
	await source.sink.append(
		batch(
			13,
			15,
			[trade(A, 13, {wallet: B, valueUSD: 1e6}), launch(address(3), 14), trade(B, 15)],
			[{key: 'price', block: 15, value: '2'}],
		),
	);
	expect(await source.sink.takeBack(CHAIN, 13)).toEqual([{key: 'price', block: 11, value: '1'}]);
	await source.sink.append(batch(13, 14, HISTORY.slice(4)));
	expect(shown(market)).toEqual(shown(expected.market));
});

test('a restarted market that has not loaded a token yet loads it before its next event', async () => {
	const dataDir = temporaryDirectory();
	const first = follow({dataDir});
	await first.source.sink.append(batch(10, 14, HISTORY));
	await first.market.close();

	const second = follow({dataDir});
	await second.source.sink.append(batch(15, 15, [trade(A, 15), trade(B, 15)]));
	await second.source.sink.takeBack(CHAIN, 15);
	await second.source.sink.append(batch(15, 15, [trade(B, 15)]));
	const expected = follow();
	await expected.source.sink.append(batch(10, 15, [...HISTORY, trade(B, 15)]));
	expect(shown(second.market)).toEqual(shown(expected.market));
});

test('a token that is not followed any more is gone, now and after a restart', async () => {
	const dataDir = temporaryDirectory();
	const first = follow({dataDir});
	await first.source.sink.append(batch(10, 14, HISTORY));
	await first.source.sink.forget(CHAIN, [A]);
	await first.source.sink.append(batch(15, 15, [trade(A, 15)]));
	const before = shown(first.market);
	expect(Object.keys(before)).toHaveLength(1);
	await first.market.close();
	expect(shown(follow({dataDir}).market)).toEqual(before);
});

test('events are announced once: not those of the past, and not again after a reorganisation', async () => {
	const {market, source} = follow({nowMs: blockMs(13)});
	const announced: MarketEvent[] = [];
	market.onEvent(event => announced.push(event));
	await source.sink.append(batch(10, 14, HISTORY));
	expect(announced).toEqual(HISTORY.slice(4));
	await source.sink.takeBack(CHAIN, 13);
	const again = trade(B, 14, {wallet: address(7), tx: trade(B, 13).tx, valueUSD: 41, quoteUSD: 3001});
	await source.sink.append(batch(13, 14, [again, trade(A, 14, {wallet: B})]));
	expect(announced.slice(4)).toEqual([trade(A, 14, {wallet: B})]);
});

test('a gap makes figures unknown, now and after a restart, and is in the coverage', async () => {
	const dataDir = temporaryDirectory();
	const first = follow({dataDir});
	await first.source.sink.append(batch(10, 14, HISTORY));
	await first.source.sink.gap({
		chainId: CHAIN,
		fromBlock: 15,
		toBlock: 20,
		fromMs: blockMs(15),
		toMs: blockMs(20),
		why: 'the node was away',
	});
	await first.source.sink.append(batch(21, 21, [trade(A, 21)]));
	const row = first.market.table.rowOf(entryKey(CHAIN, A))!;
	expect(first.market.table.numbers('volume_24h')[row]).toBeNaN();
	const before = shown(first.market);
	await first.market.close();

	const second = follow({dataDir});
	expect(shown(second.market)).toEqual(before);
	expect(second.market.coverage()[0]).toMatchObject({
		name: 'base',
		state: 'starting',
		gapCount: 1,
		gaps: [{fromBlock: 15, toBlock: 20, from: new Date(blockMs(15)).toISOString(), why: 'the node was away'}],
	});
});

test('coverage is what the source reported last, and shows no more of a node than its host', () => {
	const {market, source} = follow();
	expect(JSON.stringify(market.coverage())).toContain('node.example');
	expect(JSON.stringify(market.coverage())).not.toContain('secret');
	const reported: ChainCoverage = {...market.coverage()[0]!, state: 'live', why: null, head: 12};
	source.sink.report(reported);
	expect(market.coverage()).toEqual([reported]);
});

test('a batch that the journal refuses changes nothing in the market', async () => {
	const {market, source} = follow();
	await source.sink.append(batch(10, 14, HISTORY));
	const before = shown(market);
	await expect(source.sink.append(batch(14, 15, [trade(A, 15)]))).rejects.toThrow(/could not be used/);
	expect(shown(market)).toEqual(before);
});

test('a listener that fails harms neither the market nor the others', async () => {
	const {market, source, lines} = follow({nowMs: blockMs(10)});
	const announced: MarketEvent[] = [];
	market.onEvent(() => {
		throw new Error('a listener with a fault');
	});
	market.onEvent(event => announced.push(event));
	await source.sink.append(batch(10, 14, HISTORY));
	expect(announced).toEqual(HISTORY);
	expect(lines[0]).toContain('a listener with a fault');
});

test('a chain whose source has nothing to report falls behind', () => {
	let nowMs = NOW_MS;
	const source = new TestSource();
	const market = openFollowed(source, undefined, {clock: () => nowMs});
	onTestFinished(() => market.close());
	market.start();
	const blockTime = new Date(NOW_MS - 1000).toISOString();
	source.sink.report({...market.coverage()[0]!, state: 'live', block: 5, blockTime});
	expect(market.coverage()[0]!.lagMs).toBe(1000);
	nowMs += 60_000;
	expect(market.coverage()[0]!.lagMs).toBe(61_000);
});

test('tokens that the market drops are dropped from the journal, before another event could bring them back', async () => {
	const dataDir = temporaryDirectory();
	let nowMs = blockMs(20);
	const source = new TestSource();
	const first = openFollowed(source, dataDir, {clock: () => nowMs});
	first.start();
	await source.sink.append(batch(10, 14, HISTORY));
	nowMs += 25 * 3_600_000;
	first.advance(nowMs);
	const late = {timeMs: nowMs};
	await source.sink.append(batch(50_000, 50_000, [trade(A, 50_000, late)]));
	expect(first.table.rowOf(entryKey(CHAIN, A))).toBeUndefined();
	await first.close();

	const second = openFollowed(new TestSource(), dataDir, {clock: () => nowMs});
	onTestFinished(() => second.close());
	second.fill();
	second.advance(nowMs);
	expect(second.table.rowOf(entryKey(CHAIN, A))).toBeUndefined();
	expect(second.table.rowOf(entryKey(CHAIN, B))).toBeUndefined();
});

const GAP = {chainId: CHAIN, fromBlock: 15, toBlock: 20, fromMs: blockMs(15), toMs: blockMs(20), why: 'a test'};
const LARGEST = [
	{wallet: address(0xa11ce), amountToken: 700},
	{wallet: address(77), amountToken: 250},
];

function named(token: string, block: number, largest = LARGEST): MarketEvent {
	return {type: 'holders', chainId: CHAIN, token, block, timeMs: blockMs(block), largest};
}

function holdersOf({market}: Running, token: string): unknown {
	market.fill();
	market.advance(NOW_MS);
	const row = market.table.rowOf(entryKey(CHAIN, token))!;
	const entry = market.assetEntry(row, 20) as {holders_list: {address: string; balance: number}[]};
	return entry.holders_list.map(({address: wallet, balance}) => ({wallet: wallet.toLowerCase(), amountToken: balance}));
}

test('after a gap the largest holders are those that the chain names, as of that time, and a restart keeps them', async () => {
	const dataDir = temporaryDirectory();
	const first = follow({dataDir});
	await first.source.sink.append(batch(10, 14, HISTORY));
	await first.source.sink.append(batch(15, 15, [named(A, 15)]));
	expect(holdersOf(first, A)).toEqual([{wallet: address(0xa11ce), amountToken: 600}]);
	await first.source.sink.gap({...GAP, fromBlock: 16});
	await first.source.sink.append(batch(20, 22, [named(A, 20, [LARGEST[1]!]), trade(A, 21), named(A, 22)]));
	const row = first.market.table.rowOf(entryKey(CHAIN, A))!;
	expect(holdersOf(first, A)).toEqual(LARGEST);
	expect(holdersOf(first, B)).toEqual([]);
	expect(first.market.assetEntry(row, 1)).toMatchObject({
		holders_list: [
			{
				balance: 700,
				balanceRaw: '700000000000000000000',
				realizedPnlUSD: null,
				updatedAt: new Date(blockMs(22)).toISOString(),
			},
		],
	});
	expect(first.market.table.numbers('holders_count')[row]).toBeNaN();
	const before = shown(first.market);
	await first.market.close();
	expect(shown(follow({dataDir}).market)).toEqual(before);

	const second = follow({dataDir: temporaryDirectory()});
	await second.source.sink.append(batch(10, 15, HISTORY));
	await second.source.sink.gap({...GAP, fromBlock: 16});
	await second.source.sink.append(batch(21, 21, [named(A, 21, [LARGEST[1]!])]));
	await second.source.sink.append(batch(22, 23, [named(A, 22)]));
	await second.source.sink.takeBack(CHAIN, 22);
	expect(holdersOf(second, A)).toEqual([LARGEST[1]]);
});

test('what a chain says after a gap counts after a restart too', async () => {
	const dataDir = temporaryDirectory();
	const first = follow({dataDir});
	await first.source.sink.append(batch(10, 14, HISTORY));
	await first.source.sink.gap(GAP);
	const state = {chainId: CHAIN, token: A, block: 20, timeMs: blockMs(20), pool: null};
	await first.source.sink.append(batch(20, 20, [{type: 'reserves', ...state, reserveToken: 5, reserveQuote: 6}]));
	const before = shown(first.market);
	expect(first.market.engine.rows.reserveToken[first.market.table.rowOf(entryKey(CHAIN, A))!]).toBe(5);
	await first.market.close();
	expect(shown(follow({dataDir}).market)).toEqual(before);
});

test('a source is asked for holders when the details of a token without them are sent, once in a while', async () => {
	const running = follow();
	await running.source.sink.append(batch(10, 14, HISTORY));
	const entries = new EntryCache(running.market);
	const row = running.market.table.rowOf(entryKey(CHAIN, A))!;
	entries.json(row, 'asset', true);
	expect(running.source.wanted).toEqual([]);
	await running.source.sink.gap(GAP);
	entries.json(row, 'asset');
	expect(running.source.wanted).toEqual([]);
	entries.json(row, 'asset', true);
	await running.source.sink.append(batch(21, 21, [trade(A, 21)]));
	entries.json(row, 'asset', true);
	expect(running.source.wanted).toEqual([entryKey(CHAIN, A)]);
});

test('a source that ends since the disk is full goes on behind its last batch when there is room', async () => {
	vi.useFakeTimers({toFake: ['setTimeout', 'setInterval']});
	onTestFinished(() => void vi.useRealTimers());
	const opened: TestSource[] = [];
	const lines: string[] = [];
	const open = (): TestSource => {
		const source = new TestSource();
		opened.push(source);
		return source;
	};
	const {opened: market, connection} = await withConnection(() =>
		createFollowedMarket({
			options: {chains: [{chainId: CHAIN, name: 'base', urls: ['http://127.0.0.1:1']}]},
			sources: [open],
			dataDir: temporaryDirectory(),
			nowMs: () => NOW_MS,
			log: line => lines.push(line),
		}),
	);
	onTestFinished(() => market.close());
	market.start();
	await opened[0]!.sink.append(batch(10, 14, HISTORY));
	// A time that it writes down before the disk is full, and finds again.
	await opened[0]!.sink.gap(GAP);
	connection.exec(`CREATE TRIGGER full BEFORE INSERT ON cursors BEGIN SELECT RAISE(FAIL, 'no room'); END`);
	connection.exec(`CREATE TRIGGER full_too BEFORE DELETE ON gaps BEGIN SELECT RAISE(FAIL, 'no room'); END`);
	await expect(opened[0]!.sink.append(batch(21, 21, [trade(A, 21)]))).rejects.toThrow(/could not be used/);
	opened[0]!.end('no room');
	for (let seconds = 0; seconds < 60; seconds++) await vi.advanceTimersByTimeAsync(1000);
	expect(opened.length).toBeGreaterThan(1);
	expect(opened.filter(({isStarted}) => isStarted)).toHaveLength(1);
	expect(opened.slice(0, -1).map(({stopped}) => stopped)).not.toContain(false);

	connection.exec('DROP TRIGGER full; DROP TRIGGER full_too');
	for (let seconds = 0; seconds < 60; seconds++) await vi.advanceTimersByTimeAsync(1000);
	const last = opened.at(-1)!;
	expect(last.isStarted).toBe(true);
	expect(last.resume.get(CHAIN)).toMatchObject({toBlock: 14});
	expect(market.coverage()[0]!.gapCount).toBe(0);
	await last.sink.append(batch(15, 21, [trade(A, 21)]));
	expect(market.table.numbers('trades_24h')[market.table.rowOf(entryKey(CHAIN, A))!]).toBe(3);
	expect(lines).toEqual([]);
});

test('a source that cannot be opened is named in the log, and opened again', async () => {
	vi.useFakeTimers({toFake: ['setTimeout', 'setInterval']});
	onTestFinished(() => void vi.useRealTimers());
	const lines: string[] = [];
	const source = new TestSource();
	const market = createFollowedMarket({
		options: {chains: [{chainId: CHAIN, name: 'base', urls: ['http://127.0.0.1:1']}]},
		sources: [
			() => {
				if (lines.length === 0) throw new TypeError('a fault of the source');
				return source;
			},
		],
		dataDir: undefined,
		nowMs: () => NOW_MS,
		log: line => lines.push(line),
	});
	onTestFinished(() => market.close());
	market.start();
	await vi.advanceTimersByTimeAsync(6000);
	expect(lines).toHaveLength(1);
	expect(lines[0]).toContain(`${CHAIN} could not be followed: TypeError: a fault of the source`);
	await source.sink.append(batch(10, 14, HISTORY));
	expect(market.table.rowOf(entryKey(CHAIN, A))).toBeDefined();
});
