import {mkdtemp, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Client} from '../../../../source/client/client.ts';
import type {Feed, FeedOptions, ViewRequest} from '../../../../source/client/feed/feed-events.ts';
import type {Entry} from '../../../../source/contract/entry.ts';
import {readAlertRule} from '../../../../source/monitor/alerts/alert-rules.ts';
import {ruleAdded} from '../../../../source/monitor/alerts/alert-transitions.ts';
import {loadChoices, saveChoices} from '../../../../source/monitor/choices.ts';
import {
	FULL_SCOPE,
	readScopePart,
	type Scope,
	scopeLabel,
	scopeToggled,
} from '../../../../source/monitor/columns/scope.ts';
import {whyOf} from '../../../../source/monitor/columns/why.ts';
import {columnFilterOf} from '../../../../source/monitor/filter/column-filter.ts';
import {initialState} from '../../../../source/monitor/initial-state.ts';
import {savedViewChanges} from '../../../../source/monitor/saved-views/saved-view.ts';
import {formatSavedView, readSavedView} from '../../../../source/monitor/saved-views/saved-view-text.ts';
import {savedViewOf} from '../../../../source/monitor/saved-views/saved-view-transitions.ts';
import {openSession, viewRequest} from '../../../../source/monitor/session.ts';
import type {MonitorState} from '../../../../source/monitor/state.ts';
import {filterChanged, snapshotArrived} from '../../../../source/monitor/transitions/column.ts';
import {viewChangesArrived} from '../../../../source/monitor/transitions/feed.ts';
import {columnChanged, scopeSet} from '../../../../source/monitor/transitions/screen.ts';
import {createStore} from '../../../../source/store.ts';
import {entryOf} from '../../../helpers/entries.ts';

const NOW = 1_700_000_000_000;
const SOLANA: Scope = {chains: ['solana:solana'], launchpads: []};

const start = (): MonitorState =>
	initialState({
		size: {columns: 100, rows: 30},
		nowMs: NOW,
		service: {label: 'test', embedded: true},
		theme: 'dark',
	});
const filtered = (state: MonitorState, line: string): MonitorState =>
	columnChanged(state, 'new', column => filterChanged(column, columnFilterOf(line)!));

test('what is chosen once is let in, what is chosen again is not, and choosing none lets everything in', () => {
	const one = scopeToggled(FULL_SCOPE, 'chains', 'evm:8453');
	const two = scopeToggled(one, 'chains', 'solana:solana');
	expect(two.chains).toEqual(['evm:8453', 'solana:solana']);
	expect(scopeToggled(scopeToggled(two, 'chains', 'evm:8453'), 'chains', 'solana:solana')).toEqual(FULL_SCOPE);
});

test('chosen chains and launchpads go to the service for all columns, beside the filter of each', () => {
	const narrowed = scopeSet(filtered(start(), 'mcap>50k'), {chains: ['evm:8453'], launchpads: ['pumpfun']});
	for (const view of ['new', 'bonding', 'bonded'] as const)
		expect(viewRequest(narrowed.columns[view])).toMatchObject({model: view, chainId: ['evm:8453']});
	expect(viewRequest(narrowed.columns.new)?.filters).toEqual({
		AND: [{source: {in: ['pumpfun']}}, {market_cap: {gt: 50_000}}],
	});
	expect(viewRequest(narrowed.columns.bonded)?.filters).toEqual({AND: [{source: {in: ['pumpfun']}}]});
	expect(viewRequest(scopeSet(narrowed, FULL_SCOPE).columns.bonded)).not.toHaveProperty('chainId');
});

test('a column with chains of its own gets those of both, and nothing when they have none in common', () => {
	const own = filtered(start(), 'chain:solana,base mcap>1k');
	expect(viewRequest(scopeSet(own, SOLANA).columns.new)?.chainId).toEqual(['solana:solana']);
	const rows = columnChanged(own, 'new', c => snapshotArrived(c, [entryOf('a')], NOW));
	const shut = scopeSet(rows, {chains: ['evm:56'], launchpads: []});
	expect(viewRequest(shut.columns.new)).toBeUndefined();
	expect(shut.columns.new).toMatchObject({order: [], status: {kind: 'ready'}});
	const late = viewChangesArrived(shut, new Map([['new', {snapshot: [entryOf('a')], changes: [], atMs: NOW}]]));
	expect(late.columns.new.rows.size).toBe(0);
	expect(scopeSet(shut, SOLANA).columns.new.status.kind).toBe('loading');
});

test('why says that a token is on another chain or from another launchpad', () => {
	const entry = entryOf('a', {source: 'basememe', bonded: false}, 'evm:8453');
	const narrowed = scopeSet(start(), {chains: ['solana:solana'], launchpads: ['pumpfun']});
	const [column] = whyOf(narrowed, entry, NOW);
	expect(column?.verdict).toBe('out');
	expect(column?.clauses.filter(({text}) => text.startsWith('all columns'))).toEqual([
		{text: 'all columns: solana', passed: false, actual: 'chain base'},
		{text: 'all columns: pumpfun', passed: false, actual: 'launchpad basememe'},
	]);
});

test('the header has a name for two and a number for more', () => {
	expect(scopeLabel(FULL_SCOPE)).toBe('');
	expect(scopeLabel({chains: ['solana:solana', 'evm:8453'], launchpads: ['pumpfun']})).toBe('solana+base pumpfun');
	expect(scopeLabel({chains: ['evm:1', 'evm:56', 'evm:8453'], launchpads: []})).toBe('3 chains');
});

test('it is kept for the next run and in saved views, and what can’t be read lets everything in', async () => {
	const home = await mkdtemp(join(tmpdir(), 'pulsetop-scope-'));
	const scope: Scope = {chains: ['evm:8453', 'evm:999999'], launchpads: ['meteora-dbc']};
	const narrowed = scopeSet(start(), scope);
	await saveChoices(home, narrowed);
	expect(loadChoices(home).choices.scope).toEqual(scope);
	await writeFile(join(home, 'choices.json'), JSON.stringify({chains: 'nowhere-at-all', launchpads: 7}));
	expect(loadChoices(home).choices.scope).toBeUndefined();

	const view = savedViewOf(narrowed, 'Base');
	expect(formatSavedView(view)).toContain(' chains=base,evm:999999 launchpads=meteora-dbc');
	expect(readSavedView(formatSavedView(view), savedViewOf(start(), 'now'))).toEqual({ok: true, savedView: view});
	expect(savedViewChanges(savedViewOf(start(), 'now'), view)).toMatchObject([
		{view: 'all', part: 'chains', before: 'all', after: 'base,evm:999999'},
		{view: 'all', part: 'launchpads'},
	]);
	expect(readSavedView('pulsetop-view/1 chains=bse', view)).toMatchObject({ok: false});
	expect(readScopePart('All', 'chains')).toEqual({ok: true, listed: []});
});

test('alert rules still see the chains that the columns leave out', () => {
	const requests = new Map<string, ViewRequest>();
	let onEvent: FeedOptions['onEvent'] = () => {};
	const feed: Partial<Feed> = {
		view: () => undefined,
		setView: (name, request) => requests.set(name, request),
		removeView: name => requests.delete(name),
		close() {},
	};
	const client: Partial<Client> = {
		clock: {skewMs: 0, uncertaintyMs: 0, nowMs: Date.now},
		openFeed: options => {
			({onEvent} = options);
			return feed as Feed;
		},
	};
	const read = readAlertRule('mcap>50k');
	if (!read.ok) throw new Error(read.problem);
	const store = createStore(ruleAdded(start(), read.rule, NOW));
	const session = openSession(store, client as Client);
	const heard = (view: string, ...entries: Entry[]): void => {
		const [type, rest] = view.startsWith('first ')
			? (['snapshot', {entries, source: 'init'}] as const)
			: (['change', {upserts: entries, removed: []}] as const);
		onEvent({type, view: view.replace('first ', ''), atMs: NOW, ...rest} as Parameters<typeof onEvent>[0]);
		store.flush();
	};
	expect([...requests.keys()]).toEqual([]);
	store.apply(state => scopeSet(state, SOLANA));
	expect(requests.get('new')).toMatchObject({chainId: ['solana:solana']});
	expect(requests.get('alerts.new')).toMatchObject({model: 'new'});
	expect(requests.get('alerts.new')).not.toHaveProperty('chainId');

	heard('first alerts.new', entryOf('early', {market_cap: 90_000}, 'evm:8453'));
	heard('alerts.new', entryOf('late', {symbol: 'LATE', market_cap: 90_000}, 'evm:8453'));
	expect(store.get().alerts.recent.map(({symbol}) => symbol)).toEqual(['LATE']);
	expect(store.get().notice?.text).toContain('LATE');
	expect(store.get().columns.new.rows.size).toBe(0);

	store.apply(state => scopeSet(state, FULL_SCOPE));
	expect([...requests.keys()].filter(name => name.startsWith('alerts.'))).toEqual([]);
	session.close();
});
