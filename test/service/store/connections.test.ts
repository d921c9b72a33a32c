import {afterAll, afterEach, beforeAll, describe, expect, test} from 'vitest';
import {openReplica} from '../../../source/service/replicas/open-replica.ts';
import {checkSessions} from '../../../source/service/store/check-sessions.ts';
import {openPostgres} from '../../../source/service/store/postgres.ts';
import type {Connection} from '../../../source/service/store/postgres-connection.ts';
import type {StoreAddress} from '../../../source/service/store/store-address.ts';
import {hasPgBouncer, startPgBouncer} from '../../helpers/pgbouncer.ts';
import {type PostgresServer, postgresBinaries, startPostgres} from '../../helpers/postgres.ts';

let server: PostgresServer | undefined;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
	if (postgresBinaries !== undefined) server = await startPostgres();
});
afterAll(() => server?.close());
afterEach(async () => {
	for (const close of closing.splice(0).toReversed()) await close();
});

const POOLED = {code: 'store-refused', why: expect.stringContaining('another session')};
const SOURCES = {kind: 'simulated', seed: 1, rate: 1} as const;

async function replicaAt(store: StoreAddress, schema: string) {
	const replica = await openReplica({store, schema, sources: SOURCES, fault: (_, error) => expect.fail(String(error))});
	closing.push(() => replica.close());
	return replica;
}

describe.skipIf(postgresBinaries === undefined || !hasPgBouncer)('behind PgBouncer', () => {
	async function pooler(mode: 'session' | 'transaction'): Promise<StoreAddress> {
		const {address, close} = await startPgBouncer(server!.address, mode);
		closing.push(close);
		return address;
	}

	test('in transaction mode a replica refuses to start, with what to change', async () => {
		const refused = openReplica({
			store: await pooler('transaction'),
			schema: 'transaction',
			sources: SOURCES,
			fault: () => {},
		});
		await expect(refused).rejects.toMatchObject({...POOLED, advice: expect.stringContaining('pool_mode = session')});
	});

	test('in session mode a replica works: leases, the log, notifications', async () => {
		const {log, leases} = await replicaAt(await pooler('session'), 'session');
		const written = new Promise<void>(resolve => log.onWritten(resolve));
		const lease = (await leases.tryTake('chain evm:1'))!;
		await log.append(lease, [{kind: 'take-back', chainId: 'evm:1', fromBlock: 1}]);
		await written;
		expect(await log.read(0, 10)).toHaveLength(1);
	});
});

/** Connections of a pooler in transaction mode: each statement has the session that is free. */
function pooled(pick: (statement: number) => number): readonly [Connection, Connection] {
	const sessions = [new Map<string, unknown>(), new Map<string, unknown>()];
	let statements = 0;
	const connection: Connection = {
		isOpen: true,
		wasSilent: false,
		close: async () => {},
		async query(_, [mark] = []) {
			const session = sessions[pick(statements++)]!;
			if (mark !== undefined) session.set('mark', mark);
			return {rows: [{mark: (session.get('mark') ?? null) as string | null}], count: 1};
		},
	};
	return [connection, {...connection}];
}

test.each<[string, (statement: number) => number]>([
	['one session for all', () => 0],
	['its own sessions at first, then one', statement => (statement < 8 ? statement % 2 : 0)],
])('a pooler that gives %s is found out', async (_, pick) => {
	await expect(checkSessions(...pooled(pick))).rejects.toMatchObject(POOLED);
});

test('connections with sessions of their own are accepted', async () => {
	await checkSessions(...pooled(statement => statement % 2));
});

describe.skipIf(postgresBinaries === undefined)('a replica', () => {
	/** The address of a user who may open so many connections. */
	async function limited(connections: number, own?: number): Promise<StoreAddress> {
		const user = `limited_${connections}_${own ?? 'default'}`;
		const setup = await openPostgres(server!.address, {schema: 'setup'});
		await setup.run(`CREATE ROLE ${user} LOGIN PASSWORD 'secret' CONNECTION LIMIT ${connections}`);
		await setup.run(`GRANT CREATE ON DATABASE postgres TO ${user}`);
		await setup.close();
		const url = new URL(server!.address.url);
		url.username = user;
		return {...server!.address, url: url.href, ...(own !== undefined && {connections: own})};
	}

	test.each([
		['nine connections by default', 9, undefined],
		['as many as its address says', 6, 6],
	])('opens at most %s, also for sixty requests at a time', async (_, limit, own) => {
		const {database, log, logDatabase, leases} = await replicaAt(await limited(limit, own), `limited${limit}`);
		log.onWritten(() => {});
		await leases.tryTake('one');
		const requests = Array.from({length: 60}, (__, n) =>
			(n % 3 === 0 ? logDatabase : database).transaction(async () => {
				await database.get('SELECT pg_sleep(0.01)');
				return n;
			}),
		);
		expect(await Promise.all(requests)).toHaveLength(60);
	});
});
