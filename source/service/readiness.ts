import type {NotReady} from '../contract/health.ts';
import {inTime} from './in-time.ts';
import type {Market} from './market/market.ts';
import type {Database} from './store/database.ts';

/** Whether requests should be sent to this process. */
export interface Readiness {
	/** Reason against it; undefined while the process is ready. */
	reason(): Promise<NotReady | undefined>;
	/**
	 * Whether this process has not yet reached the end of the market log: it would show a part of the market of the other replicas.
	 * False where one process serves alone.
	 */
	isJoining(): boolean;
	/** Makes the process not ready: it is stopping. */
	drain(): void;
}

/** Timeout of the check of the database. */
const ANSWER_MS = 1000;
/** Minimum time between two checks of the database, however often a balancer asks. */
const FRESH_MS = 500;

/**
 * @param database of the replicas; undefined in a single process
 * @param followsViews whether the views that subscribers of all replicas use are followed here
 */
export function createReadiness(
	market: Market,
	database: () => Database | undefined,
	followsViews: () => boolean = () => true,
): Readiness {
	let isDraining = false;
	let hasBeenReady = false;
	let hasJoined = false;
	let asked: {readonly atMs: number; readonly isThere: Promise<boolean | undefined>} | undefined;
	const isDatabaseThere = (): Promise<boolean | undefined> => {
		const shared = database();
		if (shared === undefined) return Promise.resolve(true);
		const nowMs = performance.now();
		if (asked === undefined || nowMs - asked.atMs > FRESH_MS) {
			const answered = shared.get('SELECT 1').then(() => true);
			asked = {atMs: nowMs, isThere: inTime(answered, ANSWER_MS)};
		}
		return asked.isThere;
	};
	return {
		async reason() {
			if (isDraining) return 'draining';
			if (!(await isDatabaseThere())) return 'database-away';
			// Checked again after the wait: the process may be stopping.
			if (isDraining) return 'draining';
			if (market.log) {
				if (!market.log.isReadable()) return 'log-unreadable';
				if (!market.log.isReady()) return hasBeenReady ? 'behind' : 'starting';
				// Subscribers that moved here would not learn of what they have missed.
				if (!hasBeenReady && !followsViews()) return 'starting';
			} else if (market.table.length === 0) return 'starting';
			hasBeenReady = true;
			return undefined;
		},
		isJoining() {
			hasJoined ||= market.log?.isReady() ?? true;
			return !hasJoined;
		},
		drain: () => {
			isDraining = true;
		},
	};
}
