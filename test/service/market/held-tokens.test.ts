import {beforeEach, expect, test} from 'vitest';
import {ROW} from '../../../source/service/market/market.ts';
import {isUntradable, type OutsideToken} from '../../../source/service/market/outside.ts';
import {FakeVenue, whole} from './fake-venue.ts';
import {QUIET, RUGGED_AFTER_75_S, START_MS, TradedMarket, USER, WALLETS} from './traded-market.ts';

const HOUR_MS = 3_600_000;

let world: TradedMarket;

beforeEach(() => {
	world = new TradedMarket();
});

/** The facts of all held tokens, as they come back from a store. */
const stored = (): unknown[] => JSON.parse(JSON.stringify(world.market.outside.takeChangedHeld()));
const keysOf = (held: readonly unknown[]): string[] => held.map(row => (row as {key: string}).key);
const priceOf = ({reserveQuote, reserveToken}: OutsideToken): number => reserveQuote / reserveToken;
const tokensInFeed = (): string[] => {
	const {table} = world.market;
	const wanted = ROW.live | ROW.main;
	return [...table.bits.keys()].filter(row => (table.bits[row]! & wanted) === wanted).map(row => table.key(row));
};
/** Facts of the feed that a restart must not change. */
const identity = (key: string): unknown => {
	const row = world.market.table.rowOf(key)!;
	const entry = world.market.assetEntry(row);
	const names = [
		'address',
		'symbol',
		'name',
		'decimals',
		'createdAt',
		'created_at',
		'deployer',
		'poolAddress',
		'security',
		'logo',
	];
	return Object.fromEntries(names.map(name => [name, entry[name]]));
};

/** Buys all that a curve can still sell. */
const buyRest = async (key: string): Promise<void> => {
	const hold = await world.held(key);
	const {reserveToken, reserveUSD, left} = hold.token;
	const usd = (reserveUSD * left) / (reserveToken - left);
	hold.settle({side: 'buy', wallet: USER, poolTokens: left, traderTokens: left, usd, feeUSD: usd / 100, tx: '0x1'});
	hold.release();
};

test('held tokens go on after a restart: the same identity, price, phase and holders, and no launch takes their address', async () => {
	const curve = world.tradable(({phase}) => phase === 'curve')[0]!;
	const pool = world.tradable(({phase, isRugged}) => phase === 'pool' && !isRugged)[0]!;
	const taxed = world.tradable(({buyTax}) => buyTax! > 0)[0]!;
	const venues = new Map<string, FakeVenue>();
	for (const {key} of [curve, pool, taxed]) venues.set(key, await world.buy(key, 30));
	await world.buy(curve.key, 20, WALLETS[1], venues.get(curve.key));
	world.pass(5000);
	const held = stored();
	expect(keysOf(held).toSorted()).toEqual([curve.key, pool.key, taxed.key].toSorted());
	const before = new Map(keysOf(held).map(key => [key, {token: world.found(key), identity: identity(key)}]));
	const progress = world.figure(curve.key, 'bonding_percentage');
	const liquidity = world.figure(pool.key, 'liquidity');

	world.nowMs = START_MS + 2 * HOUR_MS;
	world.open();
	const without = new Set(tokensInFeed());
	world.open({held});
	expect(world.log).toEqual([]);
	for (const [key, {token, identity: known}] of before) {
		expect(identity(key)).toEqual(known);
		const now = world.found(key);
		expect(now).toMatchObject({
			phase: token.phase,
			buyTax: token.buyTax,
			sellTax: token.sellTax,
			fee: token.fee,
			deployer: token.deployer,
		});
		// One trade of the crowd is at most 0.4 % of the pool.
		expect(Math.abs(priceOf(now) / priceOf(token) - 1)).toBeLessThan(0.01);
		expect(world.figure(key, 'latest_price') / (priceOf(now) * now.quoteUSD)).toBeCloseTo(1, 2);
		for (const wallet of WALLETS) {
			expect(world.ledgerBalance(key, wallet)).toBeCloseTo(whole(venues.get(key)!.balance(wallet)), 0);
		}
		expect(world.figure(key, 'holders_count')).toBeGreaterThan(10);
	}
	expect(Math.abs(world.figure(curve.key, 'bonding_percentage') - progress)).toBeLessThan(1);
	expect(world.figure(pool.key, 'liquidity') / liquidity).toBeCloseTo(1, 1);
	// The tokens of the seed had these addresses: they have others now, and all other tokens have their own.
	const withHeld = new Set(tokensInFeed());
	expect([...before.keys()].some(key => without.has(key))).toBe(true);
	for (const key of without) expect(withHeld.has(key)).toBe(true);
	expect(withHeld.size).toBe(without.size + before.size);
	expect(world.market.engine.ignored).toBe(0);
	// And they are traded on.
	world.pass(2000);
	const venue = venues.get(taxed.key)!;
	const sold = await world.tradeOnce(taxed.key, venue, chain => chain.sell(USER, chain.balance(USER)));
	expect(sold).toBeDefined();
	expect(world.ledgerBalance(taxed.key, USER)).toBe(0);
});

test('a trade that was mined when the service was killed is settled after the restart', async () => {
	const {key} = world.tradable(({phase}) => phase === 'pool')[0]!;
	const hold = await world.held(key);
	const facts: unknown = JSON.parse(JSON.stringify(world.market.outside.heldFacts(key)));
	const venue = new FakeVenue(hold.token);
	venue.sync(hold.token);
	const mined = venue.buy(USER, 40)!;

	world.open({held: [facts]});
	const again = await world.held(key);
	again.settle(mined);
	again.release();
	expect(world.found(key).reserveToken / whole(venue.token)).toBeCloseTo(1, 2);
	expect(world.ledgerBalance(key, USER)).toBeCloseTo(mined.traderTokens, 6);
	expect(keysOf(stored())).toEqual([key]);
});

test('reserves are taken over from a chain whose log is lost, and a curve that it sold out graduates', async () => {
	const [pool, curve] = [
		world.tradable(({phase}) => phase === 'pool')[0]!,
		world.tradable(({phase}) => phase === 'curve')[0]!,
	];
	const hold = await world.held(pool.key);
	hold.reconcile({reserveToken: 5e8, reserveUSD: 1234.5, left: Number.POSITIVE_INFINITY});
	hold.release();
	expect(world.found(pool.key)).toMatchObject({reserveToken: 5e8, reserveUSD: 1234.5, phase: 'pool'});
	const other = await world.held(curve.key);
	other.reconcile({reserveToken: curve.reserveToken - curve.left, reserveUSD: 20_000, left: 0});
	other.release();
	world.pass(4100);
	expect(world.found(curve.key).phase).toBe('pool');
});

test('a graduate and a rugged token go on as what they are', async () => {
	world.open({rate: QUIET});
	const curve = world.tradable(({phase}) => phase === 'curve')[0]!;
	await buyRest(curve.key);
	await world.buy(RUGGED_AFTER_75_S, 50);
	world.pass(76_000, 1000);
	const before = [curve.key, RUGGED_AFTER_75_S].map(key => world.found(key));
	expect(before).toMatchObject([{phase: 'pool'}, {isRugged: true}]);
	const held = stored();

	world.nowMs += 25 * HOUR_MS;
	world.open({held, rate: QUIET});
	for (const token of before) {
		const now = world.found(token.key);
		expect(now).toMatchObject({phase: 'pool', isRugged: token.isRugged});
		expect(Math.abs(priceOf(now) / priceOf(token) - 1)).toBeLessThan(0.01);
		expect(world.figure(token.key, 'approximate_reserve_token') / now.reserveToken).toBeCloseTo(1, 9);
		expect(world.ledgerBalance(token.key, USER)).toBeGreaterThan(0);
		expect(world.figure(token.key, 'bonded')).toBe(1);
	}
	// For as long as they are held, they have a price. Of the others without a trade none is left after a day.
	const other = world.tradable(({key}) => !keysOf(held).includes(key))[0]!;
	world.pass(26 * HOUR_MS, 60_000);
	for (const {key} of before) expect(world.figure(key, 'latest_price')).toBeGreaterThan(0);
	expect(world.market.table.rowOf(other.key)).toBeUndefined();
});

test('a token that was between its curve and its pool has its pool after the restart', async () => {
	const curve = world.tradable(({phase}) => phase === 'curve')[0]!;
	await buyRest(curve.key);
	expect(world.market.outside.find(curve.key)).toEqual({why: 'migrating'});
	const facts = world.market.outside.heldFacts(curve.key);
	world.open({held: [facts]});
	expect(world.found(curve.key)).toMatchObject({phase: 'pool'});
});

test('facts that cannot be read are left out one by one, with the reason', async () => {
	const {key} = world.tradable(({phase}) => phase === 'curve')[0]!;
	await world.buy(key, 30);
	const [good] = stored() as [Record<string, unknown>];
	world.open({
		held: [
			null,
			'text',
			{},
			{...good, reserveToken: -1},
			{...good, reserveQuote: 'many'},
			{...good, launchpad: 'closed-down'},
			{...good, key: 'evm:1|0x00'},
			{...good, left: null},
			{...good, left: 1e30},
			{...good, profile: {twitter: 5}},
			{...good, pace: 1e300},
			{...good, reserveQuote: 1e300},
			{...good, holders: [{wallet: 'nobody', tokens: 1, sinceMs: 1}]},
			good,
			good,
		],
	});
	expect(world.log.length).toBe(14);
	for (const [n, word] of [
		'',
		'',
		'key',
		'reserveToken',
		'reserveQuote',
		'launchpad',
		'key',
		'left',
		'left',
		'twitter',
		'pace',
		'reserveQuote',
		'wallet',
	].entries()) {
		expect(world.log[n]).toContain(`held token ${n + 1} of 15`);
		expect(world.log[n]).toContain(word);
	}
	expect(world.log[13]).toContain('twice');
	expect(isUntradable(world.market.outside.find(key))).toBe(false);
});

test('only tokens that have changed are given to be stored', async () => {
	world.open({rate: QUIET});
	const {key} = world.tradable(({phase}) => phase === 'pool')[0]!;
	expect(stored()).toEqual([]);
	const venue = await world.buy(key, 30);
	expect(stored()).toMatchObject([
		{key, epoch: 1, holders: [{wallet: USER, tokens: whole(venue.balance(USER)), sinceMs: START_MS}]},
	]);
	expect(stored()).toEqual([]);
	world.pass(41 * 60_000, 10_000);
	expect(keysOf(stored())).toEqual([key]);
	await world.tradeOnce(key, venue, chain => chain.sell(USER, chain.balance(USER)));
	expect(world.market.outside.heldFacts(key)).toMatchObject({holders: [], epoch: 2});
	expect(stored()).toEqual([]);
});
