import type {Layout} from './migration.ts';

/** Columns and tables for the webhooks of several replicas: owner and due time of a delivery, progress of the enqueuer. */
export function sharedWebhooks({dialect: {integer, afterTable}, columnsOf}: Layout): string[] {
	const added = (table: string, columns: Readonly<Record<string, string>>): string[] => {
		const present = columnsOf(table);
		return Object.entries(columns)
			.filter(([column]) => !present.has(column))
			.map(([column, type]) => `ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
	};
	return [
		...added('webhooks', {since: 'TEXT'}),
		...added('webhook_deliveries', {owner: 'TEXT', due_ms: integer, first_ms: integer}),
		`CREATE TABLE IF NOT EXISTS webhook_progress
			(id ${integer} PRIMARY KEY, position TEXT NOT NULL, version ${integer} NOT NULL) ${afterTable}`,
		// A process that served alone wrote no time in its rows when this index was made, so that they are not in it.
		`CREATE INDEX IF NOT EXISTS webhook_deliveries_by_due ON webhook_deliveries (webhook_id, due_ms)
			WHERE due_ms IS NOT NULL`,
	];
}
