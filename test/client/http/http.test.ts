import {gzipSync} from 'node:zlib';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {BadAddress} from '../../../source/client/addresses.ts';
import type {Client, ClientOptions} from '../../../source/client/client.ts';
import {createClient} from '../../../source/client/create-client.ts';
import {readViews} from '../../../source/commands/feed/once.ts';
import {explain, PulsetopError} from '../../../source/errors.ts';
import {steadyNow} from '../../../source/steady-clock.ts';
import {fc} from '../../helpers/properties.ts';
import {PerverseServer} from '../perverse-server.ts';

let server: PerverseServer;
let clients: Client[] = [];

beforeEach(async () => {
	server = await PerverseServer.start();
});

afterEach(async () => {
	for (const client of clients) await client.close();
	clients = [];
	await server.stop();
});

function open(options: Partial<ClientOptions> = {}): Client {
	const client = createClient({baseUrl: server.url, ...options});
	clients.push(client);
	return client;
}

const json = (body: unknown) => ({type: 'application/json', body: JSON.stringify(body)});
const failure = (promise: Promise<unknown>) =>
	promise.then(
		() => undefined,
		(error: unknown) => error,
	);

describe('a call', () => {
	test('fills in path, query and body, and sends the key', async () => {
		server.pages.set('/api/2/bridge/status/a%2Fb', json({data: {status: 'pending'}}));
		const client = open({apiKey: 'k-1234'});
		expect(await client.call('bridgeStatus', {params: {intentId: 'a/b'}})).toMatchObject({data: {status: 'pending'}});
		server.pages.set('/api/2/pulse', json({}));
		await client.call('pulseDefault', {query: {assetMode: true, chainId: ['evm:8453', 'evm:56']}});
		await client.call('pulse', {body: {views: [{name: 'x'}]}});
		expect(server.requests.map(({method, path}) => `${method} ${path}`)).toEqual([
			'GET /api/2/bridge/status/a%2Fb',
			'GET /api/2/pulse?assetMode=true&chainId=evm%3A8453&chainId=evm%3A56',
			'POST /api/2/pulse',
		]);
		expect(server.requests.map(({headers}) => headers.authorization)).toEqual([
			'Bearer k-1234',
			'Bearer k-1234',
			'Bearer k-1234',
		]);
		expect(JSON.parse(server.requests[2]!.body)).toEqual({views: [{name: 'x'}]});
	});

	test('of GET pulse is read with its envelope and without one', async () => {
		const views = {new: {data: [{address: '0xab', chainId: 'evm:1'}]}};
		const client = open();
		for (const response of [{type: 'sync', payload: views}, {payload: views}, views]) {
			server.pages.set('/api/2/pulse', json(response));
			expect(await client.call('pulseDefault', {query: {}})).toEqual({type: 'sync', payload: views});
		}
	});

	test('cut at any byte gives the whole answer or a failure with a name, never a part', async () => {
		server.put('token', {address: '0xab', market_cap: 7});
		const client = open();
		await fc.assert(
			fc.asyncProperty(fc.integer({min: 0, max: 200}), async afterBytes => {
				for (let i = 0; i < 3; i++) server.httpFaults.push({fault: {kind: 'cut', afterBytes}});
				const outcome = await client
					.call('pulse', {body: {views: [{name: 'token'}]}}, {timeoutMs: 5_000})
					.catch((error: unknown) => error);
				server.httpFaults.length = 0;
				if (outcome instanceof PulsetopError) expect(outcome.code).toBe('service-unreachable');
				else expect(outcome).toMatchObject({token: {data: [{address: '0xab', market_cap: 7}]}});
			}),
			{numRuns: 20},
		);
	});

	test('under a base address with a path stays under it', async () => {
		server.pages.set('/proxy/api/1/system-metadata', json({data: {poolTypes: [], chains: [], factories: []}}));
		await open({baseUrl: `${server.url}/proxy/`}).call('systemMetadata', {});
		expect(server.requests[0]?.path).toBe('/proxy/api/1/system-metadata');
	});

	test('reads an answer with and without its wrapper, and lets unknown fields pass', async () => {
		const metadata = {poolTypes: ['pumpfun'], chains: [{id: 'evm:8453', name: 'Base'}], factories: [], novelty: 1};
		for (const body of [{data: metadata}, metadata, {payload: {data: metadata}}]) {
			server.pages.set('/api/1/system-metadata', json(body));
			expect(await open().call('systemMetadata', {})).toMatchObject({data: {poolTypes: ['pumpfun']}});
		}
	});

	test('cleans what will be shown, and leaves what will be signed as it came', async () => {
		const hostile = 'x\u001b[31m\u202ey';
		server.pages.set('/api/1/system-metadata', json({data: {poolTypes: [hostile], chains: [], factories: []}}));
		expect((await open().call('systemMetadata', {})).data.poolTypes).toEqual(['x\uFFFDy']);
		const payloadStr = '{"action":"cancel-order",  "note":"\\u001b"}';
		server.pages.set(
			'/api/2/perp/payloads/cancel-order',
			json({data: {action: 'cancel-order', dex: 'dexA', chainId: 'evm:42161', transport: 'evm-tx', payloadStr}}),
		);
		const {data} = await open().call('perpCancelOrder', {
			body: {timestamp: 1, signature: '0x', dex: 'dexA', chainId: 'evm:42161', orderIndex: '1', orderType: 'order'},
		});
		expect(data.payloadStr).toBe(payloadStr);
	});

	test('unpacks what a proxy has packed, and refuses a bomb', async () => {
		const body = JSON.stringify({data: {poolTypes: ['a'], chains: [], factories: []}});
		const packed = (text: string) =>
			Buffer.concat([
				Buffer.from('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n'),
				gzipSync(text),
			]);
		server.httpFaults.push({fault: {kind: 'raw', bytes: packed(body)}});
		expect((await open().call('systemMetadata', {})).data.poolTypes).toEqual(['a']);
		server.httpFaults.push({fault: {kind: 'raw', bytes: packed(' '.repeat(5_000_000))}});
		expect(await failure(open({maxResponseBytes: 100_000}).call('systemMetadata', {}))).toMatchObject({
			code: 'wrong-answer',
		});
		server.httpFaults.push({fault: {kind: 'raw', bytes: packed(body).subarray(0, -12)}});
		expect(await failure(open().call('systemMetadata', {}))).toMatchObject({
			code: expect.stringMatching(/wrong-answer|service-unreachable/),
		});
	});
});

describe('a read that fails', () => {
	test('is retried after 503 and after a cut connection, until it succeeds', async () => {
		server.pages.set('/api/1/system-metadata', json({data: {poolTypes: [], chains: [], factories: []}}));
		server.httpFaults.push({fault: {kind: 'answer', status: 503}}, {fault: {kind: 'cut', afterBytes: 20}});
		await open().call('systemMetadata', {});
		expect(server.requests).toHaveLength(3);
	});

	test('waits for the Retry-After of 429', async () => {
		server.pages.set('/api/1/system-metadata', json({data: {poolTypes: [], chains: [], factories: []}}));
		server.httpFaults.push({fault: {kind: 'answer', status: 429, headers: {'retry-after': '1'}}});
		const startedMs = performance.now();
		await open().call('systemMetadata', {});
		expect(performance.now() - startedMs).toBeGreaterThanOrEqual(990);
	});

	test('fails at once when the wait is too long for a person', async () => {
		server.httpFault = {kind: 'answer', status: 429, headers: {'retry-after': '3600'}};
		expect(await failure(open().call('systemMetadata', {}))).toMatchObject({
			code: 'rate-limited',
			retryAfterMs: 3_600_000,
		});
		expect(server.requests).toHaveLength(1);
	});

	test('is not retried after a refusal', async () => {
		server.httpFault = {
			kind: 'answer',
			status: 400,
			body: '{"statusCode":400,"message":["a is wrong","b too"],"error":"Bad Request"}',
		};
		expect(await failure(open().call('systemMetadata', {}))).toMatchObject({
			code: 'service-refused',
			status: 400,
			said: 'a is wrong; b too',
			next: 'fix-input',
		});
		expect(server.requests).toHaveLength(1);
	});

	test.each([
		['https://127.0.0.1/api/2/pulse', 'Write https:// in place of http:// in the address.'],
		['https://elsewhere.test/', 'Configure the address that the service has now.'],
		['http://127.0.0.1/', 'Configure the address that the service has now.'],
		['/login', 'Configure the address that the service has now.'],
		['https://%', 'Configure the address that the service has now.'],
	])('that is sent on to %s follows nothing, and says what to write', async (location, advice) => {
		server.httpFault = {kind: 'answer', status: 308, headers: {location}};
		expect(await failure(open().call('systemMetadata', {}))).toMatchObject({status: 308, advice});
		expect(server.requests).toHaveLength(1);
	});

	test('to what is no such service advises to look at the address', async () => {
		for (const body of ['<!doctype html><p>Welcome', 'hello', '']) {
			server.pages.set('/api/2/pulse', {type: 'text/html', body});
			const feed = readViews(open({streamUrl: null}), {assetMode: true, views: {new: {model: 'new'}}}, {totals: false});
			expect(await failure(feed)).toMatchObject({
				code: 'wrong-answer',
				advice: expect.stringMatching(/^Check the address/),
			});
		}
	});

	test('ends at once when it is aborted', async () => {
		server.httpFault = {kind: 'hang'};
		const controller = new AbortController();
		const call = failure(open({timeoutMs: 60_000}).call('systemMetadata', {}, {signal: controller.signal}));
		controller.abort(new Error('not wanted'));
		expect(await call).toMatchObject({message: 'not wanted'});
	});

	test('ends when the client is closed', async () => {
		server.httpFault = {kind: 'hang'};
		const client = open({timeoutMs: 60_000});
		const call = failure(client.call('systemMetadata', {}));
		await client.close();
		expect(await call).toMatchObject({code: 'service-unreachable', sent: 'no'});
	});
});

describe('a call that must not be made twice', () => {
	const execute = (client: Client, timeoutMs?: number) =>
		client.call(
			'bridgeExecute',
			{
				body: {
					originChainId: 'evm:8453',
					intentId: 'abcdefg-hijklmn-opq',
					authority: `0x${'1'.repeat(40)}`,
					calls: [{to: `0x${'2'.repeat(40)}`, value: '0', data: '0x'}],
					batchNonce: '1',
					deadline: '1',
					gasToken: `0x${'3'.repeat(40)}`,
					minBalance: '1',
					batchSignature: `0x${'4'.repeat(130)}`,
				},
			} as never,
			timeoutMs === undefined ? {} : {timeoutMs},
		);

	test.each([
		['hang', {kind: 'hang'}, 'service-timeout'],
		['a cut head', {kind: 'cut', afterBytes: 5}, 'service-unreachable'],
		['a cut body', {kind: 'cut', afterBytes: 130}, 'service-unreachable'],
		['a page', {kind: 'answer', status: 200, body: '<html>'}, 'wrong-answer'],
		['an answer without what was promised', {kind: 'answer', status: 200, body: '{"data":{}}'}, 'wrong-answer'],
	] as const)('is sent once, and after %s the status must be read first', async (_name, fault, code) => {
		server.httpFault = fault;
		const client = open();
		expect(await failure(execute(client, fault.kind === 'hang' ? 400 : undefined))).toMatchObject({
			code,
			next: 'poll-status',
		});
		expect(server.requests).toHaveLength(1);
	});

	test('that could not connect may be made again', async () => {
		const client = open();
		await server.stop();
		expect(await failure(execute(client))).toMatchObject({
			code: 'service-unreachable',
			sent: 'no',
			next: 'retry-later',
		});
		await server.listen();
	});

	test.each([
		[400, 'requote'],
		[409, 'poll-status'],
		[502, 'retry-same'],
		[503, 'retry-later'],
		[504, 'poll-status'],
	])('and was refused with %i says what to do next (spec 7)', async (status, next) => {
		server.httpFault = {kind: 'answer', status, body: '{"error":"no","intentId":"x"}'};
		expect(await failure(execute(open()))).toMatchObject({code: 'service-refused', status, said: 'no', next});
		expect(server.requests).toHaveLength(1);
	});

	test('never rides on a kept connection', async () => {
		const client = open();
		server.pages.set(
			'/api/2/bridge/execute',
			json({data: {intentId: 'i', status: 'pending', depositTxHash: '0x', sponsoredGasLimit: '1', message: 'm'}}),
		);
		await failure(execute(client));
		expect(server.requests[0]?.headers.connection).toBe('close');
	});
});

describe('the text of a failure', () => {
	test('contains no address, no key and no markup, with any response of the service', async () => {
		const said = [
			'see https://evil.example/x?apiKey=k-secret-9',
			'key k-secret-9 is bad',
			'<b>no</b>',
			'apiKey=other',
			'\u001b]0;x\u0007no',
		];
		for (const message of said) {
			server.httpFaults.push({fault: {kind: 'answer', status: 400, body: JSON.stringify({message})}});
			const words = explain(await failure(open({apiKey: 'k-secret-9'}).call('systemMetadata', {})));
			expect(JSON.stringify(words)).not.toMatch(/k-secret-9|https?:|127\.0|other|\\u001b|<b>/);
		}
	});

	test('distinguishes a malformed address from a service that is unavailable', () => {
		expect(() => createClient({baseUrl: 'localhost:4010'})).toThrow(BadAddress);
		expect(() => createClient({baseUrl: 'http://x', streamUrl: 'ftp://x'})).toThrow(BadAddress);
	});
});

test('the clock learns the time of the service from its answers', async () => {
	server.httpFault = {
		kind: 'answer',
		status: 200,
		headers: {date: new Date(steadyNow() + 3_600_000).toUTCString()},
		body: '{}',
	};
	const client = open();
	expect(client.clock.uncertaintyMs).toBeUndefined();
	await failure(client.call('systemMetadata', {}));
	expect(Math.abs(client.clock.skewMs - 3_600_000)).toBeLessThan(30_000);
	expect(client.clock.nowMs()).toBeGreaterThan(steadyNow() + 3_570_000);
});
