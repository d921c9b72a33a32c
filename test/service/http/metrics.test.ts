import {afterEach, expect, test} from 'vitest';
import {logLine} from '../../../source/commands/serve/serve.ts';
import {startService} from '../../../source/service/server.ts';
import type {RunningService} from '../../../source/service/service-options.ts';
import {coverageOf} from '../../helpers/coverage.ts';
import {ask} from '../helpers/http-client.ts';
import {StreamClient} from '../helpers/stream-client.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';

let service: RunningService;
afterEach(() => service.close());

/** The samples of a page in Prometheus' text format, by name and labels. */
function samples(text: string): Map<string, number> {
	const lines = text.split('\n').filter(line => line !== '' && !line.startsWith('#'));
	return new Map(
		lines.map(line => {
			const [, name = '', value] = /^([a-z_]+(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
			expect(name, line).not.toBe('');
			return [name, Number(value)];
		}),
	);
}

test('metrics count sockets, subscriptions and answers by route and status, and name nothing that a caller wrote', async () => {
	service = await startService({market: new TinyMarket(), apiKeys: ['k']});
	const client = await StreamClient.open(service.streamUrl);
	client.send({type: 'pulse-v2', authorization: 'k', payload: {assetMode: true, subscriptionId: 's'}});
	await client.next(frame => frame['type'] === 'init');
	await ask(service, 'GET', '/api/2/bridge/status/secret-intent', {key: 'wrong'});
	await ask(service, 'GET', '/made-up-by-a-caller');
	const {status, headers, text} = await ask(service, 'GET', '/metrics');
	expect(status).toBe(200);
	expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
	expect(text).not.toMatch(/secret-intent|made-up|wrong/);
	const found = samples(text);
	expect(found.get('pulsetop_sockets')).toBe(1);
	expect(found.get('pulsetop_subscriptions')).toBe(1);
	// The three that a subscription has when it names none.
	expect(found.get('pulsetop_views')).toBe(3);
	expect(found.get('pulsetop_request_seconds_count{method="GET",route="unknown",status="404"}')).toBe(1);
	const refused = [...found].find(([name]) =>
		/_count\{method="GET",route="[^"]*status[^"]*",status="401"\}/.test(name),
	);
	expect(refused?.[1]).toBe(1);
	expect(found.get('process_resident_memory_bytes')).toBeGreaterThan(1e6);
	// Each family is described once, before its samples.
	const families = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
	expect(new Set(families).size).toBe(families.length);
	await client.close();
});

test('the lag of a chain grows while nothing is read of it, as in /health', async () => {
	const blockTime = new Date(Date.now() - 60_000).toISOString();
	const coverage = () => [coverageOf('base', {blockTime, lagMs: 5}), coverageOf('bnb', {blockTime: null, lagMs: null})];
	service = await startService({market: Object.assign(new TinyMarket(), {coverage}), apiKeys: ['k']});
	const found = samples((await ask(service, 'GET', '/metrics')).text);
	const lags = [...found].filter(([name]) => name.startsWith('pulsetop_chain_lag_seconds'));
	expect(lags).toEqual([[`pulsetop_chain_lag_seconds{chain="${coverageOf('base').chainId}"}`, expect.any(Number)]]);
	expect(lags[0]![1]).toBeGreaterThanOrEqual(60);
});

test('metrics need a key as every call', async () => {
	service = await startService({market: new TinyMarket(), apiKeys: ['k']});
	expect((await ask(service, 'GET', '/metrics', {key: 'other'})).status).toBe(401);
});

test('an answer has the id of its request, or a new one where the given one could not stand in a log', async () => {
	service = await startService({market: new TinyMarket(), apiKeys: ['k']});
	const idOf = async (given: string) =>
		(await ask(service, 'GET', '/health', {headers: {'x-request-id': given}})).headers.get('x-request-id');
	expect(await idOf('trace-1.a_B')).toBe('trace-1.a_B');
	for (const bad of ['a b', 'x'.repeat(65), '"}{', '']) expect(await idOf(bad)).toMatch(/^[\da-f-]{36}$/);
});

test('a line of the log is text, or one JSON object that carries the id of the request', () => {
	const text = 'GET /api/x (request r-1): Error: broke\n    at line 2';
	expect(logLine(text)).toBe(`pulsetop: ${text}\n`);
	const line = logLine(text, 'json', 0);
	expect(line.indexOf('\n')).toBe(line.length - 1);
	expect(JSON.parse(line)).toEqual({
		time: '1970-01-01T00:00:00.000Z',
		level: 'error',
		pid: process.pid,
		requestId: 'r-1',
		message: text,
	});
});
