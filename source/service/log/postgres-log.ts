import {randomBytes} from 'node:crypto';
import {PulsetopError} from '../../errors.ts';
import {type Database, StoreFailed} from '../store/database.ts';
import {type Lease, LeaseLost} from '../store/lease.ts';
import type {EventLog} from './event-log.ts';
import type {LogEntry, LogRecord} from './log-entry.ts';
import {addPartitions} from './log-partitions.ts';
import {NewestEntries} from './newest-entries.ts';
import {decodeRows, encodeRecord} from './record-bytes.ts';

/** The log does not continue at the position of its reader, which has to start from the newest snapshot. */
export class LogTooShort extends PulsetopError {
	readonly code = 'log-too-short';

	constructor(why: string) {
		super('The market log does not continue where this replica stopped', {
			why,
			next: 'restart',
			advice: 'Restart this replica: it takes the newest snapshot of the market.',
		});
	}
}

/** Appends of this process. */
export interface LogTally {
	readonly appends: number;
	readonly records: number;
	readonly bytes: number;
	/** Appends that were refused or got no answer. */
	readonly failures: number;
}

/** The market log in PostgreSQL. */
export interface PostgresLog extends EventLog {
	/** Counted since the start of the process. */
	readonly tally: LogTally;
}

export interface PostgresLogOptions {
	/** The database's clock, an SQL expression; tests set it. */
	readonly clock?: string;
}

/** End of PostgreSQL's error for a row that fits no partition: its SQLSTATE. */
const NO_PARTITION = '(23514)';
/** Maximum size of the rows of one read, approximately. */
const READ_BYTES = 8 * 2 ** 20;

/** Opens the market log; its epoch is made with its first opening. @throws StoreFailed */
export async function openPostgresLog(
	database: Database,
	{clock = database.dialect.nowMs}: PostgresLogOptions = {},
): Promise<PostgresLog> {
	await database.run(
		`INSERT INTO market_head (epoch, seq, at_ms, made_ms) VALUES (?, 0, 0, ${clock}) ON CONFLICT (one) DO NOTHING`,
		[randomBytes(6).toString('hex')],
	);
	const row = await database.get(`SELECT epoch, ${clock} AS now_ms FROM market_head`);
	await addPartitions(database, Number(row!['now_ms']));
	return new Log(database, clock, String(row!['epoch']));
}

class Log implements PostgresLog {
	readonly epoch: string;
	readonly #database: Database;
	readonly #clock: string;
	readonly #listeners = new Set<() => void>();
	/**
	 * The market reads an entry first, and the enqueuer of webhooks soon after: it is fetched and decoded once. Entries never change,
	 * so they are valid while the log is the same. The entry after the newest is never held: the market queries it several times a
	 * second, and a query that finds another log, or this one shorter, drops them all.
	 */
	readonly #newest = new NewestEntries();
	#tally: LogTally = {appends: 0, records: 0, bytes: 0, failures: 0};
	#unlisten: (() => void) | undefined;

	constructor(database: Database, clock: string, epoch: string) {
		this.#database = database;
		this.#clock = clock;
		this.epoch = epoch;
	}

	get tally(): LogTally {
		return this.#tally;
	}

	async append(lease: Lease, records: readonly LogRecord[]): Promise<number> {
		if (records.length === 0) throw new RangeError('nothing to append');
		const parts = records.map(encodeRecord);
		const bytes = Buffer.concat(parts);
		try {
			const seq = await this.#write(lease, parts.map(({length}) => length).join(), bytes);
			const {appends, records: written, bytes: size, failures} = this.#tally;
			this.#tally = {appends: appends + 1, records: written + parts.length, bytes: size + bytes.length, failures};
			return seq;
		} catch (error) {
			this.#tally = {...this.#tally, failures: this.#tally.failures + 1};
			throw error;
		}
	}

	async #write(lease: Lease, lengths: string, bytes: Uint8Array): Promise<number> {
		const {name, owner, fence} = lease;
		const write = () =>
			this.#database.get(`SELECT market_append(?, ?, ?, ${this.#clock}, ?, ?) AS seq`, [
				name,
				owner,
				fence,
				lengths,
				bytes,
			]);
		const row = await write().catch(async error => {
			if (!hasNoPartition(error)) throw error;
			// Nothing was written. The keeper makes partitions days ahead, and there was none for longer.
			await addPartitions(this.#database, await this.#nowMs());
			return write();
		});
		const seq = row?.['seq'];
		if (typeof seq !== 'number') throw new LeaseLost(name);
		return seq;
	}

	async read(afterSeq: number, limit: number): Promise<LogEntry[]> {
		const held = this.#newest.after(afterSeq, limit);
		if (held.length > 0) return held;
		try {
			return await this.#fetch(afterSeq, limit);
		} catch (error) {
			if (error instanceof LogTooShort) this.#newest.clear();
			throw error;
		}
	}

	async #fetch(afterSeq: number, limit: number): Promise<LogEntry[]> {
		const rows = await this.#database.all(
			`SELECT head.epoch AS epoch, head.seq AS newest, entry.seq AS seq, entry.at_ms AS at_ms, entry.data AS data
			FROM market_head AS head LEFT JOIN LATERAL (
				SELECT seq, at_ms, data FROM (
					SELECT seq, at_ms, data, sum(octet_length(data)) OVER (ORDER BY seq) - octet_length(data) AS before
					FROM (SELECT seq, at_ms, data FROM market_log WHERE seq > ? ORDER BY seq LIMIT ?) AS next
				) AS sized WHERE before < ${READ_BYTES}
			) AS entry ON TRUE ORDER BY entry.seq`,
			[afterSeq, limit],
		);
		const [first] = rows;
		if (first?.['epoch'] !== this.epoch) throw new LogTooShort('another log has taken its place');
		const newest = Number(first['newest']);
		if (newest < afterSeq) throw new LogTooShort(`it ends with entry ${newest}, before entry ${afterSeq}`);
		if (first['seq'] === null) {
			if (newest > afterSeq) throw new LogTooShort(`entry ${afterSeq + 1} was dropped`);
			return [];
		}
		const stored = rows.map((row, n) => {
			const seq = Number(row['seq']);
			if (seq !== afterSeq + 1 + n) throw new LogTooShort(`entry ${afterSeq + 1 + n} was dropped`);
			return {seq, atMs: Number(row['at_ms']), data: row['data'] as Uint8Array};
		});
		const entries = decodeRows(stored);
		for (const [n, entry] of entries.entries()) this.#newest.add(entry, stored[n]!.data.length);
		return entries;
	}

	async head(): ReturnType<EventLog['head']> {
		const row = await this.#database.get(
			`SELECT epoch, seq, at_ms, ${this.#clock} AS now_ms,
				coalesce((SELECT min(seq) FROM market_log), seq + 1) AS first_seq
			FROM market_head`,
		);
		const firstSeq = Number(row!['first_seq']);
		if (row!['epoch'] !== this.epoch) this.#newest.clear();
		this.#newest.dropBefore(firstSeq);
		return {
			seq: Number(row!['seq']),
			atMs: Number(row!['at_ms']),
			firstSeq,
			nowMs: Number(row!['now_ms']),
		};
	}

	onWritten(listener: () => void): () => void {
		this.#listeners.add(listener);
		this.#unlisten ??= this.#database.listen('market_log', () => {
			for (const one of this.#listeners) one();
		});
		return () => {
			this.#listeners.delete(listener);
			if (this.#listeners.size > 0) return;
			this.#unlisten?.();
			this.#unlisten = undefined;
		};
	}

	async #nowMs(): Promise<number> {
		return Number((await this.#database.get(`SELECT ${this.#clock} AS now_ms`))?.['now_ms']);
	}
}

function hasNoPartition(error: unknown): boolean {
	return error instanceof StoreFailed && error.why.endsWith(NO_PARTITION);
}
