import {type Database, StoreFailed} from '../store/database.ts';

const DAY_MS = 86_400_000;
/** Number of days for which partitions are made ahead. */
const DAYS_AHEAD = 2;
const PARTITION = /^market_log_(\d{4})(\d{2})(\d{2})$/;

/** The entries of the log that are kept. */
export interface Retention {
	/** The database's clock. */
	readonly nowMs: number;
	/** Entries younger than this are kept, in milliseconds. */
	readonly keepMs: number;
	/** Entries after this one are kept, whatever their age: new replicas need them. */
	readonly afterSeq: number;
}

/** How long a DROP waits for those who read, since all who read or write the log wait behind it meanwhile. */
const DROP_WAIT = '100ms';
/** End of PostgreSQL's error for a lock that was not free in time: its SQLSTATE. */
const LOCKED = '(55P03)';

/**
 * Makes the partitions of the log for today and the days after it, where they are missing. Nobody who reads or writes the log
 * waits for it: a table is made alone and attached, since CREATE TABLE ... PARTITION OF waits for every pg_dump.
 * @throws StoreFailed
 */
export async function addPartitions(database: Database, nowMs: number): Promise<void> {
	const today = Math.floor(nowMs / DAY_MS);
	const present = new Set(await partitions(database));
	for (let day = today; day <= today + DAYS_AHEAD; day++) {
		const name = nameOf(day);
		if (present.has(name)) continue;
		try {
			await database.transaction(
				async () => {
					await database.run(`CREATE TABLE ${name} (LIKE market_log INCLUDING ALL)`);
					await database.run(
						`ALTER TABLE market_log ATTACH PARTITION ${name} FOR VALUES FROM (${day * DAY_MS}) TO (${(day + 1) * DAY_MS})`,
					);
				},
				{isolation: 'read-committed'},
			);
		} catch (error) {
			// Another replica made it at the same time.
			if (!(error instanceof StoreFailed) || !(await partitions(database)).includes(name)) throw error;
		}
	}
}

/**
 * Drops the days of the log that are no longer needed, except while someone reads them, as a pg_dump does until its end: a later
 * call drops those.
 * @returns names of the dropped partitions
 * @throws StoreFailed
 */
export async function dropPartitions(
	database: Database,
	{nowMs, keepMs, afterSeq}: Retention,
): Promise<readonly string[]> {
	const dropped: string[] = [];
	for (const name of await partitions(database)) {
		const endMs = (dayOf(name) + 1) * DAY_MS;
		if (endMs > nowMs - keepMs) continue;
		// The log has no gaps: when a day is kept, so are those after it.
		if (!(await drop(database, name, afterSeq))) break;
		dropped.push(name);
	}
	return dropped;
}

/** @returns false when it has entries after `afterSeq`, or someone reads the log */
async function drop(database: Database, name: string, afterSeq: number): Promise<boolean> {
	const newest = async (): Promise<unknown> => (await database.get(`SELECT max(seq) AS seq FROM ${name}`))?.['seq'];
	const isNeeded = async (): Promise<boolean> => Number((await newest()) ?? 0) > afterSeq;
	if (await isNeeded()) return false;
	try {
		return await database.transaction(
			async () => {
				await database.run(`SET LOCAL lock_timeout = '${DROP_WAIT}'`);
				await database.run('LOCK TABLE ONLY market_log IN ACCESS EXCLUSIVE MODE');
				// Nobody writes from here on.
				if (await isNeeded()) return false;
				await database.run(`DROP TABLE ${name}`);
				return true;
			},
			{isolation: 'read-committed'},
		);
	} catch (error) {
		if (error instanceof StoreFailed && error.why.endsWith(LOCKED)) return false;
		throw error;
	}
}

/** Names of the partitions, oldest first. */
async function partitions(database: Database): Promise<string[]> {
	const rows = await database.all(
		`SELECT child.relname AS name FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
		WHERE inhparent = 'market_log'::regclass ORDER BY child.relname`,
	);
	return rows.map(row => String(row['name'])).filter(name => PARTITION.test(name));
}

function nameOf(day: number): string {
	return `market_log_${new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}`;
}

function dayOf(name: string): number {
	const [, year, month, day] = PARTITION.exec(name) ?? [];
	return Date.UTC(Number(year), Number(month) - 1, Number(day)) / DAY_MS;
}
