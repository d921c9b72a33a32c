import type {Address, Hash, Hex} from 'viem';
import type {Database} from '../store/database.ts';
import type {ChainInfo} from './chains.ts';
import type {Persist, Prepared} from './sender.ts';

/** A raw transaction that any replica may send. */
export interface WaitingTransaction {
	readonly hash: Hash;
	readonly raw: Hex;
	readonly account: Address;
	readonly nonce: number;
	/** How often it was taken to be sent again, this time included. */
	readonly tries: number;
	readonly ageMs: number;
}

/** A nonce whose transaction no node has, while later ones were given out: those wait until it is used. */
export interface NonceGap {
	readonly account: Address;
	readonly nonce: number;
}

/** Signs a transaction with a nonce. */
export type SignWith = (nonce: number) => Promise<Prepared>;

/**
 * The nonces of the service's accounts on one chain and the transactions signed with them, in the database of all
 * replicas. A nonce has at most one transaction that a replica may send: an index of the database says so.
 */
export interface LaneStore {
	/**
	 * Takes the next nonce, signs, stores the transaction and runs `persist`, all in one transaction of the database. Signing and
	 * `persist` may run several times; only what was committed is ever sent.
	 * @param pending the node's number of the account's transactions: another program may have used the account
	 * @throws what `persist` throws, StoreFailed: nothing is stored then, and the nonce is free
	 */
	take(account: Address, pending: number, sign: SignWith, persist?: Persist): Promise<Prepared>;
	/**
	 * Records that the node refused the first sending of a transaction; its nonce is free again when no later one was given out.
	 * @returns false when another replica may have sent the same bytes meanwhile: then nothing is changed
	 */
	refuse(hash: Hash): Promise<boolean>;
	/** As `refuse`, of a transaction that was sent several times and is refused each time. */
	giveUp(transaction: WaitingTransaction): Promise<boolean>;
	/** Lets a transaction be sent again at once: the node wants those before it first. */
	hurry(hash: Hash): Promise<void>;
	/** Whether a transaction is due to be sent again. */
	hasDue(): Promise<boolean>;
	/** Takes transactions that are due, lowest nonces first. Another replica gets others. */
	takeDue(limit: number): Promise<WaitingTransaction[]>;
	/** Records which transactions are in a block. */
	mined(hashes: readonly Hash[]): Promise<void>;
	/** Records that another transaction has the nonce of this one. */
	lost(hash: Hash): Promise<void>;
	/** Lets mined transactions be sent again whose blocks were taken back. @param latest the account's number of mined ones */
	reopen(account: Address, latest: number): Promise<void>;
	gaps(): Promise<NonceGap[]>;
	/** Gives a gap another transaction; undefined when it is none any more. */
	fill(gap: NonceGap, sign: SignWith): Promise<Prepared | undefined>;
	/** Forgets the refused transactions of a nonce that is used by now. */
	settleGap(gap: NonceGap): Promise<void>;
	/** Whether the transaction may be sent again and be mined yet. */
	isSending(hash: Hash): Promise<boolean>;
	/** Whether no transaction of the account waits to be mined. */
	isIdle(account: Address): Promise<boolean>;
	/** Drops what ended long ago. */
	dropOld(): Promise<void>;
}

/** A transaction is sent again when it was not seen in a block by then, and then after longer and longer times. */
const RESEND_MS = 2000;
/** RESEND_MS is doubled this often. */
const DOUBLINGS = 3;
/** For how long ended transactions are kept, for whoever looks into a fault. */
const KEEP_MS = 24 * 3600_000;

/**
 * The name of a chain's lanes. A development chain that was started again has lanes of its own, and gets no transactions of the
 * one before it.
 * @param instance the hash of its first block
 */
export function laneChain({key}: ChainInfo, instance: Hex): string {
	return `${key}/${instance}`;
}

/** @param chain see laneChain */
export function openLaneStore(database: Database, chain: string): LaneStore {
	const {nowMs, skipLocked} = database.dialect;

	const insert = async (account: Address, {hash, raw, nonce}: Prepared): Promise<void> => {
		// A refused transaction may be signed again to the last byte: then it is sent again.
		const inserted = await database.run(
			`INSERT INTO outgoing (chain, hash, account, nonce, raw, state, tries, due_ms, created_at_ms)
			VALUES (?, ?, ?, ?, ?, 'sending', 0, ${nowMs} + ${RESEND_MS}, ${nowMs})
			ON CONFLICT (chain, hash) DO UPDATE SET state = 'sending', due_ms = excluded.due_ms, created_at_ms = excluded.created_at_ms
			WHERE outgoing.state = 'refused'`,
			[chain, hash, key(account), nonce, raw],
		);
		if (inserted === 0) throw new Error(`the nonce ${nonce} of ${account} on ${chain} was given out twice`);
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

	/** Marks a transaction as refused if it was taken no more than this often, and frees the newest nonces that no one uses. */
	const markRefused = (hash: Hash, tries: number): Promise<boolean> =>
		database.transaction(async () => {
			const found = await database.get('SELECT account FROM outgoing WHERE chain = ? AND hash = ?', [chain, hash]);
			if (found === undefined) return false;
			const account = String(found['account']);
			let next = await lock(account);
			// Whoever takes it to send it again changes the same row: of the two, one comes first.
			const sql =
				"UPDATE outgoing SET state = 'refused' WHERE chain = ? AND hash = ? AND state = 'sending' AND tries = ?";
			if ((await database.run(sql, [chain, hash, tries])) === 0) return false;
			while (await isGap(account, next - 1)) next--;
			await database.run('UPDATE nonce_lanes SET next = ? WHERE chain = ? AND account = ?', [next, chain, account]);
			return true;
		});

	return {
		take: (account, pending, sign, persist) =>
			database.transaction(async () => {
				// `next` is one more than the nonce: the greater of the stored one and the node's.
				const lane = await database.get(
					`INSERT INTO nonce_lanes (chain, account, next) VALUES (?, ?, ?)
					ON CONFLICT (chain, account) DO UPDATE
					SET next = CASE WHEN nonce_lanes.next < excluded.next THEN excluded.next ELSE nonce_lanes.next + 1 END
					RETURNING next`,
					[chain, key(account), pending + 1],
				);
				const prepared = await sign(Number(lane!['next']) - 1);
				await insert(account, prepared);
				await persist?.(prepared);
				return prepared;
			}),
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
				await insert(account, prepared);
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
