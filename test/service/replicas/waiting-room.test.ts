import {afterAll, beforeAll, beforeEach, expect, onTestFinished, test} from 'vitest';
import {findFree} from '../../../source/service/listen.ts';
import {startService} from '../../../source/service/server.ts';
import type {RunningService} from '../../../source/service/service-options.ts';
import {type PostgresServer, postgresBinaries, startPostgres} from '../../helpers/postgres.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

let server: PostgresServer | undefined;
beforeAll(async () => {
	if (postgresBinaries !== undefined) server = await startPostgres();
});
afterAll(() => server?.close());
beforeEach(context => {
	if (server === undefined) context.skip('PostgreSQL is not installed here');
});

interface Answer {
	readonly status: number;
	readonly body: Record<string, unknown>;
}

/** Undefined while nothing listens. */
async function get(port: number, path: string): Promise<Answer | undefined> {
	try {
		const response = await fetch(`http://127.0.0.1:${port}${path}`);
		return {status: response.status, body: (await response.json()) as Record<string, unknown>};
	} catch {
		return undefined;
	}
}

function start(port: number, startSignal?: AbortSignal): Promise<RunningService> {
	return startService({
		store: server!.address,
		dataDir: temporaryDirectory(),
		port,
		apiKeys: ['k'],
		replica: {historyTokens: 10},
		listeners: 4,
		...(startSignal && {startSignal}),
	});
}

test('a service that waits for its database says that it lives and is not ready, and serves at the same address when it comes', async () => {
	const port = await findFree('127.0.0.1', 0);
	await server!.kill();
	const starting = start(port);
	onTestFinished(async () => (await starting).close());
	await expect.poll(() => get(port, '/health/live')).toEqual({status: 200, body: {live: true}});
	expect(await get(port, '/health/ready')).toEqual({status: 503, body: {ready: false, reason: 'database-away'}});
	expect(await get(port, '/api/2/pulse')).toMatchObject({
		status: 503,
		body: {statusCode: 503, message: 'The service waits for its database'},
	});
	await server!.start();
	expect((await starting).url).toBe(`http://127.0.0.1:${port}`);
	await expect.poll(() => get(port, '/health/ready'), {timeout: 30_000}).toEqual({status: 200, body: {ready: true}});
});

test('a service that is stopped while it waits frees its address', async () => {
	const port = await findFree('127.0.0.1', 0);
	await server!.kill();
	onTestFinished(() => server!.start());
	const stopping = new AbortController();
	const starting = start(port, stopping.signal);
	const ended = expect(starting).rejects.toMatchObject({name: 'AbortError'});
	await expect.poll(() => get(port, '/health/live')).toMatchObject({status: 200});
	stopping.abort();
	await ended;
	expect(await findFree('127.0.0.1', port)).toBe(port);
});
