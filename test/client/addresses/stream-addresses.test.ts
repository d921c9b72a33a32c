import {afterEach, beforeEach, expect, test} from 'vitest';
import type {ClientOptions} from '../../../source/client/client.ts';
import {isLive, World} from '../feed/feed-world.ts';
import {PerverseServer} from '../perverse-server.ts';
import {inGivenOrder} from './addresses-world.ts';

let a: PerverseServer;
let b: PerverseServer;
let worlds: World[] = [];

beforeEach(async () => {
	[a, b] = await Promise.all([PerverseServer.start(), PerverseServer.start()]);
	for (const server of [a, b]) server.put('new', {address: '0xa1', market_cap: 1});
});

afterEach(async () => {
	for (const world of worlds) await world.client.close();
	worlds = [];
	await Promise.all([a.stop(), b.stop()]);
});

function open(options: Partial<ClientOptions> = {}): World {
	const world = inGivenOrder(
		() => new World({baseUrl: [a.url, b.url], apiKey: 'k', ...options}, {assetMode: true, views: {new: {}}}),
	);
	worlds.push(world);
	return world;
}

const hostOf = ({url}: PerverseServer): string => new URL(url).host;
const servedBy = (world: World, server: PerverseServer) => () =>
	world.feed.link.phase === 'live' && world.feed.link.address === hostOf(server);

test('when its address is gone the stream moves to the next at once, and stays there', async () => {
	const world = open();
	await world.until(servedBy(world, a));
	b.put('new', {address: '0xa2', market_cap: 2});
	await a.stop();
	await world.until(() => servedBy(world, b)() && world.agreesWith(b, 'new'));
	await a.listen();
	b.put('new', {address: '0xa3', market_cap: 3});
	await world.until(() => world.agreesWith(b, 'new'));
	expect(world.feed.link.address).toBe(hostOf(b));
	expect(world.feed.link.addresses?.map(({name, state}) => [name, state])).toEqual([
		[hostOf(a), 'failed'],
		[hostOf(b), 'works'],
	]);
});

test('an address that closes with 1012 is left at once; the one left before is taken again', async () => {
	const world = open();
	for (const [from, to] of [[a, b] as const, [b, a] as const]) {
		await world.until(servedBy(world, from));
		from.closeStreams(1012, 'the service moves');
		await world.until(servedBy(world, to));
	}
});

test.each([
	['refuses the stream with 503', () => (a.stream = {upgradeStatus: 503, upgradeHeaders: {'retry-after': '60'}})],
	['does not know the key', () => (a.stream = {upgradeStatus: 401})],
	['cuts each subscription', () => (a.stream = {onSubscribe: ({socket}) => socket.terminate()})],
])('an address that %s is passed over', async (_, set) => {
	set();
	const world = open();
	await world.until(servedBy(world, b));
	expect(a.upgrades).toBe(1);
});

test('an address that takes connections and says nothing is left, before it serves and after', async () => {
	a.stream = {deaf: true};
	a.httpFault = {kind: 'hang'};
	const world = open({silenceMs: 900, timeoutMs: 1000});
	await world.until(servedBy(world, b));
	a.stream = {};
	a.httpFault = undefined;
	b.freeze();
	b.httpFault = {kind: 'hang'};
	await world.until(servedBy(world, a));
});

test('an address that opens the stream and answers no subscription is left', async () => {
	a.stream = {onSubscribe: () => {}};
	const world = open();
	await world.until(servedBy(world, b));
	expect(a.upgrades).toBe(1);
});

test('a service with one address has no name in its link', async () => {
	const world = open({baseUrl: a.url});
	await world.until(isLive(world));
	expect(world.feed.link).not.toHaveProperty('address');
	expect(world.feed.link).not.toHaveProperty('addresses');
	expect(Object.keys(a.frames[0]!['payload'] as object)).toEqual(['assetMode', 'views', 'subscriptionId']);
});
