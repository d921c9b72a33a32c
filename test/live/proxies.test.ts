import {readFileSync} from 'node:fs';
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import {createServer as createHttpsServer} from 'node:https';
import tls from 'node:tls';
import {afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi} from 'vitest';
import {WebSocketServer} from 'ws';
import {trustCaFile} from '../../source/ca-file.ts';
import {createAddresses} from '../../source/client/addresses.ts';
import {createClock} from '../../source/client/clock.ts';
import {createHttp, type Http} from '../../source/client/http/http.ts';
import {openSocket} from '../../source/client/stream/socket.ts';
import {explain, reasonOf} from '../../source/errors.ts';
import {createHttpTransport} from '../../source/rpc/http-transport.ts';
import {createJsonRpc} from '../../source/rpc/json-rpc.ts';
import {createSolanaNode} from '../../source/rpc/solana/node.ts';
import {createWsTransport} from '../../source/rpc/ws-transport.ts';
import {createMetadataFetch} from '../../source/service/follow/metadata-fetch.ts';
import {openLogStream} from '../../source/service/follow/solana/log-stream.ts';
import {createPoster} from '../../source/service/webhook/poster.ts';
import {createChainReader} from '../../source/trading/chain-reader.ts';
import {holdTimeouts} from '../helpers/held-timeouts.ts';
import {freePort, listenOnLoopback} from '../helpers/loopback.ts';
import {PATIENCE_MS} from '../helpers/patience.ts';
import {startProxy} from '../helpers/test-proxy.ts';
import {until} from '../helpers/until.ts';

/*
 * Real proxies before real services and nodes, under names that only a proxy of these tests knows: nothing that connects
 * directly can reach them.
 */

const fixture = (name: string) => new URL(`../fixtures/${name}`, import.meta.url).pathname;
const CERTIFICATE = fixture('company-certificate.pem');
const TLS = {cert: readFileSync(CERTIFICATE, 'utf8'), key: readFileSync(fixture('company-key.pem'), 'utf8')};
const HOST = 'service.company.test';

type Scheme = 'http' | 'https';
/** Requests that a service got. */
const got: string[] = [];
const ports = {} as Record<Scheme, number>;
const closers: (() => Promise<void>)[] = [];
const trusted = tls.getCACertificates('default');

beforeAll(async () => {
	for (const [scheme, server] of [
		['http', createServer(serve)],
		['https', createHttpsServer(TLS, serve)],
	] as const) {
		serveSockets(server);
		const {port, close} = await listenOnLoopback(server as Server);
		ports[scheme] = port;
		closers.push(close);
	}
	trustCaFile(CERTIFICATE);
});
afterAll(async () => {
	tls.setDefaultCACertificates(trusted);
	delete process.env['PULSETOP_CA_FILE'];
	for (const close of closers) await close();
});
beforeEach(() => {
	got.length = 0;
	for (const name of ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy']) {
		vi.stubEnv(name, undefined);
		vi.stubEnv(name.toUpperCase(), undefined);
	}
	onTestFinished(() => void vi.unstubAllEnvs());
});

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	got.push(`${request.method} ${request.url} ${request.headers.host}`);
	expect(request.headers['proxy-authorization']).toBeUndefined();
	response.setHeader('content-type', 'application/json');
	response.end(JSON.stringify(answerTo(Buffer.concat(chunks).toString() || '{}')));
}

function serveSockets(server: object): void {
	const sockets = new WebSocketServer({server: server as Server});
	sockets.on('connection', (socket, request) => {
		got.push(`GET ${request.url} ${request.headers.host}`);
		socket.send('{"hello":true}');
		socket.on('message', data => socket.send(JSON.stringify(answerTo(String(data)))));
	});
}

/** Of a node of chain 1; for Solana the number of a subscription. */
function answerTo(text: string): unknown {
	const {id, method} = JSON.parse(text) as {id?: number; method?: string};
	return {jsonrpc: '2.0', id, result: String(method).endsWith('Subscribe') ? 7 : '0x1'};
}

const forHttp = (baseUrl: string): Http => {
	const addresses = createAddresses({baseUrl, streamUrl: null});
	const http = createHttp({
		addresses,
		apiKey: undefined,
		clock: createClock(),
		timeoutMs: PATIENCE_MS,
		maxBytes: 10_000,
		secrets: [],
	});
	onTestFinished(() => http.close());
	return http;
};
const wire = (url: URL) => ({url, deadlineMs: PATIENCE_MS, maxBytes: 10_000, received: () => {}});
const asSocket = (address: string) => new URL(address.replace('http', 'ws'));
const CALL = {jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: []} as const;

/** Everything that connects to a service or a node: reads something once, and gives it. */
const CALLERS: Readonly<Record<string, (address: string) => Promise<unknown>>> = {
	'requests to a service': address =>
		forHttp(address)
			.json({method: 'GET', path: '/a?b=c', retry: 'read', attempts: 1})
			.then(({body}) => body),
	'money requests to a service': address =>
		forHttp(address)
			.json({method: 'POST', path: '/pay', body: {}, retry: 'never'})
			.then(({body}) => body),
	'the stream of a service': async address => {
		const {promise, resolve, reject} = Promise.withResolvers<unknown>();
		const socket = openSocket(
			{url: asSocket(address), apiKey: 'a-key', connectMs: PATIENCE_MS, silenceMs: PATIENCE_MS},
			{onOpen() {}, onText: resolve, onActivity() {}, onEnd: ({error}) => reject(error)},
		);
		return promise.finally(() => socket.close());
	},
	'the node of a wallet': address =>
		createChainReader({urlOf: () => address, timeoutMs: PATIENCE_MS}).request('evm:1', 'eth_x', []),
	'an external node of the service': address => {
		const rpc = createJsonRpc(() => address, {timeoutMs: PATIENCE_MS});
		return rpc.call('eth_chainId').finally(() => rpc.close());
	},
	'a followed node over HTTP': address => {
		const transport = createHttpTransport(wire(new URL(address)));
		return transport.send(CALL).finally(() => transport.close());
	},
	'a followed node over a websocket': address => {
		const transport = createWsTransport(wire(asSocket(address)));
		return transport.send(CALL).finally(() => transport.close());
	},
	'the logs of a Solana node': async address => {
		const node = createSolanaNode(address);
		const stream = openLogStream(node, ['program'], {logs() {}, slot() {}});
		await stream.ready.finally(() => Promise.all([stream.close(), node.close()]));
		return 'ready';
	},
};
const EACH = Object.keys(CALLERS).flatMap(name => (['http', 'https'] as const).map(scheme => [name, scheme] as const));
const addressOf = (scheme: Scheme) => `${scheme}://${HOST}:${ports[scheme]}`;
const call = (name: string, scheme: Scheme) => CALLERS[name]!(addressOf(scheme));
const failure = async (name: string, scheme: Scheme): Promise<unknown> => {
	try {
		await call(name, scheme);
	} catch (error) {
		return error;
	}
	throw new Error('it did not fail');
};

describe.each(EACH)('%s (%s)', (name, scheme) => {
	const variable = `${scheme.toUpperCase()}_PROXY`;

	test('goes through the proxy of its scheme, in absolute form for http, else in a tunnel', async () => {
		const proxy = await startProxy({});
		vi.stubEnv(variable, `http://127.0.0.1:${proxy.port}`);
		await expect(call(name, scheme)).resolves.toBeDefined();
		const isPlain = scheme === 'http' && !/stream|websocket|logs/.test(name);
		expect(proxy.seen[0]).toMatch(
			isPlain ? new RegExp(`^(GET|POST) http://${HOST}:\\d+/`) : `CONNECT ${HOST}:${ports[scheme]}`,
		);
		expect(got[0]).toMatch(`${HOST}:${ports[scheme]}`);
	});

	test('goes through a proxy that wants a user name and password, and speaks TLS', async () => {
		const proxy = await startProxy({auth: 'me:p@ss', tls: TLS});
		vi.stubEnv('ALL_PROXY', `https://me:p%40ss@localhost:${proxy.port}`);
		await expect(call(name, scheme)).resolves.toBeDefined();
		expect(got.length).toBeGreaterThan(0);
	});

	test.each([
		[
			'wants a password and got none',
			{auth: 'me:s3cret'},
			'',
			/127\.0\.0\.1:\d+ \(\w+_PROXY\) refused, since it needs a user name and password in \w+_PROXY \(status 407\)/,
		],
		[
			'got a wrong password',
			{auth: 'me:s3cret'},
			'me:wr0ng@',
			/refused the user name and password in \w+_PROXY \(status 407\)/,
		],
		['hangs up', {cuts: 'at once'}, 'me:wr0ng@', /cut|ended|ECONNRESET|UND_ERR_SOCKET/],
	] as const)('says of a proxy that %s what it did', async (_, behaviour, credentials, words) => {
		const proxy = await startProxy(behaviour);
		vi.stubEnv(variable, `http://${credentials}127.0.0.1:${proxy.port}`);
		const error = await failure(name, scheme);
		expect(reasonOf(error)).toMatch(words);
		expect(JSON.stringify(explain(error))).not.toMatch(/wr0ng|s3cret/);
		expect(got).toEqual([]);
	});

	test('says that nothing listens where the proxy should be, and names no password', async () => {
		vi.stubEnv(variable, `http://me:s3cret@127.0.0.1:${await freePort()}`);
		const error = await failure(name, scheme);
		expect(reasonOf(error)).toMatch(
			/the proxy 127\.0\.0\.1:\d+ \(\w+_PROXY\) cannot be used: nothing listens at its address/,
		);
		expect(JSON.stringify(explain(error))).not.toContain('s3cret');
	});

	test('says that a SOCKS proxy is not supported', async () => {
		vi.stubEnv('all_proxy', 'socks5h://me:s3cret@127.0.0.1:1080');
		const error = await failure(name, scheme);
		expect(reasonOf(error)).toContain('all_proxy names a SOCKS proxy, which is not supported');
		expect(JSON.stringify(explain(error))).not.toContain('s3cret');
	});

	test('goes directly to a host in NO_PROXY, and to loopback', async () => {
		const proxy = await startProxy({});
		vi.stubEnv(variable, `http://127.0.0.1:${proxy.port}`);
		await expect(CALLERS[name]!(`${scheme}://localhost:${ports[scheme]}`)).resolves.toBeDefined();
		await expect(CALLERS[name]!(`${scheme}://127.0.0.1:${ports[scheme]}`)).resolves.toBeDefined();
		vi.stubEnv('NO_PROXY', 'company.test');
		await failure(name, scheme);
		expect(proxy.seen).toEqual([]);
	});
});

describe('a tunnel', () => {
	test.each([403, 502])('that is refused with %i is said to be, with advice', async status => {
		const proxy = await startProxy({status});
		vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${proxy.port}`);
		const {why, advice} = explain(await failure('money requests to a service', 'https'));
		expect(why).toContain(`(status ${status})`);
		expect(advice).toContain('NO_PROXY');
	});

	test('is kept for the next request', async () => {
		const proxy = await startProxy({});
		vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${proxy.port}`);
		const http = forHttp(addressOf('https'));
		for (let i = 0; i < 3; i++) await http.json({method: 'GET', path: '/', retry: 'read'});
		expect(proxy.seen).toHaveLength(1);
		expect(got).toHaveLength(3);
	});

	test('to a proxy that says nothing ends at its limit', async () => {
		const limits = holdTimeouts();
		const proxy = await startProxy({isSilent: true});
		vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${proxy.port}`);
		const failed = failure('the stream of a service', 'https');
		await until(() => proxy.seen.length > 0);
		limits.expire();
		expect(reasonOf(await failed)).toMatch(/the proxy .* cannot be used: no answer came in time/);
	});

	test('does not hide that the certificate of the service is for another name', async () => {
		const proxy = await startProxy({});
		vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${proxy.port}`);
		for (const name of ['requests to a service', 'the stream of a service', 'a followed node over HTTP']) {
			const error = await CALLERS[name]!(`https://other.test:${ports.https}`).catch((caught: unknown) => caught);
			expect(reasonOf(error)).toMatch(/its certificate is for another name|ERR_TLS_CERT_ALTNAME_INVALID/);
		}
		expect(got).toEqual([]);
	});
});

describe('what keeps a guard of its own is sent directly', () => {
	test.each<[string, (address: string) => Promise<unknown>]>([
		[
			'a picture on another host',
			address => forHttp('http://127.0.0.1:1').request({method: 'GET', path: address, retry: 'never'}).catch(String),
		],
		[
			'a delivery to a webhook',
			async address => {
				const poster = createPoster({allowPrivate: true});
				const {isDone} = await poster.post('hook', address, {}, '{}').finally(() => poster.close());
				return isDone ? undefined : 'not delivered';
			},
		],
		[
			'the document of a token',
			async address => {
				const documents = createMetadataFetch({allowPrivate: true});
				const profile = await documents.read(address).finally(() => documents.close());
				return profile ?? 'not read';
			},
		],
	])('%s', async (_, send) => {
		const proxy = await startProxy({});
		vi.stubEnv('ALL_PROXY', `http://127.0.0.1:${proxy.port}`);
		expect(await send(`${addressOf('https')}/a.json`)).toEqual(expect.any(String));
		expect(proxy.seen).toEqual([]);
		expect(got).toEqual([]);
	});
});

describe('a money request', () => {
	const pay = (scheme: Scheme) =>
		forHttp(addressOf(scheme))
			.json({method: 'POST', path: '/pay', body: {}, retry: 'never'})
			.catch((error: unknown) => error);

	test('whose answer the proxy cuts off is sent once, and may have arrived', async () => {
		const proxy = await startProxy({cuts: 'after sending'});
		vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${proxy.port}`);
		expect(await pay('http')).toMatchObject({code: 'service-unreachable', sent: 'maybe'});
		expect(proxy.seen).toHaveLength(1);
		expect(got).toHaveLength(1);
	});

	test.each(['http', 'https'] as const)(
		'that the proxy refuses over %s was certainly not sent, and is asked for once',
		async scheme => {
			const proxy = await startProxy({auth: 'me:s3cret'});
			vi.stubEnv('ALL_PROXY', `http://127.0.0.1:${proxy.port}`);
			expect(await pay(scheme)).toMatchObject({
				code: 'service-unreachable',
				sent: 'no',
				next: 'fix-input',
				advice: expect.stringContaining('ALL_PROXY'),
			});
			expect(proxy.seen).toHaveLength(1);
			expect(got).toEqual([]);
		},
	);
});
