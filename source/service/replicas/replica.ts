import type {EventLog} from '../log/event-log.ts';
import type {Database} from '../store/database.ts';
import type {Leases} from '../store/lease.ts';

/** One of several processes that serve from one database. */
export interface Replica {
	/** New in each run: `leases.owner`. */
	readonly id: string;
	readonly database: Database;
	readonly leases: Leases;
	readonly log: EventLog;
	/** Releases all leases of this replica, so that another takes over at once. */
	close(): Promise<void>;
}
