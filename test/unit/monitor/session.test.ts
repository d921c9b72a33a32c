import {expect, test} from 'vitest';
import type {Client} from '../../../source/client/client.ts';
import type {Feed, FeedOptions, LinkState} from '../../../source/client/feed-events.ts';
import {initialState} from '../../../source/monitor/initial-state.ts';
import {openSession} from '../../../source/monitor/session.ts';
import {createStore} from '../../../source/store.ts';

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
	const store = createStore(
		initialState({
			size: {columns: 100, rows: 24},
			nowMs: Date.now(),
			service: {label: 'a service', embedded: false},
			theme: 'dark',
		}),
	);
	const session = openSession(store, client as Client);
	for (const skewMs of [3_600_000, 20]) {
		clock.skewMs = skewMs;
		onEvent({type: 'link', link: LINK});
		store.flush();
		expect(store.get().skewMs).toBe(skewMs);
	}
	session.close();
});
