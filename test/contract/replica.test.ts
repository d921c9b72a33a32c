import {mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {startService} from '../../source/service/server.ts';
import {postgresBinaries, startPostgres} from '../helpers/postgres.ts';
import {checkInstead, openTarget, type Target} from './target.ts';

/*
 * The contract again on a replica, whose store is PostgreSQL and whose market comes from the log there. Every answer of the
 * pulse in all its forms is left to the other services: those are made by the same code from the same market.
 */

const FILES = ['lookups.test.ts', 'pulse-fields.test.ts', 'pulse-views.test.ts', 'stream.test.ts'];

const HISTORY_TOKENS = 1100;
const closers: (() => Promise<void>)[] = [];

describe.skipIf(postgresBinaries === undefined)('a replica on PostgreSQL', () => {
	let target: Target;

	beforeAll(async () => {
		const directory = mkdtempSync(join(tmpdir(), 'pulsetop-contract-'));
		closers.push(async () => rmSync(directory, {recursive: true}));
		const server = await startPostgres();
		closers.push(server.close);
		const service = await startService({
			store: server.address,
			seed: 11,
			dataDir: directory,
			replica: {historyTokens: HISTORY_TOKENS},
			history: 'first',
		});
		closers.push(() => service.close());
		const {url, streamUrl, apiKeys} = service;
		checkInstead({url, streamUrl, key: apiKeys[0]!, tokens: 1000, knows: 'everything'});
		target = await openTarget();
	});
	afterAll(async () => {
		for (const close of closers.reverse()) await close();
	});

	for (const name of FILES) {
		describe(name, async () => {
			await import(/* @vite-ignore */ `./${name}`);
		});
	}

	test('all files of the contract are here or left out on purpose', () => {
		const others = readdirSync(import.meta.dirname).filter(name => name.endsWith('.test.ts') && !FILES.includes(name));
		expect(others.sort()).toEqual([
			'followed.test.ts',
			'pulse-filters.test.ts',
			'pulse-schemas.test.ts',
			'replica.test.ts',
		]);
	});

	describe('takes what cannot be in its database as it takes what is not there', () => {
		const ids = ['%00', 'a%00b', '%F0%9F%9A%80', 'x'.repeat(200), '%EF%BF%BD', '0x'.padEnd(66, 'F')];

		test.each(ids)('%s as an id', async id => {
			expect(await target.get(`/api/2/bridge/status/${id}`)).toMatchObject({
				status: 200,
				body: {data: {status: 'pending', message: expect.stringContaining('Not found yet')}},
			});
			expect(await target.get(`/api/2/perp/check-process?processId=${id}`)).toMatchObject({status: 404});
			const history = await target.get(`/api/2/bridge/history?intentId=${id}&wallet=${id}&status=${id}`);
			expect(history).toMatchObject({status: 200, body: {data: []}});
			expect((await target.get(`/api/1/webhook/${id}/deliveries`)).status).toBe(404);
		});

		test.each([0, 2 ** 53 - 1])('%s as a time', async ms => {
			const {status} = await target.get(`/api/2/bridge/history?createdAfter=${ms}&createdBefore=${ms}&cursor=1.a`);
			expect(status).toBe(200);
		});
	});
});
