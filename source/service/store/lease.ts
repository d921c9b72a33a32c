import {PulsetopError} from '../../errors.ts';

/** An action under a lease was refused: the lease has expired, or another replica holds it. */
export class LeaseLost extends PulsetopError {
	readonly code = 'lease-lost';

	constructor(name: string) {
		super('This replica may not do that any more', {
			why: `its lease ${name} has run out or is another's`,
			next: 'retry-later',
		});
	}
}

/** An exclusive right of one process, until it is released or expires. */
export interface Lease {
	readonly name: string;
	/** Id of the process, as in the lease's row. */
	readonly owner: string;
	/** Fencing token: grows each time the lease is acquired; a write with an older one is refused. */
	readonly fence: number;
	/** Aborted when the lease is lost or released, and when its holder has to stop. */
	readonly signal: AbortSignal;
	/** Releases the lease at once. */
	release(): Promise<void>;
}

/** How a lease is acquired: the same for all that compete for it. */
export interface HoldOptions {
	/** Resolves when this replica may compete for the lease; rejects when the signal that it gets is aborted. */
	readonly ready?: (signal: AbortSignal) => Promise<void>;
	/**
	 * True when every write under the lease is refused with an older fence. Such a lease has a shorter duration, and can be acquired
	 * as soon as its holder seems to be dead: a mistake costs a change of the holder, nothing else.
	 */
	readonly isFenced?: boolean;
}

/** Leases of one replica, by the database's clock. */
export interface Leases {
	/** Id of this process in the rows of its leases; new in each run. */
	readonly owner: string;
	/** Acquires a free lease and renews it until it is released or lost; undefined while it is held. @throws StoreFailed */
	tryTake(name: string): Promise<Lease | undefined>;
	/**
	 * Acquires a lease whenever it is free and runs `act` under it; the lease is released when `act` ends.
	 * @returns when `signal` is aborted and `act` has ended
	 */
	hold(name: string, act: (lease: Lease) => Promise<void>, signal: AbortSignal, options?: HoldOptions): Promise<void>;
	/** Ends every `act`, then releases all leases. */
	close(): Promise<void>;
}
