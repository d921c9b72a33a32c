import {afterEach, beforeEach, expect, test} from 'vitest';
import type {Client} from '../../../source/client/client.ts';
import {createClient} from '../../../source/client/create-client.ts';
import {startService} from '../../../source/service/server.ts';
import type {RunningService} from '../../../source/service/service-options.ts';
import {TinyMarket} from '../../service/helpers/tiny-market.ts';
import {PerverseServer} from '../perverse-server.ts';

let market: TinyMarket;
let service: RunningService;
let client: Client;

beforeEach(async () => {
	market = new TinyMarket();
	for (let i = 1; i <= 25; i++)
		market.add({address: `0x${String(i).padStart(40, '0')}`, symbol: `T${i}`, source: 'pumpfun', market_cap: 1000 - i});
	service = await startService({market});
	client = createClient({baseUrl: service.url, apiKey: service.apiKeys[0]});
});

afterEach(async () => {
	await client.close();
	await service.close();
});

const symbols = async (offset: number, more: object = {}) => {
	const {entries, size} = await client.fetchPage({sortBy: 'market_cap', sortOrder: 'desc', limit: 10, offset, ...more});
	return {symbols: entries.map(({symbol}) => symbol), size};
};

test('pages follow each other in the order of the view, the last is shorter, and none follows it', async () => {
	const pages = await Promise.all([0, 10, 20, 30].map(offset => symbols(offset)));
	expect(pages.flatMap(page => page.symbols)).toEqual(Array.from({length: 25}, (_, i) => `T${i + 1}`));
	expect(pages.map(({size}) => size)).toEqual([10, 10, 5, 0]);
});

test('a filter that the service does not know is applied here, and the page says how long it was', async () => {
	const server = await PerverseServer.start();
	const lax = createClient({baseUrl: server.url, apiKey: 'k'});
	for (const [address, market_cap] of [
		['0xa', 10],
		['0xb', 90],
	] as const)
		server.view('page').set(address, {address, market_cap});
	const page = await lax.fetchPage({limit: 10, offset: 10, filters: {market_cap: {lte: 50}}});
	expect(page.entries.map(({market_cap}) => market_cap)).toEqual([10]);
	expect(page.size).toBe(2);
	await lax.close();
	await server.stop();
});

test('the request is the one of the specification: POST, asset mode, one view with limit and offset', async () => {
	const server = await PerverseServer.start();
	const asked = createClient({baseUrl: server.url, apiKey: 'k'});
	const view = {model: 'new', sortBy: 'created_at', sortOrder: 'desc', limit: 60, offset: 40} as const;
	await asked.fetchPage(view).catch(() => undefined);
	const [request] = server.requests.filter(({path}) => path === '/api/2/pulse');
	expect(request!.method).toBe('POST');
	expect(JSON.parse(request!.body)).toEqual({assetMode: true, views: [{...view, name: 'page'}]});
	await asked.close();
	await server.stop();
});

test('an unreachable service rejects with the text for that', async () => {
	await service.close();
	await expect(symbols(0)).rejects.toMatchObject({code: 'service-unreachable'});
});
