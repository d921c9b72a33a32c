import {setTimeout as sleep} from 'node:timers/promises';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {type FeedThread, feedsThrough, openFeedThread} from '../../../source/client/remote/open-feed-thread.ts';
import {serveFeeds} from '../../../source/client/remote/serve-feeds.ts';
import {explain, PulsetopError} from '../../../source/errors.ts';
import {World} from '../feed/feed-world.ts';
import {PerverseServer} from '../perverse-server.ts';

/* A feed in another thread emits the same events as one in this thread. */

let server: PerverseServer;
let world: World;
let thread: FeedThread;

beforeEach(async () => {
	server = await PerverseServer.start();
	for (const i of [1, 2, 3]) server.put('new', {address: `0xa${i}`, market_cap: i});
	server.put('bonding', {address: '0xb1', market_cap: 10});
	thread = openFeedThread();
	world = new World(
		{baseUrl: server.url, apiKey: 'a-secret-key'},
		{assetMode: true, views: {new: {sortBy: 'created_at'}, bonding: {}}},
		{},
		thread,
	);
	await world.until(() => world.feed.link.phase === 'live' && world.agreesWith(server, 'new'));
});

afterEach(async () => {
	await world.client.close();
	await server.stop();
});

const agrees = (): boolean => world.agreesWith(server, 'new') && world.agreesWith(server, 'bonding');

test('a remote feed follows new, changed and removed tokens', async () => {
	server.put('new', {address: '0xa4', market_cap: 4});
	server.put('new', {address: '0xa1', market_cap: 100});
	server.remove('new', '0xa2');
	await world.until(agrees);
	expect(world.believes('new')).toEqual({'0xa1': 100, '0xa3': 3, '0xa4': 4});
	expect(world.feed.view('new')).toMatchObject({source: 'stream', isPending: false, generation: 1});
	expect(world.feed.view('new')?.lastDataAtMs).toBeGreaterThan(Date.now() - 60_000);
	expect(world.feed.view('unknown')).toBeUndefined();
});

test('a hundred changes of one token at once are conflated to a few', async () => {
	const before = world.events.length;
	for (let i = 1; i <= 100; i++) server.put('new', {address: '0xa1', market_cap: 1000 + i});
	await world.until(() => world.believes('new')['0xa1'] === 1100);
	const changes = world.events.slice(before).filter(event => event.type === 'change');
	expect(changes.length).toBeLessThan(20);
});

test('the clock here learns the time of the service from the feed', () => {
	expect(world.client.clock.uncertaintyMs).toBeLessThan(2000);
});

test('a lost stream is reported, and missed changes arrive after the reconnect', async () => {
	server.cut();
	server.put('new', {address: '0xa9', market_cap: 9});
	await world.until(() => world.events.some(event => event.type === 'link' && event.link.phase !== 'live'));
	await world.until(() => world.feed.link.phase === 'live' && agrees());
	expect(world.feed.link.reconnects).toBeGreaterThan(0);
});

describe('after a new request', () => {
	test('setView emits only data of the new request', async () => {
		for (let i = 0; i < 50; i++) server.put('new', {address: '0xa1', market_cap: 200 + i});
		const before = world.events.length;
		world.feed.setView('new', {sortBy: 'market_cap', limit: 2});
		await world.until(() => world.snapshots('new').length > 0 && world.feed.view('new')?.generation === 2);
		await world.until(() => world.events.slice(before).some(event => event.type === 'snapshot'));
		const emitted = world.events.slice(before).find(event => event.type === 'snapshot' || event.type === 'change');
		expect(emitted).toMatchObject({type: 'snapshot', view: 'new'});
	});

	test('a paused view emits nothing, and a snapshot when it is resumed', async () => {
		world.feed.pause(['new']);
		const before = world.events.length;
		server.put('new', {address: '0xa5', market_cap: 5});
		server.put('bonding', {address: '0xb2', market_cap: 20});
		await world.until(() => world.believes('bonding')['0xb2'] === 20);
		const emitted = world.events.slice(before).filter(event => 'view' in event && event.view === 'new');
		expect(emitted).toEqual([]);
		world.feed.resume();
		await world.until(agrees);
	});

	test('no event is emitted after close', async () => {
		world.feed.close();
		const before = world.events.length;
		server.put('new', {address: '0xa5', market_cap: 5});
		await sleep(300);
		expect(world.events.length).toBe(before);
		expect(world.feed.link.phase).toBe('closed');
	});
});

test('refresh resolves after its snapshots were emitted', async () => {
	const before = world.snapshots('new').length;
	await world.feed.refresh();
	await world.until(() => world.snapshots('new').length > before);
});

test('a failure arrives as a RemoteError with its text', async () => {
	server.httpFault = {kind: 'answer', status: 400, body: '{"message":"not like this"}'};
	const error = await world.feed.refresh().then(
		() => undefined,
		(caught: unknown) => caught,
	);
	expect(error).toBeInstanceOf(PulsetopError);
	expect(explain(error).code).toBe('service-refused');
});

test('the thread ends with its client', async () => {
	await world.client.close();
	await expect(thread.close()).resolves.toBeUndefined();
});

describe('a thread that runs for something else', () => {
	test('reads feeds as well, and goes on when they have ended', async () => {
		const {port1, port2} = new MessageChannel();
		serveFeeds(port2);
		const through = feedsThrough(port1);
		const other = new World({baseUrl: server.url}, {assetMode: true, views: {new: {}}}, {}, through);
		await other.until(() => other.feed.link.phase === 'live' && other.agreesWith(server, 'new'));
		server.put('new', {address: '0xa1', market_cap: 1234});
		await other.until(() => other.believes('new')['0xa1'] === 1234);
		await other.client.close();
		await expect(through.close()).resolves.toBeUndefined();
	});

	test('that never responds blocks nothing', async () => {
		const {port1} = new MessageChannel();
		await expect(feedsThrough(port1).close()).resolves.toBeUndefined();
	});

	test('that has ended already blocks nothing either', async () => {
		const {port1, port2} = new MessageChannel();
		const through = feedsThrough(port1);
		port2.close();
		await expect(through.close()).resolves.toBeUndefined();
	});
});
