import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {type Entry, openTarget, type Target, until} from './target.ts';

/* Wallet labels, sparkline, system metadata, keys and errors (spec 4.10, 4.14, 5, 7; contract gaps 3.1, 7, 9). */

let target: Target;
let token: Entry;

beforeAll(async () => {
	target = await openTarget();
	const lively = () => target.view({sortBy: 'volume_1h', limit: 1});
	token = (await until(lively, rows => rows.length > 0))[0]!;
});
afterAll(() => target.close());

describe('wallet labels', () => {
	const labels = (body: unknown) => target.post('/api/1/wallet/labels', body);

	test('come as one record for each wallet, in the requested order; an unknown wallet has none', async () => {
		const unknown = '0x00000000000000000000000000000000c0ffee00';
		const {status, body} = await labels({walletAddresses: [unknown, token['deployer']]});
		expect(status).toBe(200);
		expect(body.data.map((record: Entry) => record['walletAddress'])).toEqual([unknown, token['deployer']]);
		expect(body.data[0].labels).toEqual([]);
		for (const record of body.data) {
			expect(Array.isArray(record.labels)).toBe(true);
			if (record.walletMetadata) expect(Array.isArray(record.walletMetadata.entityLabels)).toBe(true);
		}
	});

	test('are relative to a token when one is named', async () => {
		const {body} = await labels({walletAddresses: token['deployer'], tokenAddress: token['address']});
		expect(body.data).toHaveLength(1);
		expect(body.data[0].labels).toContain('dev');
	});

	test('take 1 to 100 wallets', async () => {
		expect((await labels({})).status).toBe(400);
		expect((await labels({})).body.message).toContain('walletAddresses');
		const many = Array.from({length: 101}, (_, i) => `0x${i.toString(16).padStart(40, '0')}`);
		expect((await labels({walletAddresses: many})).status).toBe(400);
		expect((await labels({walletAddresses: many.slice(1)})).status).toBe(200);
	});
});

describe('the sparkline', () => {
	const ask = (query: Record<string, string>) => target.get(`/api/1/market/sparkline?${new URLSearchParams(query)}`);
	const picture = async (url: string) => {
		const response = await fetch(new URL(url, target.url));
		return {type: response.headers.get('content-type'), bytes: Buffer.from(await response.arrayBuffer())};
	};
	const asset = () => ({asset: String(token['address']), blockchain: String(token['chainId'])});

	test('is an SVG of a line by default', async () => {
		const {status, body} = await ask(asset());
		expect(status).toBe(200);
		const {type, bytes} = await picture(body.url);
		expect(type).toMatch(/^image\/svg\+xml/);
		expect(bytes.toString()).toMatch(/^(<\?xml[^>]*>\s*)?<svg[\s\S]*(points|d)="[\s\S]*<\/svg>\s*$/);
	});

	test('is a PNG on request', async () => {
		const {type, bytes} = await picture((await ask({...asset(), png: 'true'})).body.url);
		expect(type).toBe('image/png');
		expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
	});

	test('takes a symbol, and another time frame', async () => {
		const {status, body} = await ask({symbol: token['symbol'], timeFrame: '7d'});
		expect(status).toBe(200);
		expect((await picture(body.url)).bytes.length).toBeGreaterThan(100);
	});

	test('of the symbol of a coin is that of the coin', async () => {
		if (target.knows !== 'everything') return;
		const {body} = await ask({symbol: 'SOL'});
		expect(decodeURIComponent(body.url)).toContain('/So11111111111111111111111111111111111111112/');
	});

	test('needs a blockchain for a contract address, and reports an unknown asset', async () => {
		const missing = await ask({asset: '0x1111111111111111111111111111111111111111'});
		expect(missing.status).toBe(400);
		expect(missing.body.message).toContain('blockchain');
		const unknown = await ask({asset: '0x1111111111111111111111111111111111111111', blockchain: 'evm:8453'});
		expect(unknown.status).toBe(404);
	});
});

test('system metadata lists pool types, chains and factories', async () => {
	const {status, body} = await target.get('/api/1/system-metadata');
	expect(status).toBe(200);
	const {poolTypes, chains, factories} = body.data;
	expect(poolTypes.map((type: string) => type.toLowerCase())).toContain(String(token['type']).toLowerCase());
	expect(chains.map((chain: Entry) => chain['id'])).toContain(token['chainId']);
	for (const chain of chains)
		expect(chain).toMatchObject({id: expect.stringMatching(/^\w+:\w+$/), name: expect.any(String)});
	for (const factory of factories)
		expect(factory).toMatchObject({chainId: expect.any(String), address: expect.any(String)});
});

describe('a request that breaks the rules of pulse is refused with 400', () => {
	const view = (fields: Record<string, unknown>) => ({assetMode: true, views: [{name: 'v', ...fields}]});
	test.each<[string, unknown, string]>([
		['an unknown filter field', view({filters: {nonsense: {gt: 1}}}), 'nonsense'],
		['an unknown operator', view({filters: {market_cap: {over: 1}}}), 'market_cap'],
		['a figure that is not a number', view({filters: {market_cap: {gt: 'many'}}}), 'market_cap'],
		['an unknown sort field', view({sortBy: 'nonsense'}), 'sortBy'],
		['an unknown order', view({sortOrder: 'up'}), 'sortOrder'],
		['a limit over 100', view({limit: 101}), 'limit'],
		['a limit below 1', view({limit: 0}), 'limit'],
		['a negative offset', view({offset: -1}), 'offset'],
		['an unknown model of a view', view({model: 'old'}), 'model'],
		['an unknown model', {model: 'other'}, 'model'],
		['a view without a name', {views: [{limit: 1}]}, 'name'],
		['more than ten views', {views: Array.from({length: 11}, (_, i) => ({name: `v${i}`}))}, 'views'],
		['views that are no list', {views: {name: 'v'}}, 'views'],
		['assetMode that is no boolean', {assetMode: 'yes'}, 'assetMode'],
	])('%s', async (_what, body, field) => {
		const {status, body: answer} = await target.post('/api/2/pulse', body);
		expect(status).toBe(400);
		expect(answer.message).toContain(field);
		expect((await target.post('/api/2/pulse/pagination', body)).status).toBe(400);
	});

	test('a body that is no JSON', async () => {
		const {status, body} = await target.post('/api/2/pulse', '{"views":');
		expect(status).toBe(400);
		expect(body.message).toBe('Body is not valid JSON');
	});

	test('a query with a wrong parameter', async () => {
		const {status, body} = await target.get('/api/2/pulse?limit=many');
		expect(status).toBe(400);
		expect(body.message).toContain('limit');
	});
});

describe('errors', () => {
	test('have statusCode, message and error', async () => {
		const {status, body} = await target.post('/api/2/no-such-thing', {});
		expect(status).toBe(404);
		expect(body).toMatchObject({statusCode: 404, message: 'Cannot POST /api/2/no-such-thing', error: 'Not Found'});
	});

	test('a wrong key is refused with 401', async () => {
		if (!target.key) return;
		for (const path of ['/api/2/pulse', '/api/1/system-metadata', '/api/1/market/sparkline?symbol=X']) {
			const response = await fetch(target.url + path, {headers: {authorization: 'not-a-key'}});
			expect(response.status, path).toBe(401);
		}
		for (const headers of [{authorization: target.key}, {authorization: `Bearer ${target.key}`}]) {
			expect((await fetch(`${target.url}/api/2/pulse`, {headers})).status).toBe(200);
		}
		expect((await fetch(`${target.url}/api/2/pulse?apiKey=${encodeURIComponent(target.key)}`)).status).toBe(200);
	});
});
