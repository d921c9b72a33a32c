import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {type Entry, openTarget, type Target, until} from './target.ts';

/* Views of POST and GET /api/2/pulse: models, paging, sorting, chains and types, inclusion and exclusion (spec 4.1-4.3). */

let target: Target;
/** Tokens made before this do not become more while the tests run, so pages of them stand still. */
let frozen: string;

beforeAll(async () => {
	target = await openTarget();
	frozen = new Date(Date.now() - 60_000).toISOString();
	await until(
		() => target.count({filters: {created_at: {lte: frozen}}}),
		count => count > 100,
	);
});
afterAll(() => target.close());

const old = () => ({filters: {created_at: {lte: frozen, gte: new Date(Date.now() - 20 * 3_600_000).toISOString()}}});
const keyOf = (entry: Entry) => `${entry['chainId']}|${String(entry['address']).toLowerCase()}`;
const time = (value: unknown) => (value === null ? Number.NaN : Date.parse(String(value)));

describe('the default model', () => {
	test('has the views new, bonding and bonded, each at most 50 rows', async () => {
		for (const assetMode of [true, false]) {
			const {status, body} = await target.post('/api/2/pulse', {model: 'default', assetMode});
			expect(status).toBe(200);
			const views = body.payload ?? body;
			expect(Object.keys(views).sort()).toEqual(['bonded', 'bonding', 'new']);
			for (const {data} of Object.values<{data: Entry[]}>(views)) {
				expect(data.length).toBeGreaterThan(0);
				expect(data.length).toBeLessThanOrEqual(50);
			}
		}
	});

	test('fills each view with tokens of that stage, in its order', async () => {
		const {body} = await target.post('/api/2/pulse', {model: 'default', assetMode: true});
		const {new: fresh, bonding, bonded} = body.payload ?? body;
		for (const entry of fresh.data) expect(entry).toMatchObject({bonded: false, source: expect.any(String)});
		for (const entry of bonding.data) {
			expect(entry.bonded).toBe(false);
			expect(entry.bondingPercentage).toBeLessThan(100);
		}
		for (const entry of bonded.data) expect(entry.bonded).toBe(true);
		expectOrder(
			fresh.data.map((e: Entry) => time(e['created_at'])),
			'desc',
		);
		expectOrder(
			bonding.data.map((e: Entry) => e['market_cap']),
			'desc',
		);
		expectOrder(
			bonded.data.map((e: Entry) => time(e['created_at'])),
			'desc',
		);
	});
});

function expectOrder(values: readonly (number | null)[], order: 'asc' | 'desc'): void {
	const known = values.filter((v): v is number => v !== null && !Number.isNaN(v));
	expect(known).toEqual([...known].sort((a, b) => (order === 'asc' ? a - b : b - a)));
	// Unknown values come last in both directions (contract gaps 3.5).
	const firstUnknown = values.findIndex(v => v === null || Number.isNaN(v));
	if (firstUnknown >= 0) expect(values.slice(firstUnknown).every(v => v === null || Number.isNaN(v))).toBe(true);
}

describe('a view', () => {
	test('has 30 rows unless it says how many, and says so under its name', async () => {
		const views = [{name: 'first one'}, {name: 'second', limit: 3}, {name: 'constructor', limit: 1}];
		const {body} = await target.post('/api/2/pulse', {assetMode: true, views});
		const response = body.payload ?? body;
		expect(Object.keys(response)).toEqual(['first one', 'second', 'constructor']);
		expect(response['first one'].data).toHaveLength(30);
		expect(response.second.data).toHaveLength(3);
		expect(response.constructor.data).toHaveLength(1);
	});

	test('is sorted by created_at, newest first, unless it says otherwise', async () => {
		expectOrder(
			(await target.view({})).map(e => time(e['created_at'])),
			'desc',
		);
	});

	test.each([
		'market_cap',
		'volume_1h',
		'price_change_1h',
		'price_change_24h',
		'trades_1h',
		'trades_24h',
		'liquidity',
		'holders_count',
		'fees_paid_5min',
		'organic_volume_1h',
	])('can be sorted by %s in both directions', async sortBy => {
		for (const sortOrder of ['asc', 'desc'] as const) {
			const entries = await target.view({sortBy, sortOrder, limit: 100});
			expectOrder(
				entries.map(entry => (entry[sortBy] ?? null) as number | null),
				sortOrder,
			);
		}
	});

	test('can be sorted by dates and by bonding_percentage', async () => {
		expectOrder(
			(await target.view({sortBy: 'latest_trade_date'})).map(e => time(e['latest_trade_date'])),
			'desc',
		);
		expectOrder(
			(await target.view({sortBy: 'bonded_at', sortOrder: 'asc'})).map(e => time(e['bonded_at'])),
			'asc',
		);
		expectOrder(
			(await target.view({sortBy: 'bonding_percentage'})).map(e => e['bondingPercentage']),
			'desc',
		);
	});

	test('is paged by offset without gaps and repeats', async () => {
		const ask = async (limit: number, offset: number) => (await target.view({limit, offset, ...old()})).map(keyOf);
		const read = async () => {
			const before = await ask(100, 0);
			const pages = await Promise.all([0, 30, 60, 90].map(offset => ask(30, offset)));
			return {before, joined: pages.flat(), after: await ask(100, 0)};
		};
		// A market that still learns its history may slip a token in between: then once more.
		const {before, joined} = await until(read, response => String(response.before) === String(response.after));
		expect(new Set(joined).size).toBe(joined.length);
		expect(joined.slice(0, 100)).toEqual(before);
	});

	test('ends in an empty page after its last row', async () => {
		expect(await target.view({offset: 10_000_000})).toEqual([]);
	});

	test('keeps to its chains, of one or of several, over those of the body', async () => {
		const chains = new Set((await target.view({limit: 100})).map(e => e['chainId'] as string));
		const [one, two] = [...chains];
		const asked = async (view: object, body: object) =>
			[...new Set((await target.view({limit: 100, ...view}, body as never)).map(e => e['chainId']))].sort();
		expect(await asked({chainId: one}, {})).toEqual([one]);
		expect(await asked({chainId: [one, two]}, {})).toEqual([one, two].sort());
		expect(await asked({}, {chainId: two})).toEqual([two]);
		expect(await asked({chainId: one}, {chainId: two})).toEqual([one]);
		expect(await asked({chainId: 'evm:99999999'}, {})).toEqual([]);
	});

	test('keeps to its pool types, over those of the body', async () => {
		const types = new Set((await target.view({limit: 100})).map(e => e['type'] as string));
		const [one, two = one] = [...types];
		const asked = async (view: object, body: object) =>
			new Set((await target.view({limit: 100, ...view}, body as never)).map(e => e['type']));
		expect(await asked({poolTypes: one}, {})).toEqual(new Set([one]));
		expect(await asked({poolTypes: [one!.toUpperCase()]}, {})).toEqual(new Set([one]));
		expect(await asked({poolTypes: [two]}, {poolTypes: [one]})).toEqual(new Set([two]));
	});

	test('combines its model with its own filters, limit and order', async () => {
		const entries = await target.view({
			model: 'bonded',
			sortBy: 'market_cap',
			sortOrder: 'asc',
			limit: 7,
			filters: {market_cap: {gt: 0}},
		});
		expect(entries.length).toBeLessThanOrEqual(7);
		for (const entry of entries) expect(entry['bonded']).toBe(true);
		expectOrder(
			entries.map(e => e['market_cap']),
			'asc',
		);
	});
});

/** Counts are cached and the market grows, so two of them compare only when both are fresh. */
async function expectFewer(fewer: Record<string, unknown>, more: Record<string, unknown>): Promise<void> {
	const read = async () => ({fewer: await target.count({}, fewer), more: await target.count({}, more)});
	const counts = await until(read, response => response.fewer <= response.more);
	expect(counts.fewer).toBeLessThanOrEqual(counts.more);
	expect(counts.fewer).toBeGreaterThan(0);
}

describe('tokens and pools', () => {
	test('in asset mode no token comes twice', async () => {
		const keys = (await target.view({limit: 100, sortBy: 'volume_24h'})).map(keyOf);
		expect(new Set(keys).size).toBe(keys.length);
	});

	test('in pool mode duplicates are left out by default, and more rows match with them', async () => {
		const body = {assetMode: false};
		await expectFewer({...body, excludeDuplicates: true}, {...body, excludeDuplicates: false});
		const entries = await target.view({limit: 100, sortBy: 'liquidity'}, body);
		const keys = entries.map(({pair}) => `${pair[pair.baseToken].chainId}|${pair[pair.baseToken].address}`);
		expect(new Set(keys).size).toBe(keys.length);
	});

	test('an excluded address is neither a token nor the pool of any row', async () => {
		const [first, second] = await target.view({...old(), limit: 2});
		const rest = await target.view({
			...old(),
			limit: 100,
			addressToExclude: [first!['address'], second!['poolAddress']],
		});
		expect(rest.map(keyOf)).not.toContain(keyOf(first!));
		expect(rest.map(e => e['poolAddress'])).not.toContain(second!['poolAddress']);
		const pools = await target.view({limit: 100, addressToExclude: first!['address']}, {assetMode: false});
		for (const {pair} of pools) expect([pair.token0.address, pair.token1.address]).not.toContain(first!['address']);
	});

	test('LP wrapper tokens are left out by default', async () => {
		for (const entry of await target.view({limit: 100})) expect(entry['poolAddress']).not.toBeNull();
		await expectFewer({}, {excludeLPTokens: false});
	});

	test('filterQuotes never adds a row', async () => {
		await expectFewer({filterQuotes: true}, {filterQuotes: false});
	});
});

describe('included tokens', () => {
	test('come on top of the limit, in their place, against filters and exclusions', async () => {
		const [wanted] = await target.view({...old(), offset: 40, limit: 1});
		const view = {
			limit: 5,
			filters: {market_cap: {lt: -1}},
			addressToExclude: wanted!['address'],
			includeTokens: [wanted!['address'], '0x000000000000000000000000000000000000dEaD'],
		};
		expect((await target.view(view)).map(keyOf)).toEqual([keyOf(wanted!)]);
		const more = await target.view({limit: 5, includeTokens: wanted!['address']});
		expect(more).toHaveLength(6);
		expectOrder(
			more.map(e => time(e['created_at'])),
			'desc',
		);
		expect(more.map(keyOf)).toContain(keyOf(wanted!));
	});

	test('count only on the chains of the view', async () => {
		const [wanted] = await target.view({...old(), limit: 1});
		const other = wanted!['chainId'] === 'evm:8453' ? 'evm:56' : 'evm:8453';
		const entries = await target.view({chainId: other, includeTokens: [wanted!['address']], limit: 3});
		expect(entries.map(keyOf)).not.toContain(keyOf(wanted!));
	});
});

describe('counts', () => {
	test('are in the response on request, and in the pagination endpoint', async () => {
		const view = {name: 'v', limit: 5, ...old()};
		const {body} = await target.post('/api/2/pulse', {assetMode: true, pagination: true, views: [view]});
		const {data, pagination} = (body.payload ?? body).v;
		expect(data).toHaveLength(5);
		expect(Number.isInteger(pagination)).toBe(true);
		expect(pagination).toBeGreaterThanOrEqual(100);
		const {status, body: counts} = await target.post('/api/2/pulse/pagination', {assetMode: true, views: [view]});
		expect(status).toBe(200);
		expect(counts.v).toEqual({pagination: expect.any(Number)});
		const without = await target.post('/api/2/pulse', {assetMode: true, views: [view]});
		expect((without.body.payload ?? without.body).v).not.toHaveProperty('pagination');
	});

	test('of the default model come for its three views', async () => {
		const {body} = await target.post('/api/2/pulse/pagination', {model: 'default'});
		expect(Object.keys(body).sort()).toEqual(['bonded', 'bonding', 'new']);
	});
});

describe('GET /api/2/pulse', () => {
	test('answers the default model with 30 rows a view', async () => {
		const {status, body} = await target.get('/api/2/pulse?assetMode=true&model=default');
		expect(status).toBe(200);
		expect(Object.keys(body)).toEqual(['type', 'payload']);
		expect(body.type).toBe('sync');
		const views = body.payload;
		expect(Object.keys(views).sort()).toEqual(['bonded', 'bonding', 'new']);
		expect(views.new.data).toHaveLength(30);
		expect(views.new.data[0]).toHaveProperty('address');
	});

	test('reads booleans as text, limit and offset as numbers, and chains repeated or joined by commas', async () => {
		const {body} = await target.get('/api/2/pulse?assetMode=false&limit=2&pagination=true');
		const {data, pagination} = body.payload.new;
		expect(data).toHaveLength(2);
		expect(data[0]).toHaveProperty('pair');
		expect(pagination).toEqual(expect.any(Number));
		for (const query of ['chainId=evm:8453&chainId=evm:56', 'chainId=evm:8453,evm:56']) {
			const reply = await target.get(`/api/2/pulse?assetMode=true&limit=100&${query}`);
			const chains = reply.body.payload.new.data.map((e: Entry) => e['chainId']);
			expect(chains.every((id: string) => id === 'evm:8453' || id === 'evm:56')).toBe(true);
		}
	});
});

test('a compressed answer is the same JSON in gzip', async () => {
	const {status, headers, body} = await target.post('/api/2/pulse', {
		model: 'default',
		assetMode: true,
		compressed: true,
	});
	expect(status).toBe(200);
	expect(headers.get('content-encoding')).toBe('gzip');
	expect((body.payload ?? body).new.data.length).toBeGreaterThan(0);
});
