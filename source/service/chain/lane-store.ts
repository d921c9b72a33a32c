import type {Address, Hash, Hex} from 'viem';
import type {Database} from '../store/database.ts';
import type {ChainInfo} from './chains.ts';
import type {Persist, Prepared} from './sender.ts';

/** A signed transaction that any replica may send. */
export interface WaitingTransaction {
	readonly hash: Hash;
	readonly raw: Hex;
	readonly account: Address;
	readonly nonce: number;
	/** Number of resends, this one included. */
	readonly tries: number;
	readonly ageMs: number;
}

/** A nonce whose transaction was refused after later nonces were assigned: the later transactions wait until it is used. */
export interface NonceGap {
	readonly account: Address;
	readonly nonce: number;
}

/** Signs a transaction with a nonce. */
export type SignWith = (nonce: number) => Promise<Prepared>;

/** A transaction without a nonce. */
export interface NewTransaction {
	readonly sign: SignWith;
	readonly persist?: Persist | undefined;
}

/**
 * The nonces of the service's accounts on one chain and the transactions signed with them, in the shared database. A nonce has at
 * most one transaction that a replica may send, by a unique index.
 */
export interface LaneStore {
	/**
	 * Assigns the next nonces, signs, stores the transactions and runs `persist` of each, all in one database transaction. Signing
	 * and `persist` may run several times, every `sign` before the first `persist`; only committed transactions are sent. The isolation
	 * is read-committed.
	 * @param pending the node's pending transaction count of the account, which another program may use too
	 * @throws what a `persist` throws; StoreFailed: nothing is stored, and the nonces stay free
	 */
	take(account: Address, pending: number, transactions: readonly NewTransaction[]): Promise<Prepared[]>;
	/**
	 * Records that the node refused a transaction at its first sending; its nonce is free again unless a later one was assigned.
	 * @returns false, with nothing changed, when another replica may have sent the same bytes meanwhile
	 */
	refuse(hash: Hash): Promise<boolean>;
	/** As `refuse`, for a transaction that was sent several times and refused each time. */
	giveUp(transaction: WaitingTransaction): Promise<boolean>;
	/** Makes a transaction due at once: the node misses those before it. */
	hurry(hash: Hash): Promise<void>;
	/** Whether a transaction is due for a resend. */
	hasDue(): Promise<boolean>;
	/** Takes due transactions, lowest nonces first. Concurrent calls of other replicas skip them. */
	takeDue(limit: number): Promise<WaitingTransaction[]>;
	/** Records transactions as mined. */
	mined(hashes: readonly Hash[]): Promise<void>;
	/** Records that another transaction with the same nonce was mined. */
	lost(hash: Hash): Promise<void>;
	/** Resends mined transactions whose blocks were reorganised away. @param latest the account's transaction count */
	reopen(account: Address, latest: number): Promise<void>;
	gaps(): Promise<NonceGap[]>;
	/** Signs and stores a transaction for a gap; undefined when the gap is closed. */
	fill(gap: NonceGap, sign: SignWith): Promise<Prepared | undefined>;
	/** Closes a gap whose nonce is used by now. */
	settleGap(gap: NonceGap): Promise<void>;
	/** Whether the transaction may still be sent and mined. */
	isSending(hash: Hash): Promise<boolean>;
	/** Whether the account has no unmined transaction. */
	isIdle(account: Address): Promise<boolean>;
	/** Deletes old mined and lost transactions. */
	dropOld(): Promise<void>;
}

/** Delay before the first resend of an unmined transaction; doubles with each further one. */
const RESEND_MS = 2000;
/** Number of doublings of RESEND_MS. */
const DOUBLINGS = 3;
/** How long mined and lost transactions are kept, for the analysis of faults. */
const KEEP_MS = 24 * 3600_000;

/**
 * The key of a chain's lanes. A restarted development chain has other lanes, so that it gets no transactions of the chain before it.
 * @param instance the hash of its first block
 */
export function laneChain({key}: ChainInfo, instance: Hex): string {
	return `${key}/${instance}`;
}

/** @param chain see laneChain */
export function openLaneStore(database: Database, chain: string): LaneStore {
	const {nowMs, skipLocked} = database.dialect;

	const insert = async (account: Address, transactions: readonly Prepared[]): Promise<void> => {
		const row = `(?, ?, ?, ?, ?, 'sending', 0, ${nowMs} + ${RESEND_MS}, ${nowMs})`;
		// A refused transaction that is signed again may have the same bytes.
		const inserted = await database.run(
			`INSERT INTO outgoing (chain, hash, account, nonce, raw, state, tries, due_ms, created_at_ms)
			VALUES ${transactions.map(() => row).join(', ')}
			ON CONFLICT (chain, hash) DO UPDATE SET state = 'sending', due_ms = excluded.due_ms, created_at_ms = excluded.created_at_ms
			WHERE outgoing.state = 'refused'`,
			transactions.flatMap(({hash, raw, nonce}) => [chain, hash, key(account), nonce, raw]),
		);
		if (inserted < transactions.length) {
			const nonces = transactions.map(({nonce}) => nonce).join(', ');
			throw new Error(`a nonce of ${nonces} of ${account} on ${chain} was assigned twice`);
		}
	};

	/** Locks the lane for this transaction. @returns the next nonce */
	const lock = async (account: string): Promise<number> => {
		const sql = 'UPDATE nonce_lanes SET next = next WHERE chain = ? AND account = ? RETURNING next';
		return Number((await database.get(sql, [chain, account]))!['next']);
	};

	const statesOf = async (account: string, nonce: number): Promise<string[]> => {
		const sql = 'SELECT state FROM outgoing WHERE chain = ? AND account = ? AND nonce = ?';
		return (await database.all(sql, [chain, account, nonce])).map(row => String(row['state']));
	};

	const isGap = async (account: string, nonce: number): Promise<boolean> => {
		const states = await statesOf(account, nonce);
		return states.length > 0 && states.every(state => state === 'refused');
	};

	/** Marks a transaction as refused unless it was resent meanwhile, and frees the newest unused nonces. */
	const markRefused = (hash: Hash, tries: number): Promise<boolean> =>
		database.transaction(async () => {
			const found = await database.get('SELECT account FROM outgoing WHERE chain = ? AND hash = ?', [chain, hash]);
			if (found === undefined) return false;
			const account = String(found['account']);
			let next = await lock(account);
			// A replica that takes it for a resend updates the same row: one of the two updates comes first.
			const sql =
				"UPDATE outgoing SET state = 'refused' WHERE chain = ? AND hash = ? AND state = 'sending' AND tries = ?";
			if ((await database.run(sql, [chain, hash, tries])) === 0) return false;
			while (await isGap(account, next - 1)) next--;
			await database.run('UPDATE nonce_lanes SET next = ? WHERE chain = ? AND account = ?', [next, chain, account]);
			return true;
		});

	return {
		take: (account, pending, transactions) =>
			database.transaction(
				async () => {
					const count = transactions.length;
					// The first nonce is the greater of the stored one and the node's.
					const lane = await database.get(
						`INSERT INTO nonce_lanes (chain, account, next) VALUES (?, ?, ?)
						ON CONFLICT (chain, account) DO UPDATE
						SET next = CASE WHEN nonce_lanes.next < ? THEN excluded.next ELSE nonce_lanes.next + ? END
						RETURNING next`,
						[chain, key(account), pending + count, pending, count],
					);
					const first = Number(lane!['next']) - count;
					const prepared = await Promise.all(transactions.map(({sign}, n) => sign(first + n)));
					await insert(account, prepared);
					const written = await Promise.allSettled(transactions.map(({persist}, n) => persist?.(prepared[n]!)));
					for (const one of written) if (one.status === 'rejected') throw one.reason;
					return prepared;
				},
				// Replicas contend for the row of the lane.
				{isolation: 'read-committed'},
			),
		refuse: hash => markRefused(hash, 0),
		giveUp: ({hash, tries}) => markRefused(hash, tries),
		async hurry(hash) {
			await database.run(`UPDATE outgoing SET due_ms = ${nowMs} WHERE chain = ? AND hash = ? AND state = 'sending'`, [
				chain,
				hash,
			]);
		},
		async hasDue() {
			const sql = `SELECT 1 AS found FROM outgoing WHERE chain = ? AND state = 'sending' AND due_ms <= ${nowMs} LIMIT 1`;
			return (await database.get(sql, [chain])) !== undefined;
		},
		async takeDue(limit) {
			const rows = await database.all(
				`WITH due AS (
					SELECT hash FROM outgoing WHERE chain = ? AND state = 'sending' AND due_ms <= ${nowMs}
					ORDER BY account, nonce LIMIT ${limit} ${skipLocked}
				)
				UPDATE outgoing SET tries = tries + 1,
					due_ms = ${nowMs} + ${RESEND_MS} * (1 << CAST(CASE WHEN tries < ${DOUBLINGS} THEN tries ELSE ${DOUBLINGS} END AS INTEGER))
				WHERE chain = ? AND hash IN (SELECT hash FROM due)
				RETURNING hash, raw, account, nonce, tries, ${nowMs} - created_at_ms AS age_ms`,
				[chain, chain],
			);
			return rows
				.map(row => ({
					hash: String(row['hash']) as Hash,
					raw: String(row['raw']) as Hex,
					account: String(row['account']) as Address,
					nonce: Number(row['nonce']),
					tries: Number(row['tries']),
					ageMs: Number(row['age_ms']),
				}))
				.sort((a, b) => a.nonce - b.nonce);
		},
		async mined(hashes) {
			for (const hash of hashes) {
				await database.run("UPDATE outgoing SET state = 'mined' WHERE chain = ? AND hash = ? AND state = 'sending'", [
					chain,
					hash,
				]);
			}
		},
		async lost(hash) {
			await database.run("UPDATE outgoing SET state = 'lost' WHERE chain = ? AND hash = ? AND state = 'sending'", [
				chain,
				hash,
			]);
		},
		async reopen(account, latest) {
			await database.run(
				`UPDATE outgoing SET state = 'sending', due_ms = ${nowMs} WHERE chain = ? AND account = ? AND nonce >= ? AND state = 'mined'`,
				[chain, key(account), latest],
			);
		},
		async gaps() {
			const rows = await database.all(
				`SELECT DISTINCT refused.account AS account, refused.nonce AS nonce
				FROM outgoing AS refused JOIN nonce_lanes AS lane ON lane.chain = refused.chain AND lane.account = refused.account
				WHERE refused.chain = ? AND refused.state = 'refused' AND refused.nonce < lane.next AND NOT EXISTS (
					SELECT 1 FROM outgoing AS other WHERE other.chain = refused.chain AND other.account = refused.account
					AND other.nonce = refused.nonce AND other.state <> 'refused'
				) ORDER BY nonce`,
				[chain],
			);
			return rows.map(row => ({account: String(row['account']) as Address, nonce: Number(row['nonce'])}));
		},
		fill: ({account, nonce}, sign) =>
			database.transaction(async () => {
				const next = await lock(key(account));
				if (nonce >= next || !(await isGap(key(account), nonce))) return undefined;
				const prepared = await sign(nonce);
				await insert(account, [prepared]);
				return prepared;
			}),
		async settleGap({account, nonce}) {
			await database.run(
				"UPDATE outgoing SET state = 'lost' WHERE chain = ? AND account = ? AND nonce = ? AND state = 'refused'",
				[chain, key(account), nonce],
			);
		},
		async isSending(hash) {
			const sql = "SELECT 1 AS found FROM outgoing WHERE chain = ? AND hash = ? AND state = 'sending'";
			return (await database.get(sql, [chain, hash])) !== undefined;
		},
		async isIdle(account) {
			const sql = "SELECT 1 AS found FROM outgoing WHERE chain = ? AND account = ? AND state = 'sending' LIMIT 1";
			return (await database.get(sql, [chain, key(account)])) === undefined;
		},
		async dropOld() {
			await database.run(
				`UPDATE outgoing SET state = 'lost' WHERE chain = ? AND state = 'refused' AND EXISTS (
					SELECT 1 FROM outgoing AS used WHERE used.chain = outgoing.chain AND used.account = outgoing.account
					AND used.nonce = outgoing.nonce AND used.state = 'mined'
				)`,
				[chain],
			);
			const sql = `DELETE FROM outgoing WHERE chain = ? AND state IN ('mined', 'lost') AND created_at_ms < ${nowMs} - ${KEEP_MS}`;
			await database.run(sql, [chain]);
		},
	};
}

function key(account: Address): string {
	return account.toLowerCase();
}
