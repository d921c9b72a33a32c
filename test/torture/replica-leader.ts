import {setTimeout as pause} from 'node:timers/promises';
import {openPostgres} from '../../source/service/store/postgres.ts';
import {REPLICA_KEYS, type ReplicaSet} from '../helpers/replica-set.ts';
import {waitFor} from '../service/chain/practice.ts';
import {backText, openOf, type Stage, timesBack} from './replica-stage.ts';

const FROZEN_MS = 30_000;
/** Transfers that are sent to the frozen replica and, a second later, to another. */
const PREPARED = 12;
const CALM_MS = 4000;
/** Another replica leads, and everything works at the others, within this long. */
const LEADS_MS = 15_000;
/** The replica that woke works again within this long. */
const AWAKE_MS = 15_000;

/** The leader of the market is stopped for half a minute and wakes: another leads, and the first one can write nothing more. */
export const leaderStage: Stage = async (world, parts) => {
	const {database, set, alive, executes, health, calls} = world;
	const {expect} = parts;
	const store = await openPostgres(database.address);
	try {
		const leaseOf = async () => {
			const row = await store.get("SELECT owner, fence FROM leases WHERE name = 'market:simulated'");
			return {owner: String(row?.['owner']), fence: Number(row?.['fence'])};
		};
		const headOf = async () => Number((await store.get('SELECT seq FROM market_head'))!['seq']);
		const prepared = await executes.prepare(PREPARED);
		await pause(CALM_MS);
		const n = await waitFor(async () => {
			const found = await leadersOf(set);
			return found.length === 1 && {n: found[0]!};
		}).then(({n}) => n);
		const before = await leaseOf();
		const readers = openOf(world.readers);
		const [own, others] = [readers.filter(({replica}) => replica === n), readers.filter(({replica}) => replica !== n)];
		const lossesBefore = new Map(readers.map(reader => [reader, reader.losses]));
		const lost = (some: typeof readers) =>
			some.reduce((sum, reader) => sum + reader.losses - lossesBefore.get(reader)!, 0);

		const frozenMs = performance.now();
		set.freeze(n);
		// Users notice a little later: what they send until then waits at the frozen replica.
		await pause(500);
		alive.delete(n);
		const living = [...alive];
		const seqFrozen = await headOf();
		const waiting = prepared.map(one => executes.sendTo(one, set.urls[n]!));
		await pause(1000);
		const sent = prepared.map((one, k) => executes.sendTo(one, set.urls[living[k % living.length]!]!));
		const next = await waitFor(async () => {
			const lease = await leaseOf();
			return lease.owner !== before.owner && (await headOf()) > seqFrozen && lease;
		}).catch(() => undefined);
		const leadsMs = performance.now() - frozenMs;
		expect(
			next !== undefined && next.fence > before.fence,
			`no other replica leads: ${JSON.stringify([before, next])}`,
		);
		expect(leadsMs <= LEADS_MS, `another replica led after ${Math.round(leadsMs)} ms`);
		const back = await timesBack(world, parts, {fromMs: frozenMs, replicas: living, maxMs: LEADS_MS});
		for (const call of await Promise.all(sent))
			expect(call.status === 200, `execute at a living replica: ${call.status}`);
		await pause(Math.max(0, frozenMs + FROZEN_MS - performance.now()));

		const thawedMs = performance.now();
		const lease = await leaseOf();
		set.thaw(n);
		await waitFor(() => health.areReady([n], thawedMs)).catch(() => {});
		const awakeMs = performance.now() - thawedMs;
		expect(awakeMs <= AWAKE_MS, `the replica that woke was ready after ${Math.round(awakeMs)} ms`);
		alive.add(n);
		const late = await Promise.all(waiting);
		await pause(CALM_MS);
		const after = await leaseOf();
		expect(
			after.owner === lease.owner && after.fence === lease.fence,
			`the lease changed when the old leader woke: ${JSON.stringify([lease, after])}`,
		);
		// It answers 409 where it asks the database, and 503 where it takes the silence of its own sleep for the database's.
		for (const {status} of late)
			expect(status === 409 || status === 503, `an execute that waited at the frozen replica: ${status}`);
		expect(lost(others) === 0, `${lost(others)} connections of other replicas were lost`);
		expect(
			own.every(reader => reader.replica !== n),
			'subscribers of the frozen replica did not move',
		);
		const meanwhile = calls.all.filter(({url, endMs}) => url !== set.urls[n] && endMs >= frozenMs);
		const longest = Math.max(0, ...meanwhile.map(({sentMs, endMs}) => endMs - sentMs));
		expect(longest <= LEADS_MS, `a request at a living replica took ${Math.round(longest)} ms`);
		return [
			`replica ${n} led and was frozen for ${Math.round((thawedMs - frozenMs) / 1000)} s; another led after ${(leadsMs / 1000).toFixed(1)} s, fence ${before.fence} then ${after.fence}`,
			backText(back),
			`${own.length} of its ${own.length} subscribers moved, ${lost(others)} others; it was ready ${(awakeMs / 1000).toFixed(1)} s after it woke`,
			`${prepared.length} transfers waited at it and were accepted by others: ${late.map(({status}) => status).join(' ')}`,
			`the longest request at the others took ${Math.round(longest)} ms`,
		];
	} finally {
		await store.close();
	}
};

/** Numbers of the replicas that say that they lead the market. */
async function leadersOf({urls}: ReplicaSet): Promise<number[]> {
	const leads = await Promise.all(
		urls.map(async url => {
			const answer = await fetch(`${url}/metrics`, {headers: {authorization: REPLICA_KEYS[0]}});
			return /^pulsetop_leads\{.*\} 1$/m.test(await answer.text());
		}),
	);
	return leads.flatMap((isLeader, n) => (isLeader ? [n] : []));
}
