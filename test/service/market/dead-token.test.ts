import {describe, expect, test} from 'vitest';
import {parsePulseBody} from '../../../source/contract/pulse-request.ts';
import {Engine} from '../../../source/service/market/engine.ts';
import {Entries} from '../../../source/service/market/entries.ts';
import type {MarketEvent, Profile} from '../../../source/service/market/events.ts';
import {findRows} from '../../../source/service/market/find.ts';
import {marketView} from '../../../source/service/market/market-view.ts';
import {PulseEngine} from '../../../source/service/pulse/pulse-engine.ts';
import {AMM, CHAIN, CURVE, launch, profile, START_MS, trade, transfer} from './make-events.ts';

const HOUR_MS = 3_600_000;

/** Every fact that a profile can hold, in scripts that take more than a byte a character. */
const FULL: Profile = {
	description: 'Ракета 🚀 "to the moon"\n\\',
	logo: 'https://logo.example/1.png',
	uri: 'ipfs://x',
	twitter: 'https://x.com/Rocket',
	website: 'https://rocket.example',
	telegram: 'https://t.me/rocket',
	otherSocials: {showName: true, createdOn: 'pump.fun'},
	twitterRenames: [{username: 'old', lastCheckedMs: START_MS}],
	tokenType: '2022',
	screener: {listed: true, header: 'h', adPaid: true, boosted: 3, description: 'd', isCto: false, timeMs: START_MS},
	live: {status: 'live', thumbnail: 't', title: 'T', replies: 4},
	security: {isMintable: false, buyTax: '0', holders: 3, note: null},
	securityScore: 80,
	isSpam: false,
	launchFlags: {mayhem: true, cashback: null, agent: false, og: true},
};

/** Two tokens that die at once; the first with every fact that a profile can hold. */
function dead(...later: MarketEvent[]): Engine {
	const engine = new Engine(START_MS);
	engine.apply(launch({symbol: '🚀', name: 'Ракета', profile: FULL}));
	engine.apply(launch({token: 'Second', pool: {...CURVE, address: 'SecondPool'}, profile: {twitter: '@other'}}));
	for (const token of ['Token', 'Second']) {
		engine.apply(trade('Ann', 'buy', {token}));
		engine.apply(trade('Bob', 'buy', {token}));
	}
	engine.advance(START_MS + 2 * HOUR_MS);
	for (const event of later) {
		engine.advance(event.timeMs);
		engine.apply(event);
	}
	engine.advance(engine.nowMs());
	return engine;
}

const EMPTY_DIRECTORY = {entityOf: () => undefined, platform: () => undefined};
const LATER_MS = START_MS + 3 * HOUR_MS;
const rowOf = (engine: Engine, token: string): number => engine.table.rowOf(`${CHAIN}|${token}`)!;

describe('a dead token', () => {
	test('has the entry that it had when it lived', () => {
		const engine = new Engine(START_MS);
		engine.apply(launch({symbol: '🚀', name: 'Ракета', profile: FULL}));
		engine.advance(START_MS);
		const entries = new Entries(engine);
		const facts = (): Record<string, unknown> => {
			const {...entry} = entries.asset(0, 20);
			const {pair, ...rest} = entries.pool(0, 20);
			return {...entry, ...(pair as object), ...rest};
		};
		const living = facts();
		engine.advance(START_MS + 2 * HOUR_MS);
		const now = facts();
		// Without a trade nothing about it changes but the kinds of holders that are counted again.
		expect(now).toEqual(living);
		expect(engine.text('description', 0)).toBe(FULL.description);
		expect(engine.security(0)).toEqual(FULL.security);
	});

	test('is found by its address, its pool, its symbol and its name', () => {
		const engine = dead();
		expect(findRows(engine, 'Second')).toEqual([1]);
		expect(findRows(engine, 'tok')).toEqual([1]);
		expect(findRows(engine, 'рак')).toEqual([0]);
		expect(findRows(engine, '🚀')).toEqual([0]);
		expect(findRows(engine, 'nobody')).toEqual([]);
		expect(['CurvePool', 'SecondPool', 'NoPool'].map(pool => engine.catalog.isPool(pool))).toEqual([true, true, false]);
		expect(engine.catalog.tokenAnywhere('Second')?.row).toBe(1);
		expect(engine.addresses(1)).toEqual({token0: 'Second', token1: AMM.quote.address, pool: 'SecondPool'});
	});

	test('is kept and left out by the keywords of a pulse query, and shown again unchanged', () => {
		const market = {...marketView(dead(), EMPTY_DIRECTORY), onEvent: () => () => {}};
		const pulse = new PulseEngine(market);
		const pageOf = (filters: Record<string, unknown>): (string | null)[] => {
			const [view] = parsePulseBody({assetMode: true, views: [{name: 'v', sortBy: 'created_at', filters}]}).views;
			return pulse.page(view!).map(row => market.table.text('address', row));
		};
		expect(pageOf({includeKeywords: ['ракета']})).toEqual(['Token']);
		expect(pageOf({excludeKeywords: ['ракета']})).toEqual(['Second']);
		expect(pageOf({security: {isMintable: false}})).toEqual(['Token']);
		expect(market.assetEntry(0)).toMatchObject({
			description: FULL.description,
			socials: {twitter: FULL.twitter, website: FULL.website, telegram: FULL.telegram, others: FULL.otherSocials},
			twitterRenameHistory: [{username: 'old'}],
		});
	});

	test('is kept by a filter of security flags as of now, before and after it changed, died and was dropped', () => {
		const engine = dead();
		const {table} = engine;
		const figures = (): unknown[] => [table.security(0), table.security(1)];
		expect(figures()).toEqual([FULL.security, null]);
		engine.apply({...profile({security: {isHoneypot: true}}), timeMs: LATER_MS, token: 'Second'});
		engine.advance(LATER_MS);
		expect(figures()).toEqual([FULL.security, {isHoneypot: true}]);
		engine.advance(START_MS + 20 * HOUR_MS);
		expect(figures()).toEqual([FULL.security, {isHoneypot: true}]);
		engine.advance(START_MS + 25 * HOUR_MS);
		expect(figures()).toEqual([null, null]);
		engine.apply(launch({token: 'Third', timeMs: START_MS + 25 * HOUR_MS, profile: {security: {isMintable: true}}}));
		engine.advance(START_MS + 25 * HOUR_MS);
		expect(table.security(rowOf(engine, 'Third'))).toEqual({isMintable: true});
	});

	test('gives the same object of security flags each time', () => {
		const {table} = dead();
		const first = table.security(0);
		table.security(1);
		expect(table.security(0)).toBe(first);
	});

	test('wakes with a trade, a transfer, a profile and a migration, and dies again', () => {
		const at = {timeMs: LATER_MS, token: 'Second'};
		const events: MarketEvent[] = [
			trade('Cid', 'buy', {...at, pool: 'SecondPool'}),
			{...transfer('Ann', 'Dan', 4), ...at},
			{...profile({website: 'https://new.example'}), ...at},
			{
				type: 'migrate',
				block: 9,
				chainId: CHAIN,
				pool: AMM,
				reserveToken: 200,
				reserveQuote: 50,
				main: true,
				...at,
			},
		];
		const engine = dead(...events);
		expect(engine.ignored).toBe(0);
		const figures = (): unknown[] => {
			const row = rowOf(engine, 'Second');
			const {pool, token} = engine.listing(row);
			return [engine.reader('holders_count')(row), engine.text('website', row), pool, token.preBondingFactory];
		};
		expect(figures()).toEqual([4, 'https://new.example', 'AmmPool', 'CurveFactory']);
		engine.advance(LATER_MS + 2 * HOUR_MS);
		expect(figures()).toEqual([4, 'https://new.example', 'AmmPool', 'CurveFactory']);
		expect(engine.text('twitter', rowOf(engine, 'Second'))).toBe('@other');
	});

	test('keeps a profile that came when it was dead already', () => {
		const engine = dead({...profile({telegram: 'https://t.me/late'}), timeMs: LATER_MS});
		engine.advance(LATER_MS + HOUR_MS);
		expect([engine.text('telegram', 0), engine.text('website', 0)]).toEqual(['https://t.me/late', FULL.website]);
	});

	test('is counted with the others of its deployer and its account, until it is dropped', () => {
		const engine = dead(
			launch({token: 'Third', timeMs: LATER_MS, pool: {...CURVE, address: 'P3'}, profile: {twitter: '@other'}}),
			{...profile({twitter: 'twitter.com/rocket'}), timeMs: LATER_MS, token: 'Third'},
			launch({token: 'Fourth', timeMs: LATER_MS, pool: {...CURVE, address: 'P4'}, profile: {twitter: '@other'}}),
		);
		const counts = (): (number | undefined)[][] =>
			['Token', 'Second', 'Third', 'Fourth'].map(token => {
				const row = engine.table.rowOf(`${CHAIN}|${token}`);
				if (row === undefined) return [];
				return [engine.reader('twitter_reuses_count')(row), engine.reader('deployer_tokens_count')(row)];
			});
		expect(counts()).toEqual([
			[1, 4],
			[1, 4],
			[1, 4],
			[1, 4],
		]);
		engine.advance(START_MS + 25 * HOUR_MS);
		expect(counts()).toEqual([[], [], [0, 4], [0, 4]]);
		engine.advance(LATER_MS + 25 * HOUR_MS);
		expect(counts()).toEqual([[], [], [], []]);
	});

	test('keeps a price a day old for its picture, and is one of a kind on its chain', () => {
		const engine = new Engine(START_MS);
		engine.apply(launch());
		// It trades for a day, so that its first buckets are past the horizon when it has died.
		for (let hour = 0; hour < 23; hour++) {
			const timeMs = START_MS + 1000 + hour * HOUR_MS;
			engine.advance(timeMs);
			engine.apply(trade('Ann', 'buy', {timeMs, valueUSD: 20 + hour}));
		}
		engine.advance(START_MS + 45 * HOUR_MS);
		expect(engine.listing(0).token.oldPrices?.length).toBeGreaterThan(10);
		const before = engine.listing(0).token.oldPrices;
		engine.apply(trade('Ann', 'buy', {timeMs: START_MS + 45 * HOUR_MS}));
		engine.advance(START_MS + 45 * HOUR_MS);
		expect(engine.listing(0).token.oldPrices).toEqual(before);
		expect(engine.catalog.token('evm:1', 'Token')).toBeUndefined();
	});
});
