import {expect, onTestFinished, test} from 'vitest';
import type {Client} from '../../../source/client/client.ts';
import {createClient} from '../../../source/client/create-client.ts';
import type {Feed, FeedOptions, LinkState} from '../../../source/client/feed-events.ts';
import {columnFilterOf} from '../../../source/monitor/column-filter.ts';
import {initialState} from '../../../source/monitor/initial-state.ts';
import {openSession} from '../../../source/monitor/session.ts';
import {columnChanged} from '../../../source/monitor/transitions/screen.ts';
import {createStore} from '../../../source/store.ts';
import {PerverseServer} from '../../client/perverse-server.ts';

const LINK: LinkState = {
	phase: 'live',
	attempt: 0,
	bytesIn: 1,
	bytesPerSecond: 1,
	framesIn: 1,
	framesPerSecond: 1,
	droppedEntries: 0,
	badFrames: 0,
	lateFrames: 0,
	reconnects: 0,
};

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

test('whether the service has read its past is asked with its totals, until it has', async () => {
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

test('a service that does not filter is told of once a filter, and what does not fit is not shown', async () => {
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
	const there = () => [...store.get().columns.new.rows].flatMap(([key, {gone}]) => (gone ? [] : [key]));
	await expect.poll(there).toEqual(['evm:8453|0xa1', 'evm:8453|0xa2']);
	expect(store.get().notice).toMatchObject({text: expect.stringContaining('does not filter new'), tone: 'warn'});
	store.apply(({notice: _, ...state}) => state);
	session.retry();
	server.put('new', {address: '0xa1', market_cap: 1.5});
	await expect.poll(() => store.get().columns.new.rows.get('evm:8453|0xa1')?.entry.market_cap).toBe(1.5);
	expect(store.get().notice).toBeUndefined();
});
