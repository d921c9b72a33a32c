import {createServer} from 'node:http';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {findEvmChain} from '../../../source/chains/evm-chains.ts';
import {exchangeContracts} from '../../../source/chains/pool-factories.ts';
import {type Chain, type ChainSet, createChainSet} from '../../../source/service/chain/chain-set.ts';
import {closePoolCalls, NO_CURVE, setPoolCalls} from '../../../source/service/chain/venue.ts';
import {type ChainReader, createChainReader} from '../../../source/trading/chain-reader.ts';
import {PRACTICE_VENUE} from '../../../source/trading/known-contracts.ts';
import {readViews} from '../../../source/trading/read-views.ts';
import {readChainPrice} from '../../../source/trading/trade/chain-price.ts';
import {listenOnLoopback} from '../../helpers/loopback.ts';
import {factoryOf, giving, pairOf, rawUnits} from '../../helpers/pool-code.ts';

/* The price of a token on a node: a real one, with contracts at the addresses of the real factories, pools and feeds. */

const BASE = findEvmChain('evm:8453')!;
const [WETH, USDC] = BASE.quotes as [(typeof BASE.quotes)[number], (typeof BASE.quotes)[number]];
const VIRTUAL = BASE.quotes.find(({symbol}) => symbol === 'VIRTUAL')!;
const TOKEN = {chainId: 'evm:8453', address: '0x7000000000000000000000000000000000000007', decimals: 18};
const PAIR = '0x00000000000000000000000000000000000aaa01';
const RANGES = '0x00000000000000000000000000000000000aaa02';
const V2 = exchangeContracts('v2', 'Uniswap V2')[8453]![0]!;
const V3 = exchangeContracts('v3', 'Uniswap V3')[8453]![0]!;
const AERODROME = exchangeContracts('solidly', 'Aerodrome')[8453]![0]!;

let chains: ChainSet;
let base: Chain;
beforeAll(async () => {
	chains = createChainSet({chainIds: [8453]});
	base = await chains.ready(8453);
});
afterAll(() => chains?.close());

const put = (address: string, code: string) => base.rpc.call('anvil_setCode', [address, code]);
const pair = (tokens: number, quote: {address: string; decimals: number}, coins: number) =>
	pairOf(TOKEN, tokens, quote, coins);
const round = (usd: number, atS: number) => giving(1, rawUnits(usd, 8), atS, atS, 1);
const nowS = () => Math.floor(Date.now() / 1000);

/** The chain's node, with every contract of a test gone again. */
async function node(codes: Readonly<Record<string, string>>): Promise<ChainReader> {
	const all = [
		V2,
		V3,
		AERODROME,
		PAIR,
		RANGES,
		USDC.address,
		...BASE.quotes.flatMap(({price}) => (price?.kind === 'chainlink' ? [price.feed] : [])),
	];
	for (const address of all) await put(address, codes[address] ?? '0x');
	for (const [address, code] of Object.entries(codes)) await put(address, code);
	return {
		knows: () => true,
		request: (_: string, method: string, params: readonly unknown[]) => base.rpc.call(method, params),
	} as unknown as ChainReader;
}
const priceOn = (reader: ChainReader, more = {}) =>
	readChainPrice(reader, TOKEN, {isPractice: false, nowMs: Date.now(), ...more});
const feed = WETH.price?.kind === 'chainlink' ? WETH.price.feed : '';

describe('on the node of a real chain a token costs', () => {
	test('what a pair of dollars holds', async () => {
		const reader = await node({[V2]: factoryOf(USDC.address, PAIR), [PAIR]: pair(1_000_000, USDC, 5000)});
		expect(await priceOn(reader)).toEqual({kind: 'read', usd: 0.005, place: 'Uniswap V2', depthUSD: 5000});
	});

	test('what a pair of a thousand dollars holds', async () => {
		const reader = await node({[V2]: factoryOf(USDC.address, PAIR), [PAIR]: pair(1_000_000, USDC, 1000)});
		expect(await priceOn(reader)).toMatchObject({kind: 'read', usd: 0.001, depthUSD: 1000});
	});

	test('the same for an address in capitals, as some feeds write them', async () => {
		const address = `0x${'ABCDEF'.repeat(6)}ABCD`;
		const own = pairOf({...TOKEN, address: address.toLowerCase()}, 1_000_000, USDC, 5000);
		const reader = await node({[V2]: factoryOf(USDC.address, PAIR), [PAIR]: own});
		const price = await readChainPrice(reader, {...TOKEN, address}, {isPractice: false, nowMs: Date.now()});
		expect(price).toEqual({kind: 'read', usd: 0.005, place: 'Uniswap V2', depthUSD: 5000});
	});

	test('what a pair of another coin holds, by the price of its feed', async () => {
		const codes = {[AERODROME!]: factoryOf(WETH.address, PAIR), [PAIR]: pair(1_000_000, WETH, 2)};
		const reader = await node({...codes, [feed]: round(3000, nowS())});
		expect(await priceOn(reader)).toEqual({
			kind: 'read',
			usd: expect.closeTo(0.006, 9),
			place: 'Aerodrome',
			depthUSD: 6000,
		});
	});

	test.each([
		[0, true],
		[1, false],
	])('the price of a feed for its heartbeat and five minutes: %d ms later it counts: %s', async (ms, counts) => {
		const {heartbeatS} = WETH.price as {readonly heartbeatS: number};
		const codes = {[AERODROME!]: factoryOf(WETH.address, PAIR), [PAIR]: pair(1_000_000, WETH, 2)};
		const atS = nowS();
		const reader = await node({...codes, [feed]: round(3000, atS)});
		const price = await priceOn(reader, {nowMs: (atS + heartbeatS + 300) * 1000 + ms});
		expect(price.kind).toBe(counts ? 'read' : 'unread');
	});

	test('the price of a pool with ranges', async () => {
		// 0.01 USDC for one: raw USDC per raw token 1e-14, or its inverse.
		const raw = TOKEN.address < USDC.address ? 1e-14 : 1e14;
		const root = BigInt(Math.round(Math.sqrt(raw) * 2 ** 96));
		const reader = await node({
			[V3]: factoryOf(USDC.address, RANGES),
			[RANGES]: giving(root, 0, 0, 0, 0),
			[USDC.address]: giving(rawUnits(7000, 6)),
		});
		expect(await priceOn(reader)).toEqual({
			kind: 'read',
			usd: expect.closeTo(0.01, 9),
			place: 'Uniswap V3',
			depthUSD: 7000,
		});
	});

	test('what its deepest pool says, by a coin that another pool prices', async () => {
		const virtualPool = VIRTUAL.price?.kind === 'pool' ? VIRTUAL.price.pool : '';
		// One VIRTUAL costs 0.0005 WETH: both have 18 decimals.
		const raw = VIRTUAL.address < WETH.address ? 0.0005 : 2000;
		const reader = await node({
			[V2]: factoryOf(USDC.address, PAIR),
			[PAIR]: pair(1_000_000, USDC, 2000),
			[AERODROME!]: factoryOf(VIRTUAL.address, '0x00000000000000000000000000000000000aaa03'),
			'0x00000000000000000000000000000000000aaa03': pair(1_000_000, VIRTUAL, 10_000),
			[virtualPool]: giving(BigInt(Math.round(Math.sqrt(raw) * 2 ** 96))),
			[feed]: round(3000, nowS()),
		});
		expect(await priceOn(reader)).toEqual({
			kind: 'read',
			usd: expect.closeTo(0.015, 9),
			place: 'Aerodrome',
			depthUSD: expect.closeTo(15_000, 3),
		});
	});
});

describe('nothing is said of a price', () => {
	const none = 'your node has no pool of it that is known here';
	const little = 'its pools on your node hold too little to say a price';

	test.each<[what: string, codes: Readonly<Record<string, string>>, why: string]>([
		['no factory on the chain', {}, none],
		['factories without its pool', {[V2]: giving(0), [V3]: giving(0)}, none],
		['a factory that reverts', {[V2]: '0x60006000fd'}, none],
		['a factory that burns all gas', {[V2]: '0x5b600056', [V3]: giving(0)}, none],
		[
			'a pool of a coin without a price of now',
			{[AERODROME!]: factoryOf(WETH.address, PAIR), [PAIR]: pair(1000, WETH, 9), [feed]: round(3000, nowS() - 86_400)},
			none,
		],
		[
			'a price of the coin that is none',
			{
				[AERODROME!]: factoryOf(WETH.address, PAIR),
				[PAIR]: pair(1000, WETH, 9),
				[feed]: giving(1, 2n ** 256n - 1n, 1, nowS(), 1),
			},
			none,
		],
		[
			'a feed that says nothing but zero',
			{[AERODROME!]: factoryOf(WETH.address, PAIR), [PAIR]: pair(1000, WETH, 9), [feed]: round(0, nowS())},
			none,
		],
		['a small pool', {[V2]: factoryOf(USDC.address, PAIR), [PAIR]: pair(1_000_000, USDC, 999)}, little],
		['an empty pool', {[V2]: factoryOf(USDC.address, PAIR), [PAIR]: giving(0, 0, 0)}, little],
		['a pool that reverts', {[V2]: factoryOf(USDC.address, PAIR), [PAIR]: '0x60006000fd'}, little],
		['a pool without code', {[V2]: factoryOf(USDC.address, PAIR)}, little],
		[
			'a pool with ranges and no liquidity',
			{[V3]: factoryOf(USDC.address, RANGES), [RANGES]: giving(0), [USDC.address]: giving(rawUnits(7000, 6))},
			little,
		],
	])('by %s', async (_, codes, why) => {
		expect(await priceOn(await node(codes))).toEqual({kind: 'unread', why});
	});

	test('on a chain without known pools', async () => {
		const reader = await node({});
		const price = await readChainPrice(reader, {...TOKEN, chainId: 'evm:10'}, {isPractice: false, nowMs: Date.now()});
		expect(price).toEqual({kind: 'unread', why: 'no pools of its chain are known'});
	});

	test('by a node that never answers, by one that refuses, and by one that answers with something else', async () => {
		const silent = createServer(() => {});
		const {url, close} = await listenOnLoopback(silent);
		const hanging = createChainReader({urlOf: () => url, timeoutMs: 60_000});
		expect(await priceOn(hanging)).toEqual({kind: 'unread', why: 'your node did not say in time'});
		silent.closeAllConnections();
		await close();
		const gone = createChainReader({urlOf: () => url});
		expect(await priceOn(gone)).toMatchObject({kind: 'unread', why: expect.stringMatching(/./)});
		for (const result of ['0x', '0x00', null, 7, `0x${'0'.repeat(63)}`]) {
			const odd = {request: async () => result} as unknown as ChainReader;
			expect(await priceOn(odd)).toEqual({kind: 'unread', why: 'its node does not run calls together'});
		}
	});
});

describe('on a practice chain', () => {
	const token = '0x7000000000000000000000000000000000000008';
	const priceNow = async () =>
		readChainPrice(await node({}), {...TOKEN, address: token}, {isPractice: true, nowMs: Date.now()});

	test('its venue is the known one, and says a price only while its pool is open', async () => {
		expect(base.addresses.venue.toLowerCase()).toBe(PRACTICE_VENUE);
		const closed = {kind: 'unread', why: 'the practice market has a pool only in the moment of a trade'};
		expect(await priceNow()).toEqual(closed);
		const pool = {token: rawUnits(1_000_000, 18), usd: rawUnits(4000, 6), left: NO_CURVE, feePpm: 3000};
		await base.rpc.batch(setPoolCalls(base, token, pool, nowS() + 3600));
		expect(await priceNow()).toEqual({kind: 'read', usd: 0.004, place: 'the practice market', depthUSD: 4000});
		await base.rpc.batch(closePoolCalls(base, token));
		expect(await priceNow()).toEqual(closed);
	});
});

test('many views are read in one request, each with its own answer or failure', async () => {
	let requests = 0;
	const reader = await node({[PAIR]: giving(1, 2, 3, 4, 5, 6), [RANGES]: '0x60006000fd', [V2]: giving(7)});
	const counted = {
		request: (...given: Parameters<ChainReader['request']>) => {
			requests++;
			return reader.request(...given);
		},
	} as ChainReader;
	const views = [PAIR, RANGES, V2, '0x00000000000000000000000000000000000aaaff'].map(to => ({to, data: '0x12345678'}));
	const many = Array.from({length: 20}, () => views).flat();
	const answers = await readViews(counted, 'evm:8453', many);
	expect(requests).toBe(1);
	expect(answers).toEqual(
		Array.from({length: 20}, () => [[1n, 2n, 3n, 4n, 5n], undefined, [7n, 0n, 0n, 0n, 0n], undefined]).flat(),
	);
});
