import type * as Sqlite from 'node:sqlite';
import type {Dialect} from './database.ts';
import type {Migration} from './migrations/migration.ts';
import {migrationsAfter, VERSIONS, versionsTable} from './migrations.ts';

/** Migrates a store to the newest layout. @throws StoreTooNew; what SQLite throws, with nothing changed */
export function migrateSqlite(file: Sqlite.DatabaseSync, dialect: Dialect, migrations: readonly Migration[]): void {
	if (migrationsAfter(versionOf(file), migrations).length === 0) return;
	file.exec('BEGIN IMMEDIATE');
	try {
		file.exec(versionsTable(dialect));
		// Read again: another process may have migrated the same store meanwhile.
		for (const {version, name, statements} of migrationsAfter(versionOf(file), migrations)) {
			const columnsOf = (table: string) =>
				new Set(
					file
						.prepare(`PRAGMA table_info(${table})`)
						.all()
						.map(row => String(row['name']).toLowerCase()),
				);
			for (const sql of statements({dialect, columnsOf})) file.exec(sql);
			file.prepare(`INSERT INTO ${VERSIONS} VALUES (?, ?, ?)`).run(version, name, Date.now());
		}
		file.exec('COMMIT');
	} catch (error) {
		if (file.isTransaction) file.exec('ROLLBACK');
		throw error;
	}
}

function versionOf(file: Sqlite.DatabaseSync): number {
	const made = file.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(VERSIONS);
	return made === undefined ? 0 : Number(file.prepare(`SELECT max(version) AS n FROM ${VERSIONS}`).get()!['n']);
}
