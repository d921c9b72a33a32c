import {setTimeout as pause} from 'node:timers/promises';
import {type Dialect, StoreFailed} from './database.ts';
import type {Migration} from './migrations/migration.ts';
import {migrationsAfter, VERSIONS, versionsTable} from './migrations.ts';
import type {Connection} from './postgres-connection.ts';

/** Timeout of a statement of a migration: an index over years of rows takes minutes. */
const STEP_MS = 10 * 60_000;
/** How long a process waits for another one's migrations. */
const WAIT_MS = STEP_MS;
const RETRY_MS = 100;
/** Added to the `statement_timeout` of the database. */
const ANSWER_MS = 1000;

interface Target {
	readonly schema: string;
	readonly dialect: Dialect;
	readonly migrations: readonly Migration[];
}

/**
 * Migrates a store to the newest layout, each step in a transaction. One process at a time migrates, the others wait.
 * @throws StoreTooNew; StoreFailed, with the earlier steps committed
 */
export async function migratePostgres(connection: Connection, target: Target): Promise<void> {
	const untilMs = performance.now() + WAIT_MS;
	while (migrationsAfter(await versionOf(connection, target), target.migrations).length > 0) {
		if (await makeNext(connection, target)) continue;
		if (performance.now() > untilMs) throw new StoreFailed('another process has not finished with its layout');
		await pause(RETRY_MS);
	}
}

/** @returns false while another process migrates */
async function makeNext(connection: Connection, target: Target): Promise<boolean> {
	const {schema, dialect, migrations} = target;
	// Not serializable: reads after the lock must see what the process before has committed.
	await connection.query('BEGIN ISOLATION LEVEL READ COMMITTED');
	try {
		const lock = 'SELECT pg_try_advisory_xact_lock(hashtextextended(?, 0)) AS is_taken';
		const {rows} = await connection.query(lock, [`pulsetop ${schema}`]);
		const isTaken = rows[0]!['is_taken'] as unknown as boolean;
		if (isTaken) {
			await connection.query(`SET LOCAL statement_timeout = ${STEP_MS}`);
			// Checked first: a user without the right to make a schema may use an existing one.
			const found = await connection.query('SELECT 1 AS one FROM pg_namespace WHERE nspname = ?', [schema]);
			if (found.rows.length === 0) await connection.query(`CREATE SCHEMA ${schema}`);
			await connection.query(versionsTable(dialect));
			const [next] = migrationsAfter(await versionOf(connection, target), migrations);
			if (next) await make(connection, next, target);
		}
		await connection.query('COMMIT', [], STEP_MS);
		return isTaken;
	} catch (error) {
		if (connection.isOpen) await connection.query('ROLLBACK').catch(() => connection.close());
		throw error;
	}
}

async function make(connection: Connection, {version, name, statements}: Migration, target: Target): Promise<void> {
	const {dialect} = target;
	const columns = await columnsIn(connection, target.schema);
	const none: ReadonlySet<string> = new Set();
	for (const sql of statements({dialect, columnsOf: table => columns.get(table.toLowerCase()) ?? none})) {
		await connection.query(sql, [], STEP_MS + ANSWER_MS);
	}
	const insert = `INSERT INTO ${VERSIONS} (version, name, applied_at_ms) VALUES (?, ?, ${dialect.nowMs})`;
	await connection.query(insert, [version, name]);
}

async function versionOf(connection: Connection, {schema}: Target): Promise<number> {
	const {rows} = await connection.query('SELECT to_regclass(?) IS NOT NULL AS is_made', [`${schema}.${VERSIONS}`]);
	if (!rows[0]!['is_made']) return 0;
	const newest = await connection.query(`SELECT max(version) AS version FROM ${VERSIONS}`);
	return Number(newest.rows[0]!['version'] ?? 0);
}

async function columnsIn(connection: Connection, schema: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
	const {rows} = await connection.query(
		'SELECT table_name AS name, column_name AS part FROM information_schema.columns WHERE table_schema = ?',
		[schema],
	);
	const columns = new Map<string, Set<string>>();
	for (const row of rows) {
		const name = String(row['name']);
		columns.set(name, (columns.get(name) ?? new Set()).add(String(row['part'])));
	}
	return columns;
}
