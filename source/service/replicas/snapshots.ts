import {createHash, randomBytes} from 'node:crypto';
import {createReadStream, createWriteStream} from 'node:fs';
import {rename, rm} from 'node:fs/promises';
import {Readable} from 'node:stream';
import {pipeline} from 'node:stream/promises';
import {createGunzip, createGzip} from 'node:zlib';
import {PulsetopError} from '../../errors.ts';
import type {Database} from '../store/database.ts';
import {type Lease, LeaseLost} from './lease.ts';
import type {Position} from './position.ts';

/** A snapshot that was loaded is not what was stored. */
export class SnapshotDamaged extends PulsetopError {
	readonly code = 'snapshot-damaged';

	constructor(seq: number, why: string) {
		super('A snapshot of the market could not be used', {why: `the one at entry ${seq}: ${why}`, next: 'retry-later'});
	}
}

/** A complete snapshot. */
export interface SnapshotFacts {
	readonly seq: number;
	/** When it was stored, by the database's clock. */
	readonly atMs: number;
	/** What it takes in the database. */
	readonly bytes: number;
}

/** Copies of a replica's journal in the database, for replicas that have none. */
export interface Snapshots {
	/** @throws StoreFailed */
	newest(): Promise<SnapshotFacts | undefined>;
	/**
	 * Stores a copy of a journal, and drops older ones.
	 * @param lease of whoever stores snapshots: one at a time
	 * @param backup writes the copy into a file
	 * @throws LeaseLost, StoreFailed; nothing of it counts then
	 */
	store(lease: Lease, backup: (path: string) => Promise<void>): Promise<SnapshotFacts>;
	/**
	 * Loads the newest one into a file, which is there only when all of it is right.
	 * @returns undefined when there is none
	 * @throws SnapshotDamaged, StoreFailed
	 */
	load(path: string): Promise<Position | undefined>;
}

export interface SnapshotsOptions {
	/** Of the log. */
	readonly epoch: string;
	/** Where copies are made before they are stored. */
	readonly directory: string;
	/** Where a journal stands in the log. */
	readonly positionOf: (path: string) => Position | undefined;
}

const PIECE_BYTES = 2 ** 20;
/** One that a joiner loads stays while the next one is stored. */
const KEPT = 2;
/** How often a joiner begins again when the one that it loads was dropped. */
const TRIES = 3;

/** The snapshots of a market log. */
export function openSnapshots(database: Database, options: SnapshotsOptions): Snapshots {
	return new DatabaseSnapshots(database, options);
}

class DatabaseSnapshots implements Snapshots {
	readonly #database: Database;
	readonly #options: SnapshotsOptions;

	constructor(database: Database, options: SnapshotsOptions) {
		this.#database = database;
		this.#options = options;
	}

	async newest(): Promise<SnapshotFacts | undefined> {
		const row = await this.#newestRow();
		return row && {seq: Number(row['seq']), atMs: Number(row['at_ms']), bytes: Number(row['bytes'])};
	}

	async store(lease: Lease, backup: (path: string) => Promise<void>): Promise<SnapshotFacts> {
		const id = randomBytes(8).toString('hex');
		const path = `${this.#options.directory}/snapshot-${id}`;
		try {
			await backup(path);
			const position = this.#options.positionOf(path);
			if (position?.epoch !== this.#options.epoch)
				throw new Error('the copy of the journal says no position in the log');
			const written = await this.#writePieces(id, path, lease);
			const facts = await this.#complete(id, position.seq, written, lease);
			await this.#dropOld(lease);
			return facts;
		} finally {
			await removeDatabase(path);
		}
	}

	async load(path: string): Promise<Position | undefined> {
		const partial = `${path}.part`;
		try {
			for (let tries = 0; tries < TRIES; tries++) {
				const row = await this.#newestRow();
				if (row === undefined) return undefined;
				const seq = Number(row['seq']);
				const hash = createHash('sha256');
				const isWhole = await this.#readPieces(String(row['id']), Number(row['pieces']), partial, hash);
				if (!isWhole) continue;
				if (hash.digest('hex') !== row['sha256'])
					throw new SnapshotDamaged(seq, 'its bytes are not those that were stored');
				const position = this.#options.positionOf(partial);
				if (position?.epoch !== this.#options.epoch || position.seq !== seq)
					throw new SnapshotDamaged(seq, 'its journal cannot be read');
				await removeDatabase(path);
				await rename(partial, path);
				return position;
			}
			throw new SnapshotDamaged(0, 'each was dropped while it was loaded');
		} finally {
			await removeDatabase(partial);
		}
	}

	#newestRow() {
		return this.#database.get('SELECT * FROM market_snapshots WHERE epoch = ? ORDER BY seq DESC, at_ms DESC LIMIT 1', [
			this.#options.epoch,
		]);
	}

	async #writePieces(id: string, path: string, lease: Lease): Promise<Written> {
		const hash = createHash('sha256');
		let pieces = 0;
		let bytes = 0;
		await pipeline(createReadStream(path, {highWaterMark: PIECE_BYTES}), createGzip({level: 1}), async zipped => {
			for await (const data of inPieces(zipped)) {
				lease.signal.throwIfAborted();
				await this.#database.run('INSERT INTO market_snapshot_pieces (snapshot, n, data) VALUES (?, ?, ?)', [
					id,
					pieces++,
					data,
				]);
				hash.update(data);
				bytes += data.length;
			}
		});
		return {pieces, bytes, sha256: hash.digest('hex')};
	}

	/** Only from here on it counts: a snapshot without this row is none. */
	async #complete(id: string, seq: number, {pieces, bytes, sha256}: Written, lease: Lease): Promise<SnapshotFacts> {
		const {nowMs} = this.#database.dialect;
		const row = await this.#database.get(
			`INSERT INTO market_snapshots (id, epoch, seq, at_ms, pieces, bytes, sha256)
			SELECT ?, ?, ?, ${nowMs}, ?, ?, ?
			FROM leases WHERE name = ? AND owner = ? AND fence = ? AND until_ms > ${nowMs}
			RETURNING at_ms`,
			[id, this.#options.epoch, seq, pieces, bytes, sha256, lease.name, lease.owner, lease.fence],
		);
		if (row === undefined) throw new LeaseLost(lease.name);
		return {seq, atMs: Number(row['at_ms']), bytes};
	}

	/** Also pieces of a snapshot that was not completed; those that another begins after it has taken the lease are not seen. */
	async #dropOld({name, owner, fence}: Lease): Promise<void> {
		const held = `EXISTS (SELECT 1 FROM leases WHERE name = ? AND owner = ? AND fence = ?)`;
		await this.#database.run(
			`DELETE FROM market_snapshots WHERE ${held} AND id NOT IN
			(SELECT id FROM market_snapshots WHERE epoch = ? ORDER BY seq DESC, at_ms DESC LIMIT ${KEPT})`,
			[name, owner, fence, this.#options.epoch],
		);
		await this.#database.run(
			`DELETE FROM market_snapshot_pieces WHERE ${held} AND snapshot NOT IN (SELECT id FROM market_snapshots)`,
			[name, owner, fence],
		);
	}

	/** False when a piece is missing: it was dropped. */
	async #readPieces(id: string, pieces: number, path: string, hash: ReturnType<typeof createHash>): Promise<boolean> {
		let isWhole = true;
		const database = this.#database;
		async function* read() {
			for (let n = 0; n < pieces; n++) {
				const row = await database.get('SELECT data FROM market_snapshot_pieces WHERE snapshot = ? AND n = ?', [id, n]);
				if (row === undefined) {
					isWhole = false;
					return;
				}
				const data = row['data'] as Uint8Array;
				hash.update(data);
				yield data;
			}
		}
		try {
			await pipeline(Readable.from(read()), createGunzip(), createWriteStream(path, {mode: 0o600}));
		} catch (error) {
			// Of wrong bytes the hash tells, and a missing end is no fault of theirs.
			if (!(error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw error;
		}
		return isWhole;
	}
}

interface Written {
	readonly pieces: number;
	readonly bytes: number;
	readonly sha256: string;
}

/** A database file, and what SQLite keeps beside it. */
export async function removeDatabase(path: string): Promise<void> {
	for (const end of ['', '-wal', '-shm', '-journal']) await rm(`${path}${end}`, {force: true});
}

async function* inPieces(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	let parts: Uint8Array[] = [];
	let bytes = 0;
	for await (const part of stream) {
		parts.push(part);
		bytes += part.length;
		if (bytes < PIECE_BYTES) continue;
		const whole = Buffer.concat(parts);
		let from = 0;
		for (; whole.length - from >= PIECE_BYTES; from += PIECE_BYTES) yield whole.subarray(from, from + PIECE_BYTES);
		parts = [whole.subarray(from)];
		bytes = whole.length - from;
	}
	if (bytes > 0) yield Buffer.concat(parts);
}
