import {beforeEach, expect, test} from 'vitest';
import {findEvmChain} from '../../../../../source/chains/evm-chains.ts';
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
const reader = new VenueReader([...venuesOf(chain.number), findVenue('virtuals')!], chain.number);
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
		launch: null,
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

/** The first trade of a transaction. */
function tradeOf(...[logs]: Parameters<typeof read>) {
	return read(logs).find(({type}) => type === 'trade');
}

test('a buy of 1 coin into 10 has the price of the reserves after it, not what it paid on average', () => {
	launchInPair();
	// With a fee of 0.3 %.
	const out = (1000n * UNIT * 997n) / 10_997n;
	const left = 1000n * UNIT - out;
	const trade = tradeOf([moved(PAIR, BOB, out), synced(left, 11n * UNIT), swapped(-out, UNIT)]);
	if (trade?.type !== 'trade') throw new Error('there is no trade');
	// A market cap of a thousand tokens, at 30,000 dollars a coin.
	expect(Math.round(trade.spotQuote! * 1000 * 30_000)).toBe(362_901);
	expect(Math.round((trade.amountQuote / trade.amountToken) * 1000 * 30_000)).toBe(330_903);
});

test('several trades of a pool in one transaction have each the state after it', () => {
	launchInPair();
	const trades = read([
		moved(PAIR, BOB, 90n * UNIT),
		synced(910n * UNIT, 11n * UNIT),
		swapped(-90n * UNIT, UNIT),
		moved(PAIR, ANN, 70n * UNIT),
		synced(840n * UNIT, 12n * UNIT),
		swapped(-70n * UNIT, UNIT),
	]).filter(({type}) => type === 'trade');
	expect(trades).toMatchObject([{spotQuote: 11 / 910}, {spotQuote: 12 / 840}]);
});

test('a swap whose pool says nothing of its state has no price of the pool', () => {
	launchInPair();
	const trade = tradeOf([moved(PAIR, BOB, 90n * UNIT), swapped(-90n * UNIT, UNIT)]);
	expect(trade).not.toHaveProperty('spotQuote');
});

/** A token in a pool with ranges, then a swap that leaves this root and liquidity. */
function swappedInRange(sqrtPriceX96: bigint, liquidity: bigint) {
	const range = {amount0: 1000n * UNIT, amount1: 10n * UNIT};
	const put = {kind: 'liquidity', pool: PAIR, provider: null, amounts: range, ticks: null} as const;
	const {event} = pairMade();
	read([{venue: 'uniswap-v3', event, from: PAIR}, moved(NONE, PAIR, 1000n * UNIT), {venue: 'uniswap-v3', event: put}]);
	const swap = {kind: 'swap', pool: PAIR, amount0: -90n * UNIT, amount1: UNIT, feePpm: null, liquidity} as const;
	return tradeOf([moved(PAIR, BOB, 90n * UNIT), {venue: 'uniswap-v3', event: {...swap, sqrtPriceX96}}]);
}

test('a pool with ranges has the price of its root', () => {
	expect(swappedInRange(2n ** 95n, 5n)).toMatchObject({type: 'trade', spotQuote: 0.25});
});

test.each([
	['without liquidity left at it', 2n ** 159n, 0n],
	['of a pool that has none', 0n, 5n],
])('a root says no price: %s', (_what, root, liquidity) => {
	const trade = swappedInRange(root, liquidity);
	expect(trade).toMatchObject({type: 'trade', amountQuote: 1});
	expect(trade).not.toHaveProperty('spotQuote');
});

/** A token in a pool of Aerodrome with 400 tokens and 100 coins, then a swap. */
function swappedOnAerodrome(isStable: {isStable?: boolean}) {
	const venue = 'aerodrome';
	const {event} = pairMade();
	const [launch] = read([
		{venue, event: {...event, ...isStable}, from: PAIR},
		moved(NONE, PAIR, 400n * UNIT),
		{venue, event: {kind: 'reserves', pool: PAIR, reserve0: 400n * UNIT, reserve1: 100n * UNIT}},
		{venue, event: {kind: 'liquidity', pool: PAIR, provider: null, amounts: {amount0: 1n, amount1: 1n}, ticks: null}},
	]);
	const trade = tradeOf([
		moved(PAIR, BOB, 200n * UNIT),
		{venue, event: {kind: 'reserves', pool: PAIR, reserve0: 200n * UNIT, reserve1: 200n * UNIT}},
		swapped(-200n * UNIT, 100n * UNIT),
	]);
	return {launch, trade};
}

test('a pool of like coins has the price of its own formula, from its opening on', () => {
	// Of x³y + y³x: y (3x² + y²) by x (x² + 3y²).
	const opening = (100 * (3 * 400 ** 2 + 100 ** 2)) / (400 * (400 ** 2 + 3 * 100 ** 2));
	const {launch, trade} = swappedOnAerodrome({isStable: true});
	expect((launch as {priceUSD: number}).priceUSD).toBeCloseTo(opening * 900, 9);
	expect(trade).toMatchObject({spotQuote: 1});
});

test('a pool whose formula is the product has the price of its reserves; one whose formula is unknown has none', () => {
	const {launch, trade} = swappedOnAerodrome({isStable: false});
	expect(launch).toMatchObject({priceUSD: 225});
	expect(trade).toMatchObject({spotQuote: 1});
	state = new FollowedTokens(chain.blockMs);
	const old = swappedOnAerodrome({});
	expect(old.launch).toMatchObject({type: 'launch', priceUSD: null});
	expect(old.trade).not.toHaveProperty('spotQuote');
});

/** What a pair of Virtuals opens with, and a buy. */
function launchOnPair() {
	const venue = 'virtuals';
	const made = {kind: 'token', token: TOKEN, creator: ANN, name: 'Agent', symbol: 'AGT', supply: null} as const;
	return read([
		moved(NONE, PAIR, 1000n * UNIT),
		{venue, event: {kind: 'reserves', pool: PAIR, reserve0: 1000n * UNIT, reserve1: 10n * UNIT}},
		{
			venue,
			from: PAIR,
			event: {
				...made,
				decimals: 18,
				curve: {address: PAIR, quote: WBNB, sale: 800n * UNIT},
				pool: {venue, pool: PAIR, quote: WBNB, tokenIs: 0},
				profile: {},
			},
		},
	]);
}

function boughtOnPair() {
	const event = {
		kind: 'swap',
		pool: PAIR,
		amount0: -90n * UNIT,
		amount1: UNIT,
		feePpm: null,
		sqrtPriceX96: null,
	} as const;
	return tradeOf([moved(PAIR, BOB, 90n * UNIT), {venue: 'virtuals', event}]);
}

test('a pair that never says what it holds has its price counted from its opening, over restarts and what is taken back', () => {
	launchOnPair();
	const opened = state.takeFacts(1);
	expect(boughtOnPair()).toMatchObject({spotQuote: 11 / 910, reserves: {token: 910, quote: 11}});
	const facts = [...opened, ...state.takeFacts(2)];
	state.load(facts);
	expect(boughtOnPair()).toMatchObject({spotQuote: 12 / 820});
	state.load(opened);
	expect(boughtOnPair()).toMatchObject({spotQuote: 11 / 910});
});

test('after blocks that were not read it has none, also after a restart', () => {
	launchOnPair();
	const opened = state.takeFacts(1);
	state.forgetHoldings();
	expect(boughtOnPair()).not.toHaveProperty('spotQuote');
	state.load([...opened, ...state.takeFacts(2)]);
	expect(boughtOnPair()).not.toHaveProperty('spotQuote');
});
