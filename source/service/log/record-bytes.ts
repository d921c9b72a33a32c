import {crc32, deflateRawSync, inflateRawSync} from 'node:zlib';
import {PulsetopError} from '../../errors.ts';
import type {LogEntry, LogRecord} from './log-entry.ts';

/** This program cannot read an entry of the market log. The market stops before it, since later entries build on it. */
export class LogUnreadable extends PulsetopError {
	readonly code = 'log-unreadable';

	constructor(seq: number, {why, isNewer, cause}: {why: string; isNewer: boolean; cause?: unknown}) {
		super('The market log could not be read', {
			why: `entry ${seq}: ${why}`,
			next: isNewer ? 'fix-input' : 'report',
			advice: isNewer ? 'Upgrade this replica: another one is newer.' : undefined,
			cause,
		});
	}
}

/*
 * A record as bytes: version (1), CRC-32 of the rest (4, big-endian), JSON, deflated in the version for long ones.
 *
 * Measured on the simulated market (2.2 kB of JSON a record, addresses that repeat little): JSON deflated takes 243 bytes an
 * event and 13 us to write, the journal's form by token 216 bytes and 9 us, but it loses the order of tokens in a batch.
 */
const VERSION = {json: 1, deflated: 2} as const;
const HEAD = 5;
/** Shorter JSON is stored as it is, in bytes. */
const DEFLATE_FROM = 400;
/** Limit of the inflated size, against damaged or hostile rows. */
const MAX_JSON = 2 ** 28;

/** Every kind that this program knows; the type makes the compiler report a missing one. */
const RECORD_KINDS: Readonly<Record<LogRecord['kind'], true>> = {
	batch: true,
	'take-back': true,
	gap: true,
	forget: true,
	report: true,
	describe: true,
	clock: true,
};

/** Serialises a record. */
export function encodeRecord(record: LogRecord): Uint8Array {
	const json = Buffer.from(JSON.stringify(record));
	const isDeflated = json.length >= DEFLATE_FROM;
	const body = isDeflated ? deflateRawSync(json, {level: 1}) : json;
	const bytes = Buffer.alloc(HEAD + body.length);
	bytes[0] = isDeflated ? VERSION.deflated : VERSION.json;
	bytes.writeUInt32BE(crc32(body), 1);
	bytes.set(body, HEAD);
	return bytes;
}

/** A row of the market log as it is stored. */
export interface LogRow {
	readonly seq: number;
	readonly atMs: number;
	readonly data: Uint8Array;
}

/**
 * The entries of consecutive rows, up to the first that cannot be read: what is before it counts.
 * @throws LogUnreadable when the first row cannot be read
 */
export function decodeRows(rows: readonly LogRow[]): LogEntry[] {
	const entries: LogEntry[] = [];
	for (const {seq, atMs, data} of rows) {
		try {
			entries.push({seq, atMs, record: decodeRecord(seq, data)});
		} catch (error) {
			if (entries.length === 0) throw error;
			break;
		}
	}
	return entries;
}

/**
 * Reads what encodeRecord wrote.
 * @param seq of its row, for the message
 * @throws LogUnreadable when the bytes are damaged, or written by a newer program
 */
function decodeRecord(seq: number, bytes: Uint8Array): LogRecord {
	const [version] = bytes;
	if (version !== VERSION.json && version !== VERSION.deflated)
		throw new LogUnreadable(seq, {
			why: `it has version ${version ?? 'none'}`,
			isNewer: (version ?? 0) > VERSION.deflated,
		});
	const body = bytes.subarray(HEAD);
	const sum = bytes.length < HEAD ? undefined : Buffer.from(bytes.buffer, bytes.byteOffset, HEAD).readUInt32BE(1);
	if (sum !== crc32(body)) throw new LogUnreadable(seq, {why: 'its bytes are damaged', isNewer: false});
	let record: LogRecord;
	try {
		const json = version === VERSION.deflated ? inflateRawSync(body, {maxOutputLength: MAX_JSON}) : body;
		record = JSON.parse(Buffer.from(json).toString()) as LogRecord;
	} catch (cause) {
		throw new LogUnreadable(seq, {why: 'its bytes are not a record', isNewer: false, cause});
	}
	if (!Object.hasOwn(RECORD_KINDS, record.kind))
		throw new LogUnreadable(seq, {why: `it is of the kind ${JSON.stringify(record.kind)}`, isNewer: true});
	return record;
}
