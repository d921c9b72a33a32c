import {randomBytes} from 'node:crypto';
import {setTimeout as pause} from 'node:timers/promises';
import {type Database, StoreFailed} from '../store/database.ts';
import {type Lease, LeaseLost, type Leases} from './lease.ts';

/** How leases are kept. The same for all replicas of a service. */
export interface LeasesOptions {
	/** A lease that was not renewed for so long is free. */
	readonly ttlMs?: number;
	readonly renewMs?: number;
	/** How often a lease that another has is asked for. */
	readonly retryMs?: number;
	/** Called with what went wrong with a lease. */
	readonly fault?: (during: string, error: unknown) => void;
}

/** A lease with more than so many times its length ahead was written before the database's clock was set back. */
const MOST_TTLS = 6;
/** After a renewal without an answer the next one follows after this part of the length. */
const HURRY_PART = 1 / 20;

/** The leases that one process takes, in the database's table of leases. */
export function openLeases(database: Database, options: LeasesOptions = {}): Leases {
	return new DatabaseLeases(database, options);
}

/** What a lease asks of the database. Each is one statement, right at READ COMMITTED. */
interface LeaseRows {
	/** False: the lease has run out or is another's. @throws StoreFailed */
	renew(lease: Lease): Promise<boolean>;
	/** @throws StoreFailed */
	free(lease: Lease): Promise<void>;
}

class DatabaseLeases implements Leases {
	readonly owner = randomBytes(8).toString('hex');
	readonly #database: Database;
	readonly #times: Times;
	readonly #retryMs: number;
	readonly #fault: (during: string, error: unknown) => void;
	/** Leases of this process, and names that it is asking for: within a process, too, a lease is held once. */
	readonly #held = new Map<string, HeldLease | undefined>();
	readonly #holds = new Set<Promise<void>>();
	readonly #closing = new AbortController();
	/** The last failure of each name, so that a database that is away is reported once. */
	readonly #reported = new Map<string, string>();

	constructor(database: Database, {ttlMs = 10_000, renewMs = 3000, retryMs = 1000, fault = () => {}}: LeasesOptions) {
		this.#database = database;
		this.#times = {ttlMs, renewMs};
		this.#retryMs = retryMs;
		this.#fault = fault;
	}

	async tryTake(name: string): Promise<Lease | undefined> {
		return this.#take(name);
	}

	hold(
		name: string,
		act: (lease: Lease) => Promise<void>,
		signal: AbortSignal,
		ready: (signal: AbortSignal) => Promise<void> = async () => {},
	): Promise<void> {
		const held = this.#holdUntil(name, act, {ready, signal: AbortSignal.any([signal, this.#closing.signal])});
		this.#holds.add(held);
		return held.finally(() => this.#holds.delete(held));
	}

	async close(): Promise<void> {
		this.#closing.abort();
		await Promise.all(this.#holds);
		await Promise.all([...this.#held.values()].map(lease => lease?.release()));
	}

	async #take(name: string): Promise<HeldLease | undefined> {
		if (this.#held.has(name) || this.#closing.signal.aborted) return undefined;
		this.#held.set(name, undefined);
		const sentMs = performance.now();
		let fence: number | undefined;
		try {
			fence = await this.#ask(name);
		} finally {
			if (fence === undefined) this.#held.delete(name);
		}
		if (fence === undefined) return undefined;
		const rows: LeaseRows = {renew: lease => this.#renew(lease), free: lease => this.#free(lease)};
		const lease = new HeldLease(
			{name, owner: this.owner, fence},
			{
				rows,
				times: this.#times,
				sentMs,
				ended: () => {
					if (this.#held.get(name) === lease) this.#held.delete(name);
				},
			},
		);
		this.#held.set(name, lease);
		// Closed while the database was asked.
		if (this.#closing.signal.aborted) await lease.release();
		return lease;
	}

	/**
	 * The fence of the lease when it could be taken. That of a lease of this process is higher each time, too: an answer that did
	 * not arrive, or an earlier holder here, leaves nothing that could still write.
	 */
	async #ask(name: string): Promise<number | undefined> {
		const {nowMs} = this.#database.dialect;
		const {ttlMs} = this.#times;
		const row = await this.#database.get(
			`INSERT INTO leases (name, owner, fence, until_ms) VALUES (?, ?, 1, ${nowMs} + ?)
			ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, fence = leases.fence + 1, until_ms = excluded.until_ms
			WHERE leases.until_ms <= ${nowMs} OR leases.until_ms > ${nowMs} + ? OR leases.owner = excluded.owner
			RETURNING fence`,
			[name, this.owner, ttlMs, MOST_TTLS * ttlMs],
		);
		return row && Number(row['fence']);
	}

	async #renew({name, fence}: Lease): Promise<boolean> {
		const {nowMs} = this.#database.dialect;
		const changed = await this.#database.run(
			`UPDATE leases SET until_ms = ${nowMs} + ? WHERE name = ? AND owner = ? AND fence = ? AND until_ms > ${nowMs}`,
			[this.#times.ttlMs, name, this.owner, fence],
		);
		return changed > 0;
	}

	async #free({name, fence}: Lease): Promise<void> {
		await this.#database.run('UPDATE leases SET until_ms = 0 WHERE name = ? AND owner = ? AND fence = ?', [
			name,
			this.owner,
			fence,
		]);
	}

	async #holdUntil(
		name: string,
		act: (lease: Lease) => Promise<void>,
		{ready, signal}: {ready: (signal: AbortSignal) => Promise<void>; signal: AbortSignal},
	): Promise<void> {
		while (!signal.aborted) {
			try {
				await ready(signal);
				const lease = await this.#take(name);
				if (lease) await actWith(lease, act, signal);
				this.#reported.delete(name);
			} catch (error) {
				if (!signal.aborted) this.#report(name, error);
			}
			// Replicas that wait for the same lease do not ask all at once.
			await pause(this.#retryMs * (0.75 + Math.random() / 2), undefined, {signal}).catch(() => {});
		}
	}

	#report(name: string, error: unknown): void {
		if (error instanceof LeaseLost) return;
		const why = error instanceof StoreFailed ? error.why : undefined;
		if (why !== undefined && this.#reported.get(name) === why) return;
		if (why !== undefined) this.#reported.set(name, why);
		this.#fault(`the lease ${name}`, error);
	}
}

/** Acts with a lease until it is lost or the signal is aborted, and frees it only when the act has ended. */
async function actWith(lease: HeldLease, act: (lease: Lease) => Promise<void>, signal: AbortSignal): Promise<void> {
	const end = (): void => lease.end();
	signal.addEventListener('abort', end, {once: true});
	if (signal.aborted) end();
	try {
		await act(lease);
	} finally {
		signal.removeEventListener('abort', end);
		await lease.release();
	}
}

interface Times {
	readonly ttlMs: number;
	readonly renewMs: number;
}

interface HeldLeaseOptions {
	readonly rows: LeaseRows;
	readonly times: Times;
	/** `performance.now()` before the lease was asked for. */
	readonly sentMs: number;
	/** Called once, when it is held no more. */
	readonly ended: () => void;
}

/**
 * A lease that is renewed. What it proves is counted from before the last renewal was sent, by a clock that nobody sets: it
 * ends here before it can end in the database. A process that was stopped meanwhile finds it lost when it wakes.
 */
class HeldLease implements Lease {
	readonly name: string;
	readonly owner: string;
	readonly fence: number;
	readonly #options: HeldLeaseOptions;
	readonly #controller = new AbortController();
	#provenUntilMs: number;
	#expiry: NodeJS.Timeout;
	#renewal: NodeJS.Timeout;
	#isOver = false;

	constructor({name, owner, fence}: Pick<Lease, 'name' | 'owner' | 'fence'>, options: HeldLeaseOptions) {
		this.name = name;
		this.owner = owner;
		this.fence = fence;
		this.#options = options;
		const {times, sentMs} = options;
		this.#provenUntilMs = sentMs + times.ttlMs;
		this.#expiry = this.#expireAt(this.#provenUntilMs);
		this.#renewal = this.#renewAt(sentMs + times.renewMs);
	}

	get signal(): AbortSignal {
		return this.#controller.signal;
	}

	/** Tells the holder to end. The lease is renewed until it is released. */
	end(): void {
		this.#controller.abort(new LeaseLost(this.name));
	}

	async release(): Promise<void> {
		this.#finish();
		// A row that could not be freed runs out.
		await this.#options.rows.free(this).catch(() => {});
	}

	#finish(): void {
		this.end();
		if (this.#isOver) return;
		this.#isOver = true;
		clearTimeout(this.#expiry);
		clearTimeout(this.#renewal);
		this.#options.ended();
	}

	#expireAt(atMs: number): NodeJS.Timeout {
		return setTimeout(() => this.#finish(), Math.max(0, atMs - performance.now())).unref();
	}

	#renewAt(atMs: number): NodeJS.Timeout {
		return setTimeout(() => void this.#renew(), Math.max(0, atMs - performance.now())).unref();
	}

	async #renew(): Promise<void> {
		const {rows, times} = this.#options;
		const sentMs = performance.now();
		if (sentMs >= this.#provenUntilMs) return this.#finish();
		let isRenewed: boolean | undefined;
		try {
			isRenewed = await rows.renew(this);
		} catch {
			isRenewed = undefined;
		}
		if (this.#isOver) {
			// The answer came too late: the time that it added is nobody's.
			if (isRenewed === true) await rows.free(this).catch(() => {});
			return;
		}
		if (isRenewed === false || performance.now() >= this.#provenUntilMs) return this.release();
		if (isRenewed) {
			this.#provenUntilMs = sentMs + times.ttlMs;
			clearTimeout(this.#expiry);
			this.#expiry = this.#expireAt(this.#provenUntilMs);
			this.#renewal = this.#renewAt(sentMs + times.renewMs);
		} else this.#renewal = this.#renewAt(performance.now() + times.ttlMs * HURRY_PART);
	}
}
