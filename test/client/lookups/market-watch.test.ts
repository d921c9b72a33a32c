import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import {afterEach, expect, test} from 'vitest';
import {type WebSocket, WebSocketServer} from 'ws';
import {createAddresses} from '../../../source/client/addresses.ts';
import {createClient} from '../../../source/client/create-client.ts';
import {createMarketWatch, type MarketQuote, type MarketWatch} from '../../../source/client/lookups/market-watch.ts';
import {startService} from '../../../source/service/server.ts';
import {TinyMarket} from '../../service/helpers/tiny-market.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
	for (const end of ends.splice(0).toReversed()) await end();
});

interface Said {
	readonly event: string;
	readonly data: {readonly marketId?: string; readonly subscriptionId: string; readonly authorization?: string};
}

/** A service that sends only what a test sends, and records what it receives on each connection. */
async function openServer() {
	const server = new WebSocketServer({port: 0, host: '127.0.0.1'});
	await once(server, 'listening');
	const sockets: WebSocket[] = [];
	const said: Said[][] = [];
	server.on('connection', socket => {
		const frames: Said[] = [];
		sockets.push(socket);
		said.push(frames);
		socket.on('message', data => void frames.push(JSON.parse(String(data))));
	});
	ends.push(() => {
		for (const socket of sockets) socket.terminate();
		server.close();
	});
	const quotes: MarketQuote[] = [];
	const addresses = createAddresses({baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`});
	const watch: MarketWatch = createMarketWatch({addresses, apiKey: 'k', onQuote: quote => void quotes.push(quote)});
	ends.push(() => watch.close());
	return {sockets, said, quotes, watch};
}

const one = {platform: 'p', marketId: 'one'};
const two = {platform: 'p', marketId: 'two'};
const price = (said: Said, priceUSD: unknown, outcomeId: unknown = 'yes') =>
	JSON.stringify({event: 'pm-market-price', subscriptionId: said.data.subscriptionId, outcomeId, priceUSD});

test('each market is subscribed once and unsubscribed when unused, and prices go to their market', async () => {
	const {sockets, said, quotes, watch} = await openServer();
	expect(watch.isLive()).toBe(false);
	watch.setMarkets([one, two]);
	await expect.poll(() => said[0]?.length).toBe(2);
	expect(said[0]![0]).toEqual({
		event: 'pm-market-price',
		data: {...one, subscriptionId: expect.any(String), authorization: 'k'},
	});
	watch.setMarkets([two, one]);
	const [first, second] = said[0] as [Said, Said];
	sockets[0]!.send(price(first, 0.5));
	await expect.poll(() => quotes).toEqual([{...one, outcomeId: 'yes', priceUSD: 0.5}]);
	expect(watch.isLive()).toBe(false);
	for (const frame of ['no json', '[]', price(first, 'much'), price(second, 1, 7), '{"event":"pm-market-price"}'])
		sockets[0]!.send(frame);
	sockets[0]!.send(JSON.stringify({event: 'subscribed', subscriptionId: second.data.subscriptionId}));
	await expect.poll(() => watch.isLive()).toBe(true);
	expect(quotes).toHaveLength(1);

	watch.setMarkets([two]);
	await expect
		.poll(() => said[0]!.at(-1))
		.toEqual({
			event: 'unsubscribe',
			data: {subscriptionId: first.data.subscriptionId},
		});
	// Prices that were on their way when the watch ended reach no caller.
	sockets[0]!.send(price(first, 0.6));
	sockets[0]!.send(price(second, 0.7));
	await expect.poll(() => quotes.at(-1)).toEqual({...two, outcomeId: 'yes', priceUSD: 0.7});
	expect(quotes).toHaveLength(2);
	watch.setMarkets([]);
	await expect.poll(() => sockets[0]!.readyState).toBe(sockets[0]!.CLOSED);
});

test('after a cut connection the watch is not live, and subscribes again to the current markets', async () => {
	const {sockets, said, quotes, watch} = await openServer();
	watch.setMarkets([one]);
	await expect.poll(() => said[0]?.length).toBe(1);
	sockets[0]!.send(price(said[0]![0]!, 0.5));
	await expect.poll(() => watch.isLive()).toBe(true);
	sockets[0]!.terminate();
	await expect.poll(() => watch.isLive()).toBe(false);
	watch.setMarkets([two]);
	await expect.poll(() => said[1]?.length).toBe(1);
	expect(said[1]![0]!.data.marketId).toBe('two');
	sockets[1]!.send(price(said[1]![0]!, 0.2));
	await expect.poll(() => quotes.at(-1)).toMatchObject({marketId: 'two', priceUSD: 0.2});
	expect(watch.isLive()).toBe(true);
});

test('the service sends the prices of a market as trades move them', async () => {
	const market = new TinyMarket();
	market.time = Date.UTC(2026, 10, 21, 9, 20);
	const service = await startService({market});
	ends.push(() => service.close());
	const {url: baseUrl, streamUrl, apiKeys} = service;
	const client = createClient({baseUrl, streamUrl, apiKey: apiKeys[0]!});
	ends.push(() => client.close());
	const {data} = await client.call('marketSearch', {query: {query: 'hourly bitcoin', status: 'active', limit: 1}});
	const {platform, marketId, outcomes} = data[0]!;
	const prices = new Map<string, number>();
	const watch = client.watchMarkets(quote => void prices.set(quote.outcomeId, quote.priceUSD))!;
	watch.setMarkets([{platform, marketId}]);
	const now = () => outcomes.map(({outcomeId}) => prices.get(outcomeId));
	await expect.poll(now).toEqual(outcomes.map(({priceUSD}) => priceUSD));
	expect(watch.isLive()).toBe(true);
	market.time += 5 * 60_000;
	const details = await client.call('marketDetails', {query: {platform, marketId}});
	const moved = details.data.outcomes.map(({priceUSD}) => priceUSD);
	expect(moved).not.toEqual(outcomes.map(({priceUSD}) => priceUSD));
	await expect.poll(now).toEqual(moved);
	const {watchMarkets} = createClient({baseUrl, streamUrl: null});
	expect(watchMarkets(() => {})).toBeUndefined();
});
