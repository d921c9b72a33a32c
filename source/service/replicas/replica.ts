import type {Database} from '../store/database.ts';
import type {EventLog} from './event-log.ts';
import type {Leases} from './lease.ts';

/** One of the processes that serve together from one database. */
export interface Replica {
	/** New in each run: `leases.owner`. */
	readonly id: string;
	readonly database: Database;
	readonly leases: Leases;
	readonly log: EventLog;
	/** Gives back what this replica holds, so that another goes on at once. */
	close(): Promise<void>;
}
