import {setTimeout as pause} from 'node:timers/promises';
import type {NotReady} from '../contract/health.ts';
import type {Market} from './market/market.ts';
import type {Database} from './store/database.ts';

/** Whether requests should be sent to this process. */
export interface Readiness {
	/** Why they should not; undefined: it is ready. */
	reason(): Promise<NotReady | undefined>;
	/** Not ready from now on: this process stops. */
	drain(): void;
}

/** The database counts as away when it does not answer within this. */
const ANSWER_MS = 1000;
/** It is asked this often at most, however often a balancer asks. */
const FRESH_MS = 500;

/** @param database what replicas share; undefined where one process serves alone */
export function createReadiness(market: Market, database: () => Database | undefined): Readiness {
	let isDraining = false;
	let hasBeenReady = false;
	let asked: {readonly atMs: number; readonly isThere: Promise<boolean>} | undefined;
	const isDatabaseThere = (): Promise<boolean> => {
		const shared = database();
		if (shared === undefined) return Promise.resolve(true);
		const nowMs = performance.now();
		if (asked === undefined || nowMs - asked.atMs > FRESH_MS) {
			const answered = shared.get('SELECT 1').then(
				() => true,
				() => false,
			);
			asked = {atMs: nowMs, isThere: Promise.race([answered, pause(ANSWER_MS, false, {ref: false})])};
		}
		return asked.isThere;
	};
	return {
		async reason() {
			if (isDraining) return 'draining';
			if (!(await isDatabaseThere())) return 'database-away';
			// A wait lies between: a signal may have come.
			if (isDraining) return 'draining';
			if (market.log) {
				if (!market.log.isReady()) return hasBeenReady ? 'behind' : 'starting';
			} else if (market.table.length === 0) return 'starting';
			hasBeenReady = true;
			return undefined;
		},
		drain: () => {
			isDraining = true;
		},
	};
}
