import {createHash} from 'node:crypto';
import {
	closeSync,
	copyFileSync,
	existsSync,
	fstatSync,
	fsyncSync,
	ftruncateSync,
	openSync,
	readSync,
	truncateSync,
	writeSync,
} from 'node:fs';
import {dirname} from 'node:path';
import {PulsetopError} from '../errors.ts';
import {syncDirectory} from '../sync-directory.ts';
import {type JournalHead, openHead} from './journal-head.ts';
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

const WAY_OUT =
	'Put the file back from a backup. Without one, pulsetop wallet log --confirm goes on with the lines that can be trusted. Until then nothing is signed.';

/** A journal that was changed after it was written. Nothing is signed until the damage is resolved. */
class JournalBroken extends PulsetopError {
	readonly code = 'journal-broken';

	constructor(line: number, why: string) {
		super('The journal of money actions was changed or is damaged', {
			why: `line ${line}: ${why}`,
			next: 'fix-input',
			advice: WAY_OUT,
		});
	}
}

/** A journal without lines that were written: cut, deleted, or replaced by an older copy. */
class JournalCut extends PulsetopError {
	readonly code = 'journal-cut';

	constructor(written: number, there: number) {
		super('Lines of the journal of money actions are missing', {
			why:
				there < written
					? `${written} were written, ${there === 0 ? 'none is' : `${there} are`} there: what was spent and sent since is not known`
					: `line ${written} is not the one that was written: the file is another copy`,
			next: 'fix-input',
			advice: WAY_OUT,
		});
	}
}

export interface Journal {
	/** Writes a record; it is on the disk when this returns. @throws JournalBroken, JournalCut, FileBusy */
	append(kind: JournalKind, id: string, data: Readonly<Record<string, unknown>>): JournalRecord;
	/**
	 * Writes a record if the earlier records allow it. No other process writes between the check and the write, so one of
	 * several competing claims succeeds.
	 * @param isFree with the time by the clock that dates the records, Unix ms
	 * @returns undefined when the claim was not allowed; nothing was written then
	 * @throws JournalBroken, JournalCut, FileBusy
	 */
	claim(
		kind: JournalKind,
		id: string,
		data: Readonly<Record<string, unknown>>,
		isFree: (records: readonly JournalRecord[], nowMs: number) => boolean,
	): JournalRecord | undefined;
	/** All records, oldest first, those of other processes included. @throws JournalBroken, JournalCut */
	records(): readonly JournalRecord[];
	/**
	 * Goes on with the lines that can be trusted, after a person agreed: the file is kept under another name, and a record says how
	 * many lines there should have been. Does nothing to a journal that is whole.
	 * @throws FileBusy
	 */
	confirm(): void;
}

const GENESIS = '0'.repeat(64);

/**
 * The journal in a file: one JSON object a line, each with the hash of the line before, appended and synced. A last line
 * that was cut by a crash is moved to another file; any other damage is refused.
 * @param headPath the file of the count and the last hash (see JournalFiles); without it whole lines that are missing at the end
 *   are noticed only while the program runs
 */
export function openJournal(
	path: string,
	{nowMs = Date.now, headPath}: {nowMs?: () => number; headPath?: string | undefined} = {},
): Journal {
	return new FileJournal(path, headPath, nowMs);
}

class FileJournal implements Journal {
	readonly #path: string;
	readonly #head: JournalHead;
	readonly #isCounted: boolean;
	readonly #nowMs: () => number;
	readonly #records: JournalRecord[] = [];
	/** Bytes of the file that were read and verified. */
	#bytes = 0;
	/** How many lines at the start have no hash of their own: it is made here, so that the next line can follow. */
	#unhashed = 0;

	constructor(path: string, headPath: string | undefined, nowMs: () => number) {
		this.#path = path;
		this.#head = openHead(headPath);
		this.#isCounted = headPath !== undefined;
		this.#nowMs = nowMs;
	}

	append(kind: JournalKind, id: string, data: Readonly<Record<string, unknown>>): JournalRecord {
		return this.claim(kind, id, data, () => true)!;
	}

	claim(
		kind: JournalKind,
		id: string,
		data: Readonly<Record<string, unknown>>,
		isFree: (records: readonly JournalRecord[], nowMs: number) => boolean,
	): JournalRecord | undefined {
		return this.#locked(() => {
			this.#assertThere();
			const isNew = !existsSync(this.#path);
			return this.#opened(file => {
				this.#catchUp(file);
				this.#assertWhole();
				return isFree(this.#records, this.#nowMs()) ? this.#write(file, {kind, id, data, isNew}) : undefined;
			});
		});
	}

	records(): readonly JournalRecord[] {
		this.#assertThere();
		if (!existsSync(this.#path)) return [];
		return this.#locked(() =>
			this.#opened(file => {
				this.#catchUp(file);
				this.#assertWhole();
				return [...this.#records];
			}),
		);
	}

	confirm(): void {
		this.#locked(() => {
			const isNew = !existsSync(this.#path);
			const written = this.#head.read()?.count ?? 0;
			const isWhole = this.#readTrusted();
			const there = this.#records.length;
			if (isWhole && this.#isHeadThere()) return;
			if (!isNew) {
				copyFileSync(this.#path, `${this.#path}.before-${this.#nowMs()}`);
				truncateSync(this.#path, this.#bytes);
			}
			this.#opened(file => this.#write(file, {kind: 'log.confirmed', id: 'log', data: {written, there}, isNew}));
		});
	}

	#locked<T>(work: () => T): T {
		return withFileLock(this.#path, 'journal', work);
	}

	#opened<T>(work: (file: number) => T): T {
		ensurePrivateDirectory(dirname(this.#path));
		const file = openSync(this.#path, 'a+', 0o600);
		try {
			return work(file);
		} finally {
			closeSync(file);
		}
	}

	#write(
		file: number,
		{kind, id, data, isNew}: Pick<JournalRecord, 'id' | 'data'> & {kind: JournalKind; isNew: boolean},
	): JournalRecord {
		const last = this.#records.at(-1);
		// The written record must equal the hashed one, so undefined members go now.
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
		this.#head.keep({count: record.seq, hash: record.hash});
		return record;
	}

	/** Reads from the start as far as lines can be trusted. @returns whether that is all of the file */
	#readTrusted(): boolean {
		this.#forget();
		if (!existsSync(this.#path)) return true;
		try {
			this.#opened(file => this.#catchUp(file));
			return true;
		} catch (error) {
			if (error instanceof JournalBroken) return false;
			throw error;
		}
	}

	/** @throws JournalCut when lines were written and the file is gone */
	#assertThere(): void {
		const head = existsSync(this.#path) ? undefined : this.#head.read();
		if (head !== undefined) throw new JournalCut(head.count, 0);
	}

	/**
	 * Compares the lines that were read with the count. More lines than were counted are no damage: the program ended between the two
	 * writes, or an earlier version wrote them. Without a count the journal is of an earlier version.
	 * @throws JournalCut
	 */
	#assertWhole(): void {
		if (!this.#isHeadThere()) throw new JournalCut(this.#head.read()!.count, this.#records.length);
	}

	#isHeadThere(): boolean {
		const head = this.#head.read();
		return head === undefined || this.#records[head.count - 1]?.hash === head.hash;
	}

	/** Reads the lines appended since, by this process or by others. */
	#catchUp(file: number): void {
		const {size} = fstatSync(file);
		if (size < this.#bytes) {
			if (!this.#isCounted) throw new JournalBroken(this.#records.length + 1, 'lines that were there are gone');
			// The count says whether a person agreed to that.
			this.#forget();
		}
		if (size === this.#bytes) return;
		const added = Buffer.alloc(size - this.#bytes);
		let at = 0;
		while (at < added.length) {
			const count = readSync(file, added, at, added.length - at, this.#bytes + at);
			if (count === 0) break;
			at += count;
		}
		const end = added.lastIndexOf(0x0a) + 1;
		let from = 0;
		while (from < end) {
			const to = added.indexOf(0x0a, from) + 1;
			this.#take(added.toString('utf8', from, to - 1));
			this.#bytes += to - from;
			from = to;
		}
		if (end < added.length) this.#putAside(file, added.subarray(end));
	}

	#take(line: string): void {
		const {length} = this.#records;
		const last = this.#records.at(-1);
		const record = readLine(line, length + 1);
		// Lines of the first version stand before all others.
		const isFirstVersion = record.hash === undefined && length === this.#unhashed;
		if (isFirstVersion) this.#unhashed++;
		this.#records.push(isFirstVersion ? hashed(record, length + 1, last) : verified(record, length + 1, last));
	}

	#forget(): void {
		this.#records.length = 0;
		this.#bytes = 0;
		this.#unhashed = 0;
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

function readLine(line: string, number: number): Partial<JournalRecord> {
	let record: unknown;
	try {
		record = JSON.parse(line);
	} catch {
		throw new JournalBroken(number, 'it is not JSON');
	}
	if (typeof record !== 'object' || record === null) throw new JournalBroken(number, 'it is no record');
	return record;
}

/** A record of the first version, with the number and the hashes that it would have. */
function hashed(record: Partial<JournalRecord>, number: number, last: JournalRecord | undefined): JournalRecord {
	const {atMs = 0, kind = '', id = '', data = {}} = record;
	const body = {seq: number, atMs, kind, id, data, prev: last?.hash ?? GENESIS};
	return {...body, hash: hashOf(body)};
}

function verified(given: Partial<JournalRecord>, number: number, last: JournalRecord | undefined): JournalRecord {
	const record = given as JournalRecord;
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
