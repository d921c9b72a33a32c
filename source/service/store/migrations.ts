import {type Dialect, StoreFailed} from './database.ts';
import {ageIndexes} from './migrations/age-indexes.ts';
import {creditHolds} from './migrations/credit-holds.ts';
import {firstLayout} from './migrations/first-layout.ts';
import {replicaLayout} from './migrations/replica-layout.ts';
import {sharedWebhooks} from './migrations/shared-webhooks.ts';

/** The layout of the store before a migration. */
export interface Layout {
	readonly dialect: Dialect;
	/** Names of a table's columns in lower case; empty for a missing table. */
	columnsOf(table: string): ReadonlySet<string>;
}

/**
 * One step from a layout of the store to the next. Released steps are never changed. During a rolling upgrade replicas of the
 * previous version use the new layout: a step only adds, and a column or table that is no longer used is dropped one version later.
 */
export interface Migration {
	/** 1, 2, 3 and so on without a gap. */
	readonly version: number;
	readonly name: string;
	/** SQL of the step, run in order and in one transaction. */
	statements(found: Layout): readonly string[];
}

/** All migrations, oldest first. Tables are made nowhere else. */
export const MIGRATIONS: readonly Migration[] = [
	{version: 1, name: 'first layout', statements: firstLayout},
	{version: 2, name: 'webhooks of replicas', statements: sharedWebhooks},
	{version: 3, name: 'replicas', statements: replicaLayout},
	{version: 4, name: 'indexes for old rows', statements: ageIndexes},
	{version: 5, name: 'holds of credits', statements: creditHolds},
];

/** Table of the applied migrations. */
export const VERSIONS = 'schema_versions';

/** The store was written by a later version of the program. */
export class StoreTooNew extends StoreFailed {
	/** @param known the newest layout that this program knows */
	constructor(version: number, known: number) {
		super(`its layout has version ${version}, and this version of pulsetop knows those up to ${known}`, {
			next: 'fix-input',
			advice: 'Start a version of pulsetop that is as new as the one that used the store last.',
		});
	}
}

/** The migrations that a store of this version still needs; 0 is an empty store. @throws StoreTooNew */
export function migrationsAfter(version: number, all = MIGRATIONS): readonly Migration[] {
	const newest = all.at(-1)?.version ?? 0;
	if (version > newest) throw new StoreTooNew(version, newest);
	return all.filter(migration => migration.version > version);
}

export function versionsTable({integer, afterTable}: Dialect): string {
	return `CREATE TABLE IF NOT EXISTS ${VERSIONS}
		(version ${integer} PRIMARY KEY, name TEXT NOT NULL, applied_at_ms ${integer} NOT NULL) ${afterTable}`;
}
