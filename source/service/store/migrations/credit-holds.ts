import type {Layout} from './migration.ts';

/** Credits that a replica has taken for work that has not ended, so that they outlive its kill. */
export function creditHolds({dialect: {name, integer}}: Layout): string[] {
	// The credits of a service that runs alone are in its memory.
	if (name === 'sqlite') return [];
	return [
		`CREATE TABLE credit_holds (
			id TEXT PRIMARY KEY, caller TEXT NOT NULL, cost ${integer} NOT NULL, until_ms ${integer} NOT NULL
		)`,
		'CREATE INDEX credit_holds_of ON credit_holds (caller, until_ms)',
	];
}
