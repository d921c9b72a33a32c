import {expect, test} from 'vitest';
import {type HoldOptions, type Lease, LeaseLost, type Leases} from '../../../source/service/store/lease.ts';
import {until} from '../../helpers/until.ts';
import {replicaDatabases} from '../replicas/replica-databases.ts';

const databases = replicaDatabases();
const SHORT = {ttlMs: 700, renewMs: 150, retryMs: 50};

test('of many replicas that request a lease at once, one gets it, and the fencing token grows each time', async () => {
	const replicas: Leases[] = [];
	while (replicas.length < 4) replicas.push(await databases.leases());
	let fence = 0;
	for (let round = 0; round < 10; round++) {
		const asked = await Promise.all([...replicas, ...replicas].map(leases => leases.tryTake('one')));
		const had = asked.filter(lease => lease !== undefined);
		expect(had).toHaveLength(1);
		expect(had[0]!.fence).toBeGreaterThan(fence);
		fence = had[0]!.fence;
		await had[0]!.release();
		expect(had[0]!.signal.aborted).toBe(true);
	}
	// Another name is another lease.
	expect(await replicas[0]!.tryTake('other')).toMatchObject({name: 'other', fence: 1, owner: replicas[0]!.owner});
});

test('a lease is renewed beyond its duration, and is free at once when released', async () => {
	const [one, two] = [await databases.leases(SHORT), await databases.leases(SHORT)];
	const lease = (await one.tryTake('one'))!;
	const startMs = performance.now();
	while (performance.now() - startMs < 2 * SHORT.ttlMs) expect(await two.tryTake('one')).toBeUndefined();
	expect(lease.signal.aborted).toBe(false);
	await lease.release();
	expect((await two.tryTake('one'))?.fence).toBe(lease.fence + 1);
});

/** Waits for a lease with others, and gives it back at once. */
async function holdOnce(leases: Leases, options: HoldOptions = {}): Promise<Lease> {
	const ending = new AbortController();
	let held: Lease | undefined;
	await leases.hold(
		'one',
		async lease => {
			held = lease;
			ending.abort();
		},
		ending.signal,
		options,
	);
	return held!;
}

test('the lease of a dead replica is acquired when it has expired', async () => {
	const [dead, heir] = [await databases.leases(SHORT), await databases.leases(SHORT)];
	const lease = (await dead.tryTake('one'))!;
	const takenMs = performance.now();
	// Without its connection it renews nothing, as after a kill.
	await dead.database.close();
	expect((await holdOnce(heir)).fence).toBe(lease.fence + 1);
	expect(performance.now() - takenMs).toBeGreaterThan(SHORT.ttlMs * 0.9);
	expect(lease.signal.aborted).toBe(true);
	expect(lease.signal.reason).toBeInstanceOf(LeaseLost);
});

test('a lease with a fence is taken from a dead replica before its end, not from a slow one or one that lost a connection', async () => {
	const [quick, calm] = [
		{ttlMs: 60_000, renewMs: 100, retryMs: 20},
		{ttlMs: 60_000, renewMs: 10_000, retryMs: 20},
	];
	// Those that have leases renew them seldom, those that ask expect it often, or seldom.
	const [dead, slow, cut] = [await databases.leases(calm), await databases.leases(calm), await databases.leases(calm)];
	const [heir, other] = [await databases.leases(quick), await databases.leases(calm)];
	const {database} = heir;
	const isShown = async ({owner}: Leases) =>
		(await database.get(`SELECT 1 AS one WHERE ${database.dialect.isShown('?')}`, [owner])) !== undefined;
	for (const leases of [dead, slow, cut]) await expect.poll(() => isShown(leases)).toBe(true);
	const lease = (await dead.tryTake('one'))!;
	await slow.tryTake('slow');
	await cut.tryTake('cut');
	const taken: string[] = [];
	const ending = new AbortController();
	const isFenced = true;
	const holds = [
		heir.hold('slow', async () => void taken.push('slow'), ending.signal, {isFenced}),
		other.hold('cut', async () => void taken.push('cut'), ending.signal, {isFenced}),
	];
	await database.get(
		`SELECT pg_terminate_backend(pid) FROM pg_locks
		WHERE locktype = 'advisory' AND (classid::BIGINT << 32 | objid::BIGINT) = hashtextextended(?, 0)`,
		[cut.owner],
	);
	await expect.poll(() => isShown(cut)).toBe(false);
	await dead.database.close();
	expect((await holdOnce(heir, {isFenced})).fence).toBe(lease.fence + 1);
	await expect.poll(() => isShown(cut)).toBe(true);
	ending.abort();
	await Promise.all(holds);
	expect(taken).toEqual([]);
});

test('a lease that is released goes at once to a replica that waits for it', async () => {
	const rare = {ttlMs: 600_000, renewMs: 200_000, retryMs: 300_000};
	const [one, two] = [await databases.leases(rare), await databases.leases(rare)];
	const lease = (await one.tryTake('one'))!;
	// One that asks for the first time, and is refused.
	const waiting = holdOnce(two);
	await expect.poll(() => two.tryTake('one')).toBeUndefined();
	await lease.release();
	expect((await waiting).fence).toBe(lease.fence + 1);
});

test('a lease ends here before it does in the database, when the database does not answer', async () => {
	const leases = await databases.leases(SHORT);
	const lease = (await leases.tryTake('one'))!;
	databases.server.pause();
	try {
		await until(() => lease.signal.aborted);
	} finally {
		databases.server.resume();
	}
	// It goes on by itself, with a new fence.
	const again = Promise.withResolvers<Lease>();
	void leases.hold('one', async one => again.resolve(one), new AbortController().signal);
	expect((await again.promise).fence).toBe(2);
});

test('an act that is aborted has ended before another begins', async () => {
	const [one, two] = [await databases.leases(SHORT), await databases.leases(SHORT)];
	const events: string[] = [];
	const act = (who: string) => async (lease: Lease) => {
		events.push(`${who} begins`);
		await new Promise(resolve => lease.signal.addEventListener('abort', resolve));
		// It takes longer to end than a lease lasts.
		const endMs = performance.now() + 1.2 * SHORT.ttlMs;
		await until(() => performance.now() > endMs);
		events.push(`${who} ends`);
	};
	const ending = new AbortController();
	const first = one.hold('one', act('one'), ending.signal);
	await until(() => events.length === 1);
	const second = two.hold('one', act('two'), new AbortController().signal);
	ending.abort();
	await first;
	await until(() => events.length === 3);
	await two.close();
	await second;
	expect(events).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
});

test('a failed act is reported, and the lease is requested again', async () => {
	const faults: string[] = [];
	const leases = await databases.leases({...SHORT, fault: (during, error) => faults.push(`${during}: ${error}`)});
	const ending = new AbortController();
	let acts = 0;
	await leases.hold(
		'one',
		async lease => {
			acts++;
			if (acts === 1) throw new Error('no luck');
			if (acts === 2) throw new LeaseLost(lease.name);
			ending.abort();
		},
		ending.signal,
	);
	expect(faults).toEqual(['the lease one: Error: no luck']);
});

test('a replica that is not ready does not compete', async () => {
	const leases = await databases.leases(SHORT);
	const ending = new AbortController();
	const ready = Promise.withResolvers<void>();
	let asked = 0;
	const isHeld = async () => (await leases.database.get('SELECT 1 AS one FROM leases')) !== undefined;
	const held = leases.hold('one', async () => ending.abort(), ending.signal, {
		ready: async () => {
			asked++;
			await ready.promise;
		},
	});
	await until(() => asked > 0);
	expect(await isHeld()).toBe(false);
	ready.resolve();
	await held;
	expect(await isHeld()).toBe(true);
	// One that never gets ready ends with its signal.
	const never = new AbortController();
	const waiting = leases.hold('two', async () => {}, never.signal, {
		ready: signal => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
	});
	never.abort();
	await waiting;
});

test('a lease that was written before the clock was set back is not waited for', async () => {
	const leases = await databases.leases();
	const day = 86_400_000;
	const future = `${leases.database.dialect.nowMs} + ${day}`;
	await leases.database.run(`INSERT INTO leases (name, owner, fence, until_ms) VALUES ('one', 'gone', 7, ${future})`);
	expect((await leases.tryTake('one'))?.fence).toBe(8);
});
