import {crc32, deflateRawSync, inflateRawSync} from 'node:zlib';
import {PulsetopError} from '../../errors.ts';
import type {LogRecord} from './log-entry.ts';

/** A row of the market log that this program cannot read: the market stops before it, since all that follows builds on it. */
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
/** Shorter JSON is not worth the time. */
const DEFLATED_FROM = 400;
/** Bytes that would grow beyond this are not a record. */
const MOST_JSON = 2 ** 28;

/** Every kind that this program knows: the compiler asks for a new one. */
const RECORD_KINDS: Readonly<Record<LogRecord['kind'], true>> = {
	batch: true,
	'take-back': true,
	gap: true,
	forget: true,
	report: true,
	clock: true,
};

/** What is stored of a record. */
export function encodeRecord(record: LogRecord): Uint8Array {
	const json = Buffer.from(JSON.stringify(record));
	const isDeflated = json.length >= DEFLATED_FROM;
	const body = isDeflated ? deflateRawSync(json, {level: 1}) : json;
	const bytes = Buffer.alloc(HEAD + body.length);
	bytes[0] = isDeflated ? VERSION.deflated : VERSION.json;
	bytes.writeUInt32BE(crc32(body), 1);
	bytes.set(body, HEAD);
	return bytes;
}

/**
 * The record of such bytes.
 * @param seq of its row, for the message
 * @throws LogUnreadable when they are damaged, or written by a newer program
 */
export function decodeRecord(seq: number, bytes: Uint8Array): LogRecord {
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
		const json = version === VERSION.deflated ? inflateRawSync(body, {maxOutputLength: MOST_JSON}) : body;
		record = JSON.parse(Buffer.from(json).toString()) as LogRecord;
	} catch (cause) {
		throw new LogUnreadable(seq, {why: 'its bytes are no record', isNewer: false, cause});
	}
	if (!Object.hasOwn(RECORD_KINDS, record.kind))
		throw new LogUnreadable(seq, {why: `it is of the kind ${JSON.stringify(record.kind)}`, isNewer: true});
	return record;
}
