import {expect, onTestFinished, test} from 'vitest';
import type {Client} from '../../../source/client/client.ts';
import {createClient} from '../../../source/client/create-client.ts';
import {type Feed, type FeedOptions, FIRST_LINK, type LinkState} from '../../../source/client/feed/feed-events.ts';
import {ServiceUnreachable} from '../../../source/client/http/service-errors.ts';
import {columnFilterOf} from '../../../source/monitor/filter/column-filter.ts';
import {initialState} from '../../../source/monitor/initial-state.ts';
import {openSession} from '../../../source/monitor/session.ts';
import {snapshotArrived, sortChanged} from '../../../source/monitor/transitions/column.ts';
import {columnChanged, viewsShown} from '../../../source/monitor/transitions/screen.ts';
import {createStore} from '../../../source/store.ts';
import {PerverseServer} from '../../client/perverse-server.ts';
import {entryOf} from '../../helpers/entries.ts';

const LINK: LinkState = {...FIRST_LINK, phase: 'live'};

function newStore() {
	return createStore(
		initialState({
			size: {columns: 100, rows: 24},
			nowMs: Date.now(),
			service: {label: 'a service', embedded: false},
			theme: 'dark',
		}),
	);
}

/** A session over a feed that brings only what the test sends. */
function openSilent() {
	let onEvent: FeedOptions['onEvent'] = () => {};
	const client: Partial<Client> = {
		clock: {skewMs: 0, uncertaintyMs: 0, nowMs: Date.now},
		facts: async () => ({}),
		openFeed: options => {
			({onEvent} = options);
			return {view: () => undefined, setView() {}, close() {}} as Partial<Feed> as Feed;
		},
	};
	const store = newStore();
	const session = openSession(store, client as Client);
	onTestFinished(() => session.close());
	return {store, onEvent};
}

test('the service’s time is taken over also while no rows come', () => {
	let onEvent: FeedOptions['onEvent'] = () => {};
	const clock = {skewMs: 3_600_000, uncertaintyMs: 500, nowMs: () => Date.now() + 3_600_000};
	const feed: Partial<Feed> = {view: () => undefined, close() {}};
	const client: Partial<Client> = {
		clock,
		openFeed: options => {
			({onEvent} = options);
			return feed as Feed;
		},
	};
	const store = newStore();
	const session = openSession(store, client as Client);
	for (const skewMs of [3_600_000, 20]) {
		clock.skewMs = skewMs;
		onEvent({type: 'link', link: LINK});
		store.flush();
		expect(store.get().skewMs).toBe(skewMs);
	}
	session.close();
});

test('a service that is not there at the start is said in the columns alone; once rows are there, in a notice', () => {
	const {store, onEvent} = openSilent();
	const error = new ServiceUnreachable('the connection was refused');
	for (let time = 0; time < 2; time++) {
		onEvent({type: 'problem', error, atMs: Date.now()});
		const {columns, notice} = store.get();
		expect(columns.new.status).toMatchObject({kind: 'failed', problem: {what: error.message}});
		expect(notice).toBe(undefined);
	}
	store.apply(state => columnChanged(state, 'new', c => snapshotArrived(c, [entryOf('a', {})], Date.now())));
	onEvent({type: 'problem', error, atMs: Date.now()});
	expect(store.get().notice?.text).toBe(`${error.message}: ${error.why}`);
});

test('a problem of the whole feed is shown by the columns that wait for their first rows alone', () => {
	const {store, onEvent} = openSilent();
	store.apply(state => columnChanged(state, 'new', c => snapshotArrived(c, [entryOf('a', {})], Date.now())));
	// Its filter matches nothing: it has no row, and its data.
	store.apply(state => columnChanged(state, 'bonding', c => snapshotArrived(c, [], Date.now())));
	onEvent({type: 'problem', error: new ServiceUnreachable('the connection was refused'), atMs: Date.now()});
	const {columns} = store.get();
	expect([columns.new, columns.bonding, columns.bonded].map(({status}) => status.kind)).toEqual([
		'ready',
		'ready',
		'failed',
	]);
});

test('whether the service has loaded its history is requested with its totals, until it has', async () => {
	let onEvent: FeedOptions['onEvent'] = () => {};
	const answers = ['loading', 'loading', 'complete'] as const;
	let asked = 0;
	const client: Partial<Client> = {
		clock: {skewMs: 0, uncertaintyMs: 0, nowMs: () => Date.now()},
		facts: async () => ({history: answers[asked++]!}),
		openFeed: options => {
			({onEvent} = options);
			return {view: () => undefined, close() {}} as Partial<Feed> as Feed;
		},
	};
	const store = newStore();
	const session = openSession(store, client as Client);
	const seen: (string | undefined)[] = [];
	for (let round = 0; round < 5; round++) {
		onEvent({type: 'total', view: 'new', total: 840, atMs: 0});
		onEvent({type: 'total', view: 'bonding', total: 840, atMs: 0});
		await new Promise(resolve => setImmediate(resolve));
		store.flush();
		seen.push(store.get().history);
	}
	expect(seen).toEqual(['loading', 'loading', 'complete', 'complete', 'complete']);
	expect(asked).toBe(3);
	session.close();
});

test('a service that does not filter is reported once a filter, and tokens that do not match are not shown', async () => {
	const server = await PerverseServer.start();
	onTestFinished(() => server.stop());
	for (let cap = 1; cap <= 6; cap++) server.put('new', {address: `0xa${cap}`, market_cap: cap});
	const client = createClient({baseUrl: server.url});
	onTestFinished(() => client.close());
	const store = newStore();
	const session = openSession(store, client);
	onTestFinished(() => session.close());
	await expect.poll(() => store.get().columns.new.rows.size).toBe(6);
	expect(store.get().notice).toBeUndefined();
	const filter = columnFilterOf('mcap<3')!;
	store.apply(state => columnChanged(state, 'new', column => ({...column, filter})));
	const there = () => [...store.get().columns.new.rows].flatMap(([key, {departed}]) => (departed ? [] : [key]));
	await expect.poll(there).toEqual(['evm:8453|0xa1', 'evm:8453|0xa2']);
	expect(store.get().notice).toMatchObject({text: expect.stringContaining('does not filter new'), tone: 'warn'});
	store.apply(({notice: _, ...state}) => state);
	session.retry();
	server.put('new', {address: '0xa1', market_cap: 1.5});
	await expect.poll(() => store.get().columns.new.rows.get('evm:8453|0xa1')?.entry.market_cap).toBe(1.5);
	expect(store.get().notice).toBeUndefined();
});

test('TRENDING is not requested until it is shown; a service without it is reported, and the others go on', async () => {
	const server = await PerverseServer.start();
	onTestFinished(() => server.stop());
	server.unknownModels = {names: ['trending'], how: 'refused'};
	server.put('new', {address: '0xa1', market_cap: 1});
	const client = createClient({baseUrl: server.url});
	onTestFinished(() => client.close());
	const store = newStore();
	const session = openSession(store, client);
	onTestFinished(() => session.close());
	const asked = () => JSON.stringify([server.requests.map(({body}) => body), server.frames]);
	const cap = () => store.get().columns.new.rows.get('evm:8453|0xa1')?.entry.market_cap;
	await expect.poll(() => store.get().link?.phase).toBe('live');
	await expect.poll(cap).toBe(1);
	expect(asked()).not.toContain('trending');
	store.apply(state => viewsShown(state, ['new', 'trending']));
	const {columns} = store.get();
	expect(columns.trending.status.kind).toBe('loading');
	await expect
		.poll(() => store.get().columns.trending.status)
		.toMatchObject({kind: 'failed', problem: {code: 'view-not-served', what: 'This service has no trending view'}});
	expect(store.get().notice).toMatchObject({text: 'This service has no trending view.', tone: 'warn'});
	server.put('new', {address: '0xa1', market_cap: 2});
	await expect.poll(cap).toBe(2);
	expect(store.get().columns.new.status.kind).toBe('ready');
});

test('a remembered TRENDING does not delay the other columns of a service that lacks it', async () => {
	const server = await PerverseServer.start();
	onTestFinished(() => server.stop());
	server.unknownModels = {names: ['trending'], how: 'refused'};
	server.put('new', {address: '0xa1', market_cap: 1});
	const client = createClient({baseUrl: server.url, streamUrl: null});
	onTestFinished(() => client.close());
	const store = newStore();
	store.apply(state => viewsShown(state, ['new', 'trending']));
	const session = openSession(store, client);
	onTestFinished(() => session.close());
	await expect.poll(() => store.get().columns.trending.status.kind).toBe('failed');
	await expect.poll(() => store.get().columns.new.rows.size).toBe(1);
	const views = server.requests
		.filter(({path}) => path === '/api/2/pulse')
		.map(({body}) => (JSON.parse(body) as {views: {name: string}[]}).views.map(({name}) => name));
	expect(views).toContainEqual(['new', 'bonding', 'bonded']);
	expect(views.filter(names => names.includes('trending'))).toEqual([['trending']]);
	expect(store.get().shownViews).toEqual(['new', 'trending']);
});

test('a service that does not sort is reported once a sort', async () => {
	const server = await PerverseServer.start();
	onTestFinished(() => server.stop());
	for (let cap = 1; cap <= 12; cap++) server.put('new', {address: `0xa${cap}`, market_cap: cap});
	const client = createClient({baseUrl: server.url});
	onTestFinished(() => client.close());
	const store = newStore();
	const session = openSession(store, client);
	onTestFinished(() => session.close());
	await expect.poll(() => store.get().columns.new.rows.size).toBe(12);
	expect(store.get().notice).toBeUndefined();
	const sortBy = (sortOrder: 'asc' | 'desc') =>
		store.apply(state => columnChanged(state, 'new', c => sortChanged({...c, limit: 12}, 'market_cap', sortOrder)));
	sortBy('desc');
	await expect.poll(() => store.get().columns.new.isUnsorted).toBe(true);
	expect(store.get().notice).toMatchObject({
		text: 'The service does not sort new by mcap: only the rows loaded are sorted.',
		tone: 'warn',
	});
	store.apply(({notice: _, ...state}) => state);
	sortBy('asc');
	await expect.poll(() => store.get().columns.new.isUnsorted).toBe(false);
	sortBy('desc');
	await expect.poll(() => store.get().columns.new.isUnsorted).toBe(true);
	expect(store.get().notice).toBeUndefined();
});
