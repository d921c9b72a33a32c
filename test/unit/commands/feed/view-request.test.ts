import {expect, test} from 'vitest';
import {requestFor} from '../../../../source/commands/feed/view-request.ts';
import {Flags} from '../../../../source/commands/line/flags.ts';
import type {Config} from '../../../../source/config/config.ts';
import {explain} from '../../../../source/errors.ts';
import {initialState} from '../../../../source/monitor/initial-state.ts';
import {VIEWS, type ViewName} from '../../../../source/monitor/views.ts';

const BLANK = {filter: undefined, sort: undefined, fields: [], limit: 50, chains: []};

function ask(flags: Readonly<Record<string, string>> = {}, column: Partial<Config['columns']['new']> = {}) {
	const columns = {new: {...BLANK, ...column}, bonding: BLANK, bonded: BLANK, trending: BLANK};
	return requestFor(
		'new',
		{columns},
		new Flags(new Map(Object.entries(flags).map(([name, value]) => [name, [value]]))),
	);
}

function failure(flags: Readonly<Record<string, string>>): string {
	try {
		ask(flags);
	} catch (error) {
		const {code, what, why} = explain(error);
		return `${code}: ${what}. ${why}`;
	}
	return expect.fail('it was accepted');
}

test('by default NEW shows fifty tokens, youngest first', () => {
	expect(ask()).toEqual({model: 'new', sortBy: 'created_at', sortOrder: 'desc', limit: 50});
});

test('flags come before the configuration', () => {
	const column = {filter: 'mcap>1k', sort: 'holders asc', limit: 7, chains: ['evm:8453']};
	expect(ask({}, column)).toEqual({
		model: 'new',
		sortBy: 'holders_count',
		sortOrder: 'asc',
		limit: 7,
		chainId: ['evm:8453'],
		filters: {market_cap: {gt: 1000}},
	});
	expect(ask({filter: 'mcap>2k', sort: 'mcap', limit: '9'}, column)).toMatchObject({
		sortBy: 'market_cap',
		sortOrder: 'desc',
		limit: 9,
		filters: {market_cap: {gt: 2000}},
	});
});

test('a chain in the filter comes before the configured ones', () => {
	expect(ask({filter: 'chain:base'}, {chains: ['solana:solana']})).toMatchObject({chainId: ['evm:8453']});
});

test.each([
	['age', 'created_at', 'desc'],
	['age asc', 'created_at', 'desc'],
	['age desc', 'created_at', 'asc'],
	['created_at desc', 'created_at', 'desc'],
	['created_at asc', 'created_at', 'asc'],
	['vol5m', 'volume_5min', 'desc'],
	['volume_1h:ASC', 'volume_1h', 'asc'],
	['vol:5m desc', 'volume_5min', 'desc'],
])('a sort is a field and a direction, and a greater age is an earlier creation: %s', (sort, sortBy, sortOrder) => {
	expect(ask({sort})).toMatchObject({sortBy, sortOrder});
});

test.each([
	[{sort: 'volum_1h'}, 'usage: "volum_1h" is not a field. The nearest is "volume_1h".'],
	[{sort: 'symbol'}, 'usage: Nothing can be sorted by symbol. Name a figure or a date, as in "volume_1h desc".'],
	[{limit: '101'}, "usage: The value of --limit can't be used. It must be a whole number from 1 to 100."],
	[{limit: '1e1'}, "usage: The value of --limit can't be used. It must be a whole number from 1 to 100."],
])("a flag that can't be read is a usage error with a suggestion: %j", (flags, words) => {
	expect(failure(flags)).toBe(words);
});

test("a filter that can't be read is reported with its position", () => {
	expect(failure({filter: 'mcap>50k hodlers>3'})).toMatch(
		/^usage: The filter is not understood\. At 10, "hodlers": .*holders/,
	);
});

test.each([
	['mcapp>1k', 'there is no field “mcapp”; perhaps mcap.'],
	['holders>5%', '“5%” is a percentage, and this field is not; perhaps 5.'],
	['chain:slana', '“slana” is not a chain; perhaps solana.'],
	['sym>5', 'sym is text; write sym:value or sym~part.'],
])(
	'a mistake that contains its correction is corrected, and one that says it is not said twice: %s',
	(filter, words) => {
		expect(failure({filter})).toContain(words);
	},
);

test('chains and launchpads narrow a view as they do on screen, beside its filter', () => {
	expect(ask({chains: 'base,solana', launchpads: 'pumpfun', filter: 'mcap>1k'})).toMatchObject({
		chainId: ['evm:8453', 'solana:solana'],
		filters: {AND: [{source: {in: ['pumpfun']}}, {market_cap: {gt: 1000}}]},
	});
	expect(ask({chains: 'base'}, {chains: ['evm:8453', 'evm:56']})).toMatchObject({chainId: ['evm:8453']});
	expect(failure({chains: 'nowhere'})).toContain('nowhere is no chain that is known here');
	expect(failure({chains: 'slana'})).toContain('slana is no chain that is known here; perhaps solana.');
	expect(failure({chains: 'base', filter: 'chain:solana'})).toContain('none in common');
});

test('by default each view is sorted as its column on the screen', () => {
	const columns = {new: BLANK, bonding: BLANK, bonded: BLANK, trending: BLANK};
	const request = (view: ViewName) => requestFor(view, {columns}, new Flags(new Map()));
	const screen = initialState({
		size: {columns: 80, rows: 24},
		nowMs: 0,
		service: {label: 'simulated market', embedded: true},
		theme: 'dark',
	});
	for (const view of VIEWS) {
		const {sortBy, sortOrder} = screen.columns[view];
		expect(request(view), view).toMatchObject({sortBy, sortOrder});
	}
	expect(request('bonded')).toMatchObject({sortBy: 'bonded_at', sortOrder: 'desc'});
});
