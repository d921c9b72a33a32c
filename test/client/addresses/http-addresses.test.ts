import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import type {ClientOptions} from '../../../source/client/client.ts';
import {createFeedClient, type FeedClient} from '../../../source/client/feed/feed-client.ts';
import type {HttpRequest} from '../../../source/client/http/exchange.ts';
import {explain} from '../../../source/errors.ts';
import {PATIENCE_MS} from '../../helpers/patience.ts';
import {type HttpFault, PerverseServer} from '../perverse-server.ts';
import {inGivenOrder} from './addresses-world.ts';

const READ = {method: 'GET', path: '/thing', retry: 'read', attempts: 1} as const;
const MONEY = {method: 'POST', path: '/thing', body: {intentId: 'i1'}, retry: 'never'} as const;

let a: PerverseServer;
let b: PerverseServer;
let client: FeedClient;

beforeEach(async () => {
	[a, b] = await Promise.all([PerverseServer.start(), PerverseServer.start()]);
	for (const [name, server] of Object.entries({a, b}))
		server.pages.set('/thing', {type: 'application/json', body: JSON.stringify({from: name})});
	open();
});

afterEach(async () => {
	client.close();
	await Promise.all([a.stop(), b.stop()]);
});

function open(options: Partial<ClientOptions> = {}): void {
	client?.close();
	client = inGivenOrder(() => createFeedClient({baseUrl: [a.url, b.url], apiKey: 'k-1234', ...options}));
}

const ask = async (request: HttpRequest): Promise<unknown> => (await client.http.json(request)).body;
const asked = () => [a.requests.length, b.requests.length];

const FAULTS: readonly (readonly [name: string, fault: HttpFault])[] = [
	['503', {kind: 'answer', status: 503, headers: {'retry-after': '30'}}],
	['502', {kind: 'answer', status: 502}],
	['a connection that is cut before the answer', {kind: 'cut', afterBytes: 0}],
	['a connection that is cut in the answer', {kind: 'cut', afterBytes: 75}],
	['no answer', {kind: 'hang'}],
];

describe('a read', () => {
	test.each(FAULTS)('goes to the next address after %s, and the reads after it as well', async (_, fault) => {
		open({timeoutMs: fault.kind === 'hang' ? 10_000 : PATIENCE_MS});
		a.httpFault = fault;
		expect(await ask(READ)).toEqual({from: 'b'});
		expect(await ask(READ)).toEqual({from: 'b'});
		expect(asked()).toEqual([1, 2]);
		expect(b.requests[0]?.headers.authorization).toBe('Bearer k-1234');
	});

	test('goes to the next address where nothing listens', async () => {
		await a.stop();
		expect(await ask(READ)).toEqual({from: 'b'});
		await a.listen();
	});

	test.each([400, 401, 404, 429, 500])(
		'that is answered with %s is answered: no other address is asked',
		async status => {
			a.httpFault = {kind: 'answer', status};
			await expect(ask(READ)).rejects.toMatchObject({status});
			expect(asked()).toEqual([1, 0]);
		},
	);

	test('has the time of one attempt for all addresses together', async () => {
		open({timeoutMs: 6000});
		a.httpFault = {kind: 'hang'};
		b.httpFault = {kind: 'hang'};
		const startedMs = performance.now();
		await expect(ask(READ)).rejects.toMatchObject({code: 'service-timeout'});
		expect(performance.now() - startedMs).toBeLessThan(12_000);
		expect(asked()).toEqual([1, 1]);
	});

	test('that waits for something has all its time at one address', async () => {
		a.httpFault = {kind: 'hang'};
		await expect(ask({...READ, timeoutMs: 3000})).rejects.toMatchObject({code: 'service-timeout'});
		expect(asked()).toEqual([1, 0]);
	});

	test('that every address refuses is tried again, round by round', async () => {
		for (const server of [a, b]) server.httpFaults.push({fault: {kind: 'answer', status: 503}});
		expect(await ask({...READ, attempts: 2})).toEqual({from: 'a'});
		expect(asked()).toEqual([2, 1]);
	});
});

describe('a request that acts', () => {
	test.each(FAULTS)('is sent once, to one address, whatever comes of it: %s', async (_, fault) => {
		a.httpFault = fault;
		const error = await ask({...MONEY, timeoutMs: fault.kind === 'hang' ? 4000 : PATIENCE_MS}).catch(
			(failure: unknown) => failure,
		);
		expect(explain(error).code).toMatch(/^service-/);
		expect(asked()).toEqual([1, 0]);
		// What came of it is read from the next address.
		a.httpFault = {kind: 'hang'};
		expect(await ask(READ)).toEqual({from: 'b'});
	});

	test('goes to the next address where nothing listens: nothing was sent', async () => {
		await a.stop();
		expect(await ask(MONEY)).toEqual({from: 'b'});
		expect(b.requests.map(({body}) => JSON.parse(body))).toEqual([{intentId: 'i1'}]);
		await a.listen();
	});

	test('that the client was closed under goes nowhere else', async () => {
		a.httpFault = {kind: 'hang'};
		const asking = ask(MONEY).catch((failure: unknown) => failure);
		client.close();
		expect(explain(await asking).why).toBe('the client was closed');
		expect(asked()[1]).toBe(0);
	});
});

test('what a page names on any of the addresses is asked with the key, and elsewhere is refused', async () => {
	expect(await ask({...READ, path: `${b.url}/thing`})).toEqual({from: 'b'});
	expect(b.requests[0]?.headers.authorization).toBe('Bearer k-1234');
	await expect(ask({...READ, path: 'http://127.0.0.1:9/thing'})).rejects.toMatchObject({code: 'address-refused'});
});
