import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {type Frame, StreamClient} from '../service/helpers/stream-client.ts';
import {publishedAsset} from './published-entries.ts';
import {type Entry, openTarget, type Target, until} from './target.ts';

/* The real-time stream (contract gaps 1). */

let target: Target;

beforeAll(async () => {
	target = await openTarget();
	await until(
		() => target.count({}),
		count => count > 50,
	);
});
afterAll(() => target.close());

const keyOf = (entry: Entry) => `${entry['chainId']}|${entry['address']}`;
const isEvent = (event: string) => (frame: Frame) => frame['event'] === event;
const isType = (type: string) => (frame: Frame) => frame['type'] === type && frame['event'] === undefined;

function subscribe(payload: Record<string, unknown>): Frame {
	return {type: 'pulse-v2', authorization: target.key, payload};
}

/** What the published schema refuses in these entries of asset mode. */
const misfits = (entries: readonly Entry[]) =>
	entries.flatMap(
		entry =>
			publishedAsset(target.knows)
				.safeParse(entry)
				.error?.issues.map(({path}) => path.join('.')) ?? [],
	);

const LIVELY = {name: 'v', sortBy: 'latest_trade_date', limit: 20};

async function subscribed(
	views: readonly object[],
	extra: Record<string, unknown> = {},
): Promise<[StreamClient, Frame]> {
	const client = await target.stream();
	client.send(subscribe({assetMode: true, views, subscriptionId: 's1', ...extra}));
	return [client, await client.next(isType('init'))];
}

/** What a client holds after the frames so far: the keys of one view. */
function merged(frames: readonly Frame[], view: string): Map<string, Entry> {
	const state = new Map<string, Entry>();
	for (const {type, payload} of frames) {
		if ((type === 'init' || type === 'sync') && payload[view]) {
			state.clear();
			for (const entry of payload[view].data) state.set(keyOf(entry), entry);
		}
		if (payload?.viewName !== view) continue;
		if (type === 'new-token' || type === 'update-token') state.set(keyOf(payload.token), payload.token);
		if (type === 'remove-token') expect(state.delete(payload.tokenKey), payload.tokenKey).toBe(true);
	}
	return state;
}

test('compression is used only for clients that request it', async () => {
	const asking = await target.stream();
	expect(asking.socket.extensions).toBe('permessage-deflate');
	const plain = await StreamClient.open(target.streamUrl, {perMessageDeflate: false});
	expect(plain.socket.extensions).toBe('');
	for (const client of [asking, plain]) {
		client.send(subscribe({assetMode: true, views: [LIVELY]}));
		const init = await client.next(isType('init'));
		expect(misfits(init['payload'].v.data)).toEqual([]);
	}
	await plain.close();
});

describe('a subscription', () => {
	test('begins with one init: every view whole, in the form of the REST answer', async () => {
		const [, init] = await subscribed([
			{name: 'a', limit: 3},
			{name: 'b', limit: 2, sortBy: 'market_cap'},
		]);
		expect(init['subscriptionId']).toBe('s1');
		expect(Object.keys(init['payload'])).toEqual(['a', 'b']);
		expect(init['payload'].a.data).toHaveLength(3);
		expect(misfits([...init['payload'].a.data, ...init['payload'].b.data])).toEqual([]);
	});

	test('then sends changes with whole entries, in asset mode as tokens', async () => {
		const [client] = await subscribed([LIVELY]);
		const update = await client.next(isType('update-token'));
		expect(update['subscriptionId']).toBe('s1');
		expect(update['payload'].viewName).toBe('v');
		expect(misfits([update['payload'].token])).toEqual([]);
		const gone = await client.next(isType('remove-token'));
		expect(gone['payload'].tokenKey).toMatch(/^[a-z]+:\w+\|.+/);
		expect((await client.next(isType('new-token')))['payload'].token).toHaveProperty('address');
	});

	test('in pool mode as pools', async () => {
		const [client, init] = await subscribed([LIVELY], {assetMode: false});
		expect(init['payload'].v.data[0]).toHaveProperty('pair');
		expect((await client.next(isType('update-pool')))['payload'].pool).toHaveProperty('pair');
		const gone = await client.next(isType('remove-pool'));
		expect(gone['payload'].poolAddress).toEqual(expect.any(String));
		expect((await client.next(isType('new-pool')))['payload'].viewName).toBe('v');
	});

	test('gives, merged frame by frame, what a query returns', async () => {
		const view = {name: 'v', limit: 40, sortBy: 'created_at'};
		const [client] = await subscribed([view]);
		const compare = async () => {
			const asked = (await target.view(view)).map(keyOf).sort();
			return {asked, held: [...merged(client.frames, 'v').keys()].sort()};
		};
		await client.next(isType('new-token'));
		const {asked, held} = await until(compare, response => String(response.asked) === String(response.held));
		expect(held).toEqual(asked);
	});

	test('keeps to its filters', async () => {
		const [client, init] = await subscribed([{...LIVELY, filters: {bonded: true}}]);
		for (const entry of init['payload'].v.data) expect(entry.bonded).toBe(true);
		const update = await client.next(isType('update-token'));
		expect(update['payload'].token.bonded).toBe(true);
	});

	test('without an id gets one', async () => {
		const client = await target.stream();
		client.send(subscribe({assetMode: true, views: [{name: 'v', limit: 1}]}));
		expect((await client.next(isType('init')))['subscriptionId']).toEqual(expect.any(String));
	});

	test('under the same id replaces the one before', async () => {
		const [client] = await subscribed([LIVELY]);
		client.send(subscribe({assetMode: true, views: [{name: 'w', limit: 2}], subscriptionId: 's1'}));
		const init = await client.next(frame => isType('init')(frame) && 'w' in frame['payload']);
		expect(Object.keys(init['payload'])).toEqual(['w']);
		const at = client.frames.indexOf(init);
		client.send({event: 'ping'});
		await client.next(isEvent('pong'));
		expect(client.frames.slice(at).filter(frame => frame['payload']?.viewName === 'v')).toEqual([]);
	});
});

describe('a socket', () => {
	test('carries several subscriptions, routed by their ids', async () => {
		const [client] = await subscribed([LIVELY]);
		client.send(subscribe({assetMode: false, views: [LIVELY], subscriptionId: 's2'}));
		const pool = await client.next(isType('update-pool'));
		const token = await client.next(isType('update-token'));
		expect([pool['subscriptionId'], token['subscriptionId']]).toEqual(['s2', 's1']);
	});

	test('answers a ping with a pong', async () => {
		const client = await target.stream();
		client.send({event: 'ping'});
		expect(await client.next(isEvent('pong'))).toEqual({event: 'pong'});
	});

	test('pauses a view, and goes on with one sync of it', async () => {
		const [client] = await subscribed([LIVELY, {...LIVELY, name: 'w'}]);
		const pause = (action: string) => ({
			type: 'pulse-v2-pause',
			authorization: target.key,
			payload: {action, views: ['v'], subscriptionId: 's1'},
		});
		client.send(pause('pause'));
		const paused = await client.next(isEvent('paused'));
		expect(paused).toMatchObject({type: 'pulse-v2-pause', views: ['v'], subscriptionId: 's1'});
		const from = client.frames.indexOf(paused);
		await client.next(frame => frame['payload']?.viewName === 'w');
		client.send(pause('unpause'));
		const unpaused = await client.next(isEvent('unpaused'));
		const quiet = client.frames.slice(from, client.frames.indexOf(unpaused));
		expect(quiet.filter(frame => frame['payload']?.viewName === 'v')).toEqual([]);
		const sync = await client.next(isType('sync'));
		expect(Object.keys(sync['payload'])).toEqual(['v']);
		await client.next(frame => frame['payload']?.viewName === 'v');
	});

	test('ends a subscription on request, and responds even without one', async () => {
		const [client] = await subscribed([LIVELY]);
		const end = {type: 'unsubscribe', authorization: target.key, payload: {type: 'pulse-v2', subscriptionId: 's1'}};
		client.send(end);
		const ended = await client.next(isEvent('unsubscribed'));
		expect(ended['subscriptionId']).toBe('s1');
		client.send(end);
		const refused = await client.next(isEvent('error'));
		expect(refused['message'] ?? refused['error']).toContain('No subscription found');
		const after = client.frames.slice(client.frames.indexOf(ended) + 1);
		expect(after.filter(frame => frame['payload'] !== undefined)).toEqual([]);
	});

	test('ends everything when no payload says what', async () => {
		const [client] = await subscribed([LIVELY]);
		client.send({type: 'unsubscribe', authorization: target.key});
		const ended = await client.next(isEvent('unsubscribed'));
		client.send({event: 'ping'});
		await client.next(isEvent('pong'));
		const after = client.frames.slice(client.frames.indexOf(ended) + 1);
		expect(after.filter(frame => frame['payload'] !== undefined)).toEqual([]);
	});

	test('names the field of a bad filter and stays open, also after what is no JSON', async () => {
		const client = await target.stream();
		client.send(subscribe({views: [{name: 'v', filters: {no_such_field: {gt: 1}}}], subscriptionId: 's9'}));
		const refused = await client.next(frame => frame['event'] === 'error');
		expect(refused['message']).toContain('no_such_field');
		expect(refused['subscriptionId']).toBe('s9');
		client.send('this is no JSON');
		await client.next(frame => frame['event'] === 'error');
		client.send(subscribe({assetMode: true, views: [{name: 'v', limit: 1}]}));
		await client.next(isType('init'));
	});

	test('is closed with 4401 after a wrong key', async () => {
		if (!target.key) return;
		const client = await target.stream();
		client.send({...subscribe({}), authorization: 'not-a-key'});
		expect((await client.next(isEvent('error')))['message']).toBe('unauthorized');
		expect((await client.closed).code).toBe(4401);
	});
});
