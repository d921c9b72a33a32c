import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import type {ClientOptions} from '../../../source/client/client.ts';
import type {FeedEvent} from '../../../source/client/feed/feed-events.ts';
import {openFeedThread} from '../../../source/client/remote/open-feed-thread.ts';
import {steadyNow} from '../../../source/steady-clock.ts';
import {inGivenOrder} from '../addresses/addresses-world.ts';
import {isLive, World} from './feed-world.ts';
import {type LogService, startLogService, tokenOf} from './log-service.ts';

let a: LogService;
let b: LogService;
let worlds: World[] = [];

beforeEach(async () => {
	[a, b] = await Promise.all([startLogService(), startLogService()]);
	for (const {server} of [a, b]) server.put('new', {address: '0xa1', market_cap: 1});
	a.says = {at: 'e1.100'};
	b.says = {at: 'e1.110', recovered: true};
});

afterEach(async () => {
	for (const world of worlds) await world.client.close();
	worlds = [];
	await Promise.all([a.stop(), b.stop()]);
});

function open(options: Partial<ClientOptions> = {}, thread?: ReturnType<typeof openFeedThread>): World {
	const urls = [a.server.url, b.server.url];
	const request = {assetMode: true, views: {new: {}}};
	const world = inGivenOrder(() => new World({baseUrl: urls, apiKey: 'k', ...options}, request, {}, thread));
	worlds.push(world);
	return world;
}

const hostOf = ({server}: LogService): string => new URL(server.url).host;
const resumedIn = (world: World) => world.events.filter(event => event.type === 'resumed');
const missedIn = (world: World): unknown[] =>
	world.events.flatMap(event =>
		event.type === 'snapshot' && event.missed ? [event.missed.map(({address}) => address)] : [],
	);
const newToken = (address: string, at?: string): object => ({
	type: 'new-token',
	payload: {viewName: 'new', token: tokenOf({address, market_cap: 5})},
	...(at !== undefined && {at}),
});

describe('a subscription that is sent again', () => {
	test('resumes at the position of the last frame that had one and was applied', async () => {
		const world = open();
		await world.until(isLive(world));
		a.server.send('new', newToken('0xa2', 'e1.104'));
		// The rest of its round did not come any more: the position before counts.
		a.server.send('new', newToken('0xa3'));
		await world.until(() => '0xa3' in world.believes('new'));
		await a.stop();
		await world.until(() => resumedIn(world).length > 0);
		expect(a.resumes).toEqual([undefined]);
		expect(b.resumes).toEqual(['e1.104']);
		await a.server.listen();
	});

	test('of a service without positions resumes nowhere, whatever its frames say besides', async () => {
		for (const {server} of [a, b]) server.stream = {};
		const world = open({baseUrl: a.server.url});
		await world.until(isLive(world));
		const other = {at: '2026-11-23T08:00:00Z', stale: 5000, recovered: false, missed: {new: {data: [{}]}}};
		for (const subscription of a.server.subscriptions)
			a.server.sendTo(subscription, {type: 'sync', payload: {new: {data: []}}, ...other});
		await world.until(() => world.snapshots('new').includes('sync'));
		expect(world.feed.view('new')).not.toHaveProperty('staleSinceMs');
		a.server.cut();
		await world.until(() => a.server.upgrades === 2 && isLive(world)());
		expect(a.resumes).toEqual([undefined, undefined]);
		expect(resumedIn(world)).toEqual([]);
	});

	test('with another filter is another one: it resumes nowhere, also after the next loss of a connection without its answer', async () => {
		const world = open({baseUrl: a.server.url});
		await world.until(isLive(world));
		a.says = {at: 'e1.120', recovered: true};
		world.feed.setView('new', {filters: {market_cap: {gte: 0}}});
		await world.until(() => a.resumes.length === 2);
		expect(a.resumes).toEqual([undefined, undefined]);
		await world.until(isLive(world));
		a.server.cut();
		await world.until(() => a.resumes.length === 3);
		expect(a.resumes[2]).toBe('e1.120');
	});
});

describe('the report of a service on the time of a loss', () => {
	test('recovered: rows are those of the full view, a token that came and went is reported once, known tokens are left out', async () => {
		const world = open();
		await world.until(isLive(world));
		b.says = {
			...b.says,
			missed: {new: {data: ['0xa1', '0xa8', '0xa9'].map(address => tokenOf({address, market_cap: 7}))}},
		};
		b.server.remove('new', '0xa1');
		b.server.put('new', {address: '0xa4', market_cap: 4});
		await a.stop();
		await world.until(() => resumedIn(world).length > 0);
		expect(world.believes('new')).toEqual({'0xa4': 4});
		expect(missedIn(world)).toEqual([['0xa8', '0xa9']]);
		expect(resumedIn(world)).toEqual([
			{
				type: 'resumed',
				movedTo: hostOf(b),
				isRecovered: true,
				gapMs: expect.any(Number),
				missed: [
					{view: 'new', entry: expect.objectContaining({address: '0xa8'})},
					{view: 'new', entry: expect.objectContaining({address: '0xa9'})},
				],
				atMs: expect.any(Number),
			},
		]);
		await a.server.listen();
	});

	test('unrequested data is ignored: in a first answer, and in later full views', async () => {
		for (const service of [a, b]) {
			service.server.stream = {
				onSubscribe: subscription => service.server.sendTo(subscription, unasked),
			};
		}
		const missed = {new: {data: [tokenOf({address: '0xa8', market_cap: 7})]}};
		const unasked = {type: 'init', payload: {new: {data: []}}, at: 'e1.5', recovered: true, missed};
		const world = open();
		await world.until(isLive(world));
		for (const {server} of [a, b]) server.send('new', {...unasked, type: 'sync'});
		await world.until(() => world.snapshots('new').includes('sync'));
		expect(missedIn(world)).toEqual([]);
		expect(resumedIn(world)).toEqual([]);
	});

	test('not recovered: how long the stream was lost', async () => {
		b.says = {at: 'e2.4', recovered: false};
		const world = open();
		await world.until(isLive(world));
		await a.stop();
		await world.until(() => resumedIn(world).length > 0);
		const [resumed] = resumedIn(world);
		expect(resumed).toMatchObject({movedTo: hostOf(b), isRecovered: false, missed: []});
		expect(resumed?.gapMs).toBeLessThan(3000);
		await a.server.listen();
	});

	test('a service that says nothing of it: the move alone', async () => {
		for (const {server} of [a, b]) server.stream = {};
		const world = open();
		await world.until(isLive(world));
		await a.stop();
		await world.until(() => resumedIn(world).length > 0);
		expect(resumedIn(world)).toMatchObject([{movedTo: hostOf(b), missed: []}]);
		expect(resumedIn(world)[0]).not.toHaveProperty('isRecovered');
		await a.server.listen();
	});

	test('it crosses from the thread of the feeds, and requests follow to the address that serves', async () => {
		const world = open({}, openFeedThread());
		// The first view has come, too: before it there is no position to resume at.
		await world.until(() => world.feed.link.address !== undefined && isLive(world)());
		const [from, to] = world.feed.link.address === hostOf(a) ? [a, b] : [b, a];
		to.says = {at: 'e1.110', recovered: true, missed: {new: {data: [tokenOf({address: '0xa8', market_cap: 7})]}}};
		await from.stop();
		await world.until(() => resumedIn(world).length > 0);
		expect(missedIn(world)).toEqual([['0xa8']]);
		expect(resumedIn(world)).toMatchObject([
			{movedTo: hostOf(to), isRecovered: true, missed: [{view: 'new', entry: {address: '0xa8'}}]},
		]);
		expect(world.feed.link.addresses?.map(({name, state}) => [name, state])).toEqual(
			[a, b].map(service => [hostOf(service), service === to ? 'works' : 'failed']),
		);
		const asked = to.server.requests.length;
		await world.client.facts();
		expect(to.server.requests.length).toBeGreaterThan(asked);
		await from.server.listen();
	});
});

describe('a market that stands still', () => {
	const staleness = (world: World): number | undefined => {
		const {staleSinceMs} = world.feed.view('new') ?? {};
		return staleSinceMs === undefined ? undefined : Math.round((steadyNow() - staleSinceMs) / 1000);
	};

	test('ages its data although the stream is alive, until the service says that it goes on', async () => {
		const world = open({baseUrl: a.server.url});
		await world.until(isLive(world));
		a.heartbeat({at: 'e1.101', stale: 8000});
		await world.until(() => staleness(world) === 8);
		expect(steadyNow() - world.feed.view('new')!.lastDataAtMs!).toBeGreaterThan(7900);
		expect(world.believes('new')).toEqual({'0xa1': 1});
		// What is read meanwhile is as old.
		await world.feed.refresh();
		const snapshots = world.events.filter(
			(event): event is FeedEvent & {type: 'snapshot'} => event.type === 'snapshot',
		);
		expect(steadyNow() - snapshots.at(-1)!.atMs).toBeGreaterThan(7900);
		a.heartbeat({at: 'e1.102'});
		await world.until(() => staleness(world) === undefined);
		await world.until(() => steadyNow() - world.feed.view('new')!.lastDataAtMs! < 5000);
		expect(world.events.filter(event => event.type === 'link').length).toBeGreaterThan(2);
	});

	test('is said by the first full view, too', async () => {
		a.says = {at: 'e1.100', stale: 60_000};
		const world = open({baseUrl: a.server.url});
		await world.until(() => staleness(world) === 60);
	});
});
