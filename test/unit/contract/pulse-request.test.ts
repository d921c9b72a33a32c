import {describe, expect, test} from 'vitest';
import {fieldOf} from '../../../source/contract/fields.ts';
import {matches, type Read} from '../../../source/contract/filter.ts';
import type {Value} from '../../../source/contract/filter-test.ts';
import type {PulseQuery} from '../../../source/contract/pulse-query.ts';
import {type PulseBody, parsePulseBody, parsePulseQuery} from '../../../source/contract/pulse-request.ts';
import {InvalidRequest} from '../../../source/contract/wire-error.ts';

const NOW = 1e12;
const reader =
	(row: Record<string, Value>): Read =>
	of =>
		row[of.name];

function kept(query: PulseQuery, view: string, row: Record<string, Value>): boolean {
	return matches(query.views.find(v => v.name === view)!.filter, reader(row), NOW);
}

const oneView = (view: object, body: object = {}) => parsePulseBody({...body, views: [{name: 'v', ...view}]}).views[0]!;

function refusedAt(body: unknown, parse: (input: unknown) => unknown = parsePulseBody): string {
	try {
		parse(body);
	} catch (error) {
		if (error instanceof InvalidRequest) return error.path;
		throw error;
	}
	return 'accepted';
}

describe('defaults (spec 4.1)', () => {
	test('a view with a name only: pool mode, 30 rows, newest first, everything', () => {
		const query = parsePulseBody({views: [{name: 'mine'}]});
		expect(query).toEqual({
			assetMode: false,
			compressed: false,
			views: [
				{
					name: 'mine',
					chainIds: [],
					poolTypes: [],
					filter: {kind: 'and', of: []},
					sort: {field: fieldOf('created_at'), order: 'desc'},
					limit: 30,
					offset: 0,
					excludeDuplicates: true,
					onlyPools: true,
					filterQuotes: false,
					excludeLPTokens: false,
					pagination: false,
					addressToExclude: [],
					baseTokenToExclude: [],
					onlyTokens: [],
					includeTokens: [],
				},
			],
		});
	});

	test('asset mode excludes LP tokens and keeps quote tokens', () => {
		expect(oneView({}, {assetMode: true})).toMatchObject({excludeLPTokens: true, filterQuotes: false});
		expect(oneView({}, {assetMode: true, excludeLPTokens: false, filterQuotes: true})).toMatchObject({
			excludeLPTokens: false,
			filterQuotes: true,
		});
		expect(oneView({excludeLPTokens: true}, {assetMode: true, excludeLPTokens: false}).excludeLPTokens).toBe(true);
	});

	test('options of asset mode have no effect in pool mode', () => {
		const view = oneView({includeTokens: ['0xA']}, {filterQuotes: true, excludeLPTokens: true});
		expect(view).toMatchObject({includeTokens: [], filterQuotes: false, excludeLPTokens: false});
	});

	test('a view overrides chains and pool types of the body', () => {
		const body = {chainId: 'evm:56', poolTypes: ['PumpFun', 'raydium'], pagination: true};
		expect(oneView({}, body)).toMatchObject({
			chainIds: ['evm:56'],
			poolTypes: ['pumpfun', 'raydium'],
			pagination: true,
		});
		expect(oneView({chainId: ['evm:1', 'evm:1'], poolTypes: 'boop', pagination: false}, body)).toMatchObject({
			chainIds: ['evm:1'],
			poolTypes: ['boop'],
			pagination: false,
		});
	});

	test('addresses compare without regard to case on EVM chains only', () => {
		const view = oneView(
			{addressToExclude: ['0xAb', '0xaB', 'So1A'], includeTokens: '0xCD', assets: ['0xEF'], token: {address: 'Sx'}},
			{assetMode: true},
		);
		expect(view).toMatchObject({
			addressToExclude: ['0xab', 'So1A'],
			includeTokens: ['0xcd'],
			onlyTokens: ['0xef', 'Sx'],
		});
	});

	test('numbers may be text, and unknown fields pass', () => {
		expect(oneView({limit: '100', offset: '7', min_socials: '2', colour: 1}, {shape: 2})).toMatchObject({
			limit: 100,
			offset: 7,
		});
	});
});

describe('models (spec 4.1, contract gaps 3.2)', () => {
	test.each([{}, undefined, {model: 'default'}])('%j is the default model: three views of 50', body => {
		const query = parsePulseBody(body);
		expect(query.views.map(v => [v.name, v.model, v.sort.field.name, v.sort.order, v.limit])).toEqual([
			['new', 'new', 'created_at', 'desc', 50],
			['bonding', 'bonding', 'market_cap', 'desc', 50],
			['bonded', 'bonded', 'created_at', 'desc', 50],
		]);
	});

	const young = {bonded: false, source: 'pumpfun', bonding_percentage: 40, volume_1h: 10, market_cap: 5, created_at: 1};
	const graduated = {...young, bonded: true, bonding_percentage: 100, bonding_curve_address: 'C'};

	test.each([true, false])('the default views separate stages (assetMode %s)', assetMode => {
		const query = parsePulseBody({assetMode});
		expect(kept(query, 'new', young)).toBe(true);
		expect(kept(query, 'bonding', young)).toBe(true);
		expect(kept(query, 'bonding', {...young, volume_1h: 9.99}), 'without activity').toBe(false);
		expect(kept(query, 'bonding', graduated)).toBe(false);
		expect(kept(query, 'bonded', young)).toBe(false);
		expect(kept(query, 'bonded', graduated)).toBe(true);
	});

	test('in asset mode a new token is unbonded and was launched on a launchpad', () => {
		const query = parsePulseBody({assetMode: true});
		expect(kept(query, 'new', graduated)).toBe(false);
		expect(kept(query, 'new', {...young, source: null})).toBe(false);
	});

	test("a view's own sort and limit win, its filters are added to the model's", () => {
		const query = parsePulseBody({
			assetMode: true,
			views: [
				{name: 'v', model: 'bonding', sortBy: 'volume_1h', sortOrder: 'asc', limit: 5, filters: {market_cap: {gt: 5}}},
			],
		});
		expect(query.views[0]).toMatchObject({
			sort: {field: {name: 'volume_1h'}, order: 'asc'},
			limit: 5,
			model: 'bonding',
		});
		expect(kept(query, 'v', young)).toBe(false);
		expect(kept(query, 'v', {...young, market_cap: 6})).toBe(true);
		expect(kept(query, 'v', {...graduated, market_cap: 6})).toBe(false);
	});

	test('with a model and own views, a view replaces the model view of its name', () => {
		const query = parsePulseBody({model: 'default', views: [{name: 'bonded', limit: 1}, {name: 'extra'}]});
		expect(query.views.map(v => [v.name, v.model, v.limit])).toEqual([
			['new', 'new', 50],
			['bonding', 'bonding', 50],
			['bonded', undefined, 1],
			['extra', undefined, 30],
		]);
	});

	test('trending sorts by score', () => {
		expect(oneView({model: 'trending'}).sort.field.name).toBe('trending_score_24h');
	});

	test('min_socials counts links', () => {
		const count = (min: number, links: string[]) =>
			kept(
				{assetMode: true, compressed: false, views: [oneView({min_socials: min})]},
				'v',
				Object.fromEntries(links.map(l => [l, 'x'])),
			);
		const all = ['twitter', 'website', 'telegram'];
		for (let min = 1; min <= 3; min++) {
			for (let bits = 0; bits < 8; bits++) {
				const links = all.filter((_, i) => bits & (1 << i));
				expect(count(min, links), `${min} of ${links}`).toBe(links.length >= min);
			}
		}
	});
});

describe('refusals name the field', () => {
	test.each<[unknown, string]>([
		[{views: [{}]}, 'views[0].name'],
		[{views: [{name: ''}]}, 'views[0].name'],
		[{views: [{name: 'a'}, {name: 'a'}]}, 'views[1].name'],
		[JSON.parse('{"views":[{"name":"__proto__"}]}'), 'views[0].name'],
		[{views: Array.from({length: 11}, (_, i) => ({name: `v${i}`}))}, 'views'],
		[{views: {}}, 'views'],
		[{model: 'other'}, 'model'],
		[{assetMode: 'yes'}, 'assetMode'],
		[{assetMode: null}, 'assetMode'],
		[{chainId: 5}, 'chainId'],
		[{chainId: ['evm:1', 5]}, 'chainId[1]'],
		[{views: [{name: 'v', limit: 101}]}, 'views[0].limit'],
		[{views: [{name: 'v', limit: 0}]}, 'views[0].limit'],
		[{views: [{name: 'v', limit: 1.5}]}, 'views[0].limit'],
		[{views: [{name: 'v', limit: 'ten'}]}, 'views[0].limit'],
		[{views: [{name: 'v', offset: -1}]}, 'views[0].offset'],
		[{views: [{name: 'v', model: 'old'}]}, 'views[0].model'],
		[{views: [{name: 'v', sortBy: 'colour'}]}, 'views[0].sortBy'],
		[{views: [{name: 'v', sortOrder: 'up'}]}, 'views[0].sortOrder'],
		[{views: [{name: 'v', min_socials: 4}]}, 'views[0].min_socials'],
		[{views: [{name: 'v', includeTokens: Array.from({length: 501}, String)}]}, 'views[0].includeTokens'],
		[{views: [{name: 'a'}, {name: 'v', filters: {market_cap: {gte: 'x'}}}]}, 'views[1].filters.market_cap.gte'],
		[[], ''],
		['text', ''],
	])('%j at "%s"', (body, path) => {
		expect(refusedAt(body)).toBe(path);
	});

	test.each<[unknown, RegExp]>([
		[{views: [{name: 'v', limit: 101}]}, /^views\[0\]\.limit must be at most 100: got 101$/],
		[{views: [{}]}, /^views\[0\]\.name is required: it must be text$/],
		[{chainId: 5}, /^chainId must be text, or must be a list: got 5$/],
		[{views: Array.from({length: 11}, (_, i) => ({name: `v${i}`}))}, /^views must have at most 10 items: got a list$/],
		['x', /^The request must be an object: got "x"$/],
	])('the sentence for %j', (body, sentence) => {
		try {
			parsePulseBody(body);
			expect.unreachable();
		} catch (error) {
			expect(`${(error as InvalidRequest).message}: ${(error as InvalidRequest).why}`).toMatch(sentence);
		}
	});
});

describe('the query of GET (spec 4.2)', () => {
	test('gives the default model with 30 rows, and applies limit and offset to each view', () => {
		expect(parsePulseQuery({}).views.map(v => [v.limit, v.offset])).toEqual([
			[30, 0],
			[30, 0],
			[30, 0],
		]);
		expect(parsePulseQuery({limit: '7', offset: '14'}).views.map(v => [v.limit, v.offset])).toEqual([
			[7, 14],
			[7, 14],
			[7, 14],
		]);
	});

	test.each([
		[{chainId: ['evm:1', 'evm:56']}, ['evm:1', 'evm:56']],
		[{chainId: 'evm:1,evm:56'}, ['evm:1', 'evm:56']],
		[{chainId: 'evm:1'}, ['evm:1']],
		[{chainId: ''}, []],
	])('%j repeats or joins chains', (query, chainIds) => {
		expect(parsePulseQuery(query).views[0]!.chainIds).toEqual(chainIds);
	});

	test.each([
		['true', true],
		['1', true],
		['false', false],
		['0', false],
	])('assetMode=%s', (text, value) => {
		expect(parsePulseQuery({assetMode: text}).assetMode).toBe(value);
	});

	test.each([
		[{assetMode: 'yes'}, 'assetMode'],
		[{assetMode: ''}, 'assetMode'],
		[{assetMode: ['true', 'false']}, 'assetMode'],
		[{limit: '0'}, 'limit'],
		[{limit: '101'}, 'limit'],
		[{limit: '3abc'}, 'limit'],
		[{limit: ['3', '4']}, 'limit'],
		[{offset: '-1'}, 'offset'],
		[{model: 'x'}, 'model'],
	])('%j is refused at %s', (query, path) => {
		expect(refusedAt(query, parsePulseQuery)).toBe(path);
	});

	test('a body that a client may build has the type of one', () => {
		const body: PulseBody = {
			assetMode: true,
			views: [{name: 'new', model: 'new', filters: {market_cap: {gte: 1}}, limit: 5}],
		};
		expect(parsePulseBody(body).views).toHaveLength(1);
	});
});
