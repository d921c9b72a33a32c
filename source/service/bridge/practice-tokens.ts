import type {Hash, Hex} from 'viem';
import type {HeldToken} from '../market/held-token.ts';
import type {Database} from '../store/database.ts';
import {openTable, type RowOf} from '../store/table.ts';

/** The table's name. */
export const HELD_TABLE = 'practice_tokens';

const COLUMNS = {
	/** See entryKey. */
	key: 'text',
	chainId: 'integer',
	/** Instance of the practice chain with the token: after a reset no wallet holds it. */
	instance: 'text',
	/** A HeldToken as JSON: what the market of a later run needs to go on with the token. */
	facts: 'text',
	/** Outside trades that are in the facts. */
	epoch: 'integer',
	/** A transaction that may have traded the token and is not in the facts yet. */
	pendingTx: ['text'],
	/** The chain's last block before that transaction. */
	pendingSince: ['bigint'],
} as const;

/** A launch of which something may be outside the venue. */
export type PracticeToken = Omit<RowOf<typeof COLUMNS>, 'pendingTx' | 'instance'> & {
	readonly instance: Hex;
	readonly pendingTx: Hash | null;
};

/** The launches that wallets may hold on practice chains, with their market. On the disk when a call returns. */
export interface PracticeTokens {
	get(key: string): Promise<PracticeToken | undefined>;
	/** Those with a transaction whose effect on the market is open. */
	pending(): Promise<PracticeToken[]>;
	/** Stores a token before a transaction that may trade it is sent. */
	begin(token: Omit<PracticeToken, 'facts' | 'epoch' | 'key'>, facts: HeldToken): Promise<void>;
	/** Stores what the market made of that transaction. */
	settle(facts: HeldToken): Promise<void>;
	/** Stores what the crowd did with held tokens since, except where a transaction is open. */
	refresh(facts: readonly HeldToken[]): Promise<void>;
	/** Deletes a token that no wallet holds. */
	drop(key: string): Promise<void>;
	/** Forgets the tokens of a chain before its reset. */
	dropOthers(chainId: number, instance: Hex): Promise<void>;
}

/** SQL of the stored facts, for a reader that does not open the store. */
export const HELD_FACTS = `SELECT facts FROM ${HELD_TABLE}`;

/** @throws StoreFailed from every function while the store does not work */
export async function openPracticeTokens(database: Database): Promise<PracticeTokens> {
	const table = openTable(database, HELD_TABLE, COLUMNS);
	const find = async (sql: string, parameters: readonly (string | number)[] = []) =>
		(await table.find({sql, parameters})) as PracticeToken[];
	const update = (key: string, patch: Partial<RowOf<typeof COLUMNS>>, also = '') =>
		table.update(patch, {sql: `key = ?${also}`, parameters: [key]});
	const stored = (facts: HeldToken) => ({facts: JSON.stringify(facts), epoch: facts.epoch});
	return {
		get: async key => (await find('key = ?', [key]))[0],
		pending: () => find('pendingTx IS NOT NULL'),
		async begin(token, facts) {
			const row = {...token, ...stored(facts), key: facts.key};
			if ((await update(facts.key, row)) === 0) await table.insert(row);
		},
		async settle(facts) {
			await update(facts.key, {...stored(facts), pendingTx: null, pendingSince: null});
		},
		async refresh(changed) {
			if (changed.length === 0) return;
			await database.transaction(async () => {
				for (const facts of changed) await update(facts.key, stored(facts), ' AND pendingTx IS NULL');
			});
		},
		async drop(key) {
			await table.delete({sql: 'key = ?', parameters: [key]});
		},
		async dropOthers(chainId, instance) {
			await table.delete({sql: 'chainId = ? AND instance <> ?', parameters: [chainId, instance]});
		},
	};
}
