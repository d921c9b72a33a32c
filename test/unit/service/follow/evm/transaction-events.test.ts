import {beforeEach, expect, test} from 'vitest';
import {findEvmChain} from '../../../../../source/service/follow/evm/chains.ts';
import {FollowedTokens} from '../../../../../source/service/follow/evm/followed-tokens.ts';
import type {Log} from '../../../../../source/service/follow/evm/log.ts';
import type {TokenFacts} from '../../../../../source/service/follow/evm/token-facts.ts';
import {transactionEvents} from '../../../../../source/service/follow/evm/transaction-events.ts';
import type {Address, Hex, VenueEvent} from '../../../../../source/service/follow/evm/venue.ts';
import {type ReadLog, VenueReader} from '../../../../../source/service/follow/evm/venue-reader.ts';
import {findVenue, venuesOf} from '../../../../../source/service/follow/evm/venues.ts';
import type {Security} from '../../../../../source/service/market/events.ts';
import {builtTransfer} from '../../../../helpers/built-log.ts';

const chain = findEvmChain('bnb')!;
const reader = new VenueReader(venuesOf(chain.number), chain.number);
const UNIT = 10n ** 18n;
const NONE: Address = `0x${'00'.repeat(20)}`;
const TOKEN: Address = `0x${'11'.repeat(20)}`;
const OTHER: Address = `0x${'12'.repeat(20)}`;
const PAIR: Address = `0x${'21'.repeat(20)}`;
const PAIR_TWO: Address = `0x${'22'.repeat(20)}`;
const ROUTER: Address = `0x${'31'.repeat(20)}`;
const ANN: Address = `0x${'41'.repeat(20)}`;
const BOB: Address = `0x${'42'.repeat(20)}`;
const MANAGER = findVenue('fourmeme')!.contracts[56]![0]!;
const WBNB = chain.native.wrapped;

let state: FollowedTokens;
let lastHash = 0;
let trials: Map<Hex, Security>;

beforeEach(() => {
	state = new FollowedTokens(chain.blockMs);
	trials = new Map();
});

function facts(more: Partial<TokenFacts> = {}): TokenFacts {
	return {
		symbol: 'TOK',
		name: 'Token',
		decimals: 18,
		supply: 1000n * UNIT,
		curve: null,
		sender: ANN,
		owner: null,
		security: {},
		...more,
	};
}

/** What the logs of one transaction mean; events of venues are given as decoded. */
function read(logs: readonly (ReadLog | {venue: string; event: VenueEvent; from?: Address})[], known = facts()) {
	const hash: Hex = `0x${String(++lastHash).padStart(64, '0')}`;
	const placed = logs.map((entry, logIndex): ReadLog => {
		const log: Log = {
			address: 'from' in entry && !('kind' in entry) ? (entry.from ?? PAIR) : 'log' in entry ? entry.log.address : PAIR,
			topics: [],
			data: '0x',
			blockNumber: 100 + lastHash,
			blockHash: hash,
			transactionHash: hash,
			transactionIndex: 0,
			logIndex,
		};
		if ('kind' in entry) return {...entry, log};
		return {kind: 'venue', log, venue: findVenue(entry.venue)!, event: entry.event};
	});
	return transactionEvents(
		{block: 100 + lastHash, timeMs: 1_800_000_000_000 + lastHash * 1000, hash, logs: placed},
		{
			chain,
			reader,
			state,
			facts: () => known,
			trial: key => trials.get(key),
			history: () => [],
			coin: () => undefined,
			usd: coin => (coin === WBNB ? 900 : null),
		},
	);
}

function moved(from: Address, to: Address, amount: bigint, token = TOKEN): ReadLog {
	return builtTransfer({token, from, to, amount});
}

function pairMade(pool = PAIR, token = TOKEN, quote: Address = WBNB) {
	const made = {
		kind: 'pool',
		pool,
		token0: token,
		token1: quote,
		feePpm: 2500,
		hooks: null,
		sqrtPriceX96: null,
	} as const;
	return {venue: 'pancakeswap-v2', event: made, from: findVenue('pancakeswap-v2')!.contracts[56]![0]!};
}

function synced(reserve0: bigint, reserve1: bigint, pool = PAIR) {
	return {venue: 'pancakeswap-v2', event: {kind: 'reserves', pool, reserve0, reserve1} as const};
}

function minted(pool = PAIR) {
	const amounts = {amount0: 1n, amount1: 1n};
	return {venue: 'pancakeswap-v2', event: {kind: 'liquidity', pool, provider: null, amounts, ticks: null} as const};
}

function swapped(amount0: bigint, amount1: bigint, pool = PAIR) {
	const event = {kind: 'swap', pool, amount0, amount1, feePpm: null, sqrtPriceX96: null} as const;
	return {venue: 'pancakeswap-v2', event};
}

/** A launched token with 1000 in its pool of 10 WBNB. */
function launchInPair() {
	return read([
		pairMade(),
		moved(NONE, ANN, 1000n * UNIT),
		moved(ANN, PAIR, 1000n * UNIT),
		synced(1000n * UNIT, 10n * UNIT),
		minted(),
	]);
}

function launchOnCurve() {
	const curve = {address: MANAGER, quote: 'native', sale: 800n * UNIT} as const;
	const made = {
		kind: 'token',
		token: TOKEN,
		creator: ANN,
		name: 'Token',
		symbol: 'TOK',
		supply: null,
		decimals: 18,
	} as const;
	return read([
		moved(NONE, MANAGER, 1000n * UNIT),
		{venue: 'fourmeme', from: MANAGER, event: {...made, curve, pool: null, profile: {}}},
	]);
}

test('what a trial shows stands in the launch, and its taxes count like those of trades', () => {
	trials.set(PAIR, {isHoneypot: false, buyTax: '5', sellTax: '1'});
	const launch = launchInPair().find(({type}) => type === 'launch');
	expect(launch).toMatchObject({profile: {security: {isHoneypot: false, buyTax: '5', sellTax: '1'}}});
	expect(state.seenOf(TOKEN)).toMatchObject({buyTax: 5, sellTax: 1});
});

test('a pool without coins is no launch yet', () => {
	expect(read([pairMade()])).toEqual([]);
	expect(state.tokens.get(TOKEN)).toMatchObject({waiting: {}, main: null});
	const [launch, ...rest] = read([synced(1000n * UNIT, 10n * UNIT), minted()]);
	expect(launch).toMatchObject({type: 'launch', reserveToken: 1000, reserveQuote: 10, priceUSD: 9, deployer: ANN});
	expect(rest).toEqual([]);
});

test('what is bought in the transaction of the launch comes after it, with reserves of its own', () => {
	const events = read([
		pairMade(),
		moved(NONE, PAIR, 1000n * UNIT),
		synced(1000n * UNIT, 10n * UNIT),
		minted(),
		moved(PAIR, BOB, 500n * UNIT),
		synced(500n * UNIT, 20n * UNIT),
		swapped(-500n * UNIT, 10n * UNIT),
	]);
	expect(events.map(({type}) => type)).toEqual(['launch', 'transfer', 'trade', 'profile']);
	expect(events[0]).toMatchObject({reserveToken: 1000, reserveQuote: 10, supply: 1000, holdersReported: true});
	expect(events[2]).toMatchObject({wallet: BOB, side: 'buy', valueUSD: 9000, reserves: {token: 500, quote: 20}});
});

test('a supply that was not seen being made leaves the holders unknown', () => {
	const [launch] = read([pairMade(), moved(ANN, PAIR, 1000n * UNIT), synced(1000n * UNIT, 10n * UNIT), minted()]);
	expect(launch).toMatchObject({holdersReported: false, supply: 1000});
});

test('a buy and a sale of one wallet through two pools leave two trades without a trader', () => {
	launchInPair();
	const [second] = read([pairMade(PAIR_TWO), synced(100n * UNIT, 1n * UNIT, PAIR_TWO), minted(PAIR_TWO)]);
	expect(second).toMatchObject({type: 'migrate', main: false, pool: {address: PAIR_TWO}});
	const events = read([
		moved(PAIR, ROUTER, 10n * UNIT),
		swapped(-10n * UNIT, UNIT / 10n),
		moved(ROUTER, PAIR_TWO, 10n * UNIT),
		swapped(10n * UNIT, -UNIT / 9n, PAIR_TWO),
	]);
	expect(events).toMatchObject([
		{type: 'trade', side: 'buy', wallet: null, pool: null},
		{type: 'trade', side: 'sell', wallet: null, pool: PAIR_TWO},
	]);
});

test('a flash loan is no trade, though the pool holds more after it', () => {
	launchInPair();
	const events = read([synced(1000n * UNIT, 11n * UNIT), swapped(0n, UNIT)]);
	expect(events).toMatchObject([{type: 'reserves', pool: null, reserveToken: 1000, reserveQuote: 11}]);
});

test('a token that graduates moves to the pool that is opened for it', () => {
	launchOnCurve();
	const events = read([
		pairMade(),
		moved(MANAGER, PAIR, 200n * UNIT),
		synced(200n * UNIT, 18n * UNIT),
		minted(),
		{
			venue: 'fourmeme',
			from: MANAGER,
			event: {kind: 'graduated', token: TOKEN, pool: null, amountToken: null, amountQuote: null},
		},
		swapped(-UNIT, UNIT / 10n),
	]);
	expect(events.filter(({type}) => type !== 'profile')).toMatchObject([
		{type: 'migrate', main: true, pool: {address: PAIR}, reserveToken: 200, reserveQuote: 18},
		{type: 'trade', pool: null},
	]);
});

test('a token whose pool comes later than its graduation moves when it does', () => {
	launchOnCurve();
	const graduated = {kind: 'graduated', token: TOKEN, pool: null, amountToken: null, amountQuote: null} as const;
	expect(read([{venue: 'fourmeme', from: MANAGER, event: graduated}])).toEqual([]);
	const events = read([pairMade(), synced(200n * UNIT, 18n * UNIT), minted()]);
	expect(events).toMatchObject([{type: 'migrate', main: true}]);
});

test('a pool beside the curve leaves the token where it is', () => {
	launchOnCurve();
	const events = read([pairMade(), synced(1n * UNIT, 1n * UNIT), minted()]);
	expect(events).toMatchObject([{type: 'migrate', main: false}]);
	expect(state.tokens.get(TOKEN)).toMatchObject({main: MANAGER, isGraduated: false});
});

test('a coin that is priced in a followed token has its price in dollars over two hops', () => {
	launchInPair();
	const made = {
		kind: 'token',
		token: OTHER,
		creator: BOB,
		name: 'Other',
		symbol: 'OTH',
		supply: null,
		decimals: 18,
	} as const;
	const born = {venue: 'clanker', event: {...made, curve: null, pool: null, profile: {}}};
	read([born, pairMade(PAIR_TWO, OTHER, TOKEN), synced(50n * UNIT, 5n * UNIT, PAIR_TWO), minted(PAIR_TWO)]);
	read([moved(PAIR, ANN, UNIT), swapped(-UNIT, UNIT / 100n)]);
	const [, trade] = read([moved(PAIR_TWO, ANN, UNIT, OTHER), swapped(-UNIT, 2n * UNIT, PAIR_TWO)]);
	// 0.01 WBNB a token, 900 dollars a WBNB, two tokens.
	expect(trade).toMatchObject({type: 'trade', token: OTHER, amountQuote: 2, quoteUSD: 9, valueUSD: 18});
});

test('tokens that are made later add to the supply, and burnt ones leave', () => {
	launchInPair();
	expect(read([moved(NONE, BOB, UNIT)])).toMatchObject([{type: 'transfer', from: NONE, to: BOB, amountToken: 1}]);
	expect(read([moved(BOB, NONE, UNIT)])).toMatchObject([{type: 'transfer', from: BOB, to: NONE, amountToken: 1}]);
});

test('only tokens of launchpads and pools against quote coins are followed', () => {
	expect(read([pairMade(PAIR, TOKEN, OTHER), synced(UNIT, UNIT), minted()])).toEqual([]);
	expect(
		read([pairMade(PAIR_TWO, chain.quotes[1]!.address, WBNB), synced(UNIT, UNIT, PAIR_TWO), minted(PAIR_TWO)]),
	).toEqual([]);
	expect(state.tokens.size).toBe(0);
});
