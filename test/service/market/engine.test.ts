import {expect, test} from 'vitest';
import {Engine} from '../../../source/service/market/engine.ts';
import {Entries} from '../../../source/service/market/entries.ts';
import {ROW} from '../../../source/service/market/market.ts';
import {priceHistory} from '../../../source/service/market/price-history.ts';
import type {NumericFieldName} from '../../../source/service/market/table.ts';
import {AMM, CHAIN, launch, profile, START_MS, trade, transfer} from './make-events.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** An engine that has taken the events in, each at its time. */
function played(...events: Parameters<Engine['apply']>[0][]): Engine {
	const engine = new Engine(START_MS);
	for (const event of events) {
		engine.advance(event.timeMs);
		engine.apply(event);
	}
	engine.advance(engine.nowMs());
	return engine;
}

function figure(engine: Engine, name: NumericFieldName, token = 'Token'): number {
	return engine.table.numbers(name)[engine.table.rowOf(`${CHAIN}|${token}`)!]!;
}

function migrate(timeMs: number) {
	return {
		type: 'migrate',
		timeMs,
		block: 5000,
		chainId: CHAIN,
		token: 'Token',
		pool: AMM,
		reserveToken: 200,
		reserveQuote: 50,
		main: true,
	} as const;
}

test('a window empties without an event, at the latest when its error bound is over, and its row is reported as changed', () => {
	const engine = played(launch(), trade('Ann', 'buy'));
	engine.table.numbers('volume_1min');
	engine.takeChanged();
	engine.advance(START_MS + 61_000);
	expect(figure(engine, 'volume_1min')).toBe(20);
	engine.advance(START_MS + 64_000);
	expect(figure(engine, 'volume_1min')).toBe(0);
	expect(figure(engine, 'volume_5min')).toBe(20);
	expect(engine.takeChanged()).toEqual([engine.table.rowOf(`${CHAIN}|Token`)]);
});

const SPOTS: readonly NumericFieldName[] = ['latest_price', 'ath', 'market_cap', 'price_token'];

test('the price, what follows from it and its history are the pool’s after a trade; the money is the trade’s own', () => {
	const at = (timeMs: number) => ({timeMs: START_MS + timeMs});
	// A buy of 10 tokens for 20 dollars, after which the pool asks 5 dollars: 0.05 SOL at 100 dollars.
	const engine = played(launch(), trade('Ann', 'buy', {...at(1000), spotQuote: 0.05}));
	expect(SPOTS.map(name => figure(engine, name))).toEqual([5, 5, 5000, 0.05]);
	expect(figure(engine, 'volume_1h')).toBe(20);
	engine.apply(trade('Bob', 'sell', {...at(62_000), spotQuote: 0.005}));
	engine.advance(START_MS + 65_000);
	expect(figure(engine, 'latest_price')).toBe(0.5);
	expect(figure(engine, 'price_1min_ago')).toBe(5);
	expect(figure(engine, 'price_change_1min')).toBe(-90);
	expect(figure(engine, 'price_change_24h')).toBe(-50);
	expect([figure(engine, 'ath'), figure(engine, 'atl')]).toEqual([5, 0.5]);
	const {token} = engine.listing(engine.table.rowOf(`${CHAIN}|Token`)!);
	expect(priceHistory(engine, token, START_MS).map(({price}) => price)).toEqual([1, 5, 0.5]);
});

test('a trade of next to nothing cannot move the price, whatever its rounding made of its average', () => {
	const dust = {amountToken: 1e-18, amountQuote: 1e-9, valueUSD: 1e-7, spotQuote: 0.02};
	const engine = played(launch(), trade('Ann', 'buy', {spotQuote: 0.02}), trade('Eve', 'buy', dust));
	expect(SPOTS.map(name => figure(engine, name))).toEqual([2, 2, 2000, 0.02]);
});

test('without a state after the trade its average is the price, and the row says so until a trade has one', () => {
	const engine = played(launch());
	const row = engine.table.rowOf(`${CHAIN}|Token`)!;
	const isAverage = () => {
		const entries = new Entries(engine);
		const said = [entries.asset(row, 0), entries.pool(row, 0)].map(entry => 'priceIsAverage' in entry);
		expect(said[0]).toBe(said[1]);
		return said[0];
	};
	expect([isAverage(), figure(engine, 'latest_price')]).toEqual([false, 1]);
	engine.apply(trade('Ann', 'buy'));
	expect(isAverage()).toBe(true);
	engine.apply(trade('Ann', 'buy', {spotQuote: 0.03}));
	expect(isAverage()).toBe(false);
});

test('where the quote coin has no price in dollars, the price in quote coins is the pool’s too', () => {
	const unknown = {valueUSD: null, feeUSD: null, quoteUSD: null, amountQuote: 0.2} as const;
	const engine = played(launch(), trade('Ann', 'buy', {...unknown, spotQuote: 0.05}));
	expect(figure(engine, 'price_token')).toBe(0.05);
	expect(figure(engine, 'latest_price')).toBeNaN();
	engine.apply(trade('Ann', 'buy', unknown));
	engine.advance(engine.nowMs());
	expect(figure(engine, 'price_token')).toBe(0.02);
});

test('an opening that is unknown is the price after the first trade', () => {
	const engine = played(launch({priceUSD: null}), trade('Ann', 'buy', {spotQuote: 0.05}));
	expect(figure(engine, 'price_24h_ago')).toBe(5);
	expect(figure(engine, 'price_change_24h')).toBe(0);
});

test('a further pool has a price of its own: the main pool alone sets the token’s', () => {
	const far = {pool: AMM.address, spotQuote: 1000, amountQuote: 5, quoteUSD: 7};
	const engine = played(
		launch(),
		trade('Ann', 'buy', {spotQuote: 0.03}),
		{...migrate(START_MS + 1500), main: false},
		trade('Eve', 'buy', {...far, timeMs: START_MS + 2000}),
	);
	expect(SPOTS.map(name => figure(engine, name))).toEqual([3, 3, 3000, 0.03]);
	expect(figure(engine, 'price_1min_ago')).toBe(1);
	expect(figure(engine, 'volume_1h')).toBe(40);
	// What the main pool holds is worth what its own quote coin costs.
	expect(figure(engine, 'liquidity')).toBeCloseTo(0.2 * 100, 9);
	const [, other] = [...engine.bits.keys()].filter(row => engine.bits[row] !== 0);
	expect(engine.table.numbers('latest_price')[other!]).toBe(7000);
	const {token} = engine.listing(engine.table.rowOf(`${CHAIN}|Token`)!);
	expect(priceHistory(engine, token, START_MS).map(({price}) => price)).toEqual([1, 3]);
});

test('what a pool holds moves no price: the next trade brings it', () => {
	const reserves = {
		type: 'reserves',
		timeMs: START_MS + 2000,
		block: 2,
		chainId: CHAIN,
		token: 'Token',
		pool: null,
	} as const;
	const engine = played(launch(), trade('Ann', 'buy', {spotQuote: 0.03}), {
		...reserves,
		reserveToken: 1,
		reserveQuote: 1000,
	});
	expect(figure(engine, 'latest_price')).toBe(3);
});

test('what an entry says was bought and sold adds up to the volume that it says, however the cents fall', () => {
	const halfStep = {valueUSD: 42.00005};
	const engine = played(launch(), trade('Ann', 'buy', halfStep), trade('Ann', 'sell', halfStep));
	const row = engine.table.rowOf(`${CHAIN}|Token`)!;
	const asset = new Entries(engine).asset(row, 0);
	expect(asset).toMatchObject({volume_buy_1h: 42.0001, volume_sell_1h: 42.0001, volume_1h: 84.0002});
	expect(new Entries(engine).pool(row, 0)['pair']).toMatchObject({volume24h: 84.0002});
});

test('a row without events is not reported as changed', () => {
	const engine = played(launch(), launch({token: 'Quiet', pool: {...AMM, address: 'QuietPool'}}), trade('Ann', 'buy'));
	engine.takeChanged();
	const versions = Array.from(engine.table.versions());
	engine.apply(trade('Bob', 'buy', {timeMs: START_MS + 1500}));
	engine.advance(START_MS + 1600);
	const [token, quiet] = ['Token', 'Quiet'].map(name => engine.table.rowOf(`${CHAIN}|${name}`)!) as [number, number];
	expect(engine.takeChanged()).toEqual([token]);
	expect(engine.table.versions()[token]).toBeGreaterThan(versions[token]!);
	expect(engine.table.versions()[quiet]).toBe(versions[quiet]);
});

test('the curve fills as its tokens are bought and empties as they are sold back', () => {
	const engine = played(launch(), trade('Ann', 'buy', {amountToken: 200}));
	expect(figure(engine, 'bonding_percentage')).toBe(25);
	expect(figure(engine, 'bonded')).toBe(0);
	engine.apply(trade('Ann', 'sell', {amountToken: 100}));
	engine.apply(trade('Bob', 'buy', {amountToken: 700}));
	engine.advance(engine.nowMs());
	expect(figure(engine, 'bonding_percentage')).toBe(100);
	expect(figure(engine, 'migrating')).toBe(1);
});

test('a token that graduates keeps its row and its source, and leaves its old pool behind as a duplicate', () => {
	const engine = played(launch(), trade('Ann', 'buy', {amountToken: 800}), migrate(START_MS + 5000));
	const row = engine.table.rowOf(`${CHAIN}|Token`)!;
	const old = [...engine.bits.keys()].find(other => engine.bits[other]! & ROW.live && other !== row)!;
	expect(figure(engine, 'bonded')).toBe(1);
	expect(figure(engine, 'bonding_percentage')).toBe(100);
	expect(figure(engine, 'bonded_at')).toBe(START_MS + 5000);
	expect(figure(engine, 'deployer_migrations_count')).toBe(1);
	expect(figure(engine, 'liquidity')).toBe(2 * 50 * 100);
	const text = (name: Parameters<Engine['text']>[0], at = row): string | null => engine.table.texts(name)[at]!;
	expect([text('source'), text('type'), text('pool_address'), text('pre_bonding_factory')]).toEqual([
		'pumpfun',
		'pumpswap',
		'AmmPool',
		'CurveFactory',
	]);
	expect(engine.bits[old]! & ROW.main).toBe(0);
	expect([text('type', old), text('pool_address', old)]).toEqual(['pumpfun', 'CurvePool']);
	expect(engine.table.numbers('liquidity')[old]).toBe(0);
});

test('trades after the graduation count for the token, and no longer in the old pool', () => {
	const engine = played(launch(), trade('Ann', 'buy', {amountToken: 800}), migrate(START_MS + 5000));
	const row = engine.table.rowOf(`${CHAIN}|Token`)!;
	const old = 1 - row;
	engine.apply(trade('Bob', 'buy', {timeMs: START_MS + 6000, valueUSD: 40}));
	engine.advance(START_MS + 7000);
	const volumes = engine.table.numbers('volume_1h');
	expect(volumes[row]).toBe(1640);
	expect(volumes[old]).toBe(1600);
});

test('a trade in a further pool counts in that pool and in the token, distinct wallets once each', () => {
	const engine = played(launch(), {...migrate(START_MS + 500), main: false});
	engine.apply(trade('Ann', 'buy'));
	engine.apply(trade('Ann', 'buy', {pool: 'AmmPool', timeMs: START_MS + 1200}));
	engine.advance(START_MS + 2000);
	const row = engine.table.rowOf(`${CHAIN}|Token`)!;
	expect([engine.table.numbers('buys_1h')[row], engine.table.numbers('buys_1h')[1 - row]]).toEqual([2, 1]);
	expect([engine.table.numbers('buyers_1h')[row], engine.table.numbers('buyers_1h')[1 - row]]).toEqual([1, 1]);
});

test('what is not reported stays unknown', () => {
	const engine = played(launch({supply: null, holdersReported: false, deployer: null}), trade('Ann', 'buy'));
	for (const name of [
		'market_cap',
		'total_supply',
		'holders_count',
		'top_10_holdings_percentage',
		'snipers_count',
		'deployer_tokens_count',
		'security_score',
		'screener_listed',
	] as const) {
		expect(figure(engine, name), name).toBeNaN();
	}
	expect(figure(engine, 'latest_price')).toBe(2);
});

test('an event of an unknown token, and an impossible one, has no effect', () => {
	const engine = played(
		launch(),
		trade('Ann', 'buy', {token: 'Nobody'}),
		trade('Ann', 'buy', {amountToken: 0, valueUSD: 5}),
		trade('Ann', 'buy', {pool: 'NoPool'}),
		launch(),
	);
	expect(engine.ignored).toBe(4);
	expect(figure(engine, 'trades_24h')).toBe(0);
});

test('an event that comes late counts at the time of the newest one', () => {
	const engine = played(launch(), trade('Ann', 'buy', {timeMs: START_MS + 120_000}));
	engine.apply(trade('Bob', 'buy', {timeMs: START_MS + 1000}));
	engine.advance(START_MS + 121_000);
	expect(figure(engine, 'traders_1min')).toBe(2);
	expect(figure(engine, 'latest_trade_date')).toBe(START_MS + 120_000);
});

test('EVM addresses match in any case, and are written with their checksum', () => {
	const lower = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045';
	const chainId = 'evm:8453';
	const engine = played(launch({chainId, token: lower, deployer: lower.toUpperCase().replace('0X', '0x')}));
	engine.apply(
		trade('0xABCDEFabcdefABCDEFabcdefABCDEFabcdefABCD', 'buy', {
			chainId,
			token: lower.toUpperCase().replace('0X', '0x'),
		}),
	);
	engine.apply(trade('0xabcdefabcdefabcdefabcdefabcdefabcdefabcd', 'buy', {chainId, token: lower}));
	engine.advance(START_MS + 2000);
	const row = engine.table.rowOf(`${chainId}|0xD8DA6BF26964aF9D7eEd9e03E53415D37aA96045`)!;
	expect(engine.table.key(row)).toBe(`${chainId}|${lower}`);
	expect(engine.table.texts('address')[row]).toBe('0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045');
	expect(engine.table.texts('deployer')[row]).toBe('0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045');
	expect(engine.table.numbers('buyers_1h')[row]).toBe(1);
});

test('a token without a trade for a day is dropped, its row reported as changed and used again', () => {
	const engine = played(launch(), trade('Ann', 'buy'));
	engine.table.texts('symbol');
	engine.takeChanged();
	engine.advance(START_MS + DAY_MS);
	expect(engine.table.rowOf(`${CHAIN}|Token`)).toBe(0);
	engine.advance(START_MS + DAY_MS + 2000);
	expect(engine.table.rowOf(`${CHAIN}|Token`)).toBeUndefined();
	expect([engine.bits[0], engine.table.texts('symbol')[0], engine.table.key(0)]).toEqual([0, null, '']);
	expect(engine.takeChanged()).toEqual([0]);
	const version = engine.versions[0]!;
	engine.apply(launch({token: 'Next', timeMs: START_MS + DAY_MS + 3000}));
	engine.advance(START_MS + DAY_MS + 3000);
	expect(engine.table.rowOf(`${CHAIN}|Next`)).toBe(0);
	expect(engine.versions[0]).toBeGreaterThan(version);
});

test('where rows are limited those without a trade for longest go first, and no living token ever does', () => {
	const engine = new Engine(START_MS, {maxRows: 64});
	const names = Array.from({length: 100}, (_, n) => `T${n}`);
	const left = (): string[] => names.filter(name => engine.table.rowOf(`${CHAIN}|${name}`) !== undefined);
	for (const [n, token] of names.entries()) {
		engine.apply(launch({token, deployer: `D${n}`, pool: {...AMM, address: `P${n}`}}));
		engine.apply(trade(`W${n}`, 'buy', {token, timeMs: START_MS + n * 1000}));
	}
	engine.advance(START_MS + 100_000);
	expect(left()).toEqual(names);

	// The second half trades again, the last of them first.
	for (const [n, token] of names.slice(50).entries())
		engine.apply(trade('Ann', 'buy', {token, timeMs: START_MS + HOUR_MS - n * 1000}));
	// Somewhat more room is made than is needed at once.
	engine.advance(START_MS + HOUR_MS + 110_000);
	expect(left()).toEqual(names.slice(38));
	engine.advance(START_MS + 3 * HOUR_MS);
	expect(left()).toEqual(names.slice(38));

	for (let n = 100; n < 120; n++) {
		engine.apply(
			launch({token: `T${n}`, deployer: 'Dev', pool: {...AMM, address: `P${n}`}, timeMs: START_MS + 3 * HOUR_MS}),
		);
	}
	engine.advance(START_MS + 3 * HOUR_MS + 60_000);
	// After the rest of the first half it is the turn of those that were traded again first, the last of the list.
	expect(left()).toEqual(names.slice(50, 92));
	expect(engine.wallets.find('W99')).toBeUndefined();
	expect(engine.wallets.find('W50')).toBeDefined();
});

test('a graduated token is dropped with its old pool', () => {
	const engine = played(launch(), trade('Ann', 'buy', {amountToken: 800}), migrate(START_MS + 5000));
	engine.advance(START_MS + DAY_MS + 5000);
	expect([engine.bits[0], engine.bits[1]]).toEqual([0, 0]);
});

test('wallets that only dealt in dropped tokens are forgotten, their funders too', () => {
	const engine = played(
		{
			type: 'fund',
			timeMs: START_MS - 1000,
			chainId: CHAIN,
			wallet: 'Ann',
			from: 'Rich',
			amount: 1,
			coin: AMM.quote,
			tx: null,
		},
		launch(),
		trade('Ann', 'buy'),
	);
	expect(engine.wallets.count).toBe(3);
	engine.advance(START_MS + DAY_MS + 2000);
	expect(engine.wallets.count).toBe(0);
});

test('a dead token keeps its holders and sums, forgets who sold out, and goes on when it wakes', () => {
	const engine = played(
		launch(),
		trade('Ann', 'buy'),
		trade('Bob', 'buy'),
		trade('Bob', 'sell', {timeMs: START_MS + 9000}),
	);
	engine.advance(START_MS + HOUR_MS + 10_000);
	const row = engine.table.rowOf(`${CHAIN}|Token`)!;
	expect(engine.positions.count(row)).toBe(1);
	expect([figure(engine, 'holders_count'), figure(engine, 'volume_4h'), figure(engine, 'traders_4h')]).toEqual([
		1, 60, 2,
	]);
	engine.apply(trade('Ann', 'sell', {timeMs: START_MS + 2 * HOUR_MS, amountToken: 10}));
	engine.advance(START_MS + 2 * HOUR_MS);
	expect([figure(engine, 'holders_count'), figure(engine, 'traders_4h'), figure(engine, 'sellers_1min')]).toEqual([
		0, 2, 1,
	]);
});

test('a thousand dead tokens shrink to two buckets and their holders each', () => {
	const engine = new Engine(START_MS);
	for (let n = 0; n < 1000; n++) {
		engine.apply(launch({token: `T${n}`, pool: {...AMM, address: `P${n}`}}));
		for (let w = 0; w < 20; w++)
			engine.apply(trade(`W${(n + w) % 50}`, 'buy', {token: `T${n}`, timeMs: START_MS + w * 9000}));
		for (let w = 0; w < 15; w++)
			engine.apply(trade(`W${(n + w) % 50}`, 'sell', {token: `T${n}`, timeMs: START_MS + 180_000 + w * 100}));
	}
	engine.advance(START_MS + 2 * HOUR_MS);
	for (let row = 0; row < 1000; row++) {
		expect(engine.buckets.length(row)).toBeLessThanOrEqual(2);
		expect(engine.positions.end(row) - engine.positions.begin(row)).toBe(5);
	}
});

test('one Twitter account on several tokens is counted, with any form of its link', () => {
	const engine = played(
		launch({profile: {twitter: 'https://x.com/Frog'}}),
		launch({token: 'Copy', profile: {twitter: 'https://twitter.com/frog/status/1'}}),
	);
	expect([figure(engine, 'twitter_reuses_count'), figure(engine, 'twitter_reuses_count', 'Copy')]).toEqual([1, 1]);
	engine.apply(profile({twitter: 'https://x.com/toad'}, 'Copy'));
	engine.advance(START_MS + 4000);
	expect([figure(engine, 'twitter_reuses_count'), figure(engine, 'twitter_reuses_count', 'Copy')]).toEqual([0, 0]);
});

test('a further launch of the same deployer shows on all of his tokens', () => {
	const engine = played(launch(), launch({token: 'Second'}));
	expect([figure(engine, 'deployer_tokens_count'), figure(engine, 'deployer_tokens_count', 'Second')]).toEqual([2, 2]);
});

test('the crowd of a large token is added up within ten seconds, its number at once', () => {
	const engine = played(launch({supply: 1e6, reserveToken: 1e6}));
	for (let n = 0; n < 6000; n++) engine.apply(trade(`W${n}`, 'buy', {amountToken: 10, block: 101}));
	engine.advance(START_MS + 20_000);
	expect(figure(engine, 'snipers_count')).toBe(6000);
	engine.apply(trade('W7', 'sell', {timeMs: START_MS + 20_100}));
	engine.advance(START_MS + 20_200);
	expect(figure(engine, 'holders_count')).toBe(5999);
	engine.advance(START_MS + 30_200);
	expect(figure(engine, 'snipers_count')).toBe(5999);
});

test('columns computed late and columns kept current are equal', () => {
	const early = new Engine(START_MS);
	const late = new Engine(START_MS);
	for (const name of ['volume_5min', 'market_cap', 'holders_count', 'created_at'] as const) early.table.numbers(name);
	early.table.texts('symbol');
	for (const engine of [early, late]) {
		for (let n = 0; n < 40; n++) {
			engine.apply(launch({token: `T${n}`, symbol: `S${n}`}));
			engine.apply(trade('Ann', 'buy', {token: `T${n}`, timeMs: START_MS + n * 20_000, valueUSD: n}));
			engine.advance(START_MS + n * 20_000);
		}
	}
	for (const name of ['volume_5min', 'market_cap', 'holders_count', 'created_at'] as const) {
		expect(late.table.numbers(name).slice(0, 40)).toEqual(early.table.numbers(name).slice(0, 40));
	}
	expect(late.table.texts('symbol')).toEqual(early.table.texts('symbol'));
});

test('burnt tokens leave the supply, and a gift of the deployer makes an insider', () => {
	const engine = played(
		launch({reserveToken: 800}),
		transfer('Dev', 'Friend', 50),
		transfer('Dev', '1nc1nerator11111111111111111111111111111111', 100),
	);
	expect(figure(engine, 'circulating_supply')).toBe(900);
	expect(figure(engine, 'insiders_holdings_percentage')).toBeCloseTo((50 / 900) * 100, 4);
	expect(figure(engine, 'dev_holdings_percentage')).toBeCloseTo((50 / 900) * 100, 4);
	expect(figure(engine, 'insiders_count')).toBe(1);
});

test('a token that trades for days forgets the wallets that left it more than a day ago, and no figure changes', () => {
	const engine = played(launch({supply: 1e6, reserveToken: 1e6}));
	for (let n = 0; n < 600; n++) {
		engine.apply(trade(`W${n}`, 'buy', {timeMs: START_MS + 1000}));
		engine.apply(trade(`W${n}`, 'sell', {timeMs: START_MS + 60_000}));
	}
	for (let hour = 1; hour <= 27; hour++) {
		engine.apply(trade('Stayer', 'buy', {timeMs: START_MS + hour * HOUR_MS}));
		engine.advance(START_MS + hour * HOUR_MS);
		if (hour < 2 || hour > 23) continue;
		expect([engine.positions.count(0), engine.departed.count(0), figure(engine, 'traders_24h')]).toEqual([2, 600, 601]);
	}
	expect([engine.positions.count(0), engine.departed.count(0)]).toEqual([2, 0]);
	expect([figure(engine, 'holders_count'), figure(engine, 'traders_24h'), figure(engine, 'trades_24h')]).toEqual([
		1, 1, 25,
	]);
});

test('a wallet that sold out and comes back later starts at zero, is counted once, and keeps its roles', () => {
	const engine = played(launch({supply: 1e6, reserveToken: 1e6}));
	const wallets = ['Ann', 'Bob', 'Cid', 'Dan', 'Eve', 'Fay'];
	for (const wallet of wallets) engine.apply(trade(wallet, 'buy', {timeMs: START_MS + 1000, block: 101}));
	for (const wallet of wallets.slice(0, 5)) engine.apply(trade(wallet, 'sell', {timeMs: START_MS + 60_000}));
	engine.advance(START_MS + 60_000);
	const roles = () => engine.positions.roles[engine.positions.find(0, engine.wallets.find('Ann')!)];
	const before = roles();
	expect(before).toBeGreaterThan(0);
	engine.apply(trade('Fay', 'buy', {timeMs: START_MS + 1_200_000}));
	engine.advance(START_MS + 1_200_000);
	expect(engine.departed.count(0)).toBe(5);
	engine.apply(trade('Ann', 'buy', {timeMs: START_MS + 1_300_000, amountToken: 5, valueUSD: 10}));
	engine.advance(START_MS + 1_300_000);
	const slot = engine.positions.find(0, engine.wallets.find('Ann')!);
	expect([engine.positions.bought[slot], engine.positions.boughtUSD[slot], roles()]).toEqual([5, 10, before]);
	expect([engine.departed.count(0), figure(engine, 'traders_24h'), figure(engine, 'buyers_1h')]).toEqual([4, 6, 6]);
});
