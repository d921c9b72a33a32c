import {open} from 'node:fs/promises';
import {StringDecoder} from 'node:string_decoder';
import {constants, createGunzip} from 'node:zlib';
import {BadLine, MAX_LINE, type RecordedEvent, type RecordingHeader, readHeaderLine} from '../../contract/recording.ts';
import {createRecordingDecoder} from '../../contract/recording-decode.ts';
import {PulsetopError} from '../../errors.ts';
import {fileProblem} from '../../file-problem.ts';

/** A file that is not a recording, or cannot be read further. */
export class RecordingUnreadable extends PulsetopError {
	readonly code = 'recording-unreadable';
}

/** An open recording. */
export interface OpenRecording {
	readonly header: RecordingHeader;
	/**
	 * The events in order, read on demand: a small part of the file is in memory. Ends with an `end` event, or without
	 * one where the recording was cut off.
	 * @throws RecordingUnreadable at the first place that is not valid; earlier events are good
	 */
	readonly events: AsyncGenerator<RecordedEvent, void>;
	close(): Promise<void>;
}

/** Views are recorded one after another: the first second of events counts as the beginning. */
export const LEAD_MS = 1000;

/**
 * Compressed bytes that are unpacked at a time. They grow to at most a thousand times as much, which bounds the memory.
 */
const CHUNK_BYTES = 8 * 1024;
/** Every packed file begins with these bytes. */
const GZIP_MARK = Buffer.from([0x1f, 0x8b]);
/** Unpacked bytes that may be lost before a damaged place. */
const LOST_BYTES = 4 * 1024;
/** Gzip shrinks a recording to a twentieth, at most to a thousandth: a larger content is an attack. */
const MAX_BYTES = 16 * 2 ** 30;

/**
 * Opens a recording and reads its first line.
 * @throws RecordingUnreadable when the file does not exist, or is not a recording of a known version
 */
export async function openRecording(path: string): Promise<OpenRecording> {
	const file = await open(path).catch(error => {
		throw unreadable(fileProblem(error), 'fix-input', error);
	});
	const lines = linesOf(file);
	try {
		const first = await lines.next();
		if (first.done) throw new BadLine('it is empty');
		const header = readHeaderLine(first.value);
		return {
			header,
			events: eventsOf(header, lines),
			close: async () => {
				await lines.return();
				await file.close();
			},
		};
	} catch (error) {
		await file.close();
		throw unreadable(fileProblem(error), 'fix-input', error);
	}
}

async function* eventsOf(
	{views, atMs}: RecordingHeader,
	lines: AsyncGenerator<string, void>,
): AsyncGenerator<RecordedEvent, void> {
	const decoder = createRecordingDecoder(Object.keys(views));
	let line = 1;
	let lastMs = atMs;
	try {
		for await (const text of lines) {
			line++;
			const event = decoder.event(text);
			if (event === undefined) continue;
			lastMs = event.atMs;
			yield event;
			if (event.type === 'end') return;
		}
	} catch (error) {
		const time = new Date(lastMs).toISOString().slice(11, 19);
		throw unreadable(
			`line ${line + (error instanceof BadPack ? 1 : 0)}, after ${time} UTC: ${fileProblem(error)}`,
			'report',
			error,
		);
	}
}

/** The compressed data are damaged after the last good line. */
class BadPack extends BadLine {}

/** The lines of the file; a cut-off last line is left out. @throws BadLine */
async function* linesOf(file: Awaited<ReturnType<typeof open>>): AsyncGenerator<string, void> {
	// Without `finishFlush` a cut-off file would be an error, and its end would be lost.
	const gunzip = createGunzip({finishFlush: constants.Z_SYNC_FLUSH, chunkSize: LOST_BYTES});
	const text = new StringDecoder('utf8');
	const chunk = Buffer.alloc(CHUNK_BYTES);
	let parts: Buffer[] = [];
	let failure: Error | undefined;
	let bytes = 0;
	let rest = '';
	let isFirst = true;
	gunzip.on('data', (part: Buffer) => parts.push(part));
	gunzip.on('error', error => {
		failure = error;
	});
	try {
		for (let isLast = false; !isLast && !gunzip.destroyed; ) {
			const {bytesRead} = await file.read(chunk, 0, CHUNK_BYTES);
			isLast = bytesRead === 0;
			if (isFirst && !isLast && !chunk.subarray(0, Math.min(bytesRead, 2)).equals(GZIP_MARK))
				throw new BadLine('it is not a recording of pulsetop');
			isFirst = false;
			await new Promise<void>(resolve => {
				gunzip.once('close', resolve);
				const done = () => {
					gunzip.off('close', resolve);
					resolve();
				};
				if (isLast) gunzip.once('end', done).end();
				else gunzip.write(Buffer.from(chunk.subarray(0, bytesRead)), done);
			});
			const unpacked = Buffer.concat(parts);
			parts = [];
			bytes += unpacked.length;
			if (bytes > MAX_BYTES) throw new BadPack('it is larger than any recording');
			const lines = (rest + text.write(unpacked)).split('\n');
			rest = lines.pop()!;
			for (const line of lines) {
				if (line.length > MAX_LINE) throw new BadLine('it is too long');
				yield line;
			}
			if (rest.length > MAX_LINE) throw new BadPack('it is too long');
		}
		if (failure) throw new BadPack('the packed data are damaged here');
	} finally {
		gunzip.destroy();
	}
}

function unreadable(why: string, next: 'fix-input' | 'report', cause: unknown): RecordingUnreadable {
	const advice = next === 'fix-input' ? 'Give the path of a file that pulsetop record wrote.' : undefined;
	return new RecordingUnreadable('The recording cannot be read', {why, next, advice, cause});
}
