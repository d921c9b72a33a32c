import {type Lease, LeaseLost} from './lease.ts';

/** Times of a lease, in milliseconds. */
export interface Times {
	/** Duration of a lease: without a renewal within that time it is free. */
	readonly ttlMs: number;
	readonly renewMs: number;
	/** Delay between two attempts to acquire a lease that another replica holds. */
	readonly retryMs: number;
}

/** After a renewal without an answer the next one follows after this part of the duration. */
const RENEW_AGAIN_PART = 1 / 20;

/** The statements of a lease. Each is atomic at READ COMMITTED. */
export interface LeaseRows {
	/** False when the lease has expired or another replica holds it. @throws StoreFailed */
	renew(lease: Lease): Promise<boolean>;
	/** @throws StoreFailed */
	free(lease: Lease): Promise<void>;
}

/** Runs `act` until the lease is lost or the signal is aborted, and releases the lease only when `act` has ended. */
export async function actWith(
	lease: HeldLease,
	act: (lease: Lease) => Promise<void>,
	signal: AbortSignal,
): Promise<void> {
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

interface HeldLeaseOptions {
	readonly rows: LeaseRows;
	readonly times: Times;
	/** `performance.now()` before the lease was requested. */
	readonly sentMs: number;
	/** Called once, when the lease ends. */
	readonly ended: () => void;
}

/**
 * A lease that renews itself. Its expiry is counted from before the last renewal was sent, by the monotonic clock: the lease ends
 * here before it can end in the database. A process that was stopped (SIGSTOP) finds it lost when it resumes.
 */
export class HeldLease implements Lease {
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

	/** Signals the holder to stop. The lease is renewed until it is released. */
	end(): void {
		this.#controller.abort(new LeaseLost(this.name));
	}

	async release(): Promise<void> {
		this.#finish();
		// A row that cannot be updated expires.
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
			// The answer came after the lease had ended here: the renewal is undone.
			if (isRenewed === true) await rows.free(this).catch(() => {});
			return;
		}
		if (isRenewed === false || performance.now() >= this.#provenUntilMs) return this.release();
		if (isRenewed) {
			this.#provenUntilMs = sentMs + times.ttlMs;
			clearTimeout(this.#expiry);
			this.#expiry = this.#expireAt(this.#provenUntilMs);
			this.#renewal = this.#renewAt(sentMs + times.renewMs);
		} else this.#renewal = this.#renewAt(performance.now() + times.ttlMs * RENEW_AGAIN_PART);
	}
}
