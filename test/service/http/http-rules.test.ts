import {request} from 'node:http';
import {gunzipSync, gzipSync} from 'node:zlib';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {startService} from '../../../source/service/server.ts';
import type {RunningService} from '../../../source/service/service-options.ts';
import {ask, expectError} from '../helpers/http-client.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';

/* What HTTP itself promises: encodings, sizes, caches, and the address behind a proxy. */

let service: RunningService;
const market = new TinyMarket();
beforeAll(async () => {
	for (let n = 0; n < 20; n++) market.add({address: `0x${n}`, symbol: `T${n}`, latest_price: 1, created_at: n + 1});
	service = await startService({market, apiKeys: ['k']});
});
afterAll(() => service.close());

interface Raw {
	readonly status: number | undefined;
	readonly headers: Readonly<Record<string, unknown>>;
	readonly body: Buffer;
}

/** Sends a request whole, and only then reads the answer. */
function send(headers: Record<string, string>, body: Buffer): Promise<Raw> {
	return new Promise((resolve, reject) => {
		const outgoing = request(`${service.url}/api/2/pulse`, {
			method: 'POST',
			headers: {authorization: 'k', 'content-type': 'application/json', ...headers},
		});
		outgoing.on('error', reject);
		outgoing.on('response', async incoming => {
			const chunks: Buffer[] = [];
			for await (const chunk of incoming) chunks.push(chunk);
			resolve({status: incoming.statusCode, headers: incoming.headers, body: Buffer.concat(chunks)});
		});
		outgoing.end(body);
	});
}

const BODY = Buffer.from(JSON.stringify({assetMode: true, views: [{name: 'v', limit: 20}]}));

test.each(['gzip', 'br', 'deflate', 'zstd', 'gzip, gzip'])(
	'a body in %s is refused by its encoding',
	async encoding => {
		const {status, headers, body} = await send({'content-encoding': encoding}, gzipSync(BODY));
		expect(status).toBe(415);
		expect(headers['accept-encoding']).toBe('identity');
		expect(JSON.parse(body.toString()).message).toContain('Content-Encoding');
		expect((await send({'content-encoding': 'identity'}, BODY)).status).toBe(200);
	},
);

test.each([
	['with its length', {'content-length': String(10 << 20)}],
	['in chunks', {'transfer-encoding': 'chunked'}],
])('10 MB %s are answered with 413, which the client reads', async (_, headers) => {
	for (let n = 0; n < 3; n++) {
		const {status, body} = await send(headers, Buffer.alloc(10 << 20, ' '));
		expect(status).toBe(413);
		expect(JSON.parse(body.toString()).message).toBe('The body is too large');
	}
	expect((await send({}, BODY)).status).toBe(200);
});

test.each([
	['gzip', true],
	['br, gzip', true],
	['*', true],
	['gzip;q=0.5, identity;q=0', true],
	['gzip;q=0', false],
	['identity', false],
	['br', false],
	['*;q=0', false],
	[undefined, false],
])('Accept-Encoding %s: compressed %s', async (accepted, isCompressed) => {
	const headers: Record<string, string> = accepted === undefined ? {} : {'accept-encoding': accepted};
	const answer = await send(headers, BODY);
	expect(answer.headers['content-encoding']).toBe(isCompressed ? 'gzip' : undefined);
	expect(answer.headers['vary']).toBe('accept-encoding');
	expect(JSON.parse((isCompressed ? gunzipSync(answer.body) : answer.body).toString()).v.data).toHaveLength(20);
});

test('no cache keeps an answer whose address holds a key', async () => {
	for (const path of [
		'/api/1/webhook',
		'/api/1/system-metadata',
		'/api/2/pulse',
		'/nowhere',
		'/api/1/market/sparkline',
	]) {
		const {headers} = await ask(service, 'GET', `${path}?apiKey=k`);
		expect([path, headers.get('cache-control')]).toEqual([path, 'no-store']);
	}
	expect((await ask(service, 'GET', '/api/1/system-metadata')).headers.get('cache-control')).toBe('max-age=300');
});

test('links hold behind a proxy by the public address of the service, and no header changes them', async () => {
	const behind = await startService({market, apiKeys: ['k'], publicUrl: 'https://pulse.example.com/feed/'});
	try {
		const headers = {'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example'};
		const links = async (of: RunningService) =>
			(await ask(of, 'GET', '/api/1/market/sparkline?symbol=T1', {headers})).json.url;
		expect(await links(behind)).toMatch(/^https:\/\/pulse\.example\.com\/feed\/sparkline\//);
		expect(await links(service)).toMatch(new RegExp(`^${service.url}/sparkline/`));
	} finally {
		await behind.close();
	}
});

test('a refusal of the perpetuals endpoints has the text of the spec, with field and reason beside it', async () => {
	const body = {timestamp: 1, signature: 'none', dex: 'dexA', chainId: 'evm:42161', orderIndex: '1'};
	const answer = await ask(service, 'POST', '/api/2/perp/payloads/cancel-order', {body});
	expectError(answer, 400, 'zod validation failed', /signature/);
	expect(answer.json.field).toBe('signature');
	const old = await ask(service, 'POST', '/api/2/perp/payloads/cancel-order', {
		body: {...body, signature: `0x${'11'.repeat(64)}1b`},
	});
	expectError(old, 403, 'timestamp expired');
});
