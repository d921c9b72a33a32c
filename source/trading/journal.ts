import {createHash} from 'node:crypto';
import {closeSync, existsSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync} from 'node:fs';
import {dirname} from 'node:path';
import {PulsetopError} from '../errors.ts';
import {syncDirectory} from '../sync-directory.ts';
import type {JournalKind} from './journal-labels.ts';
import {ensurePrivateDirectory, withFileLock, writePrivateFile} from './private-files.ts';

/** One line: an action or observation around money. Never holds a key, a passphrase or a signature. */
export interface JournalRecord {
	/** From 1, without gaps. */
	readonly seq: number;
	readonly atMs: number;
	/** `bridge.intended`, `perp.sent`, `wallet.unlocked`, ... */
	readonly kind: string;
	/** Subject: an intent's id, an order's id, a wallet's name. */
	readonly id: string;
	readonly data: Readonly<Record<string, unknown>>;
	/** The hash of the record before; zeros for the first. */
	readonly prev: string;
	/** SHA-256 over all of the above. */
	readonly hash: string;
}

/** A journal that was changed after it was written. Nothing is signed until the damage is resolved. */
class JournalBroken extends PulsetopError {
	readonly code = 'journal-broken';

	constructor(line: number, why: string) {
		super('The journal of money actions was changed or is damaged', {why: `line ${line}: ${why}`, next: 'report'});
	}
}

export interface Journal {
	/** Writes a record; it is on the disk when this returns. @throws JournalBroken, FileBusy */
	append(kind: JournalKind, id: string, data: Readonly<Record<string, unknown>>): JournalRecord;
	/**
	 * Writes a record if the earlier records allow it. No other process writes between the check and the write, so one of
	 * several competing claims succeeds.
	 * @returns undefined when the claim was not allowed; nothing was written then
	 * @throws JournalBroken, FileBusy
	 */
	claim(
		kind: JournalKind,
		id: string,
		data: Readonly<Record<string, unknown>>,
		isFree: (records: readonly JournalRecord[]) => boolean,
	): JournalRecord | undefined;
	/** All records, oldest first, those of other processes included. @throws JournalBroken */
	records(): readonly JournalRecord[];
}

const GENESIS = '0'.repeat(64);

/**
 * The journal in a file: one JSON object a line, each with the hash of the line before, appended and synced. A last line
 * that was cut by a crash is moved to another file; any other damage is refused.
 */
export function openJournal(path: string, {nowMs = Date.now}: {nowMs?: () => number} = {}): Journal {
	return new FileJournal(path, nowMs);
}

class FileJournal implements Journal {
	readonly #path: string;
	readonly #nowMs: () => number;
	readonly #records: JournalRecord[] = [];
	/** Bytes of the file that were read and verified. */
	#bytes = 0;

	constructor(path: string, nowMs: () => number) {
		this.#path = path;
		this.#nowMs = nowMs;
	}

	append(kind: JournalKind, id: string, data: Readonly<Record<string, unknown>>): JournalRecord {
		return this.claim(kind, id, data, () => true)!;
	}

	claim(
		kind: JournalKind,
		id: string,
		data: Readonly<Record<string, unknown>>,
		isFree: (records: readonly JournalRecord[]) => boolean,
	): JournalRecord | undefined {
		return this.#locked(() => {
			ensurePrivateDirectory(dirname(this.#path));
			const isNew = !existsSync(this.#path);
			const file = openSync(this.#path, 'a+', 0o600);
			try {
				this.#catchUp(file);
				if (!isFree(this.#records)) return undefined;
				const last = this.#records.at(-1);
				// What is written must be what is hashed, so undefined members go now.
				const clean = JSON.parse(JSON.stringify(data)) as Record<string, unknown>;
				const body = {
					seq: (last?.seq ?? 0) + 1,
					atMs: this.#nowMs(),
					kind,
					id,
					data: clean,
					prev: last?.hash ?? GENESIS,
				};
				const record = {...body, hash: hashOf(body)};
				const line = Buffer.from(`${JSON.stringify(record)}\n`);
				writeWhole(file, line);
				fsyncSync(file);
				if (isNew) syncDirectory(dirname(this.#path));
				this.#records.push(record);
				this.#bytes += line.length;
				return record;
			} finally {
				closeSync(file);
			}
		});
	}

	records(): readonly JournalRecord[] {
		if (!existsSync(this.#path)) return [];
		return this.#locked(() => {
			const file = openSync(this.#path, 'a+', 0o600);
			try {
				this.#catchUp(file);
				return [...this.#records];
			} finally {
				closeSync(file);
			}
		});
	}

	#locked<T>(work: () => T): T {
		return withFileLock(this.#path, 'journal', work);
	}

	/** Reads what was appended since, by us or by others. */
	#catchUp(file: number): void {
		const {size} = fstatSync(file);
		if (size < this.#bytes) throw new JournalBroken(this.#records.length + 1, 'lines that were there are gone');
		if (size === this.#bytes) return;
		const added = Buffer.alloc(size - this.#bytes);
		let at = 0;
		while (at < added.length) {
			const count = readSync(file, added, at, added.length - at, this.#bytes + at);
			if (count === 0) break;
			at += count;
		}
		const end = added.lastIndexOf(0x0a) + 1;
		for (const line of added.subarray(0, end).toString('utf8').split('\n').slice(0, -1)) {
			this.#records.push(readLine(line, this.#records));
		}
		this.#bytes += end;
		if (end < added.length) this.#putAside(file, added.subarray(end));
	}

	/** A line without its end was cut by a crash: unreliable, but kept for inspection. */
	#putAside(file: number, torn: Buffer): void {
		writePrivateFile(`${this.#path}.torn-${this.#nowMs()}`, torn.toString('utf8'));
		ftruncateSync(file, this.#bytes);
		fsyncSync(file);
	}
}

function writeWhole(file: number, bytes: Buffer): void {
	let at = 0;
	while (at < bytes.length) at += writeSync(file, bytes, at, bytes.length - at);
}

function readLine(line: string, before: readonly JournalRecord[]): JournalRecord {
	const number = before.length + 1;
	let record: JournalRecord;
	try {
		record = JSON.parse(line) as JournalRecord;
	} catch {
		throw new JournalBroken(number, 'it is not JSON');
	}
	const last = before.at(-1);
	if (record.seq !== number) throw new JournalBroken(number, `it carries the number ${record.seq}`);
	if (record.prev !== (last?.hash ?? GENESIS)) throw new JournalBroken(number, 'it does not follow the line before it');
	if (record.hash !== hashOf(record)) throw new JournalBroken(number, 'its content does not fit its hash');
	return record;
}

function hashOf({seq, atMs, kind, id, data, prev}: Omit<JournalRecord, 'hash'>): string {
	return createHash('sha256')
		.update(JSON.stringify([seq, atMs, kind, id, data, prev]))
		.digest('hex');
}
