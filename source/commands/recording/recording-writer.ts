import {open} from 'node:fs/promises';
import {finished} from 'node:stream/promises';
import {constants, createGzip} from 'node:zlib';
import {PulsetopError} from '../../errors.ts';

/** The recording could not be created or written. */
class RecordingNotWritten extends PulsetopError {
	readonly code = 'recording-not-written';
}

/** An open recording file. */
export interface RecordingWriter {
	/** Adds a line. @returns false when the disk is behind: wait for `drained` */
	write(line: string): boolean;
	/** Resolves when the disk has caught up, after `write` returned false. */
	drained(): Promise<void>;
	/** Rejects when the file can no longer be written. The part that was written stays readable. */
	readonly failure: Promise<never>;
	/** Writes the rest and closes the file. @throws RecordingNotWritten */
	close(): Promise<void>;
	/** Bytes in the file. */
	readonly bytes: number;
}

/** A crash loses at most this much of the recording. */
const FLUSH_MS = 1000;

/**
 * Creates a recording file (mode 600).
 * @param options.replaces whether to overwrite an existing file
 * @throws RecordingNotWritten
 */
export async function createRecording(path: string, {replaces}: {replaces: boolean}): Promise<RecordingWriter> {
	const handle = await open(path, replaces ? 'w' : 'wx', 0o600).catch(error => {
		throw notWritten(error, 'fix-input');
	});
	const file = handle.createWriteStream();
	const gzip = createGzip();
	gzip.pipe(file);
	const {promise: failure, reject} = Promise.withResolvers<never>();
	failure.catch(() => {});
	const fail = (error: unknown) => reject(notWritten(error, 'retry-same'));
	gzip.on('error', fail);
	file.on('error', fail);
	let isDirty = false;
	const flush = (): void => {
		if (isDirty) gzip.flush(constants.Z_SYNC_FLUSH);
		isDirty = false;
	};
	const flushing = setInterval(flush, FLUSH_MS);
	return {
		write(line) {
			isDirty = true;
			return gzip.write(`${line}\n`);
		},
		drained: () => new Promise(resolve => gzip.once('drain', resolve)),
		failure,
		async close() {
			clearInterval(flushing);
			gzip.end();
			await Promise.race([finished(file), failure]);
		},
		get bytes() {
			return file.bytesWritten;
		},
	};
}

function notWritten(error: unknown, next: 'fix-input' | 'retry-same'): RecordingNotWritten {
	const reasons: Record<string, string> = {
		EEXIST: 'the file is there already; --force writes over it',
		ENOENT: 'there is no such directory',
		EACCES: 'the file may not be written',
		EISDIR: 'it is a directory',
		ENOSPC: 'the disk is full',
	};
	const code = (error as NodeJS.ErrnoException).code ?? '';
	const why = reasons[code] ?? (error instanceof Error ? error.message : String(error));
	return new RecordingNotWritten('The recording cannot be written', {why, next, cause: error});
}
