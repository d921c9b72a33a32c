import {AsyncLocalStorage} from 'node:async_hooks';
import postgres from 'postgres';
import {type Database, type Dialect, type Stored, type StoredRow, StoreFailed} from './database.ts';
import type {StoreAddress} from './store-address.ts';

const DIALECT: Dialect = {
	integer: 'BIGINT',
	sequence: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
	afterTable: '',
	nowMs: '(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT',
	skipLocked: 'FOR UPDATE SKIP LOCKED',
};

/** Connections of one process: as many statements run at once. */
const CONNECTIONS = 8;
const CONNECT_S = 5;
/** A statement that waits longer, for a lock or for a database that hangs, fails. */
const STATEMENT_MS = 10_000;
/** How long the end waits for statements. */
const CLOSE_S = 3;
/** PostgreSQL's type of BIGINT. */
const INT8 = 20;

/**
 * Opens a store in PostgreSQL, which several processes may share. Each change is as durable as `synchronous_commit` makes it.
 * @param schema where the tables are; made when missing
 * @throws StoreFailed when the database cannot be reached
 */
export async function openPostgres(
	{url, password}: StoreAddress,
	{schema = 'pulsetop'}: {readonly schema?: string} = {},
): Promise<Database> {
	const sql = postgres(url, {
		max: CONNECTIONS,
		...(password !== undefined && {password}),
		connect_timeout: CONNECT_S,
		// Notices say that a table exists already.
		onnotice: () => {},
		types: {
			// Whole numbers are below 2^53 here.
			int8: {to: INT8, from: [INT8], serialize: String, parse: Number},
		},
		connection: {application_name: 'pulsetop', search_path: schema, statement_timeout: STATEMENT_MS},
	});
	const own = new AsyncLocalStorage<postgres.TransactionSql>();
	const query = async (text: string, parameters: readonly Stored[] = []) => {
		try {
			return await (own.getStore() ?? sql).unsafe(numbered(text), [...parameters]);
		} catch (error) {
			throw new StoreFailed(whyOf(error), error);
		}
	};
	const database: Database = {
		dialect: DIALECT,
		run: async (text, parameters) => (await query(text, parameters)).count,
		get: async (text, parameters) => (await query(text, parameters))[0] as StoredRow | undefined,
		all: async (text, parameters) => [...(await query(text, parameters))] as StoredRow[],
		async transaction<T>(act: () => Promise<T>): Promise<T> {
			if (own.getStore() !== undefined) return act();
			let failure: {readonly error: unknown} | undefined;
			try {
				return (await sql.begin(transaction =>
					own.run(transaction, async () => {
						try {
							return await act();
						} catch (error) {
							failure = {error};
							throw error;
						}
					}),
				)) as T;
			} catch (error) {
				throw failure === undefined ? new StoreFailed(whyOf(error), error) : failure.error;
			}
		},
		async columnsOf(table) {
			const rows = await query(
				'SELECT column_name AS name FROM information_schema.columns WHERE table_schema = ? AND table_name = ?',
				[schema, table.toLowerCase()],
			);
			return new Set(rows.map(row => String(row['name'])));
		},
		close: () => sql.end({timeout: CLOSE_S}),
	};
	try {
		await database.run(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
	} catch (error) {
		await database.close();
		throw error;
	}
	return database;
}

/** A statement with its parameters as PostgreSQL has them: `$1`, `$2`. No statement of the service has a `?` in a text. */
function numbered(text: string): string {
	let n = 0;
	return text.replaceAll('?', () => `$${++n}`);
}

/** Why a statement failed, without the address of the database. */
function whyOf(error: unknown): string {
	const {code} = error as {code?: string};
	if (error instanceof postgres.PostgresError) return `${error.message} (${error.code})`;
	return code === undefined ? 'the database did not answer' : `the database did not answer (${code})`;
}
