import {entryKey} from '../../source/contract/entry.ts';
import type {LogEntry} from '../../source/service/log/log-entry.ts';
import {openPostgresLog} from '../../source/service/log/postgres-log.ts';
import {openPostgres} from '../../source/service/store/postgres.ts';
import type {PostgresServer} from '../helpers/postgres.ts';

/** What stands in the market log. */
export interface LogContents {
	readonly entries: number;
	/** Tokens that came onto a curve, in the order of the log. */
	readonly launches: readonly {readonly seq: number; readonly key: string}[];
	/** What must not be in a log. */
	readonly problems: readonly string[];
}

const PAGE = 500;

/** Reads the log of a service after an entry, the whole log when omitted: its order, and that nothing happened twice. */
export async function readMarketLog({address}: Pick<PostgresServer, 'address'>, afterSeq = 0): Promise<LogContents> {
	const database = await openPostgres(address);
	try {
		const log = await openPostgresLog(database);
		const problems: string[] = [];
		const launches: {seq: number; key: string}[] = [];
		const seen = new Set<string>();
		let entries = 0;
		let last: LogEntry | undefined;
		/** What is older is the history of the simulation, which comes in beside what happens. */
		let startMs = Number.POSITIVE_INFINITY;
		for (;;) {
			const page = await log.read(last?.seq ?? afterSeq, PAGE);
			if (page.length === 0) return {entries, launches, problems};
			for (const entry of page) {
				if (entry.seq !== (last?.seq ?? afterSeq) + 1) problems.push(`entry ${entry.seq} comes after ${last?.seq}`);
				if (entry.atMs < (last?.atMs ?? 0)) problems.push(`entry ${entry.seq} is older than the one before it`);
				entries++;
				startMs = Math.min(startMs, entry.atMs);
				last = entry;
				if (entry.record.kind !== 'batch') continue;
				for (const event of entry.record.batch.events) {
					const name = JSON.stringify(event);
					if (seen.has(name)) problems.push(`entry ${entry.seq} has an event again: ${name.slice(0, 200)}`);
					if (event.type === 'trade' || event.type === 'launch') seen.add(name);
					const isNew = event.type === 'launch' && event.timeMs > startMs && event.curveSale !== null;
					if (isNew) launches.push({seq: entry.seq, key: entryKey(event.chainId, event.token)});
				}
			}
		}
	} finally {
		await database.close();
	}
}
