import type {Connection} from './postgres-connection.ts';
import {POOLED, StoreRefused} from './postgres-errors.ts';

/** A pooler may happen to give both connections sessions of their own for a while. */
const ROUNDS = 5;

/**
 * Checks that each connection has a session of its own, which notifications, advisory locks and prepared statements need: a pooler in
 * transaction mode gives each transaction any session that is free.
 * @throws StoreRefused
 */
export async function checkSessions(one: Connection, other: Connection): Promise<void> {
	for (let round = 0; round < ROUNDS; round++) {
		const marks = new Map([
			[one, `one ${round}`],
			[other, `other ${round}`],
		]);
		for (const [connection, mark] of marks)
			await connection.query("SELECT set_config('pulsetop.session', ?, false)", [mark]);
		for (const [connection, mark] of marks) {
			const {rows} = await connection.query("SELECT current_setting('pulsetop.session', true) AS mark");
			if (rows[0]?.['mark'] !== mark) throw new StoreRefused(POOLED);
		}
	}
}
