import {AsyncLocalStorage} from 'node:async_hooks';
import {setTimeout as pause} from 'node:timers/promises';
import {checkSessions} from './check-sessions.ts';
import {
	type Database,
	type Dialect,
	type Stored,
	type StoredRow,
	StoreFailed,
	type TransactionOptions,
} from './database.ts';
import type {Migration} from './migrations/migration.ts';
import {MIGRATIONS} from './migrations.ts';
import {type Answer, type Connection, openConnection} from './postgres-connection.ts';
import {TransactionConflict} from './postgres-errors.ts';
import {createListener} from './postgres-listener.ts';
import {migratePostgres} from './postgres-migrate.ts';
import {createPool} from './postgres-pool.ts';
import {placeOf, STORE_LIMITS, type StoreAddress} from './store-address.ts';

const DIALECT: Dialect = {
	name: 'postgres',
	integer: 'BIGINT',
	bytes: 'BYTEA',
	sequence: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
	afterTable: '',
	nowMs: '(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT',
	skipLocked: 'FOR UPDATE SKIP LOCKED',
	rows(columns) {
		const defined = Object.entries(columns).map(([name, kind]) => `${name} ${kind === 'text' ? 'TEXT' : 'BIGINT'}`);
		return `(SELECT * FROM json_to_recordset(?::TEXT::JSON) AS one (${defined.join(', ')}))`;
	},
	isShown: mark =>
		`EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
		AND (classid::BIGINT << 32 | objid::BIGINT) = ${lockOf(mark)})`,
};

/** Default size of a pool. One more connection listens for notifications. */
const CONNECTIONS = 8;
/** How long a transaction is retried after conflicts. */
const RETRY_MS = 4000;
/** Exponential backoff between retries, with full jitter. */
const BACKOFF_MS = {first: 4, max: 150};
/** Added to the `statement_timeout` of the database. */
const ANSWER_MS = 1000;

/** One attempt of a transaction. */
interface Transaction {
	readonly connection: Connection;
	readonly maxMs: number | undefined;
	state: 'open' | 'committed' | 'failed';
	/** The failure of its first failed statement: later statements would fail too. */
	failure?: StoreFailed;
}

export interface PostgresOptions {
	/** Schema of the tables; made when missing. */
	readonly schema?: string;
	readonly migrations?: readonly Migration[];
	/** Maximum number of connections; one more listens for notifications once something listens. */
	readonly connections?: number;
}

/**
 * Opens a store in PostgreSQL, which several processes may share. Each change is as durable as `synchronous_commit` makes it.
 * While the database is unreachable calls fail within a few seconds, most of them at once; they succeed again when it is back.
 * The store is migrated to the newest layout first; of several processes that start together, one migrates.
 * @throws StoreUnavailable when the database cannot be reached; StoreRefused when it, or a pooler before it, can't be used like this;
 * StoreTooNew
 */
export async function openPostgres(
	address: StoreAddress,
	{schema = 'pulsetop', migrations = MIGRATIONS, connections = CONNECTIONS}: PostgresOptions = {},
): Promise<Database> {
	const place = placeOf(address.url);
	if (place === undefined) throw new StoreFailed('its address is not one of PostgreSQL');
	const {waitMs} = address.limits ?? STORE_LIMITS;
	const pool = createPool(() => openConnection({address, place, schema}), connections, waitMs);
	const prefix = `${schema}.`;
	const listener = createListener(onNotify => openConnection({address, place, schema, onNotify}), prefix);
	const running = new AsyncLocalStorage<Transaction>();
	const query = async (text: string, parameters?: readonly Stored[]): Promise<Answer> => {
		const transaction = running.getStore();
		// Statements after its commit run outside of the transaction, as in SQLite.
		if (transaction === undefined || transaction.state === 'committed')
			return retryConflicts(() => pool.use(connection => connection.query(text, parameters)));
		if (transaction.failure) throw transaction.failure;
		try {
			return await transaction.connection.query(text, parameters, transaction.maxMs);
		} catch (error) {
			transaction.failure ??= error as StoreFailed;
			throw error;
		}
	};
	const attempt = async <T>(
		connection: Connection,
		act: () => Promise<T>,
		{maxMs, isolation = 'serializable', isDurable = true}: TransactionOptions,
	): Promise<T> => {
		const transaction: Transaction = {connection, maxMs: maxMs && maxMs + ANSWER_MS, state: 'open'};
		await Promise.all([
			connection.query(`BEGIN ISOLATION LEVEL ${isolation.replace('-', ' ')}`),
			...(isDurable ? [] : [connection.query('SET LOCAL synchronous_commit = off')]),
		]);
		try {
			if (maxMs !== undefined) await connection.query(`SET LOCAL statement_timeout = ${Math.floor(maxMs)}`);
			const result = await running.run(transaction, act);
			if (transaction.failure) throw transaction.failure;
			await connection.query('COMMIT', [], transaction.maxMs);
			transaction.state = 'committed';
			return result;
		} catch (error) {
			transaction.state = 'failed';
			const first = transaction.failure;
			transaction.failure ??= new StoreFailed('the transaction has ended');
			if (connection.isOpen) await connection.query('ROLLBACK').catch(() => connection.close());
			// A conflict is retried even when `act` throws another error because of it.
			throw first instanceof TransactionConflict ? first : error;
		}
	};
	const database: Database = {
		dialect: DIALECT,
		run: async (text, parameters) => (await query(text, parameters)).count,
		get: async (text, parameters) => (await query(text, parameters)).rows[0],
		all: async (text, parameters) => (await query(text, parameters)).rows as StoredRow[],
		transaction(act, options = {}) {
			const transaction = running.getStore();
			if (transaction !== undefined && transaction.state !== 'committed') return act();
			return retryConflicts(() => pool.use(connection => attempt(connection, act, options)));
		},
		listen: listener.listen,
		async notify(channel, text = '') {
			await query('SELECT pg_notify(?, ?)', [prefix + channel, text]);
		},
		show: mark => listener.hold(`SELECT pg_advisory_lock_shared(${lockOf('?')})`, [mark]),
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
		if (connections > 1) await pool.use(one => pool.use(other => checkSessions(one, other)));
	} catch (error) {
		await database.close();
		throw error;
	}
	return database;
}

/** Number of the advisory lock that shows a mark. */
function lockOf(mark: string): string {
	return `hashtextextended(${mark}, 0)`;
}

/** Retries work after conflicts with other transactions. @throws StoreFailed when it still conflicts after RETRY_MS */
async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
	const untilMs = performance.now() + RETRY_MS;
	for (let backoffMs = BACKOFF_MS.first; ; backoffMs = Math.min(backoffMs * 2, BACKOFF_MS.max)) {
		try {
			return await work();
		} catch (error) {
			if (!(error instanceof TransactionConflict) || performance.now() > untilMs) throw error;
			await pause(Math.random() * backoffMs);
		}
	}
}
