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
	/** The practice chain that has the token: after a reset nobody holds it any more. */
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
	get(key: string): PracticeToken | undefined;
	/** Those with a transaction whose effect on the market is open. */
	pending(): PracticeToken[];
	/** Stores a token before a transaction that may trade it is sent. */
	begin(token: Omit<PracticeToken, 'facts' | 'epoch' | 'key'>, facts: HeldToken): void;
	/** Stores what the market made of that transaction. */
	settle(facts: HeldToken): void;
	/** Stores what the crowd did with held tokens since, except where a transaction is open. */
	refresh(facts: readonly HeldToken[]): void;
	/** Forgets a token that nobody holds. */
	drop(key: string): void;
	/** Forgets the tokens of a chain before its reset. */
	dropOthers(chainId: number, instance: Hex): void;
}

/** SQL of the stored facts, for a reader that does not open the store. */
export const HELD_FACTS = `SELECT facts FROM ${HELD_TABLE}`;

/** @throws StoreFailed from every function while the store does not work */
export function openPracticeTokens(database: Database): PracticeTokens {
	const table = openTable(database, HELD_TABLE, 'key', COLUMNS);
	const find = (sql: string, parameters: readonly (string | number)[] = []) =>
		table.find({sql, parameters}) as PracticeToken[];
	const update = (key: string, patch: Partial<RowOf<typeof COLUMNS>>, also = '') =>
		table.update(patch, {sql: `key = ?${also}`, parameters: [key]});
	const stored = (facts: HeldToken) => ({facts: JSON.stringify(facts), epoch: facts.epoch});
	return {
		get: key => find('key = ?', [key])[0],
		pending: () => find('pendingTx IS NOT NULL'),
		begin(token, facts) {
			const row = {...token, ...stored(facts), key: facts.key};
			if (update(facts.key, row) === 0) table.insert(row);
		},
		settle: facts => void update(facts.key, {...stored(facts), pendingTx: null, pendingSince: null}),
		refresh(changed) {
			if (changed.length === 0) return;
			database.transaction(() => {
				for (const facts of changed) update(facts.key, stored(facts), ' AND pendingTx IS NULL');
			});
		},
		drop: key => void table.delete({sql: 'key = ?', parameters: [key]}),
		dropOthers: (chainId, instance) =>
			void table.delete({sql: 'chainId = ? AND instance <> ?', parameters: [chainId, instance]}),
	};
}
