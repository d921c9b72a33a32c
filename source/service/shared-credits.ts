import {createHash} from 'node:crypto';
import {setTimeout as sleep} from 'node:timers/promises';
import {type Credits, CreditsUsedUp, mayBeDone} from './credits.ts';
import {type Database, StoreUnavailable, type TransactionOptions} from './store/database.ts';

/** Default delay before a refund is retried. */
const RETRY_MS = 1000;

/** Number of retries of a refund; after the last the credits stay spent. */
const RETRIES = 600;

/** All calls of a key contend for its row, and each changes it by one statement, which checks the newest state of the row. */
const ONE_ROW: TransactionOptions = {isolation: 'read-committed'};

export interface SharedCreditsOptions {
	readonly database: Database;
	/** The accepted keys, by their number in a caller's name. Their order may differ between replicas. */
	readonly apiKeys: readonly string[];
	/** Delay before a failed refund is retried, in milliseconds; default 1 s. */
	readonly retryMs?: number | undefined;
}

/** Credits that all replicas of a service share, stored in their database. */
export function createSharedCredits(
	each: number,
	{database, apiKeys, retryMs = RETRY_MS}: SharedCreditsOptions,
): Credits {
	const take = (name: string, cost: number): Promise<boolean> =>
		// In a transaction: a statement outside of one could take effect after its caller got a timeout.
		database.transaction(async () => {
			if (cost > each) return false;
			const sql = `INSERT INTO credits (caller, spent) VALUES (?, ?)
				ON CONFLICT (caller) DO UPDATE SET spent = credits.spent + ? WHERE credits.spent + ? <= ?`;
			return (await database.run(sql, [name, cost, cost, cost, each])) === 1;
		}, ONE_ROW);
	const giveBack = async (name: string, cost: number): Promise<void> => {
		for (let n = 0; n < RETRIES; n++) {
			let isWritten = false;
			try {
				await database.transaction(async () => {
					isWritten = false;
					await database.run('UPDATE credits SET spent = spent - ? WHERE caller = ?', [cost, name]);
					isWritten = true;
				}, ONE_ROW);
				return;
			} catch (error) {
				// Whether it was committed is not known: credits given back twice would be more than there are.
				if (isWritten && error instanceof StoreUnavailable) return;
				await sleep(retryMs, undefined, {ref: false});
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
				// Not awaited: the caller does not wait for an unreachable database.
				if (!mayBeDone(error)) void giveBack(name, cost);
				throw error;
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
