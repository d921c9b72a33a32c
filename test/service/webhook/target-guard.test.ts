import {once} from 'node:events';
import {createServer} from 'node:net';
import {afterEach, describe, expect, test, vi} from 'vitest';
import {InvalidRequest} from '../../../source/contract/wire-error.ts';
import {isPublicAddress} from '../../../source/net-guard.ts';
import {startService} from '../../../source/service/server.ts';
import type {RunningService} from '../../../source/service/service-options.ts';
import {createPoster, type Poster} from '../../../source/service/webhook/poster.ts';
import {checkTarget} from '../../../source/service/webhook/target-guard.ts';
import {holdTimeouts} from '../../helpers/held-timeouts.ts';
import {PATIENCE_MS} from '../../helpers/patience.ts';
import {ask, expectError} from '../helpers/http-client.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';
import {answers, openReceiver} from './receiver.ts';

const {resolved} = vi.hoisted(() => ({resolved: new Map<string, string[]>()}));
/** Names that these tests made up; all others resolve as always. */
vi.mock('node:dns/promises', async original => {
	const real = await original<typeof import('node:dns/promises')>();
	return {
		...real,
		lookup: async (name: string, options: object) => {
			const known = resolved.get(name);
			if (known === undefined) return real.lookup(name, options);
			return known.map(address => ({address, family: address.includes(':') ? 6 : 4}));
		},
	};
});

const posters: Poster[] = [];
afterEach(async () => {
	resolved.clear();
	for (const poster of posters.splice(0)) await poster.close();
});
const openPoster = (options: {allowPrivate: boolean; timeoutMs?: number}): Poster => {
	const poster = createPoster(options);
	posters.push(poster);
	return poster;
};

test.each(['1.1.1.1', '93.184.216.34', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::8a'])(
	'%s is public',
	address => expect(isPublicAddress(address)).toBe(true),
);

test.each([
	'0.0.0.0',
	'10.1.2.3',
	'100.64.0.1',
	'127.0.0.1',
	'127.255.255.254',
	'169.254.169.254',
	'172.16.0.1',
	'172.31.255.255',
	'192.168.1.1',
	'198.18.0.1',
	'224.0.0.1',
	'255.255.255.255',
	'::',
	'::1',
	'::ffff:1.1.1.1',
	'::ffff:127.0.0.1',
	'fe80::1',
	'fc00::1',
	'fd12::1',
	'ff02::1',
	'64:ff9b::7f00:1',
	'2002:7f00:1::',
	'2001::1',
	'2001:db8::1',
	'not-an-address',
])('%s is not', address => expect(isPublicAddress(address)).toBe(false));

describe('a target that leads to a private address', () => {
	test.each([
		'http://127.0.0.1/',
		'http://127.1/',
		'http://2130706433/',
		'http://0x7f.0.0.1/',
		'http://017700000001/',
		'http://[::1]:80/',
		'http://[::ffff:169.254.169.254]/',
		'http://localhost/',
		'http://LOCALHOST./',
		'https://10.0.0.8:8443/x',
	])('is refused when it is registered: %s', async url => {
		await expect(checkTarget(url, {allowPrivate: false})).rejects.toThrow(InvalidRequest);
		await expect(checkTarget(url, {allowPrivate: true})).resolves.toBeUndefined();
	});

	test('is refused when only one of its addresses is private', async () => {
		resolved.set('mixed.example', ['93.184.216.34', '10.0.0.1']);
		await expect(checkTarget('https://mixed.example/', {allowPrivate: false})).rejects.toThrow(/private/);
		resolved.set('mixed.example', ['93.184.216.34']);
		await expect(checkTarget('https://mixed.example/', {allowPrivate: false})).resolves.toBeUndefined();
	});

	test('is refused at the connection: a name that was moved here after it was registered gets nothing', async () => {
		const receiver = await openReceiver();
		resolved.set('rebound.example', ['127.0.0.1']);
		const url = `http://rebound.example:${receiver.port}/hook`;
		const outcome = await openPoster({allowPrivate: false}).post('w', url, {}, '{}');
		expect(outcome).toMatchObject({isDone: false, isFinal: true, reason: expect.stringContaining('private')});
		expect(receiver.received).toHaveLength(0);
		expect(await openPoster({allowPrivate: true}).post('w', receiver.url, {}, '{}')).toMatchObject({isDone: true});
	});

	test('is refused as an address at the connection too', async () => {
		const receiver = await openReceiver();
		const outcome = await openPoster({allowPrivate: false}).post('w', receiver.url, {}, '{}');
		expect(outcome).toMatchObject({isDone: false, isFinal: true});
		expect(receiver.received).toHaveLength(0);
	});
});

describe('the service', () => {
	let service: RunningService;
	afterEach(() => service.close());
	const body = {name: 'n', chainIds: ['evm:1'], events: ['swap'], apiKey: 'k', url: 'http://127.0.0.1:1/'};

	test.each([
		[{}, 400],
		[{allowPrivateWebhooks: true}, 200],
		[{allowPrivateWebhooks: true, host: '0.0.0.0'}, 400],
	])('started with %j answers %i to a target on this machine', async (options, status) => {
		service = await startService({market: new TinyMarket(), apiKeys: ['k'], ...options});
		const at = {...service, url: service.url.replace('0.0.0.0', '127.0.0.1')};
		const answer = await ask(at, 'POST', '/api/1/webhook', {body});
		expect(answer.status).toBe(status);
		if (status === 400) expectError(answer, 400, /url must not lead to a private address/);
	});
});

describe('an attempt', () => {
	test('follows no redirect', async () => {
		const inside = await openReceiver();
		const receiver = await openReceiver(answers(302, {location: inside.url}));
		const outcome = await openPoster({allowPrivate: true}).post('w', receiver.url, {}, '{}');
		expect(outcome).toEqual({isDone: false, status: 302, reason: 'the answer was 302', isFinal: false});
		expect(inside.received).toHaveLength(0);
	});

	test.each([200, 201, 202, 204, 299])('is done by any 2xx: %i', async status => {
		const receiver = await openReceiver(answers(status));
		expect(await openPoster({allowPrivate: true}).post('w', receiver.url, {}, '{}')).toMatchObject({
			isDone: true,
			status,
		});
	});

	test.each([400, 404, 410, 429, 500, 503])('is not done by %i', async status => {
		const receiver = await openReceiver(answers(status));
		expect(await openPoster({allowPrivate: true}).post('w', receiver.url, {}, '{}')).toMatchObject({
			isDone: false,
			status,
		});
	});

	test('ends in time when the target does not answer, drips its answer, or is not there', async () => {
		const silent = await openReceiver(() => {});
		const dripping = createServer(socket => {
			socket.write('HTTP/1.1 200 OK\r\n');
			const drip = setInterval(() => socket.write('X-A: b\r\n'), 20);
			socket.on('error', () => {});
			socket.on('close', () => clearInterval(drip));
		}).listen(0, '127.0.0.1');
		await once(dripping, 'listening');
		const {port} = dripping.address() as {port: number};
		const timeouts = holdTimeouts();
		const poster = openPoster({allowPrivate: true, timeoutMs: PATIENCE_MS});
		const [refused, ...late] = [
			poster.post('w', 'http://127.0.0.1:1/', {}, '{}'),
			poster.post('w', silent.url, {}, '{}'),
			poster.post('w', `http://127.0.0.1:${port}/`, {}, '{}'),
		] as const;
		expect((await refused).reason).toBe('the connection was refused');
		await silent.first(1);
		timeouts.expire();
		expect((await Promise.all(late)).map(({reason}) => reason)).toEqual(Array(2).fill('no answer within the time'));
		dripping.close();
	});

	test('delays no other webhook of the same host while it does not respond, and frees its connections when deleted', async () => {
		const receiver = await openReceiver(({path}, response) => {
			if (path === '/fast') response.end();
		});
		const {origin} = new URL(receiver.url);
		const poster = openPoster({allowPrivate: true});
		const held = Array.from({length: 20}, () => poster.post('a', `${origin}/slow`, {}, '{}'));
		await receiver.first(8);
		expect(await poster.post('b', `${origin}/fast`, {}, '{}')).toMatchObject({isDone: true});
		poster.drop('a');
		for (const outcome of await Promise.all(held)) expect(outcome.isDone).toBe(false);
	});

	test('is not held up by an endless answer', async () => {
		const receiver = await openReceiver((_, response) => {
			response.writeHead(200);
			const flood = setInterval(() => response.write('x'.repeat(65_536)), 1);
			response.on('close', () => clearInterval(flood));
		});
		expect(await openPoster({allowPrivate: true}).post('w', receiver.url, {}, '{}')).toMatchObject({isDone: true});
	});

	test('names the target nowhere in its text', async () => {
		const outcome = await openPoster({allowPrivate: true}).post('w', 'http://secret-host.invalid/token', {}, '{}');
		expect(outcome.isDone).toBe(false);
		expect(outcome.reason).not.toContain('secret');
	});
});
