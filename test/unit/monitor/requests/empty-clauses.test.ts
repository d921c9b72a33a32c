import {expect, onTestFinished, test} from 'vitest';
import type {Client} from '../../../../source/client/client.ts';
import {columnFilterOf} from '../../../../source/monitor/filter/column-filter.ts';
import {initialState} from '../../../../source/monitor/initial-state.ts';
import {explainEmptyColumns, lineWithout, worstClause} from '../../../../source/monitor/requests/empty-clauses.ts';
import {viewRequest} from '../../../../source/monitor/session.ts';
import {filterChanged, snapshotArrived} from '../../../../source/monitor/transitions/column.ts';
import {columnChanged} from '../../../../source/monitor/transitions/screen.ts';
import type {ViewName} from '../../../../source/monitor/views.ts';
import {createStore} from '../../../../source/store.ts';
import {entryOf} from '../../../helpers/entries.ts';

const openStore = (columns: NonNullable<Parameters<typeof initialState>[0]['columns']>) =>
	createStore(
		initialState({
			size: {columns: 100, rows: 30},
			nowMs: 0,
			service: {label: 'test', embedded: true},
			theme: 'dark',
			columns,
		}),
	);

test('a line without one of its parts requests the others', () => {
	const rests = (line: string) => lineWithout(line).map(({text, rest}) => [text, rest.text]);
	expect(rests('mcap>50k  dev<5% -kw:elon')).toEqual([
		['mcap>50k', 'dev<5% -kw:elon'],
		['dev<5%', 'mcap>50k -kw:elon'],
		['-kw:elon', 'mcap>50k dev<5%'],
	]);
	expect(rests('mcap>50k')).toEqual([['mcap>50k', '']]);
	expect(rests('(mcap>1k | holders>5) age<1m')).toEqual([
		['mcap>1k | holders>5', 'age<1m'],
		['age<1m', '(mcap>1k | holders>5)'],
	]);
});

test('a column that is filled, filtered here or without a filter is not counted, and the strictest clause is first', async () => {
	let count = 0;
	const call = async (_id: string, {body}: {body: {views: {name: string}[]}}) => {
		count++;
		return Object.fromEntries(body.views.map(({name}) => [name, {pagination: Number(name)}]));
	};
	const bonding = {filter: 'mcap>50k dev<5% age<1m'};
	const store = openStore({bonding, bonded: {filter: 'mcap>1'}, trending: {filter: 'mcap>1'}});
	store.apply(state => columnChanged(state, 'trending', c => ({...c, isLocal: true})));
	onTestFinished(explainEmptyColumns(store, {call} as unknown as Client, viewRequest));
	const arrive = (view: ViewName, ...entries: ReturnType<typeof entryOf>[]) =>
		store.apply(state => columnChanged(state, view, c => snapshotArrived(c, entries, Date.now())));
	arrive('new');
	arrive('trending');
	arrive('bonded', entryOf('a'));
	arrive('bonding');
	await expect.poll(() => worstClause(store.get().columns.bonding)?.without).toBe(2);
	expect(store.get().columns.bonding.emptyReason?.clauses.map(({without}) => without)).toEqual([2, 1, 0]);
	// The same empty column again, with the same filter and scope.
	arrive('bonding');
	await new Promise(resolve => setTimeout(resolve, 1200));
	expect(count).toBe(1);
});

test('an empty column requests once how many would match without each clause, and names the strictest clause', async () => {
	const asked: {views: {name: string; filters?: object; limit: number}[]}[] = [];
	const call = async (_id: string, {body}: {body: (typeof asked)[number]}) => {
		asked.push(body);
		return Object.fromEntries(body.views.map(({name}) => [name, {pagination: name === '1' ? 312 : 4}]));
	};
	const store = openStore({new: {filter: 'mcap>50k dev<5%'}});
	onTestFinished(explainEmptyColumns(store, {call} as unknown as Client, viewRequest));
	const arrive = (...entries: ReturnType<typeof entryOf>[]) =>
		store.apply(state => columnChanged(state, 'new', c => snapshotArrived(c, entries, Date.now())));
	arrive();
	await expect.poll(() => worstClause(store.get().columns.new)).toMatchObject({text: 'dev<5%', without: 312});
	expect(asked).toHaveLength(1);
	expect(asked[0]!.views).toMatchObject([
		{name: '0', model: 'new', filters: {dev_holdings_percentage: {lt: 5}}, limit: 1},
		{name: '1', model: 'new', filters: {market_cap: {gt: 50_000}}, limit: 1},
	]);
	arrive(entryOf('a'));
	expect(worstClause(store.get().columns.new)).toBeUndefined();
	store.apply(state => columnChanged(state, 'new', c => filterChanged(c, columnFilterOf('mcap>1k')!)));
	arrive();
	expect(worstClause(store.get().columns.new)).toBeUndefined();
});
