import {randomUUID} from 'node:crypto';
import {PulsetopError} from '../../errors.ts';
import type {Database} from './database.ts';
import {later, type StoreClock} from './store-clock.ts';
import type {Expression} from './table.ts';

/** Columns of a table whose rows are worked on by one process at a time. */
export const LEASE_COLUMNS = {
	/** A text of its own for each lease: what is written under an earlier one is refused. Null: nobody has a lease. */
	worker: ['text'],
	/** Until when others leave the row alone. */
	workerUntilMs: ['integer'],
} as const;

/** The values of a row's lease columns. */
export interface LeaseValues {
	readonly worker: string | null;
	readonly workerUntilMs: Expression | null;
}

/** The right to be the only one that works on a row, until it is given back or has run out. */
export interface RowLease {
	readonly key: string;
	/** True in a statement as long as the row is under this lease. */
	readonly condition: Expression;
	/** Aborted when another process has taken the row. */
	readonly signal: AbortSignal;
	/** Ends the lease of a row that needs no more work. */
	done(): void;
	/** Gives the row to other processes. @param restMs how long it is left alone before */
	release(restMs?: number): Promise<void>;
}

/** A lease that is not written yet. */
export interface OfferedLease {
	/** To be written by the statement that makes or claims the row. */
	readonly values: LeaseValues;
	/** To be called when they are written. */
	begin(): RowLease;
}

/** Leases of the rows of a table, for many rows and short work. All times are the database's. */
export interface RowLeases {
	/** Whether other processes work on the same rows. */
	readonly isShared: boolean;
	/** How often rows of processes that are gone are to be looked for, in milliseconds. */
	readonly lookMs: number;
	offer(key: string): OfferedLease;
	/** Takes a row; undefined while another process has it. @throws StoreFailed */
	take(key: string): Promise<RowLease | undefined>;
	/** Takes rows with work that no living process has, at most `limit`. @throws StoreFailed */
	takeFree(work: Expression, limit: number): Promise<RowLease[]>;
	/** Gives all rows to other processes. */
	close(): Promise<void>;
}

/** Another process works on the row by now: nothing was written. */
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
	/** How long a lease lasts that is not renewed, in milliseconds; default 10 s. */
	readonly leaseMs?: number | undefined;
	readonly log: (line: string) => void;
}

const LEASE_MS = 10_000;
/** A row is taken this long after its lease has run out, at most. */
const LOOK_MS = 2000;

/** The leases that this process has, by their rows. */
type Held = Map<string, {readonly token: string; readonly stop: AbortController}>;

/** A lease that begins now. */
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
		release(restMs) {
			done();
			return parts.release(restMs);
		},
	};
}

/** Leases of a process that has its store alone: all rows are free for it, and nothing is written. */
export function aloneLeases(database: Database, {table, key}: Pick<RowLeaseOptions, 'table' | 'key'>): RowLeases {
	const held: Held = new Map();
	const begin = (row: string): RowLease => hold(held, row, row, {condition: {sql: 'TRUE'}, release: async () => {}});
	return {
		isShared: false,
		lookMs: Number.POSITIVE_INFINITY,
		offer: row => ({values: {worker: null, workerUntilMs: null}, begin: () => begin(row)}),
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

/** Leases among several processes. The table has LEASE_COLUMNS. */
export function sharedLeases(database: Database, options: RowLeaseOptions): RowLeases {
	const {table, key, clock, leaseMs = LEASE_MS, log} = options;
	const held: Held = new Map();
	let isClosed = false;

	const begin = (row: string, token: string): RowLease =>
		hold(held, row, token, {
			condition: {sql: 'worker = ?', parameters: [token]},
			release: (restMs = 0) => free({sql: `${key} = ? AND worker = ?`, parameters: [row, token]}, restMs),
		});
	/** A lease that cannot be given back runs out. */
	const free = async ({sql, parameters = []}: Expression, restMs: number): Promise<void> => {
		const until = later(clock(), restMs);
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
	let trouble: string | undefined;
	const renew = async (): Promise<void> => {
		if (isRenewing || held.size === 0) return;
		isRenewing = true;
		const before = [...held];
		const marks = (values: readonly unknown[]) => values.map(() => '?').join(', ');
		const tokens = [...new Set(before.map(([, {token}]) => token))];
		const until = later(clock(), leaseMs);
		try {
			const rows = await database.all(
				`UPDATE ${table} SET workerUntilMs = ${until.sql}
				WHERE ${key} IN (${marks(before)}) AND worker IN (${marks(tokens)}) RETURNING ${key} AS id, worker AS token`,
				[...until.parameters, ...before.map(([row]) => row), ...tokens],
			);
			const renewed = new Map(rows.map(({id, token}) => [id, token]));
			for (const [row, own] of before) {
				if (renewed.get(row) === own.token || held.get(row) !== own) continue;
				held.delete(row);
				own.stop.abort(new RowTaken(row));
			}
			trouble = undefined;
		} catch (error) {
			// Without the database no other process can take a row either.
			const why = error instanceof Error ? error.message : String(error);
			if (why !== trouble) log(`leases of ${table} were not renewed: ${why}`);
			trouble = why;
		} finally {
			isRenewing = false;
		}
	};
	const timer = setInterval(() => void renew(), leaseMs / 3).unref();

	return {
		isShared: true,
		lookMs: Math.min(LOOK_MS, leaseMs / 5),
		offer(row) {
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
				AND (${sql}) LIMIT ? ${database.dialect.skipLocked})`,
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
