import {connect} from 'node:net';
import {afterEach, describe, expect, test} from 'vitest';
import {startService} from '../../../source/service/server.ts';
import {type RunningService, ServiceNotStarted, type ServiceOptions} from '../../../source/service/service-options.ts';
import {ask, expectError} from '../helpers/http-client.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';

let service: RunningService;

async function start(options: Partial<ServiceOptions> = {}): Promise<RunningService> {
	service = await startService({market: new TinyMarket(), apiKeys: ['secret', 'other'], ...options});
	return service;
}

afterEach(() => service.close());

describe('a key', () => {
	test('is accepted raw, after Bearer, and in the query', async () => {
		await start();
		for (const authorization of ['secret', 'Bearer secret', 'bearer secret', 'other']) {
			const response = await fetch(`${service.url}/api/2/pulse`, {headers: {authorization}});
			expect(response.status, authorization).toBe(200);
		}
		expect((await fetch(`${service.url}/api/2/pulse?apiKey=secret`)).status).toBe(200);
	});

	test('that is missing or wrong is refused with 401', async () => {
		await start();
		expectError(await ask(service, 'GET', '/api/2/pulse', {headers: {authorization: ''}, key: ''}), 401, /required/);
		expectError(await ask(service, 'GET', '/api/2/pulse', {key: 'secre'}), 401, /not valid/);
		expectError(await ask(service, 'GET', '/api/2/pulse?apiKey=secret2', {key: ''}), 401, /not valid/);
	});

	test('is generated when none is given, differs from run to run, and is not needed for health', async () => {
		await start({apiKeys: []});
		const [made] = service.apiKeys;
		expect(made).toMatch(/^pt_[\w-]{32}$/);
		expect((await ask(service, 'GET', '/api/2/pulse')).status).toBe(200);
		expect((await ask(service, 'GET', '/health', {key: ''})).json).toMatchObject({status: 'ok'});
		await service.close();
		await start({apiKeys: []});
		expect(service.apiKeys[0]).not.toBe(made);
	});
});

describe('a page in a browser', () => {
	const origin = 'https://page.example';
	const preflight = (path: string) =>
		fetch(service.url + path, {
			method: 'OPTIONS',
			headers: {origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization'},
		});

	test('may request pulse with a key, and read the response and a refusal', async () => {
		await start();
		for (const path of ['/api/2/pulse', '/api/2/pulse/pagination']) {
			const asked = await preflight(path);
			expect(asked.status, path).toBe(204);
			expect(asked.headers.get('access-control-allow-origin')).toBe('*');
			expect(asked.headers.get('access-control-allow-headers')).toContain('authorization');
		}
		for (const [authorization, status] of [
			['secret', 200],
			['wrong', 401],
		] as const) {
			const response = await fetch(`${service.url}/api/2/pulse`, {headers: {origin, authorization}});
			expect(response.status).toBe(status);
			expect(response.headers.get('access-control-allow-origin')).toBe('*');
		}
	});

	test('may request nothing that moves money, and nothing when no key is needed', async () => {
		await start();
		expect((await preflight('/api/2/bridge/execute')).status).toBe(405);
		const quote = await fetch(`${service.url}/api/2/bridge/quote`, {headers: {origin, authorization: 'secret'}});
		expect(quote.headers.has('access-control-allow-origin')).toBe(false);
		await service.close();
		await start({auth: false});
		expect((await preflight('/api/2/pulse')).status).toBe(405);
	});
});

describe('a service without keys', () => {
	test('answers programs of this machine', async () => {
		await start({auth: false});
		expect((await ask(service, 'GET', '/api/2/pulse')).status).toBe(200);
	});

	test('refuses a page of another origin, and a rebound host name', async () => {
		await start({auth: false});
		const evil = await ask(service, 'GET', '/api/2/pulse', {headers: {origin: 'http://evil.example'}});
		expectError(evil, 403, /own machine/);
		const port = Number(new URL(service.url).port);
		const response = await rawRequest(
			port,
			'GET /api/2/pulse HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n',
		);
		expect(response).toMatch(/^HTTP\/1.1 403 /);
	});

	test('does no work for a picture or a link of a page elsewhere, which come without an origin', async () => {
		await start({auth: false});
		const port = Number(new URL(service.url).port);
		const from = (site: string) =>
			rawRequest(
				port,
				`GET /api/2/pulse HTTP/1.1\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: ${site}\r\nConnection: close\r\n\r\n`,
			);
		expect(await from('cross-site')).toMatch(/^HTTP\/1.1 403 /);
		for (const site of ['none', 'same-origin']) expect(await from(site), site).toMatch(/^HTTP\/1.1 200 /);
	});

	test('never listens beyond this machine', async () => {
		await start();
		const started = startService({market: new TinyMarket(), auth: false, host: '0.0.0.0'});
		await expect(started).rejects.toThrow('A service without keys must stay on this machine');
	});
});

describe('limits', () => {
	test('limit a caller that requests too often, and say when to retry', async () => {
		await start({limits: {requestsPerSecond: 0.001, requestBurst: 3}});
		const answers = [];
		for (let i = 0; i < 4; i++) answers.push(await ask(service, 'GET', '/api/2/pulse'));
		expect(answers.map(a => a.status)).toEqual([200, 200, 200, 429]);
		expect(answers.map(a => a.headers.get('x-ratelimit-remaining'))).toEqual(['2', '1', '0', '0']);
		expectError(answers[3]!, 429, 'Too many requests');
		// A token comes after 1000 s; a part of it has come by now.
		const retryAfterS = Number(answers[3]!.headers.get('retry-after'));
		expect(retryAfterS).toBeGreaterThan(500);
		expect(retryAfterS).toBeLessThanOrEqual(1000);
		expect(answers[3]!.headers.get('x-ratelimit-limit')).toBe('3');
		const resetS = Number(answers[3]!.headers.get('x-ratelimit-reset'));
		expect(resetS - Date.now() / 1000).toBeGreaterThan(500);
		expect((await ask(service, 'GET', '/api/2/pulse', {key: 'other'})).status).toBe(200);
	});

	test('refuse a body that is too large', async () => {
		await start({limits: {bodyBytes: 1000}});
		const response = await ask(service, 'POST', '/api/2/pulse', {body: {views: [{name: 'x'.repeat(2000)}]}});
		expectError(response, 413, 'The body is too large');
	});

	test('refuse a body that is nested too deeply, however it is done', async () => {
		await start();
		const deep = `{"views":[{"name":"v","filters":${'{"NOT":'.repeat(60)}{}${'}'.repeat(60)}}]}`;
		expectError(await ask(service, 'POST', '/api/2/pulse', {body: deep}), 400, /nested/);
		const bomb = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
		expectError(await ask(service, 'POST', '/api/2/pulse', {body: bomb}), 400, /nested/);
		const inText = JSON.stringify(`${'{"NOT":'.repeat(5000)}{}${'}'.repeat(5000)}`);
		const response = await ask(service, 'POST', '/api/2/pulse', {body: `{"views":[{"name":"v","filters":${inText}}]}`});
		expectError(response, 400, /views\[0\]\.filters/);
	});

	test('end a request that drips in', async () => {
		await start({limits: {requestMs: 300}});
		const port = Number(new URL(service.url).port);
		expect(await rawRequest(port, 'POST /api/2/pulse HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ')).toMatch(
			/^HTTP\/1.1 408 /,
		);
	});
});

describe('a request', () => {
	test('must have an object as its body, or none', async () => {
		await start();
		for (const path of ['/api/2/pulse', '/api/2/pulse/pagination']) {
			for (const body of ['null', '[]', '3', '"x"', 'true'])
				expectError(await ask(service, 'POST', path, {body}), 400, /must be an object/);
			expect((await ask(service, 'POST', path, {body: '{}'})).status).toBe(200);
			expect((await ask(service, 'POST', path)).status).toBe(200);
		}
	});

	test('names a host, which is written into answers', async () => {
		const market = new TinyMarket();
		market.add({address: '0xaa', chain_id: 'evm:1', latest_price: 1, created_at: market.time});
		await start({market});
		const port = Number(new URL(service.url).port);
		const sparkline = async (host: string) => {
			const path = '/api/1/market/sparkline?asset=0xaa&blockchain=evm:1&apiKey=secret';
			return rawRequest(port, `GET ${path} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
		};
		for (const host of ['evil.example"><script>', 'a b', 'user@host', 'host/path', 'x:99999999', "it's"])
			expect(await sparkline(`Host: ${host}\r\n`), host).toMatch(/^HTTP\/1.1 400 [\s\S]*the name of a host/);
		expect(await sparkline('Host: prices.example:8080\r\n')).toContain('{"url":"http://prices.example:8080/sparkline/');
		expect(await sparkline('Host: [::1]:81\r\n')).toContain('{"url":"http://[::1]:81/sparkline/');
	});
});

const HEALTH = 'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n';

describe('a connection', () => {
	const port = () => Number(new URL(service.url).port);

	test('that says nothing, or drips in its body, is ended', async () => {
		await start({limits: {requestMs: 300}});
		const head =
			'POST /api/2/pulse HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: secret\r\nContent-Type: application/json\r\n';
		const answers = [rawRequest(port(), ''), rawRequest(port(), `${head}Content-Length: 50\r\n\r\n{"views"`)];
		for (const response of await Promise.all(answers)) expect(response).toMatch(/^(HTTP\/1.1 408 |$)/);
	});

	test('whose answers are not read is ended', async () => {
		const market = new TinyMarket();
		for (let i = 0; i < 100; i++) market.add({address: `0x${i}`, description: 'x'.repeat(20_000), created_at: i});
		await start({market, limits: {idleMs: 400, openConnections: 1}});
		const socket = connect(port(), '127.0.0.1');
		socket.on('error', () => {});
		const body = '{"assetMode":true,"views":[{"name":"v","limit":100}]}';
		const request =
			'POST /api/2/pulse HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: secret\r\nContent-Type: application/json\r\n' +
			`Content-Length: ${body.length}\r\n\r\n${body}`;
		socket.write(request.repeat(20));
		// No other connection is accepted before it has closed.
		expect(await rawRequest(port(), HEALTH)).toBe('');
		await expect.poll(() => rawRequest(port(), HEALTH)).toMatch(/^HTTP\/1.1 200 /);
		socket.destroy();
	});

	test('is closed at once when there are too many, and accepted again when others have closed', async () => {
		await start({limits: {openConnections: 2}});
		const held = [1, 2].map(() => connect(port(), '127.0.0.1'));
		await Promise.all(held.map(socket => new Promise(resolve => socket.once('connect', resolve))));
		expect(await rawRequest(port(), HEALTH)).toBe('');
		for (const socket of held) socket.destroy();
		await expect.poll(() => rawRequest(port(), HEALTH)).toMatch(/^HTTP\/1.1 200 /);
	});
});

describe('a request that does not fit', () => {
	test('gets 404 for an unknown route and 405 for a wrong method', async () => {
		await start();
		expectError(await ask(service, 'POST', '/api/2/nothing', {body: {}}), 404, 'Cannot POST /api/2/nothing');
		const response = await ask(service, 'DELETE', '/api/2/pulse');
		expectError(response, 405, 'Cannot DELETE /api/2/pulse');
		expect(response.headers.get('allow')).toMatch(/POST/);
	});

	test('gets 400 for a body that is no JSON and 415 for another type', async () => {
		await start();
		expectError(await ask(service, 'POST', '/api/2/pulse', {body: '{"views":'}), 400, 'Body is not valid JSON');
		const response = await ask(service, 'POST', '/api/2/pulse', {body: 'a=b', headers: {'content-type': 'text/plain'}});
		expectError(response, 415, /application\/json/);
	});

	test('that is no HTTP at all gets 400 and leaves the service well', async () => {
		await start();
		const port = Number(new URL(service.url).port);
		expect(await rawRequest(port, 'NONSENSE\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
		expect((await ask(service, 'GET', '/health')).status).toBe(200);
	});
});

test('a port that is taken is said to be taken', async () => {
	await start();
	const port = Number(new URL(service.url).port);
	const second = startService({market: new TinyMarket(), port});
	await expect(second).rejects.toThrow(ServiceNotStarted);
	await expect(second).rejects.toMatchObject({why: `port ${port} is already in use`});
});

/** Sends bytes and gives everything that comes back until the other side closes. */
function rawRequest(port: number, text: string): Promise<string> {
	return new Promise((resolve, reject) => {
		const socket = connect(port, '127.0.0.1', () => socket.write(text));
		let response = '';
		socket.setEncoding('utf8');
		socket.on('data', chunk => {
			response += chunk;
		});
		socket.on('close', () => resolve(response));
		socket.on('error', error => ('code' in error && error.code === 'ECONNRESET' ? resolve(response) : reject(error)));
	});
}
