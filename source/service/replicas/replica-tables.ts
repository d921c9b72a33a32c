import {laneTables} from '../chain/lane-store.ts';
import type {Database} from '../store/database.ts';
import {streamViewTables} from '../stream/view-registry.ts';
import {leaseTables} from './leases.ts';
import {logTables} from './log-tables.ts';
import {snapshotTables} from './snapshots.ts';

/** Makes the tables that only replicas have, in PostgreSQL, where they are missing. @throws StoreFailed */
export async function createReplicaTables(database: Database): Promise<void> {
	const {dialect} = database;
	const tables = [
		...leaseTables(dialect),
		...logTables(dialect),
		...snapshotTables(dialect),
		...laneTables(dialect),
		...streamViewTables(dialect),
	];
	// One statement for a transaction whose parts each see what other replicas have committed before.
	await database.run(`DO $tables$ BEGIN
		PERFORM pg_advisory_xact_lock(hashtext(current_schema() || '.replica_tables'));
		IF to_regclass('market_head') IS NULL THEN
			${tables.join(';\n')};
		END IF;
	END $tables$`);
}
