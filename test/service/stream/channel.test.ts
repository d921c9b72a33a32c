import {once} from 'node:events';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterEach, expect, test} from 'vitest';
import {InvalidRequest} from '../../../source/contract/wire-error.ts';
import {createKeyring} from '../../../source/service/auth.ts';
import {DEFAULT_LIMITS} from '../../../source/service/limits.ts';
import {EntryCache} from '../../../source/service/pulse/entry-cache.ts';
import {PulseEngine} from '../../../source/service/pulse/pulse-engine.ts';
import {createReadiness} from '../../../source/service/readiness.ts';
import type {ChannelRequest, ChannelSubscription, StreamChannel} from '../../../source/service/stream/channel.ts';
import {StreamServer} from '../../../source/service/stream/stream-server.ts';
import {StreamClient} from '../helpers/stream-client.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';

/** A channel that records its requests, and ends on demand. */
class Recorder implements StreamChannel {
	readonly kinds = ['bridge-status'] as const;
	readonly opened: {request: ChannelRequest; subscription: ChannelSubscription}[] = [];
	ended = 0;

	open(request: ChannelRequest, subscription: ChannelSubscription) {
		if (request.kind === 'bridge-status' && request.intentIds.includes('bad'))
			throw new InvalidRequest('intentId', 'is bad');
		this.opened.push({request, subscription});
		subscription.send(JSON.stringify({event: 'subscribed', type: request.kind, subscriptionId: subscription.id}));
		return {
			end: () => {
				this.ended++;
			},
		};
	}
}

let server: Server;
let stream: StreamServer;
let client: StreamClient;

afterEach(async () => {
	await client.close();
	await stream.close();
	server.close();
});

test('a channel is opened for its kind of request, and ended by unsubscribe, by its replacement and by the close', async () => {
	const recorder = new Recorder();
	const market = new TinyMarket();
	server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const context = {
		market,
		entries: new EntryCache(market),
		pulse: new PulseEngine(market),
		keyring: createKeyring(['k']),
		limits: DEFAULT_LIMITS,
		readiness: createReadiness(market, () => undefined),
		auth: true,
	} as unknown as ConstructorParameters<typeof StreamServer>[0];
	stream = new StreamServer(context, {flushMs: 10, syncMs: 60_000, deflate: false, channels: [recorder]});
	stream.attach(server);
	client = await StreamClient.open(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`);
	const ask = (subscriptionId: string, intentId = 'i1') =>
		client.send({type: 'bridge-status', authorization: 'k', payload: {intentId, subscriptionId}});

	ask('a');
	expect(await client.next(() => true)).toEqual({event: 'subscribed', type: 'bridge-status', subscriptionId: 'a'});
	expect(recorder.opened[0]).toMatchObject({request: {intentIds: ['i1']}, subscription: {id: 'a', caller: 'key:0'}});
	ask('a', 'i2');
	await client.next(() => true);
	expect([recorder.opened.length, recorder.ended]).toEqual([2, 1]);
	// The replaced one sends nothing any more.
	recorder.opened[0]!.subscription.send('{"stale":true}');
	recorder.opened[1]!.subscription.send('{"fresh":true}');
	expect(await client.next(() => true)).toEqual({fresh: true});
	ask('b', 'bad');
	expect(await client.next(() => true)).toMatchObject({event: 'error', type: 'bridge-status', subscriptionId: 'b'});
	client.send({type: 'unsubscribe', authorization: 'k', payload: {type: 'bridge-status', subscriptionId: 'a'}});
	expect(await client.next(() => true)).toEqual({event: 'unsubscribed', type: 'bridge-status', subscriptionId: 'a'});
	expect(recorder.ended).toBe(2);
	client.send({event: 'perp-positions-open', authorization: 'k', data: {wallet: '0x1', subscriptionId: 's'}});
	const refused = await client.next(() => true);
	expect(refused).toMatchObject({event: 'error', subscriptionId: 's'});
	expect(refused['message']).toMatch(/does not offer/);
	ask('c');
	await client.next(() => true);
	// As the sibling streams end theirs: by the id alone.
	client.send({event: 'unsubscribe', data: {subscriptionId: 'c'}});
	expect(await client.next(() => true)).toEqual({event: 'unsubscribed', type: 'bridge-status', subscriptionId: 'c'});
	ask('d');
	await client.next(() => true);
	await client.close();
	await expect.poll(() => recorder.ended).toBe(4);
});
