import {createHash} from 'node:crypto';
import {setTimeout as sleep} from 'node:timers/promises';
import {type Credits, CreditsUsedUp, mayBeDone} from './credits.ts';
import type {Database} from './store/database.ts';

/** How long after a failure credits are given back again. */
const RETRY_MS = 1000;

/** A database that is away for longer has it as spent. */
const RETRIES = 600;

export interface SharedCreditsOptions {
	readonly database: Database;
	/** The accepted keys, by their number in a caller. Replicas may have them in another order. */
	readonly apiKeys: readonly string[];
}

/** Credits that all replicas of a service take from one account. What was spent is kept as long as their database. */
export function createSharedCredits(each: number, {database, apiKeys}: SharedCreditsOptions): Credits {
	const take = (name: string, cost: number): Promise<boolean> =>
		// In a transaction: a statement that a stopped database carries out after its caller was refused would take credits.
		database.transaction(async () => {
			if (cost > each) return false;
			const sql = `INSERT INTO credits (caller, spent) VALUES (?, ?)
				ON CONFLICT (caller) DO UPDATE SET spent = credits.spent + ? WHERE credits.spent + ? <= ?`;
			return (await database.run(sql, [name, cost, cost, cost, each])) === 1;
		});
	const giveBack = async (name: string, cost: number): Promise<void> => {
		for (let n = 0; n < RETRIES; n++) {
			try {
				await database.transaction(() =>
					database.run('UPDATE credits SET spent = spent - ? WHERE caller = ?', [cost, name]),
				);
				return;
			} catch {
				await sleep(RETRY_MS, undefined, {ref: false});
			}
		}
	};
	return {
		async spend(caller, cost, work) {
			const name = nameOf(caller, apiKeys);
			if (!(await take(name, cost))) throw new CreditsUsedUp();
			try {
				return await work();
			} catch (error) {
				// The caller does not wait until a database that is away is back.
				if (!mayBeDone(error)) void giveBack(name, cost);
				throw error;
			}
		},
	};
}

/** The same for a key on every replica, and no key. */
function nameOf(caller: string, apiKeys: readonly string[]): string {
	const [, number] = /^key:(\d+)$/.exec(caller) ?? [];
	const key = number === undefined ? undefined : apiKeys[Number(number)];
	return createHash('sha256')
		.update(key === undefined ? `caller ${caller}` : `key ${key}`)
		.digest('base64url');
}
