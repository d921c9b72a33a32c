import type {Dialect} from '../database.ts';
import type {Columns} from '../table.ts';
import type {Layout} from './migration.ts';
import {tableStatements} from './table-statements.ts';

/** Who works on a row. */
const LEASE: Columns = {worker: ['text'], workerUntilMs: ['integer']};

/** Tables that replicas share. A service that runs alone has only the new columns of tables that both use. */
export function replicaLayout(found: Layout): string[] {
	const {dialect} = found;
	const columns = [
		...tableStatements(found, {
			name: 'bridge_intents',
			key: 'intentId',
			// How often the row was changed.
			columns: {...LEASE, changes: ['integer']},
		}),
		// The signed transaction of a user, which another replica may have to send.
		...tableStatements(found, {name: 'perp_processes', key: 'processId', columns: {...LEASE, raw: ['text']}}),
	];
	if (dialect.name === 'sqlite') return columns;
	return [
		...columns,
		// For the search of rows whose worker is gone.
		`CREATE INDEX bridge_intents_leased ON bridge_intents (workerUntilMs)
		WHERE status IS NULL AND workerUntilMs IS NOT NULL`,
		"CREATE INDEX perp_processes_pending ON perp_processes (workerUntilMs) WHERE status = 'pending'",
		...leaseTables(dialect),
		...logTables(dialect),
		...snapshotTables(dialect),
		...laneTables(dialect),
		`CREATE TABLE stream_views (
			signature TEXT PRIMARY KEY, definition TEXT NOT NULL, used_at_ms ${dialect.integer} NOT NULL
		)`,
		`CREATE TABLE credits (caller TEXT PRIMARY KEY, spent ${dialect.integer} NOT NULL)`,
	];
}

/** The table of leases. A row stays when its lease is released: its fence only grows. */
function leaseTables({integer}: Dialect): string[] {
	return [
		`CREATE TABLE leases (
			name TEXT PRIMARY KEY,
			owner TEXT NOT NULL,
			fence ${integer} NOT NULL,
			until_ms ${integer} NOT NULL
		) WITH (fillfactor = 50)`,
	];
}

/**
 * The tables of the market log.
 *
 * `market_head` has one row, and its lock gives all writers one order without holes. `market_append` is one statement for its
 * caller and so one transaction: it locks the lease against being taken while it writes, then the head, then writes. A lease
 * that was taken in the meantime has another owner or fence.
 */
function logTables({integer, bytes}: Dialect): string[] {
	return [
		`CREATE TABLE market_head (
			one BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (one),
			epoch TEXT NOT NULL,
			seq ${integer} NOT NULL,
			at_ms ${integer} NOT NULL,
			made_ms ${integer} NOT NULL,
			sources TEXT
		) WITH (fillfactor = 10)`,
		`CREATE TABLE market_log (
			at_ms ${integer} NOT NULL,
			seq ${integer} NOT NULL,
			data ${bytes} NOT NULL
		) PARTITION BY RANGE (at_ms)`,
		// Records come deflated.
		'ALTER TABLE market_log ALTER COLUMN data SET STORAGE EXTERNAL',
		'CREATE INDEX market_log_seq ON market_log (seq)',
		`CREATE FUNCTION market_append(
			lease_name TEXT, lease_owner TEXT, lease_fence BIGINT, clock_ms BIGINT, lengths TEXT, records BYTEA
		) RETURNS BIGINT LANGUAGE plpgsql AS $$
		DECLARE
			sizes INT[] := string_to_array(lengths, ',')::INT[];
			last_seq BIGINT;
			last_ms BIGINT;
		BEGIN
			PERFORM FROM leases
				WHERE name = lease_name AND owner = lease_owner AND fence = lease_fence AND until_ms > clock_ms FOR SHARE;
			IF NOT FOUND THEN RETURN NULL; END IF;
			UPDATE market_head SET seq = seq + cardinality(sizes), at_ms = greatest(at_ms, clock_ms)
				RETURNING seq, at_ms INTO STRICT last_seq, last_ms;
			INSERT INTO market_log (at_ms, seq, data)
				SELECT last_ms, last_seq - cardinality(sizes) + n, substring(records FROM (before + 1)::INT FOR size)
				FROM (
					SELECT n, size, sum(size) OVER (ORDER BY n) - size AS before
					FROM unnest(sizes) WITH ORDINALITY AS one (size, n)
				) AS parts;
			PERFORM pg_notify(current_schema() || '.market_log', '');
			RETURN last_seq;
		END $$`,
	];
}

/** A snapshot is its pieces, and last a row that says that they are complete. */
function snapshotTables({integer, bytes}: Dialect): string[] {
	return [
		`CREATE TABLE market_snapshots (
			id TEXT PRIMARY KEY,
			epoch TEXT NOT NULL,
			seq ${integer} NOT NULL,
			at_ms ${integer} NOT NULL,
			pieces ${integer} NOT NULL,
			bytes ${integer} NOT NULL,
			sha256 TEXT NOT NULL
		)`,
		`CREATE TABLE market_snapshot_pieces (
			snapshot TEXT NOT NULL,
			n ${integer} NOT NULL,
			data ${bytes} NOT NULL,
			PRIMARY KEY (snapshot, n)
		)`,
		// Pieces come compressed.
		'ALTER TABLE market_snapshot_pieces ALTER COLUMN data SET STORAGE EXTERNAL',
	];
}

/** The lanes of accounts and what was sent from them. */
function laneTables({integer}: Dialect): string[] {
	return [
		`CREATE TABLE nonce_lanes (
			chain TEXT NOT NULL, account TEXT NOT NULL, next ${integer} NOT NULL, PRIMARY KEY (chain, account)
		)`,
		`CREATE TABLE outgoing (
			chain TEXT NOT NULL, hash TEXT NOT NULL, account TEXT NOT NULL, nonce ${integer} NOT NULL, raw TEXT NOT NULL,
			state TEXT NOT NULL, tries ${integer} NOT NULL, due_ms ${integer} NOT NULL, created_at_ms ${integer} NOT NULL,
			PRIMARY KEY (chain, hash)
		)`,
		// One transaction per nonce, besides those that no replica resends.
		`CREATE UNIQUE INDEX outgoing_nonce ON outgoing (chain, account, nonce) WHERE state IN ('sending', 'mined')`,
		`CREATE INDEX outgoing_refused ON outgoing (chain, account, nonce) WHERE state = 'refused'`,
		`CREATE INDEX outgoing_due ON outgoing (chain, due_ms) WHERE state = 'sending'`,
		`CREATE INDEX outgoing_ended ON outgoing (chain, created_at_ms) WHERE state IN ('mined', 'lost')`,
	];
}
