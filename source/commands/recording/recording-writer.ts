import {constants as files} from 'node:fs';
import {type FileHandle, open, stat} from 'node:fs/promises';

import {constants, createGzip} from 'node:zlib';
import {PulsetopError} from '../../errors.ts';

/** The recording could not be created or written, or another program deleted or cut its file. */
class RecordingNotWritten extends PulsetopError {
	readonly code = 'recording-not-written';
}

/** An open recording file. */
export interface RecordingWriter {
	/** Adds a line. @returns false when the disk is behind: wait for `drained` */
	write(line: string): boolean;
	/** Resolves when the disk has caught up, after `write` returned false. */
	drained(): Promise<void>;
	/** Rejects when the file can no longer be written, or another program took it away. What is left of it stays readable. */
	readonly failure: Promise<never>;
	/** Writes the rest, closes the file, and looks whether the file holds all of it. @throws RecordingNotWritten */
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
	// Where another program cuts the file, what comes after stands at its new end, so that the file stays too short.
	const mode = files.O_WRONLY | files.O_CREAT | files.O_APPEND | (replaces ? files.O_TRUNC : files.O_EXCL);
	const handle = await open(path, mode, 0o600).catch(error => {
		throw notWritten(error, 'fix-input');
	});
	const gzip = createGzip();
	const {promise: failure, reject} = Promise.withResolvers<never>();
	failure.catch(() => {});
	let bytes = 0;
	const writing = (async () => {
		for await (const part of gzip) {
			await handle.appendFile(part);
			bytes += part.length;
		}
	})().catch(error => reject(notWritten(error, 'retry-same')));
	let isDirty = false;
	const flush = (): void => {
		if (isDirty) gzip.flush(constants.Z_SYNC_FLUSH);
		isDirty = false;
	};
	const look = async (): Promise<void> => {
		const loss = await lossOf(path, handle, bytes);
		if (loss !== undefined) throw lost(loss);
	};
	const flushing = setInterval(() => {
		flush();
		look().catch(reject);
	}, FLUSH_MS);
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
			try {
				await Promise.race([writing, failure]);
				await look();
			} finally {
				await handle.close();
			}
		},
		get bytes() {
			return bytes;
		},
	};
}

/**
 * The change that another program made to the file being written.
 * @param bytes the written bytes
 * @returns undefined when nothing happened to it
 */
async function lossOf(path: string, handle: FileHandle, bytes: number): Promise<string | undefined> {
	const open = await handle.stat().catch(error => {
		throw notWritten(error, 'retry-same');
	});
	// A pipe or a device holds nothing that could be lost.
	if (!open.isFile()) return undefined;
	if (open.size < bytes)
		return `another program cut the file while it was written: ${open.size} of ${bytes} bytes are left`;
	const named = await stat(path).catch((error: NodeJS.ErrnoException) => error);
	if (!(named instanceof Error))
		return named.ino === open.ino && named.dev === open.dev
			? undefined
			: 'another file was put in its place while it was written';
	// Where the directory cannot be read for once, nothing is known.
	return named.code === 'ENOENT' ? 'the file was deleted or moved while it was written' : undefined;
}

function lost(why: string): RecordingNotWritten {
	return new RecordingNotWritten('The recording is not whole', {
		why,
		next: 'fix-input',
		advice: 'Record again to a file that no other program deletes, moves or rotates.',
	});
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
