import {AsyncLocalStorage} from 'node:async_hooks';
import {setTimeout as pause} from 'node:timers/promises';
import {type Database, type Dialect, type Stored, type StoredRow, StoreFailed} from './database.ts';
import {MIGRATIONS, type Migration} from './migrations.ts';
import {type Answer, type Connection, openConnection} from './postgres-connection.ts';
import {TransactionConflict} from './postgres-errors.ts';
import {createListener} from './postgres-listener.ts';
import {migratePostgres} from './postgres-migrate.ts';
import {createPool} from './postgres-pool.ts';
import {placeOf, type StoreAddress} from './store-address.ts';

const DIALECT: Dialect = {
	name: 'postgres',
	integer: 'BIGINT',
	bytes: 'BYTEA',
	sequence: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
	afterTable: '',
	nowMs: '(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT',
	skipLocked: 'FOR UPDATE SKIP LOCKED',
};

/** Connections of one process: as many statements run at once. One more listens. */
const CONNECTIONS = 8;
/** How long work that meets conflicts is repeated. */
const REPEAT_MS = 4000;
/** The longest pause before work is repeated: twice as long each time up to this, with chance in it. */
const PAUSE_MS = {first: 4, most: 150};
/** Beyond the time that the database allows a statement. */
const ANSWER_MS = 1000;

/** One try of a transaction. */
interface Turn {
	readonly connection: Connection;
	readonly mostMs: number | undefined;
	state: 'open' | 'committed' | 'failed';
	/** Why its first statement failed: what follows it would fail too. */
	failure?: StoreFailed;
}

/**
 * Opens a store in PostgreSQL, which several processes may share. Each change is as durable as `synchronous_commit` makes it.
 * While the database is away calls fail within a few seconds, most at once; they succeed again when it is back.
 * The layout of its tables is brought up to date; of several processes that start together, one does it.
 * @param schema where the tables are; made when missing
 * @throws StoreAway when the database cannot be reached; StoreFailed when it refuses the user; StoreTooNew
 */
export async function openPostgres(
	address: StoreAddress,
	{
		schema = 'pulsetop',
		migrations = MIGRATIONS,
	}: {readonly schema?: string; readonly migrations?: readonly Migration[]} = {},
): Promise<Database> {
	const place = placeOf(address.url);
	if (place === undefined) throw new StoreFailed('its address is not one of PostgreSQL');
	const pool = createPool(() => openConnection({address, place, schema}), CONNECTIONS);
	const prefix = `${schema}.`;
	const listener = createListener(onNotify => openConnection({address, place, schema, onNotify}), prefix);
	const own = new AsyncLocalStorage<Turn>();
	const query = async (text: string, parameters?: readonly Stored[]): Promise<Answer> => {
		const turn = own.getStore();
		// After its end the work goes on outside of the transaction, as in the other engine.
		if (turn === undefined || turn.state === 'committed')
			return repeated(() => pool.use(connection => connection.query(text, parameters)));
		if (turn.failure) throw turn.failure;
		try {
			return await turn.connection.query(text, parameters, turn.mostMs);
		} catch (error) {
			turn.failure ??= error as StoreFailed;
			throw error;
		}
	};
	const attempt = async <T>(connection: Connection, act: () => Promise<T>, mostMs: number | undefined): Promise<T> => {
		const turn: Turn = {connection, mostMs: mostMs && mostMs + ANSWER_MS, state: 'open'};
		await connection.query('BEGIN ISOLATION LEVEL SERIALIZABLE');
		try {
			if (mostMs !== undefined) await connection.query(`SET LOCAL statement_timeout = ${Math.floor(mostMs)}`);
			const result = await own.run(turn, act);
			if (turn.failure) throw turn.failure;
			await connection.query('COMMIT', [], turn.mostMs);
			turn.state = 'committed';
			return result;
		} catch (error) {
			turn.state = 'failed';
			const first = turn.failure;
			turn.failure ??= new StoreFailed('the transaction has ended');
			if (connection.isOpen) await connection.query('ROLLBACK').catch(() => connection.close());
			// Whatever the act makes of a conflict, it is repeated.
			throw first instanceof TransactionConflict ? first : error;
		}
	};
	const database: Database = {
		dialect: DIALECT,
		run: async (text, parameters) => (await query(text, parameters)).count,
		get: async (text, parameters) => (await query(text, parameters)).rows[0],
		all: async (text, parameters) => (await query(text, parameters)).rows as StoredRow[],
		transaction(act, mostMs) {
			const turn = own.getStore();
			if (turn !== undefined && turn.state !== 'committed') return act();
			return repeated(() => pool.use(connection => attempt(connection, act, mostMs)));
		},
		listen: listener.listen,
		async notify(channel) {
			await query('SELECT pg_notify(?, ?)', [prefix + channel, '']);
		},
		async columnsOf(table) {
			const {rows} = await query(
				'SELECT column_name AS name FROM information_schema.columns WHERE table_schema = ? AND table_name = ?',
				[schema, table.toLowerCase()],
			);
			return new Set(rows.map(row => String(row['name'])));
		},
		async close() {
			await Promise.all([pool.close(), listener.close()]);
		},
	};
	try {
		await pool.use(connection => migratePostgres(connection, {schema, dialect: DIALECT, migrations}));
	} catch (error) {
		await database.close();
		throw error;
	}
	return database;
}

/** Repeats work that conflicts with that of others, which is undone. @throws StoreFailed when it never gets through */
async function repeated<T>(work: () => Promise<T>): Promise<T> {
	const untilMs = performance.now() + REPEAT_MS;
	for (let most = PAUSE_MS.first; ; most = Math.min(most * 2, PAUSE_MS.most)) {
		try {
			return await work();
		} catch (error) {
			if (!(error instanceof TransactionConflict) || performance.now() > untilMs) throw error;
			await pause(Math.random() * most);
		}
	}
}
