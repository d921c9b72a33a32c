import type {Entry} from './entry.ts';

/*
 * The format of recordings, version 1. A file is gzip (`gzip -dc` reads it) around lines of JSON:
 *
 *   {"type":"pulsetop-recording","version":1,"atMs":…,"views":{"new":{…the request to the service…}}}
 *   {"type":"snapshot","view":"new","atMs":…,"tokens":[{…}]}                  a whole view, replaces the known one
 *   {"type":"change","view":"new","atMs":…,"upserts":[{…}],"removed":["<key>"]}
 *   {"type":"end","atMs":…}                                                  absent when the recording was cut off
 *
 * Times are Unix milliseconds and never go back. A token of a snapshot is complete, in the spelling of Entry: what is
 * absent is unknown. A token of a change that its view knows holds its key and the fields that became different, null for
 * one that became unknown; a token that its view does not know is complete.
 *
 * A recording has the events of the feed, not the bytes of one service: equal for every provider, clean, and small.
 * Unknown types of lines and unknown fields are skipped, so that a later version can add some.
 */

const RECORDING_TYPE = 'pulsetop-recording';
const RECORDING_VERSION = 1;

/** Longest line that is believed, in UTF-16 units. A full view of a hundred tokens with all their holders is near two million. */
export const MAX_LINE = 8_000_000;
/** Most tokens of a view at a time: twice the largest window of a service, and pins. */
export const MAX_TOKENS = 500;
const MAX_VIEWS = 8;
/** The last moment that a date can be. */
export const LAST_DATE = 8.64e15;

/** The first line. */
export interface RecordingHeader {
	/** When the recording began. */
	readonly atMs: number;
	/** The request to the service, by view. */
	readonly views: Readonly<Record<string, unknown>>;
}

/** The content of a line after the first one, with complete tokens. */
export type RecordedEvent =
	| {readonly type: 'snapshot'; readonly view: string; readonly atMs: number; readonly tokens: readonly Entry[]}
	| {
			readonly type: 'change';
			readonly view: string;
			readonly atMs: number;
			readonly upserts: readonly Entry[];
			readonly removed: readonly string[];
	  }
	| {readonly type: 'end'; readonly atMs: number};

/** The fault of a line, in words. The reader of the file knows the line number. */
export class BadLine extends Error {}

export type LineObject = Readonly<Record<string, unknown>>;

/** The header as the first line, without the line's end. */
export function headerLine({atMs, views}: RecordingHeader): string {
	return JSON.stringify({type: RECORDING_TYPE, version: RECORDING_VERSION, atMs, views});
}

/**
 * Reads the first line.
 * @throws BadLine when it is not that of a recording, or of a later version
 */
export function readHeaderLine(line: string): RecordingHeader {
	const wire = objectOf(line);
	if (wire?.['type'] !== RECORDING_TYPE) throw new BadLine('it does not begin as a recording of pulsetop does');
	if (wire['version'] !== RECORDING_VERSION) {
		throw new BadLine(`it is of version ${String(wire['version']).slice(0, 20)}, and this program reads version 1`);
	}
	const {views} = wire;
	if (!isObject(views) || Object.keys(views).length > MAX_VIEWS) throw new BadLine('its views are not named');
	return {atMs: timeOf(wire), views};
}

function objectOf(line: string): LineObject | undefined {
	try {
		return parseLine(line);
	} catch {
		return undefined;
	}
}

/** @throws BadLine when the text is no JSON object */
export function parseLine(line: string): LineObject {
	let wire: unknown;
	try {
		wire = JSON.parse(line);
	} catch {
		throw new BadLine('it is not JSON');
	}
	if (!isObject(wire)) throw new BadLine('it is no object');
	return wire;
}

/** @throws BadLine */
export function timeOf(wire: LineObject): number {
	const {atMs} = wire;
	if (typeof atMs === 'number' && Number.isFinite(atMs) && atMs > 0 && atMs <= LAST_DATE) return atMs;
	throw new BadLine('it has no time');
}

export function isObject(value: unknown): value is LineObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
