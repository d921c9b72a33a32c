import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {type Entry, openTarget, type Target, until} from './target.ts';

/* The filter language (spec 4.1.1, contract gaps 3.4), checked on the rows that come back. */

let target: Target;
let sample: Entry[];

beforeAll(async () => {
	target = await openTarget();
	await until(
		() => target.count({}),
		count => count > 100,
	);
	sample = await target.view({sortBy: 'volume_1h', limit: 100});
});
afterAll(() => target.close());

const ask = (filters: unknown, body: Record<string, unknown> = {}) =>
	target.view({limit: 100, sortBy: 'volume_1h', filters}, body);
const median = (name: string) => {
	const values = sample.flatMap(e => (e[name] === undefined ? [] : [e[name] as number])).sort((a, b) => a - b);
	return values[values.length >> 1]!;
};

/** Every row that came passes, and there are such rows, if not at once: a market moves. */
async function expectAll(
	filters: unknown,
	passes: (entry: Entry) => boolean,
	body: Record<string, unknown> = {},
): Promise<void> {
	const entries = await until(
		() => ask(filters, body),
		found => found.length > 0,
	);
	expect(entries.length).toBeGreaterThan(0);
	expect(entries.filter(entry => !passes(entry))).toEqual([]);
}

describe('operators on figures', () => {
	test('gt, gte, lt and lte bound a figure, alone and together', async () => {
		const [cap, volume] = [median('market_cap'), median('volume_24h')];
		await expectAll({market_cap: {gte: cap}}, e => e['market_cap'] >= cap);
		await expectAll({market_cap: {gt: cap}}, e => e['market_cap'] > cap);
		await expectAll({market_cap: {lt: cap}}, e => e['market_cap'] < cap);
		await expectAll(
			{market_cap: {gte: cap / 2, lte: cap * 2}},
			e => e['market_cap'] >= cap / 2 && e['market_cap'] <= cap * 2,
		);
		await expectAll(
			{market_cap: {gte: cap / 2}, volume_24h: {lte: volume}},
			e => e['market_cap'] >= cap / 2 && e['volume_24h'] <= volume,
		);
	});

	test('equals, not and in take exact values', async () => {
		const counts = [...new Set(sample.map(e => e['decimals'] as number))];
		await expectAll({decimals: {equals: counts[0]}}, e => e['decimals'] === counts[0]);
		await expectAll({decimals: counts[0]}, e => e['decimals'] === counts[0]);
		await expectAll({decimals: {in: counts}}, e => counts.includes(e['decimals']));
		if (counts.length > 1) await expectAll({decimals: {not: counts[0]}}, e => e['decimals'] !== counts[0]);
	});

	test('nothing matches both a bound and its opposite, and everything one of them', async () => {
		const moment = sample[50]!['created_at'];
		const from = new Date(Date.now() - 20 * 3_600_000).toISOString();
		const until = new Date(Date.now() - 60_000).toISOString();
		const bounds = {gte: from, lte: until};
		const count = (filters: unknown) => target.count({filters});
		expect(await count({AND: [{created_at: {gte: moment}}, {created_at: {lt: moment}}]})).toBe(0);
		const both = {AND: [{created_at: bounds}, {OR: [{created_at: {gte: moment}}, {created_at: {lt: moment}}]}]};
		const all = await target.view({limit: 100, sortBy: 'created_at', filters: {created_at: bounds}});
		const split = await target.view({limit: 100, sortBy: 'created_at', filters: both});
		expect(split.map(e => e['address'])).toEqual(all.map(e => e['address']));
	});

	test('windows of every family can be filtered', async () => {
		for (const field of [
			'trades_1min',
			'buyers_15min',
			'fees_paid_24h',
			'organic_volume_1h',
			'volume_buy_6h',
			'price_change_12h',
		]) {
			for (const entry of await ask({[field]: {gte: 1}})) expect(entry[field]).toBeGreaterThanOrEqual(1);
		}
	});

	test('the entry spelling of a field means the same as the filter spelling', async () => {
		const cap = median('market_cap');
		await expectAll({marketCap: {gte: cap}}, e => e['market_cap'] >= cap);
		await expectAll({bondingPercentage: {lt: 50}}, e => e['bondingPercentage'] < 50);
		await expectAll({bonding_percentage: {lt: 50}}, e => e['bondingPercentage'] < 50);
	});

	test('holdings percentages can be bounded', async () => {
		await expectAll({top_10_holdings_percentage: {lte: 60}}, e => e['top10HoldingsPercentage'] <= 60);
		await expectAll({dev_holdings_percentage: {lte: 50}}, e => e['devHoldingsPercentage'] <= 50);
	});
});

describe('dates', () => {
	test('are bounded by ISO text or epoch milliseconds', async () => {
		const moment = sample[50]!['created_at'];
		await expectAll({created_at: {lte: moment}}, e => Date.parse(e['created_at']) <= Date.parse(moment));
		await expectAll({created_at: {gte: Date.parse(moment)}}, e => Date.parse(e['created_at']) >= Date.parse(moment));
	});

	test('an age in seconds counts back from now', async () => {
		const entries = await ask({created_at_offset: {lte: 3600}});
		for (const entry of entries) expect(Date.now() - Date.parse(entry['created_at'])).toBeLessThan(3_600_000 + 30_000);
		expect(entries.length).toBeGreaterThan(0);
	});
});

describe('booleans, text and absence', () => {
	test('booleans are given as plain values or with an operator', async () => {
		await expectAll({bonded: false}, e => e['bonded'] === false);
		await expectAll({bonded: {equals: true}}, e => e['bonded'] === true);
		for (const entry of await ask({screenerListed: true})) expect(entry['screenerListed']).toBe(true);
	});

	test('text takes equals, in, contains, startsWith and endsWith', async () => {
		const {symbol, source} = sample.find(
			e => typeof e['symbol'] === 'string' && /^\w{3,}$/.test(e['symbol']) && e['source'],
		)!;
		await expectAll({symbol: {equals: symbol}}, e => e['symbol'] === symbol);
		await expectAll({source: {in: [source]}}, e => e['source'] === source);
		await expectAll({symbol: {startsWith: symbol.slice(0, 2)}}, e => e['symbol'].startsWith(symbol.slice(0, 2)));
		await expectAll({symbol: {endsWith: symbol.slice(-2)}}, e => e['symbol'].endsWith(symbol.slice(-2)));
		const lower = symbol.toLowerCase().slice(1);
		await expectAll({symbol: {contains: lower, mode: 'insensitive'}}, e => e['symbol'].toLowerCase().includes(lower));
	});

	test('null matches a missing field and not null a present one', async () => {
		for (const entry of await ask({twitter: {not: null}})) expect(entry['socials'].twitter).toEqual(expect.any(String));
		for (const entry of await ask({twitter: {equals: null}})) expect(entry['socials'].twitter).toBeNull();
		await expectAll({bonded_at: {not: null}}, e => e['bonded_at'] !== null);
		await expectAll({migrated_at: {not: null}}, e => e['bonded_at'] !== null);
	});

	test('a comparison with an unknown value is false', async () => {
		for (const entry of await ask({bonded_at: {gte: '2000-01-01T00:00:00Z'}}))
			expect(entry['bonded_at']).not.toBeNull();
		for (const entry of await ask({twitter: {not: 'https://x.com/nobody'}}))
			expect(entry['socials'].twitter).not.toBeNull();
	});

	test('keywords match name, symbol and description, in any letter case', async () => {
		const word = String(sample.find(e => /^[A-Za-z]{4,}$/.test(e['symbol'] ?? ''))!['symbol']).toLowerCase();
		const text = (e: Entry) => `${e['name']}\n${e['symbol']}\n${e['description']}`.toLowerCase();
		await expectAll({includeKeywords: [word.toUpperCase()]}, e => text(e).includes(word));
		await expectAll({excludeKeywords: [word]}, e => !text(e).includes(word));
	});

	test('security flags are filtered one level deep', async () => {
		for (const entry of await ask({security: {isHoneypot: {equals: false}}}))
			expect(entry['security'].isHoneypot).toBe(false);
	});

	test('min_socials is the least number of links', async () => {
		for (const {socials} of await target.view({min_socials: 2, limit: 100})) {
			expect(
				[socials.twitter, socials.website, socials.telegram].filter(link => link !== null).length,
			).toBeGreaterThanOrEqual(2);
		}
	});
});

describe('the tree', () => {
	test('AND, OR and NOT combine, and nest', async () => {
		const [cap, volume] = [median('market_cap'), median('volume_1h')];
		await expectAll(
			{OR: [{market_cap: {gt: cap}}, {volume_1h: {gt: volume}}]},
			e => e['market_cap'] > cap || e['volume_1h'] > volume,
		);
		await expectAll({AND: [{market_cap: {gt: cap}}, {bonded: true}]}, e => e['market_cap'] > cap && e['bonded']);
		await expectAll({NOT: {bonded: true}}, e => e['bonded'] !== true);
		await expectAll(
			{bonded: false, OR: [{market_cap: {lt: cap}}, {NOT: {volume_1h: {lt: volume}}}]},
			e => !e['bonded'] && (e['market_cap'] < cap || !(e['volume_1h'] < volume)),
		);
	});

	test('may come as JSON text and as compact text', async () => {
		const cap = median('market_cap');
		await expectAll(JSON.stringify({market_cap: {gte: cap}}), e => e['market_cap'] >= cap);
		await expectAll(`market_cap:${cap}:${cap * 10}`, e => e['market_cap'] >= cap && e['market_cap'] <= cap * 10);
		await expectAll(`market_cap:${cap}:,holders_count:1:`, e => e['market_cap'] >= cap && e['holders_count'] >= 1);
	});
});

describe('pool mode', () => {
	test('takes conditions on pools nested and dotted', async () => {
		const pool = {assetMode: false};
		const {pair} = (await target.view({limit: 1, sortBy: 'volume_1h'}, pool))[0]!;
		await expectAll({pools: {type: {in: [pair.type]}}}, e => e['pair'].type === pair.type, pool);
		await expectAll({'pools.bonded': {equals: pair.bonded}}, e => e['bonded'] === pair.bonded, pool);
		await expectAll({'pools.factory': {in: [pair.factory]}}, e => e['pair'].factory === pair.factory, pool);
		await expectAll({volume_1h: {gte: 1}}, e => e['volume_1h'] >= 1, pool);
	});

	test('takes a factory by its name in the system metadata', async () => {
		const {body} = await target.get('/api/1/system-metadata');
		const pools = await target.view({limit: 100, sortBy: 'volume_1h'}, {assetMode: false});
		const factory = body.data.factories.find(
			(f: Entry) => f['name'] && pools.some(({pair}) => pair.factory === f['address']),
		);
		if (!factory) return;
		const named = await ask({pools: {factory: {in: [factory.name]}}}, {assetMode: false});
		const addresses = body.data.factories
			.filter((f: Entry) => f['name'] === factory.name)
			.map((f: Entry) => f['address']);
		expect(named.length).toBeGreaterThan(0);
		for (const {pair} of named) expect(addresses).toContain(pair.factory);
	});
});
