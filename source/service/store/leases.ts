import {randomBytes} from 'node:crypto';
import {setTimeout as pause} from 'node:timers/promises';
import {type Database, StoreFailed} from './database.ts';
import {actWith, HeldLease, type LeaseRows, type Times} from './held-lease.ts';
import {type HoldOptions, type Lease, LeaseLost, type Leases} from './lease.ts';

/** Times of the leases, in milliseconds: the same for all replicas of a service. */
export interface LeasesOptions extends Partial<Times> {
	/** Called with each failure of a lease. */
	readonly fault?: (during: string, error: unknown) => void;
}

const TIMES: Times = {ttlMs: 10_000, renewMs: 3000, retryMs: 1000};
/** Times of fenced leases: the market stops while no replica holds one. */
const FENCED_TIMES: Times = {ttlMs: 6000, renewMs: 1000, retryMs: 500};
/** A fenced lease is free when its holder's mark is gone and the last renewal is older than this many renewal times. */
const MISSED_RENEWALS = 1.5;
/** Notified when a lease is released. */
const CHANNEL = 'leases';
/** A lease that expires later than this many durations from now was written before the database's clock was set back. */
const MAX_TTLS = 6;

/** The leases that one process takes, in the database's table of leases. */
export function openLeases(database: Database, options: LeasesOptions = {}): Leases {
	return new DatabaseLeases(database, options);
}

class DatabaseLeases implements Leases {
	readonly owner = randomBytes(8).toString('hex');
	readonly #database: Database;
	readonly #times: Times;
	readonly #fencedTimes: Times;
	readonly #fault: (during: string, error: unknown) => void;
	/** Leases of this process; undefined while one is being acquired, since a process, too, holds a lease once. */
	readonly #held = new Map<string, HeldLease | undefined>();
	readonly #holds = new Set<Promise<void>>();
	readonly #closing = new AbortController();
	/** The last failure of each lease, so that an unreachable database is reported once. */
	readonly #reported = new Map<string, string>();
	/** Each ends a pause before the next attempt. */
	readonly #waiting = new Set<() => void>();
	/** Number of notified releases. */
	#releases = 0;
	#unlisten: (() => void) | undefined;

	constructor(database: Database, {fault = () => {}, ...times}: LeasesOptions) {
		this.#database = database;
		this.#times = {...TIMES, ...times};
		this.#fencedTimes = {...FENCED_TIMES, ...times};
		this.#fault = fault;
		database.show(this.owner);
	}

	async tryTake(name: string): Promise<Lease | undefined> {
		return this.#take(name, false);
	}

	hold(
		name: string,
		act: (lease: Lease) => Promise<void>,
		signal: AbortSignal,
		{ready = async () => {}, isFenced = false}: HoldOptions = {},
	): Promise<void> {
		this.#unlisten ??= this.#database.listen(CHANNEL, () => {
			this.#releases++;
			for (const wake of this.#waiting) wake();
		});
		const either = AbortSignal.any([signal, this.#closing.signal]);
		const held = this.#holdUntil(name, act, {ready, isFenced, signal: either});
		this.#holds.add(held);
		return held.finally(() => this.#holds.delete(held));
	}

	async close(): Promise<void> {
		this.#closing.abort();
		this.#unlisten?.();
		await Promise.all(this.#holds);
		await Promise.all([...this.#held.values()].map(lease => lease?.release()));
	}

	async #take(name: string, isFenced: boolean): Promise<HeldLease | undefined> {
		if (this.#held.has(name) || this.#closing.signal.aborted) return undefined;
		this.#held.set(name, undefined);
		const sentMs = performance.now();
		let fence: number | undefined;
		try {
			fence = await this.#acquire(name, isFenced);
		} finally {
			if (fence === undefined) this.#held.delete(name);
		}
		if (fence === undefined) return undefined;
		const times = isFenced ? this.#fencedTimes : this.#times;
		const rows: LeaseRows = {renew: lease => this.#renew(lease, times), free: lease => this.#free(lease)};
		const lease = new HeldLease(
			{name, owner: this.owner, fence},
			{
				rows,
				times,
				sentMs,
				ended: () => {
					if (this.#held.get(name) === lease) this.#held.delete(name);
				},
			},
		);
		this.#held.set(name, lease);
		// Closed while the statement ran.
		if (this.#closing.signal.aborted) await lease.release();
		return lease;
	}

	/**
	 * The fence of the lease when it could be acquired. It grows for the same process too: after a lost answer, or under an earlier
	 * holder in this process, no write with the older fence is accepted.
	 */
	async #acquire(name: string, isFenced: boolean): Promise<number | undefined> {
		const {nowMs, isShown} = this.#database.dialect;
		const {ttlMs, renewMs} = isFenced ? this.#fencedTimes : this.#times;
		const missedMs = Math.floor(ttlMs - MISSED_RENEWALS * renewMs);
		const free = {
			sql: `(leases.owner = ? OR leases.until_ms <= ${nowMs} OR leases.until_ms > ${nowMs} + ?
				${isFenced ? `OR (leases.until_ms <= ${nowMs} + ? AND NOT ${isShown('leases.owner')})` : ''})`,
			parameters: [this.owner, MAX_TTLS * ttlMs, ...(isFenced ? [missedMs] : [])],
		};
		// Most attempts are in vain, and the statement below locks the row, for which the holder's writes would wait.
		const taken = await this.#database.get(`SELECT 1 AS taken FROM leases WHERE name = ? AND NOT ${free.sql}`, [
			name,
			...free.parameters,
		]);
		if (taken !== undefined) return undefined;
		const row = await this.#database.get(
			`INSERT INTO leases (name, owner, fence, until_ms) VALUES (?, ?, 1, ${nowMs} + ?)
			ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, fence = leases.fence + 1, until_ms = excluded.until_ms
			WHERE ${free.sql} RETURNING fence`,
			[name, this.owner, ttlMs, ...free.parameters],
		);
		return row && Number(row['fence']);
	}

	async #renew({name, fence}: Lease, {ttlMs}: Times): Promise<boolean> {
		const {nowMs} = this.#database.dialect;
		const changed = await this.#database.run(
			`UPDATE leases SET until_ms = ${nowMs} + ? WHERE name = ? AND owner = ? AND fence = ? AND until_ms > ${nowMs}`,
			[ttlMs, name, this.owner, fence],
		);
		return changed > 0;
	}

	async #free({name, fence}: Lease): Promise<void> {
		await this.#database.run('UPDATE leases SET until_ms = 0 WHERE name = ? AND owner = ? AND fence = ?', [
			name,
			this.owner,
			fence,
		]);
		await this.#database.notify(CHANNEL);
	}

	async #holdUntil(
		name: string,
		act: (lease: Lease) => Promise<void>,
		{ready, isFenced, signal}: Required<HoldOptions> & {readonly signal: AbortSignal},
	): Promise<void> {
		const {retryMs} = isFenced ? this.#fencedTimes : this.#times;
		while (!signal.aborted) {
			let isTaken = false;
			const releases = this.#releases;
			try {
				await ready(signal);
				const lease = await this.#take(name, isFenced);
				isTaken = lease !== undefined;
				if (lease) await actWith(lease, act, signal);
				this.#reported.delete(name);
			} catch (error) {
				if (!signal.aborted) this.#report(name, error);
			}
			// Jitter: replicas that wait for the same lease do not all retry at once.
			const waitMs = retryMs * (0.75 + Math.random() / 2);
			// The last holder lets others go first.
			if (isTaken) await pause(waitMs, undefined, {signal}).catch(() => {});
			else if (releases === this.#releases) await this.#untilReleased(waitMs, signal);
		}
	}

	/** Resolves when any lease is released, after `maxMs`, or when the signal is aborted. */
	async #untilReleased(maxMs: number, signal: AbortSignal): Promise<void> {
		const {promise, resolve} = Promise.withResolvers<void>();
		const wake = (): void => resolve();
		const timer = setTimeout(wake, maxMs);
		signal.addEventListener('abort', wake);
		this.#waiting.add(wake);
		if (!signal.aborted) await promise;
		this.#waiting.delete(wake);
		signal.removeEventListener('abort', wake);
		clearTimeout(timer);
	}

	#report(name: string, error: unknown): void {
		if (error instanceof LeaseLost) return;
		const why = error instanceof StoreFailed ? error.why : undefined;
		if (why !== undefined && this.#reported.get(name) === why) return;
		if (why !== undefined) this.#reported.set(name, why);
		this.#fault(`the lease ${name}`, error);
	}
}
