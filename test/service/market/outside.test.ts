import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {findChain, LAUNCHPADS} from '../../../source/service/market/chains.ts';
import type {TradeEvent} from '../../../source/service/market/events.ts';
import {
	HoldEnded,
	isUntradable,
	type OutsideToken,
	type OutsideTrade,
	TradeImpossible,
} from '../../../source/service/market/outside.ts';
import {Random} from '../../../source/service/market/simulator/random.ts';
import {FakeVenue, whole} from './fake-venue.ts';
import {QUIET, RUGGED_AFTER_75_S, START_MS, TradedMarket, USER, WALLETS} from './traded-market.ts';

let world: TradedMarket;

beforeEach(() => {
	world = new TradedMarket();
});

afterEach(() => {
	vi.useRealTimers();
});

/** Micro-dollars short of all that a curve can still sell. */
const priceOfRest = ({reserveToken, reserveUSD, left, fee}: OutsideToken): number =>
	Math.floor(((reserveUSD * left) / (reserveToken - left)) * (1 + fee) * 1e6 - 2) / 1e6;

test('chain and market agree after each of hundreds of trades on either side', async () => {
	world.open({rate: 10});
	const random = new Random(77);
	const taxed = world.tradable(({buyTax, sellTax}) => (buyTax ?? 0) > 0 && (sellTax ?? 0) > 0).slice(0, 2);
	const keys = [...world.tradable().slice(0, 4), ...taxed].map(({key}) => key);
	expect(keys.length).toBe(6);
	const venues = new Map(keys.map(key => [key, new FakeVenue(world.found(key))]));
	const logs = new Map<string, OutsideTrade[]>(keys.map(key => [key, []]));
	for (let n = 0; n < 300; n++) {
		world.pass(random.index(120), 40);
		const key = random.pick(keys);
		if (isUntradable(world.market.outside.find(key))) continue;
		const venue = venues.get(key)!;
		const wallet = random.pick(WALLETS);
		const part = random.pick([1n, 2n, 4n]);
		const hold = await world.held(key);
		venue.sync(hold.token);
		const balance = venue.balance(wallet);
		const done =
			balance > 0n && random.chance(0.5)
				? venue.sell(wallet, balance / part)
				: venue.buy(wallet, random.between(0.5, hold.token.reserveUSD * 0.1));
		if (done) {
			hold.settle(done);
			logs.get(key)!.push(done);
		}
		hold.release();
		expect(venue.token * venue.usd).toBeGreaterThanOrEqual(venue.k);
		const after = world.market.outside.find(key);
		if (isUntradable(after)) continue;
		expect(after.reserveToken / whole(venue.token)).toBeCloseTo(1, 9);
		expect(BigInt(Math.round(after.reserveUSD * 1e6))).toBe(venue.usd);
		for (const one of WALLETS) {
			const onChain = whole(venue.balance(one));
			expect(Math.abs(world.ledgerBalance(key, one) - onChain)).toBeLessThanOrEqual(1e-9 * Math.max(onChain, 1));
		}
	}
	for (const key of keys) {
		const own = world.eventsOf(key);
		expect(own.map(({timeMs}) => timeMs)).toEqual(own.map(({timeMs}) => timeMs).toSorted((a, b) => a - b));
		const mine = own.filter((event): event is TradeEvent => event.type === 'trade' && WALLETS.includes(event.wallet!));
		expect(mine.map(({tx}) => tx)).toEqual(logs.get(key)!.map(({tx}) => tx));
	}
	expect([...logs.values()].flat().length).toBeGreaterThan(200);
	expect(world.market.engine.ignored).toBe(0);
});

test('a buy from outside is a trade like any other: price, volume, fees, holders and tape follow, and nobody is a sniper', async () => {
	const {key, chainId, address, buyTax} = world.tradable(({timeMs, buyTax}) => buyTax === 0 && timeMs > 0)[0]!;
	world.pass(10_000);
	const [holders, volume, fees] = [
		world.figure(key, 'holders_count'),
		world.figure(key, 'volume_buy_1h'),
		world.figure(key, 'fees_paid_1h'),
	];
	const venue = new FakeVenue(world.found(key));
	const hold = await world.held(key);
	venue.sync(hold.token);
	const done = venue.buy(USER, 25)!;
	hold.settle(done);
	// In the same turn, before the market's next tick.
	expect(world.figure(key, 'holders_count')).toBe(holders + 1);
	expect(world.figure(key, 'volume_buy_1h') - volume).toBeCloseTo(done.usd, 2);
	expect(world.figure(key, 'fees_paid_1h') - fees).toBeCloseTo(25 - done.usd, 2);
	// The pool's price after it, not what the buyer paid on average.
	const price = Number(venue.usd) / 1e6 / whole(venue.token);
	expect(world.figure(key, 'latest_price') / price).toBeCloseTo(1, 9);
	expect(price).toBeGreaterThan(done.usd / done.poolTokens);
	hold.release();
	expect(buyTax).toBe(0);
	const [trade] = world.eventsOf(key).filter(event => event.type === 'trade' && event.wallet === USER);
	const blockMs = findChain(chainId)!.blockMs;
	expect(trade).toMatchObject({
		tx: done.tx,
		block: Math.floor(world.nowMs / blockMs),
		timeMs: world.nowMs,
		platform: 'pulsetop',
	});
	expect(world.market.walletLabels([USER], address)).toMatchObject([{labels: [], platform: {name: 'pulsetop'}}]);
});

test('the taxes are those that the feed shows, and what it does not report is unknown', async () => {
	const all = world.tradable();
	for (const {key, buyTax, sellTax, isHoneypot} of all) {
		const security = world.market.table.security(world.market.table.rowOf(key)!);
		expect(buyTax).toBe(security ? Number.parseFloat(String(security['buyTax'])) / 100 : undefined);
		expect(sellTax).toBe(security ? Number.parseFloat(String(security['sellTax'])) / 100 : undefined);
		expect(isHoneypot).toBe(security ? security['isHoneypot'] : undefined);
	}
	expect(all.filter(({isHoneypot}) => isHoneypot === undefined).length).toBeGreaterThan(0);
	const {key, deployer, buyTax} = all.find(token => token.buyTax! > 0)!;
	const venue = await world.buy(key, 20);
	const [trade, tax] = world.eventsOf(key);
	expect(trade).toMatchObject({type: 'trade', side: 'buy', wallet: USER});
	expect(tax).toMatchObject({type: 'transfer', from: USER, to: deployer});
	const gross = (trade as TradeEvent).amountToken;
	expect((tax as {amountToken: number}).amountToken / gross).toBeCloseTo(buyTax!, 9);
	expect(whole(venue.balance(USER)) / gross).toBeCloseTo(1 - buyTax!, 9);
});

test('the reserves of a token are those of the feed, also after the crowd has left it', () => {
	world.pass(120_000, 1000);
	const all = world.tradable();
	for (const {key, phase, reserveToken, left, supply} of all) {
		const {curve} = LAUNCHPADS.find(pad => key.startsWith(`${pad.chainId}|`) && pad.supply === supply)!;
		const inPool = phase === 'pool' ? reserveToken : supply - (curve!.sale - left);
		expect(world.figure(key, 'approximate_reserve_token') / inPool).toBeCloseTo(1, 9);
	}
	const idle = all.filter(({key}) => world.figure(key, 'latest_trade_date') < world.nowMs - 60_000);
	expect(idle.length).toBeGreaterThan(5);
	expect(idle.length).toBeLessThan(all.length - 5);
});

test('to look at tokens changes none of them', () => {
	const play = (looks: boolean): unknown[] => {
		world = new TradedMarket();
		const keys = world.tradable().map(({key}) => key);
		for (let s = 0; s < 40; s++) {
			world.pass(1000, 500);
			if (looks) for (const key of keys) world.market.outside.find(key);
		}
		return world.events;
	};
	expect(play(true)).toEqual(play(false));
});

test('nothing of a token happens while it is held, and what was due happens after the trade', async () => {
	world.pass(2000);
	const busiest = world.tradable().toSorted((a, b) => world.eventsOf(b.key).length - world.eventsOf(a.key).length)[0]!;
	const {key} = busiest;
	const venue = new FakeVenue(busiest);
	const hold = await world.held(key);
	const before = world.events.length;
	const own = world.eventsOf(key).length;
	world.pass(5000);
	expect(world.eventsOf(key).length).toBe(own);
	expect(world.events.length).toBeGreaterThan(before + 100);
	expect(world.found(key).reserveToken).toBe(hold.token.reserveToken);
	venue.sync(hold.token);
	hold.settle(venue.buy(USER, 10)!);
	hold.release();
	hold.release();
	world.pass(5000);
	const after = world.eventsOf(key).slice(own);
	expect(after[0]).toMatchObject({type: 'trade', wallet: USER, timeMs: START_MS + 7000});
	expect(after.length).toBeGreaterThan(1);
	expect(after.every(({timeMs}) => timeMs >= START_MS + 7000)).toBe(true);
});

test('a hundred buys at once on one curve are a hundred turns, in the order in which they came', async () => {
	const token = world.tradable(({phase}) => phase === 'curve')[0]!;
	const venue = new FakeVenue(token);
	const turns: number[] = [];
	await Promise.all(
		Array.from({length: 100}, (_, n) =>
			world.tradeOnce(token.key, venue, chain => {
				turns.push(n);
				world.pass(10, 10);
				return chain.buy(WALLETS[n % 3]!, 5);
			}),
		),
	);
	expect(turns).toEqual(Array.from({length: 100}, (_, n) => n));
	const buys = world.eventsOf(token.key).filter(event => event.type === 'trade' && WALLETS.includes(event.wallet!));
	expect(buys.length).toBe(100);
	for (const wallet of WALLETS) {
		expect(world.ledgerBalance(token.key, wallet) / whole(venue.balance(wallet))).toBeCloseTo(1, 9);
	}
	expect(world.log).toEqual([]);
});

test('a hold that is forgotten ends after a second, says so, and lets the next one in; its trade is settled there', async () => {
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
	const {key} = world.tradable(({phase}) => phase === 'pool')[0]!;
	const venue = new FakeVenue(world.found(key));
	const forgotten = await world.held(key);
	venue.sync(forgotten.token);
	const done = venue.buy(USER, 10)!;
	const next = world.held(key);
	vi.advanceTimersByTime(999);
	expect(world.log).toEqual([]);
	vi.advanceTimersByTime(1);
	expect(world.log).toEqual([expect.stringContaining(key)]);
	expect(() => forgotten.settle(done)).toThrow(HoldEnded);
	expect(world.eventsOf(key)).toEqual([]);
	const late = await next;
	late.settle(done);
	late.release();
	expect(world.ledgerBalance(key, USER)).toBeCloseTo(done.traderTokens, 6);
});

test('amounts that no trade with the reserves can have are refused, and change nothing', async () => {
	const {key} = world.tradable()[0]!;
	const hold = await world.held(key);
	const {reserveToken, reserveUSD} = hold.token;
	const trade: OutsideTrade = {
		side: 'buy',
		wallet: USER,
		poolTokens: 5,
		traderTokens: 5,
		usd: 1,
		feeUSD: 0.01,
		tx: '0x1',
	};
	for (const wrong of [
		{poolTokens: reserveToken},
		{poolTokens: Number.NaN},
		{usd: 0},
		{usd: Number.POSITIVE_INFINITY},
		{traderTokens: 6},
		{feeUSD: -1},
		{side: 'sell', usd: reserveUSD},
	] as const) {
		expect(() => hold.settle({...trade, ...wrong})).toThrow(TradeImpossible);
	}
	expect(() => hold.reconcile({reserveToken: 0, reserveUSD: 1, left: 5})).toThrow(TradeImpossible);
	hold.release();
	expect(world.found(key)).toEqual(hold.token);
	expect(world.eventsOf(key)).toEqual([]);
});

test("a curve that is sold out from outside becomes a pool after four seconds, as anybody's", async () => {
	const token = world.tradable(({phase, buyTax}) => phase === 'curve' && buyTax === 0)[0]!;
	const {key} = token;
	await world.buy(key, priceOfRest(token));
	expect(world.market.outside.find(key)).toEqual({why: 'migrating'});
	const waiting = world.market.outside.hold(key);
	expect(await waiting).toEqual({why: 'migrating'});
	world.pass(3900);
	expect(world.market.outside.find(key)).toEqual({why: 'migrating'});
	world.pass(200);
	expect(world.found(key)).toMatchObject({phase: 'pool', left: Number.POSITIVE_INFINITY});
	expect(
		world
			.eventsOf(key)
			.filter(({type}) => type === 'migrate')
			.map(({timeMs}) => timeMs),
	).toEqual([START_MS + 4000]);
	expect(world.figure(key, 'bonded')).toBe(1);
	await world.buy(key, 5, WALLETS[1]);
});

test('a token whose deployer took the money is sold for what is left', async () => {
	world.open({rate: QUIET});
	const {key} = world.found(RUGGED_AFTER_75_S);
	const wasUSD = world.found(key).reserveUSD;
	const venue = await world.buy(key, 50);
	world.pass(76_000, 1000);
	expect(world.found(key).isRugged).toBe(true);
	expect(world.eventsOf(key).some(({type}) => type === 'liquidity')).toBe(true);
	const sold = await world.tradeOnce(key, venue, chain => chain.sell(USER, chain.balance(USER)));
	expect(sold!.usd).toBeGreaterThan(0);
	expect(sold!.usd).toBeLessThan(wasUSD * 0.03);
	expect(world.ledgerBalance(key, USER)).toBe(0);
	expect(world.market.outside.find(key)).toEqual({why: 'rugged'});
});

test('what is no token of an EVM chain is unknown', async () => {
	const row = [...world.market.table.bits.keys()].find(at => world.market.table.key(at).startsWith('solana:'))!;
	for (const key of [world.market.table.key(row), `evm:8453|${USER}`, '', 'evm:8453']) {
		expect(world.market.outside.find(key)).toEqual({why: 'unknown'});
		expect(await world.market.outside.hold(key)).toEqual({why: 'unknown'});
		expect(world.market.outside.heldFacts(key)).toBeUndefined();
	}
	// It was looked for in all of the history.
	expect(world.market.isFilled).toBe(true);
});
