import {afterEach, expect, test} from 'vitest';
import * as z from 'zod';
import type {Client} from '../../../source/client/client.ts';
import {createClient} from '../../../source/client/create-client.ts';
import {startService} from '../../../source/service/server.ts';
import type {ServiceOptions} from '../../../source/service/service-options.ts';
import {ask} from '../../service/helpers/http-client.ts';
import {TinyMarket} from '../../service/helpers/tiny-market.ts';
import {PerverseServer} from '../perverse-server.ts';

/* What a service reports about itself: invented tokens must never be taken for real ones. */

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const close of opened.splice(0).reverse()) await close();
});

async function open(options: ServiceOptions): Promise<Client> {
	const service = await startService(options);
	const client = createClient({baseUrl: service.url, apiKey: service.apiKeys[0]});
	opened.push(service.close, client.close);
	return client;
}

test('the simulated market is reported as simulated, and when its history is loaded', async () => {
	const client = await open({});
	await expect.poll(() => client.facts(), {interval: 50}).toEqual({market: 'simulated', history: 'complete'});
});

test('a service of real tokens says nothing of the kind', async () => {
	expect(await (await open({market: new TinyMarket()})).facts()).toEqual({history: 'complete'});
});

test('while the past is still being read, counts are not final', async () => {
	const client = await open({market: Object.assign(new TinyMarket(), {isFilled: false})});
	expect(await client.facts()).toEqual({history: 'loading'});
});

test('no key is needed, and the contract of the service says so', async () => {
	const service = await startService({market: new TinyMarket()});
	opened.push(service.close);
	expect((await ask(service, 'GET', '/health', {key: ''})).json).toEqual({
		status: 'ok',
		time: expect.stringMatching(/Z$/),
		rows: 0,
		ready: false,
		notReady: 'starting',
		history: 'complete',
	});
	const {json} = await ask(service, 'GET', '/openapi.json', {key: ''});
	expect(json.paths['/health'].get.security).toBeUndefined();
	expect(json.paths['/api/2/pulse'].get.security).toBeDefined();
	// The calls of balancers and monitors, which no client makes.
	for (const [path, key, type] of [
		['/health/live', '', 'application/json'],
		['/health/ready', '', 'application/json'],
		['/metrics', service.apiKeys[0]!, 'text/plain'],
	] as const) {
		const response = await fetch(`${service.url}${path}`, {headers: {authorization: key}});
		const {responses, security} = json.paths[path].get;
		expect([path, security !== undefined]).toEqual([path, key !== '']);
		expect(response.headers.get('content-type')?.split(';')[0]).toBe(type);
		const {schema} = responses[response.status].content[type];
		const text = await response.text();
		const body = type === 'text/plain' ? text : JSON.parse(text);
		expect(z.fromJSONSchema(schema).safeParse(body).error).toBeUndefined();
	}
});

test.each([
	['no such path', undefined],
	['a page', {type: 'text/html', body: '<h1>fine</h1>'}],
	['a word', {type: 'application/json', body: '"ok"'}],
	['words of its own', {type: 'application/json', body: '{"status":"UP","market":"open","history":[]}'}],
])('a foreign service that responds with %s reports nothing', async (_, page) => {
	const server = await PerverseServer.start();
	const client = createClient({baseUrl: server.url});
	opened.push(() => server.stop(), client.close);
	if (page) server.pages.set('/health', page);
	expect(await client.facts()).toEqual({});
});
