import {createHash, randomBytes} from 'node:crypto';
import {createReadStream, createWriteStream} from 'node:fs';
import {readdir, rename, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {Readable} from 'node:stream';
import {pipeline} from 'node:stream/promises';
import {createGunzip, createGzip} from 'node:zlib';
import {PulsetopError} from '../../errors.ts';
import type {Position} from '../log/position.ts';
import type {Database, StoredRow} from '../store/database.ts';
import {type Lease, LeaseLost} from '../store/lease.ts';

/** A loaded snapshot differs from what was stored. */
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
	/** Size in the database. */
	readonly bytes: number;
}

/** Copies of a replica's journal in the database, from which new replicas start. */
export interface Snapshots {
	/** The complete ones, newest first. @throws StoreFailed */
	all(): Promise<readonly SnapshotFacts[]>;
	/**
	 * Stores a copy of a journal, and drops older ones.
	 * @param lease the keeper's: one replica at a time stores snapshots
	 * @param backup writes the copy into a file
	 * @throws LeaseLost, StoreFailed; the snapshot is not used then
	 */
	store(lease: Lease, backup: (path: string) => Promise<void>): Promise<SnapshotFacts>;
	/**
	 * Loads the newest undamaged snapshot into a file, which is made only when the whole snapshot is valid.
	 * @returns undefined when no snapshot is accepted
	 * @throws SnapshotDamaged when all that are accepted are damaged; StoreFailed
	 */
	load(path: string, options?: LoadOptions): Promise<Position | undefined>;
}

export interface LoadOptions {
	/** Whether a snapshot at this entry is of use; default: every one is. */
	readonly accepts?: (seq: number) => boolean;
	/** Called with each damaged snapshot, before an older one is tried. */
	readonly skipped?: (damage: SnapshotDamaged) => void;
}

export interface SnapshotsOptions {
	/** Epoch of the log. */
	readonly epoch: string;
	/** Directory of the copies that are stored next. */
	readonly directory: string;
	/** Position of a journal in the log. */
	readonly positionOf: (path: string) => Position | undefined;
}

/** Begins the names of the files of a copy. */
const COPY = 'snapshot-';
const PIECE_BYTES = 2 ** 20;
/** Number of snapshots kept: a new replica may still load one while the next is stored, or the newest may be damaged. */
const KEPT = 2;
/** Attempts to load when the snapshot is dropped meanwhile. */
const ATTEMPTS = 3;

/** The snapshots of a market log. */
export function openSnapshots(database: Database, options: SnapshotsOptions): Snapshots {
	return new DatabaseSnapshots(database, options);
}

/** Removes copies that a killed process left in its directory: each is as large as the journal. */
export async function removeCopies(directory: string): Promise<void> {
	const names = (await readdir(directory)).filter(name => name.startsWith(COPY));
	await Promise.all(names.map(name => rm(join(directory, name), {force: true})));
}

class DatabaseSnapshots implements Snapshots {
	readonly #database: Database;
	readonly #options: SnapshotsOptions;

	constructor(database: Database, options: SnapshotsOptions) {
		this.#database = database;
		this.#options = options;
	}

	async all(): Promise<readonly SnapshotFacts[]> {
		const rows = await this.#rows();
		return rows.map(row => ({seq: Number(row['seq']), atMs: Number(row['at_ms']), bytes: Number(row['bytes'])}));
	}

	async store(lease: Lease, backup: (path: string) => Promise<void>): Promise<SnapshotFacts> {
		const id = randomBytes(8).toString('hex');
		const path = join(this.#options.directory, `${COPY}${id}`);
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

	async load(
		path: string,
		{accepts = () => true, skipped = () => {}}: LoadOptions = {},
	): Promise<Position | undefined> {
		for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
			let damage: SnapshotDamaged | undefined;
			let isDropped = false;
			for (const row of await this.#rows()) {
				if (!accepts(Number(row['seq']))) continue;
				if (damage) skipped(damage);
				const loaded = await this.#loadRow(row, path);
				if (loaded === undefined) isDropped = true;
				else if (!(loaded instanceof SnapshotDamaged)) return loaded;
				else damage = loaded;
			}
			if (damage) throw damage;
			if (!isDropped) return undefined;
		}
		throw new SnapshotDamaged(0, 'each was dropped while it was loaded');
	}

	/** Undefined: it was dropped meanwhile. */
	async #loadRow(row: StoredRow, path: string): Promise<Position | SnapshotDamaged | undefined> {
		const partial = `${path}.part`;
		const id = String(row['id']);
		const seq = Number(row['seq']);
		try {
			const hash = createHash('sha256');
			if (!(await this.#readPieces(id, Number(row['pieces']), partial, hash))) {
				const isThere = await this.#database.get('SELECT 1 AS one FROM market_snapshots WHERE id = ?', [id]);
				return isThere && new SnapshotDamaged(seq, 'a part of it is missing');
			}
			if (hash.digest('hex') !== row['sha256'])
				return new SnapshotDamaged(seq, 'its bytes are not those that were stored');
			const position = this.#options.positionOf(partial);
			if (position?.epoch !== this.#options.epoch || position.seq !== seq)
				return new SnapshotDamaged(seq, 'its journal cannot be read');
			await removeDatabase(path);
			await rename(partial, path);
			return position;
		} finally {
			await removeDatabase(partial);
		}
	}

	#rows() {
		return this.#database.all('SELECT * FROM market_snapshots WHERE epoch = ? ORDER BY seq DESC, at_ms DESC', [
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

	/** Writes the row that makes the snapshot complete: pieces without this row are not a snapshot. */
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

	/** Drops old snapshots, and pieces of incomplete ones; refused when another replica has acquired the lease. */
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
			// Damaged bytes fail the hash later; a missing piece is no damage.
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

/** Removes a database file and the files that SQLite keeps beside it. */
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
