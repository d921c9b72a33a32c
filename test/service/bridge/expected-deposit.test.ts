import {afterEach, beforeEach, expect, test} from 'vitest';
import {createIntentRunner} from '../../../source/service/bridge/intent-runner.ts';
import {createIntentBook} from '../../../source/service/bridge/intents.ts';
import type {Chain, ChainSet} from '../../../source/service/chain/chain-set.ts';
import {openSqlite} from '../../../source/service/store/sqlite.ts';
import {type Bench, fundedUser, openBench, quoteOf} from './bridge-client.ts';

let bench: Bench;
beforeEach(async () => {
	bench = await openBench();
});
afterEach(() => bench.close());

test.each([
	['embedded', 250],
	['external', 1000],
] as const)(
	'for the deposit of a signed quote the chain, %s, is asked less and less, until the quote is over',
	async (kind, firstMs) => {
		const {intentId} = await quoteOf(bench, await fundedUser(bench));
		let asked = 0;
		const chains: ChainSet = {
			...bench.chains,
			async ready(id) {
				const {client, ...chain} = await bench.chains.ready(id);
				const getContractEvents = (async of => {
					asked++;
					return client.getContractEvents(of);
				}) as Chain['client']['getContractEvents'];
				return {...chain, kind, client: {...client, getContractEvents}};
			},
		};
		const delaysMs: number[] = [];
		const startMs = Date.now();
		const now = () => startMs + delaysMs.reduce((sum, ms) => sum + ms, 0);
		const pause = async (ms: number) => void delaysMs.push(ms);
		const database = openSqlite(bench.directory);
		const book = await createIntentBook(database, {now});
		const runner = createIntentRunner({chains, book, now, pause, log: () => {}});
		const {expiresAtMs} = (await book.get(intentId))!;
		runner.expectDeposit(intentId);
		await expect.poll(now).toBeGreaterThan(expiresAtMs + 60_000);
		expect(delaysMs[0]).toBe(firstMs);
		expect(Math.max(...delaysMs)).toBeLessThanOrEqual(15_000);
		expect(asked).toBe(delaysMs.length);
		// At each of its polls it would be asked thousands of times.
		expect(asked).toBeLessThan(200);
		await runner.close();
		await book.close();
		await database.close();
	},
);
