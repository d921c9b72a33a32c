import {createHash, randomUUID} from 'node:crypto';
import {setTimeout as sleep} from 'node:timers/promises';
import {type Credits, CreditsUsedUp, mayBeDone} from './credits.ts';
import type {Database, TransactionOptions} from './store/database.ts';

/** Default delay before the end of work is written again. */
const RETRY_MS = 1000;

/** Number of retries of the end of work; after the last its hold expires. */
const RETRIES = 600;

/** Longer than any work takes: a hold that is older is of a replica that was killed, and its credits are given back. */
const HOLD_MS = 5 * 60_000;

/** All calls of a key contend for its row. Each changes the row by one statement, which checks the newest state. */
const ONE_ROW: TransactionOptions = {isolation: 'read-committed'};

export interface SharedCreditsOptions {
	readonly database: Database;
	/** The accepted keys, by their number in a caller's name. Their order may differ between replicas. */
	readonly apiKeys: readonly string[];
	/** Delay before the end of work that could not be written is written again, in milliseconds; default 1 s. */
	readonly retryMs?: number | undefined;
}

/** Credits that all replicas of a service share, stored in their database. */
export function createSharedCredits(
	each: number,
	{database, apiKeys, retryMs = RETRY_MS}: SharedCreditsOptions,
): Credits {
	const {nowMs} = database.dialect;
	/** Ends holds. @returns the sum of their credits */
	const end = async (condition: string, value: string): Promise<number> => {
		const ended = await database.all(`DELETE FROM credit_holds WHERE ${condition} RETURNING cost`, [value]);
		return ended.reduce((sum, {cost}) => sum + Number(cost), 0);
	};
	const giveBack = async (name: string, cost: number): Promise<void> => {
		if (cost > 0) await database.run('UPDATE credits SET spent = spent - ? WHERE caller = ?', [cost, name]);
	};
	const take = (name: string, cost: number, id: string): Promise<boolean> =>
		// In a transaction: a statement outside of one could take effect after its caller got a timeout.
		database.transaction(async () => {
			if (cost > each) return false;
			await giveBack(name, await end(`caller = ? AND until_ms <= ${nowMs}`, name));
			const sql = `INSERT INTO credits (caller, spent) VALUES (?, ?)
				ON CONFLICT (caller) DO UPDATE SET spent = credits.spent + ? WHERE credits.spent + ? <= ?`;
			if ((await database.run(sql, [name, cost, cost, cost, each])) !== 1) return false;
			const hold = `INSERT INTO credit_holds (id, caller, cost, until_ms) VALUES (?, ?, ?, ${nowMs} + ${HOLD_MS})`;
			await database.run(hold, [id, name, cost]);
			return true;
		}, ONE_ROW);
	/** Writes the end of work. After an ambiguous answer the end is written again: a hold ends once. */
	const settle = async (name: string, id: string, isSpent: boolean): Promise<void> => {
		for (let n = 0; n < RETRIES; n++) {
			try {
				return await database.transaction(async () => {
					const cost = await end('id = ?', id);
					if (!isSpent) await giveBack(name, cost);
				}, ONE_ROW);
			} catch {
				await sleep(retryMs, undefined, {ref: false});
			}
		}
	};
	return {
		async spend(caller, cost, work) {
			const [name, id] = [nameOf(caller, apiKeys), randomUUID()];
			if (!(await take(name, cost, id))) throw new CreditsUsedUp();
			let isSpent = true;
			try {
				return await work();
			} catch (error) {
				isSpent = mayBeDone(error);
				throw error;
			} finally {
				// Not awaited: the caller does not wait for an unreachable database.
				void settle(name, id, isSpent);
			}
		},
	};
}

/** A caller's id that is the same on every replica and does not reveal the key. */
function nameOf(caller: string, apiKeys: readonly string[]): string {
	const [, number] = /^key:(\d+)$/.exec(caller) ?? [];
	const key = number === undefined ? undefined : apiKeys[Number(number)];
	return createHash('sha256')
		.update(key === undefined ? `caller ${caller}` : `key ${key}`)
		.digest('base64url');
}
