/** Indexes for what a service has many of after weeks, so that its statements read only the rows that they are about. */
export function ageIndexes(): string[] {
	return [
		// For the deletion of unused quotes and of ended executions.
		'CREATE INDEX bridge_intents_unused ON bridge_intents (expiresAtMs) WHERE status IS NULL',
		"CREATE INDEX perp_processes_ended ON perp_processes (createdAtMs) WHERE status <> 'pending'",
		// For the history of a wallet, in its order.
		...['authority', 'recipient'].map(
			column =>
				`CREATE INDEX bridge_intents_${column} ON bridge_intents (lower(${column}), createdAtMs, intentId)
				WHERE status IS NOT NULL`,
		),
	];
}
