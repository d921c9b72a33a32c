import {createHash} from 'node:crypto';
import {copyFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {FollowedMarket} from '../../../source/service/follow/followed-market.ts';
import {ENGINE_VERSION, MarketImage} from '../../../source/service/log/market-image.ts';
import {Engine} from '../../../source/service/market/engine.ts';
import type {EventSink, EventSource} from '../../../source/service/market/event-source.ts';
import type {MarketEvent} from '../../../source/service/market/events.ts';
import {readImage, writeImage} from '../../../source/service/market/image.ts';
import {fc} from '../../helpers/properties.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {randomBy} from '../../torture/processes.ts';
import {address, batch, blockMs, CHAIN, launch, trade, transfer} from '../follow/made-events.ts';
import {NOW_MS, openFollowed, shown} from '../follow/shown-market.ts';

/* The engine of a followed market in a file: what comes back is what all events give. */

const TOKENS = 12;
const WALLETS = 60;

interface Opened {
	readonly market: FollowedMarket;
	readonly sink: EventSink;
	readonly lines: string[];
}

function open(dataDir: string): Opened {
	const lines: string[] = [];
	let sink: EventSink | undefined;
	const source: EventSource = {
		start: given => {
			sink = given;
		},
		stop: async () => {},
	};
	const market = openFollowed(source, dataDir, {log: line => lines.push(line)});
	market.start();
	return {market, sink: sink!, lines};
}

function keep(dataDir: string, {market}: Opened): void {
	market.fill();
	const chainIds = new Set(market.chainIds);
	const log = (line: string): void => expect.fail(line);
	new MarketImage({dataDir, journal: market.journal, chainIds, quotes: [], log}).keep(market.engine);
}

/** The market of the same journal without the image. */
function withoutImage(dataDir: string): Opened {
	const other = temporaryDirectory();
	copyFileSync(join(dataDir, 'follow.db'), join(other, 'follow.db'));
	return open(other);
}

/** Events of all kinds in one block. */
function eventsOf(
	random: () => number,
	block: number,
	count: number,
	{wallets = WALLETS, withFundings = false} = {},
): MarketEvent[] {
	const below = (most: number): number => Math.floor(random() * most);
	const wallet = (): string => address(0xa000 + below(wallets));
	const event = (): MarketEvent => {
		const token = address(1 + below(TOKENS));
		const named = {chainId: CHAIN, token, block, timeMs: blockMs(block)};
		const pool = {address: address(0xf000 + below(3)), type: 'uniswap-v3', factory: address(0xfac)};
		const quote = {address: address(0xe), symbol: 'WETH', name: 'Wrapped Ether', decimals: 18};
		switch (below(12)) {
			case 0:
			case 1:
				return launch(token, block, {
					deployer: wallet(),
					profile: {twitter: below(2) === 0 ? 'https://x.com/one' : `https://x.com/t${token.slice(-2)}`},
					balances: below(2) === 0 ? 'transfers' : 'trades',
				});
			case 2:
				if (!withFundings) return transfer(token, block, {from: wallet(), to: wallet(), amountToken: below(500) + 1});
				return {
					type: 'fund',
					chainId: CHAIN,
					timeMs: blockMs(block),
					wallet: wallet(),
					from: wallet(),
					amount: 1,
					coin: quote,
					tx: below(2) === 0 ? null : '0x1',
				};
			case 3:
				return transfer(token, block, {from: wallet(), to: wallet(), amountToken: below(500) + 1});
			case 4:
				return {...named, type: 'liquidity', pool: null, wallet: wallet(), amountToken: below(100), amountQuote: 0.01};
			case 5:
				return {
					...named,
					type: 'migrate',
					pool: {...pool, exchange: null, quote},
					main: below(2) === 0,
					reserveToken: 5000,
					reserveQuote: 2,
				};
			case 6:
				return {
					...named,
					type: 'profile',
					profile: {twitter: `https://x.com/${below(3)}`, website: 'https://a.example'},
				};
			case 7:
				return {...named, type: 'holders', largest: [{wallet: wallet(), amountToken: 1 + below(1000)}]};
			default:
				return trade(token, block, {
					wallet: below(10) === 0 ? null : wallet(),
					side: below(3) === 0 ? 'sell' : 'buy',
					amountToken: 1 + below(1000),
					valueUSD: below(9) === 0 ? null : random() * 20_000,
					pool: below(6) === 0 ? pool.address : null,
					platform: below(4) === 0 ? `p${below(3)}` : null,
				});
		}
	};
	return Array.from({length: count}, event);
}

type Step =
	| {readonly do: 'append'; readonly seed: number; readonly blocks: number; readonly count: number}
	| {readonly do: 'take back'; readonly blocks: number}
	| {readonly do: 'forget'; readonly token: number}
	| {readonly do: 'describe'; readonly token: number}
	| {readonly do: 'keep' | 'reopen' | 'gap'};

const step: fc.Arbitrary<Step> = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.record({
			do: fc.constant('append' as const),
			seed: fc.nat(1e6),
			blocks: fc.integer({min: 1, max: 30}),
			count: fc.integer({min: 1, max: 60}),
		}),
	},
	{weight: 3, arbitrary: fc.record({do: fc.constant('take back' as const), blocks: fc.integer({min: 1, max: 20})})},
	{weight: 1, arbitrary: fc.record({do: fc.constant('forget' as const), token: fc.nat(TOKENS - 1)})},
	{weight: 1, arbitrary: fc.record({do: fc.constant('describe' as const), token: fc.nat(TOKENS - 1)})},
	{weight: 3, arbitrary: fc.record({do: fc.constant('keep' as const)})},
	{weight: 3, arbitrary: fc.record({do: fc.constant('reopen' as const)})},
	{weight: 1, arbitrary: fc.record({do: fc.constant('gap' as const)})},
);

test('an image and what came after it are all events, whatever was taken back or forgotten', {
	timeout: 120_000,
}, async () => {
	let restored = 0;
	const property = fc.asyncProperty(fc.array(step, {minLength: 4, maxLength: 14}), async steps => {
		const dataDir = temporaryDirectory();
		let running = open(dataDir);
		let block = 10;
		for (const one of steps) {
			if (one.do === 'append') {
				const toBlock = block + one.blocks;
				const random = randomBy(one.seed);
				const blocks = Array.from({length: one.count}, () => block + 1 + Math.floor(random() * one.blocks)).sort(
					(a, b) => a - b,
				);
				const events = blocks.flatMap(at => eventsOf(random, at, 1));
				await running.sink.append(batch(block + 1, toBlock, events, [{key: 'f', block: toBlock, value: `${toBlock}`}]));
				block = toBlock;
			} else if (one.do === 'take back') {
				block = Math.max(10, block - one.blocks);
				await running.sink.takeBack(CHAIN, block + 1);
			} else if (one.do === 'forget') {
				await running.sink.forget(CHAIN, [address(1 + one.token)]);
			} else if (one.do === 'describe') {
				const token = address(1 + one.token);
				running.market.ownLog.write({kind: 'describe', chainId: CHAIN, token, profile: {description: `of ${block}`}});
			} else if (one.do === 'gap') {
				const [fromBlock, toBlock] = [block + 1, block + 2];
				await running.sink.gap({
					chainId: CHAIN,
					fromBlock,
					toBlock,
					fromMs: blockMs(fromBlock),
					toMs: blockMs(toBlock),
					why: 'no',
				});
				block = toBlock;
			} else if (one.do === 'keep') {
				keep(dataDir, running);
			} else {
				await running.market.close();
				running = open(dataDir);
				if (existsSync(join(dataDir, 'follow.image')) && running.lines.length === 0) restored++;
			}
		}
		await running.market.close();
		const [again, expected] = [open(dataDir), withoutImage(dataDir)];
		expect(shown(again.market)).toEqual(shown(expected.market));
		// What is found by address, by pool and by wallet goes on as well.
		const events = eventsOf(randomBy(7), block + 1, 80);
		for (const {sink} of [again, expected]) await sink.append(batch(block + 1, block + 1, events));
		expect(shown(again.market)).toEqual(shown(expected.market));
		for (const {market} of [again, expected]) await market.close();
	});
	await fc.assert(property, {numRuns: 20});
	expect(restored).toBeGreaterThan(0);
});

/** All that an image has of an engine: the bytes of columns as digests, data as it is. */
function stateOf(engine: Engine): unknown[] {
	const state: unknown[] = [];
	engine.pass({
		column(column, used = column.length) {
			const bytes = new Uint8Array(column.buffer, column.byteOffset, used * column.BYTES_PER_ELEMENT);
			state.push(createHash('sha1').update(bytes).digest('hex'));
			return column;
		},
		value(value) {
			state.push(structuredClone(value));
			return value;
		},
	});
	return state;
}

/** What an engine is told after its image was written. */
function goOn(engine: Engine): void {
	const random = randomBy(2);
	for (let block = 200; block < 400; block++) {
		for (const event of eventsOf(random, block, 40, {wallets: 6000, withFundings: true})) engine.apply(event);
		if (block % 20 === 0) engine.advance(blockMs(block));
		if (block % 50 === 0) engine.forget(CHAIN, address(1 + Math.floor(random() * TOKENS)));
	}
	// Dead tokens shrink, one of them is dropped, and what is new takes their rows.
	engine.advance(blockMs(400) + 2 * 3_600_000);
	for (const event of eventsOf(random, 400 + 43_300, 60, {wallets: 6000, withFundings: true})) engine.apply(event);
	engine.advance(blockMs(400) + 24.1 * 3_600_000);
}

/** More tokens than an engine has rows at first. */
const LAUNCHED = 16_500;

const makeEngine = (): Engine => new Engine(blockMs(1), {isExact: true, maxRows: LAUNCHED});

/** An engine with a past, the same at each call. */
function engineWithPast(launched = 100): Engine {
	const engine = makeEngine();
	for (let n = 0; n < launched; n++) engine.apply(launch(address(0x10_0000 + n), 1, {deployer: null}));
	const random = randomBy(1);
	for (let block = 10; block < 200; block++) {
		for (const event of eventsOf(random, block, 20, {wallets: 600, withFundings: true})) engine.apply(event);
		if (block % 9 === 0) engine.advance(blockMs(block));
	}
	engine.forget(CHAIN, address(3));
	engine.advance(blockMs(200));
	return engine;
}

/** The engine as it comes back from a file. */
function readBack(engine: Engine): Engine {
	const path = join(temporaryDirectory(), 'image');
	writeImage(path, image => engine.pass(image));
	return readImage(path, image => {
		const made = makeEngine();
		made.pass(image);
		return made;
	});
}

test('an engine that was read is the one that was written: its state, and what it finds', () => {
	const engine = engineWithPast();
	const again = readBack(engine);
	expect(stateOf(again)).toEqual(stateOf(engine));
	const found = (one: Engine) =>
		Array.from({length: engine.length}, (_, row) => {
			const {pool} = one.addresses(row);
			return [one.rowOf(one.key(row)), pool && one.catalog.isPool(pool), one.catalog.find(row)?.token.otherRows];
		});
	expect(found(again)).toEqual(found(engine));
});

test('events go on in an engine that was read as in the one that was written', () => {
	const engine = engineWithPast(LAUNCHED);
	engine.compact();
	const again = readBack(engine);
	for (const one of [engine, again]) goOn(one);
	expect(stateOf(again)).toEqual(stateOf(engine));
});

test('time goes on in an engine that was read: windows slide, and tokens are dropped after a day', () => {
	const [engine, again] = [engineWithPast(), readBack(engineWithPast())];
	const used = [engine, again].map(one => {
		for (let hour = 0; hour < 23; hour++) one.advance(blockMs(200) + hour * 3_600_000);
		const before = one.catalog.used;
		one.advance(blockMs(200) + 25 * 3_600_000);
		return [before, one.catalog.used];
	});
	expect(used[1]).toEqual(used[0]);
	expect(used[0]).toEqual([expect.any(Number), 0]);
	expect(stateOf(again)).toEqual(stateOf(engine));
});

/** A directory with a journal and its image. */
async function withImage(): Promise<{readonly dataDir: string; readonly expected: unknown}> {
	const dataDir = temporaryDirectory();
	const first = open(dataDir);
	const events = Array.from({length: 40}, (_, n) => eventsOf(randomBy(n), 10 + n, 20)).flat();
	await first.sink.append(batch(10, 50, events));
	keep(dataDir, first);
	const expected = shown(first.market);
	await first.market.close();
	return {dataDir, expected};
}

test('all rows of an image are there at once, and nothing is left to load', async () => {
	const {dataDir, expected} = await withImage();
	const second = open(dataDir);
	expect(second.market.isFilled).toBe(true);
	expect(shown(second.market)).toEqual(expected);
	expect(second.lines).toEqual([]);
	expect(statSync(join(dataDir, 'follow.image')).mode & 0o777).toBe(0o600);
	await second.market.close();
});

test.each(['a byte changed', 'its end missing', 'nothing in it', 'a length changed'])(
	'an image with %s is not used: the log says so, and the market is the same',
	async what => {
		const {dataDir, expected} = await withImage();
		const path = join(dataDir, 'follow.image');
		const bytes = readFileSync(path);
		if (what === 'a byte changed') bytes[Math.floor(bytes.length * 0.7)]! ^= 1;
		if (what === 'a length changed') bytes.fill(0x42, 0, 8);
		if (what.startsWith('a ')) writeFileSync(path, bytes);
		else truncateSync(path, what === 'nothing in it' ? 0 : bytes.length - 100);
		const second = open(dataDir);
		expect(second.lines).toEqual([expect.stringContaining('follow.image cannot be used: it')]);
		expect(shown(second.market)).toEqual(expected);
		await second.market.close();
	},
);

test('an image of another set of chains is not used', async () => {
	const {dataDir} = await withImage();
	const {market} = open(dataDir);
	const chainIds = new Set([CHAIN, 'evm:56']);
	const lines: string[] = [];
	const other = new MarketImage({
		dataDir,
		journal: market.journal,
		chainIds,
		quotes: [],
		log: line => lines.push(line),
	});
	expect(other.restore(() => expect.fail('no engine is made'))).toBeUndefined();
	expect(lines).toEqual([expect.stringContaining('of other chains, or of another version')]);
	await market.close();
});

test('an image that cannot be written is no harm: the log says so, the old one stays, and no part of a new one', async () => {
	const {dataDir, expected} = await withImage();
	const second = open(dataDir);
	const lines: string[] = [];
	const missing = join(dataDir, 'missing');
	const options = {
		journal: second.market.journal,
		chainIds: new Set([CHAIN]),
		quotes: [],
		log: (line: string) => lines.push(line),
	};
	new MarketImage({dataDir: missing, ...options}).keep(second.market.engine);
	expect(lines).toEqual([expect.stringMatching(/follow\.image was not written: .*ENOENT/)]);
	expect(shown(second.market)).toEqual(expected);
	await second.market.close();
});

/*
 * Images of an engine with other figures or another state must not be read. When this fails, count ENGINE_VERSION up and set the
 * digest anew.
 */
test('the figures of fixed events are those of this version of the engine', async () => {
	const {market, sink} = open(temporaryDirectory());
	const events = Array.from({length: 40}, (_, n) => eventsOf(randomBy(n), 10 + n, 20)).flat();
	await sink.append(batch(10, 50, events));
	const digest = createHash('sha256')
		.update(JSON.stringify(shown(market)))
		.digest('hex');
	expect({version: ENGINE_VERSION, digest: digest.slice(0, 16), nowMs: NOW_MS}).toEqual({
		version: 4,
		digest: 'be9bdfd66ebc25e8',
		nowMs: NOW_MS,
	});
	await market.close();
});
