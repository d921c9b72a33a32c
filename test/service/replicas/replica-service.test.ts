import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {openReplicaService, type ReplicaService} from '../../../source/service/replicas/replica-service.ts';
import {startService} from '../../../source/service/server.ts';
import type {RunningService} from '../../../source/service/service-options.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {until} from '../../helpers/until.ts';
import {replicaDatabases} from './replica-databases.ts';
import {bytesOf, differing, untilAt} from './replica-pages.ts';

const databases = replicaDatabases();
const LEASE_MS = {ttlMs: 1500, renewMs: 300, retryMs: 50};
const HISTORY_TOKENS = 40;

async function open(dataDir: string, {leads = true} = {}): Promise<ReplicaService> {
	const {server, schema} = databases;
	const opened = await openReplicaService({
		store: server.address,
		schema,
		leaseMs: LEASE_MS,
		keeper: {everyMs: 100},
		sources: {seed: 1, rate: 1, historyTokens: HISTORY_TOKENS},
		dataDir,
		fault: () => {},
		log: () => {},
	});
	onTestFinished(() => opened.close());
	// One that has handed over before its start only reads.
	if (!leads) await opened.handOver();
	opened.start();
	return opened;
}

const isReady = ({market}: ReplicaService): boolean => market.log.isReady();

test('a replica that starts from a snapshot has the same pages as one that read the whole log', async () => {
	const home = temporaryDirectory();
	const leader = await open(join(home, 'leader'));
	await until(() => isReady(leader));
	await until(() => leader.market.log.seq() > 100);
	await expect.poll(async () => (await leader.numbers()).snapshot?.seq).toBeGreaterThan(0);
	const {snapshot, leading, written, epoch} = await leader.numbers();
	expect(leading).toEqual(['simulated']);
	expect(written.records).toBeGreaterThan(10);
	await until(() => leader.market.log.seq() > snapshot!.seq + 20);

	const joiner = await open(join(home, 'joiner'), {leads: false});
	await leader.handOver();
	const {seq} = await leader.replica.log.head();
	const reader = await open(join(home, 'reader'), {leads: false});
	// The log alone: no journal, and no snapshot is looked for.
	await joiner.replica.database.run('DELETE FROM market_snapshots');
	const fromLog = await open(join(home, 'from-log'), {leads: false});
	const all = [leader, joiner, reader, fromLog];
	for (const {market} of all) await untilAt(market, seq);
	const expected = bytesOf(leader.market);
	expect(expected.size).toBeGreaterThan(HISTORY_TOKENS);
	for (const {market} of all) {
		expect([market.log.epoch, market.log.seq()]).toEqual([epoch, seq]);
		expect(differing(expected, bytesOf(market))).toEqual([]);
	}
	expect(await joiner.numbers()).toMatchObject({appliedSeq: seq, headSeq: seq, lagMs: 0, leading: []});

	// Its own journal goes on.
	await joiner.close();
	expect(existsSync(join(home, 'joiner', 'replica-1', 'replica.db'))).toBe(true);
	const again = await open(join(home, 'joiner'), {leads: false});
	await untilAt(again.market, seq);
	expect(differing(expected, bytesOf(again.market))).toEqual([]);
});

test('three services on one database are one: when the leader stops, another continues the same market', async () => {
	const {server, schema} = databases;
	const home = temporaryDirectory();
	const start = async (): Promise<RunningService> => {
		const service = await startService({
			store: server.address,
			// Of several on one machine each takes a part of it.
			dataDir: home,
			replica: {schema, leaseMs: LEASE_MS, historyTokens: HISTORY_TOKENS},
			auth: false,
			history: 'first',
		});
		onTestFinished(() => service.close());
		return service;
	};
	const services = [await start(), await start(), await start()];
	const ask = async ({url}: RunningService) => {
		const answer = await fetch(`${url}/api/2/pulse`, {
			method: 'POST',
			headers: {'content-type': 'application/json'},
			body: JSON.stringify({assetMode: true}),
		});
		const body = await answer.text();
		return {at: answer.headers.get('pulsetop-at')!, body};
	};
	const seqOf = (at: string): number => Number(at.split('.')[1]);
	const first = await Promise.all(services.map(ask));
	expect(new Set(first.map(({at}) => at.split('.')[0])).size).toBe(1);
	while (services.length > 0) {
		const before = Math.max(...(await Promise.all(services.map(ask))).map(({at}) => seqOf(at)));
		// Equal answers at the same position.
		const seen = new Map<string, string>();
		let compared = 0;
		await expect
			.poll(async () => {
				for (const {at, body} of await Promise.all(services.map(ask))) {
					const known = seen.get(at);
					if (known !== undefined) {
						expect(body).toBe(known);
						compared++;
					}
					seen.set(at, body);
				}
				return compared;
			})
			.toBeGreaterThan(services.length > 1 ? 2 : 0);
		await expect
			.poll(async () => Math.min(...(await Promise.all(services.map(ask))).map(({at}) => seqOf(at))))
			.toBeGreaterThan(before + 5);
		// The first that is left leads.
		await services.shift()!.close();
	}
});
