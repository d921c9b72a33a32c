import {type Dialect, StoreFailed} from './database.ts';
import {ageIndexes} from './migrations/age-indexes.ts';
import {creditHolds} from './migrations/credit-holds.ts';
import {firstLayout} from './migrations/first-layout.ts';
import type {Migration} from './migrations/migration.ts';
import {replicaLayout} from './migrations/replica-layout.ts';
import {sharedWebhooks} from './migrations/shared-webhooks.ts';

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
