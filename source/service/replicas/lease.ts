import {PulsetopError} from '../../errors.ts';

/** What a lease protects was not done: the lease has run out, or another has it. */
export class LeaseLost extends PulsetopError {
	readonly code = 'lease-lost';

	constructor(name: string) {
		super('This replica may not do that any more', {
			why: `its lease ${name} has run out or is another's`,
			next: 'retry-later',
		});
	}
}

/** The right to be the only one that does something, until it is released or has run out. */
export interface Lease {
	readonly name: string;
	/** As in the row of the lease. */
	readonly owner: string;
	/** Grows each time the lease is taken: what is written with an older one is refused. */
	readonly fence: number;
	/** Aborted when the lease is lost or released, and when its holder is to end. */
	readonly signal: AbortSignal;
	/** Frees the lease at once. */
	release(): Promise<void>;
}

/** Leases of one replica, by the database's clock. */
export interface Leases {
	/** Of this process, in every row that it owns; new in each run. */
	readonly owner: string;
	/** Takes a free lease, and renews it until it is released or lost; undefined: another has it. @throws StoreFailed */
	tryTake(name: string): Promise<Lease | undefined>;
	/**
	 * Waits for a lease again and again, and acts while it has it. An act that ends gives the lease back.
	 * @param ready resolves when this replica may ask for the lease; it rejects when the signal that it gets is aborted
	 * @returns when `signal` is aborted and the act has ended
	 */
	hold(
		name: string,
		act: (lease: Lease) => Promise<void>,
		signal: AbortSignal,
		ready?: (signal: AbortSignal) => Promise<void>,
	): Promise<void>;
	/** Ends every act, then releases all. */
	close(): Promise<void>;
}
