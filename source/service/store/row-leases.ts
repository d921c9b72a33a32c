import {randomUUID} from 'node:crypto';
import {PulsetopError} from '../../errors.ts';
import {logFailuresOnce} from '../log-failures-once.ts';
import type {Database} from './database.ts';
import {later, type StoreClock} from './store-clock.ts';
import {type Expression, listOf} from './table.ts';

/** Columns of a table whose rows are worked on by one process at a time. */
export const LEASE_COLUMNS = {
	/** Random token of the lease: a write under an earlier one is refused. Null: no lease. */
	worker: ['text'],
	/** Expiry of the lease, or the earliest time of the next one, Unix ms. */
	workerUntilMs: ['integer'],
} as const;

/** The values of a row's lease columns. */
export interface LeaseValues {
	readonly worker: string | null;
	readonly workerUntilMs: Expression | null;
}

/** The exclusive right to work on a row, until it is released or expires. */
export interface RowLease {
	readonly key: string;
	/** SQL condition: the row is under this lease. */
	readonly condition: Expression;
	/** Aborted when another process has taken the row over. */
	readonly signal: AbortSignal;
	/** Ends the lease of a row whose work is finished. */
	done(): void;
	/** Releases the row for other processes. @param delayMs time until one can take it */
	release(delayMs?: number): Promise<void>;
}

/** A lease that the caller writes. */
export interface PreparedLease {
	/** Values for the statement that inserts or claims the row. */
	readonly values: LeaseValues;
	/** Begins the lease, after the values are written. */
	begin(): RowLease;
}

/** Leases of single rows of a table, for many rows and short work, by the database's clock. */
export interface RowLeases {
	/** Whether other processes work on the same rows. */
	readonly isShared: boolean;
	/** Interval at which a process should poll for rows of dead processes, in milliseconds. */
	readonly pollMs: number;
	prepare(key: string): PreparedLease;
	/** Takes a row; undefined while another process holds it. @throws StoreFailed */
	take(key: string): Promise<RowLease | undefined>;
	/** Takes free rows that meet a condition, at most `limit`: the longest free ones first. @throws StoreFailed */
	takeFree(work: Expression, limit: number): Promise<RowLease[]>;
	/** Releases all rows. */
	close(): Promise<void>;
}

/** Another process has taken the row over: nothing was written. */
export class RowTaken extends PulsetopError {
	readonly code = 'row-taken';

	constructor(key: string) {
		super(`Another replica works on ${key}`, {why: 'the lease of this one had run out', next: 'poll-status'});
	}
}

export interface RowLeaseOptions {
	readonly table: string;
	readonly key: string;
	readonly clock: StoreClock;
	/** Duration of a lease without a renewal, in milliseconds; default 10 s. */
	readonly leaseMs?: number | undefined;
	readonly log: (line: string) => void;
}

const LEASE_MS = 10_000;
/** Longest polling interval for expired leases. */
const POLL_MS = 2000;

/** Leases of this process, by key. */
type Held = Map<string, {readonly token: string; readonly stop: AbortController}>;

/** Begins a lease. */
function hold(held: Held, key: string, token: string, parts: Pick<RowLease, 'condition' | 'release'>): RowLease {
	const stop = new AbortController();
	const own = {token, stop};
	held.set(key, own);
	const done = (): void => {
		if (held.get(key) === own) held.delete(key);
	};
	return {
		key,
		condition: parts.condition,
		signal: stop.signal,
		done,
		release(delayMs) {
			done();
			return parts.release(delayMs);
		},
	};
}

/** Leases in a process with an embedded store: every row is free, and nothing is written. */
export function localLeases(database: Database, {table, key}: Pick<RowLeaseOptions, 'table' | 'key'>): RowLeases {
	const held: Held = new Map();
	const begin = (row: string): RowLease => hold(held, row, row, {condition: {sql: 'TRUE'}, release: async () => {}});
	return {
		isShared: false,
		pollMs: Number.POSITIVE_INFINITY,
		prepare: row => ({values: {worker: null, workerUntilMs: null}, begin: () => begin(row)}),
		take: async row => (held.has(row) ? undefined : begin(row)),
		async takeFree({sql, parameters = []}, limit) {
			const rows = await database.all(`SELECT ${key} AS id FROM ${table} WHERE ${sql} LIMIT ?`, [...parameters, limit]);
			return rows
				.map(({id}) => String(id))
				.filter(row => !held.has(row))
				.map(begin);
		},
		async close() {},
	};
}

/** Leases that several processes share. The table has LEASE_COLUMNS. */
export function sharedLeases(database: Database, options: RowLeaseOptions): RowLeases {
	const {table, key, clock, leaseMs = LEASE_MS, log} = options;
	const held: Held = new Map();
	let isClosed = false;

	const begin = (row: string, token: string): RowLease =>
		hold(held, row, token, {
			condition: {sql: 'worker = ?', parameters: [token]},
			release: (delayMs = 0) => free({sql: `${key} = ? AND worker = ?`, parameters: [row, token]}, delayMs),
		});
	/** Releases leases; after a failure they expire. */
	const free = async ({sql, parameters = []}: Expression, delayMs: number): Promise<void> => {
		const until = later(clock(), delayMs);
		await database
			.run(`UPDATE ${table} SET worker = NULL, workerUntilMs = ${until.sql} WHERE ${sql}`, [
				...until.parameters,
				...parameters,
			])
			.catch(() => {});
	};
	const take = async ({sql, parameters = []}: Expression): Promise<RowLease[]> => {
		if (isClosed) return [];
		const token = randomUUID();
		const [now, until] = [clock(), later(clock(), leaseMs)];
		const rows = await database.all(
			`UPDATE ${table} SET worker = ?, workerUntilMs = ${until.sql}
			WHERE (workerUntilMs IS NULL OR workerUntilMs <= ${now.sql}) AND ${sql} RETURNING ${key} AS id`,
			[token, ...until.parameters, ...now.parameters, ...parameters],
		);
		return rows.map(({id}) => begin(String(id), token));
	};

	let isRenewing = false;
	/** Renews leases that meet a condition. */
	const extend = ({sql, parameters = []}: Expression) => {
		const until = later(clock(), leaseMs);
		return database.all(
			`UPDATE ${table} SET workerUntilMs = ${until.sql} WHERE ${sql} RETURNING ${key} AS id, worker AS token`,
			[...until.parameters, ...parameters],
		);
	};
	const renew = async (): Promise<void> => {
		const before = [...held];
		const rowList = listOf(before.map(([row]) => row));
		const tokens = listOf([...new Set(before.map(([, {token}]) => token))]);
		const rows = await extend({
			sql: `${key} IN (SELECT ${key} FROM ${table}
				WHERE ${key} IN (${rowList.sql}) AND worker IN (${tokens.sql}) ${database.dialect.skipLocked})`,
			parameters: [...rowList.parameters, ...tokens.parameters],
		});
		const renewed = new Map(rows.map(({id, token}) => [id, token]));
		for (const [row, own] of before) {
			if (renewed.get(row) === own.token || held.get(row) !== own) continue;
			// Locked, or lost. A lock is waited for without any other: one that waits with rows locked, and a transaction that locks
			// several rows in its own order, could each wait for the other.
			const late = await extend({sql: `${key} = ? AND worker = ?`, parameters: [row, own.token]});
			if (late.length === 1 || held.get(row) !== own) continue;
			held.delete(row);
			own.stop.abort(new RowTaken(row));
		}
	};
	// A failure ends no lease: while the database is unreachable no other process can take a row either.
	const attempt = logFailuresOnce(why => log(`leases of ${table} were not renewed: ${why}`));
	const renewOnce = async (): Promise<void> => {
		if (isRenewing || held.size === 0) return;
		isRenewing = true;
		await attempt(renew);
		isRenewing = false;
	};
	const timer = setInterval(() => void renewOnce(), leaseMs / 3).unref();

	return {
		isShared: true,
		pollMs: Math.min(POLL_MS, leaseMs / 5),
		prepare(row) {
			const token = randomUUID();
			return {values: {worker: token, workerUntilMs: later(clock(), leaseMs)}, begin: () => begin(row, token)};
		},
		async take(row) {
			return held.has(row) ? undefined : (await take({sql: `${key} = ?`, parameters: [row]}))[0];
		},
		takeFree({sql, parameters = []}, limit) {
			const now = clock();
			return take({
				sql: `${key} IN (SELECT ${key} FROM ${table} WHERE (workerUntilMs IS NULL OR workerUntilMs <= ${now.sql})
				AND (${sql}) ORDER BY workerUntilMs LIMIT ? ${database.dialect.skipLocked})`,
				parameters: [...now.parameters, ...parameters, limit],
			});
		},
		async close() {
			isClosed = true;
			clearInterval(timer);
			const tokens = [...held.values()].map(({token}) => token);
			held.clear();
			if (tokens.length === 0) return;
			await free({sql: `worker IN (${tokens.map(() => '?').join(', ')})`, parameters: tokens}, 0);
		},
	};
}
