import {mkdtemp, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import type {RecordedEvent} from '../../source/contract/recording.ts';
import {openRecording} from '../../source/service/replay/recording-file.ts';

/** A small recording, made by test/fixtures/make-recording.ts: twelve seconds from this moment on, five tokens a view. */
export const LAUNCHES = new URL('../fixtures/launches.pulse', import.meta.url).pathname;
export const LAUNCHES_MS = Date.UTC(2026, 10, 21, 12, 0, 0);

/** Writes bytes, or lines packed as a recording, to a new file and gives its path. */
export async function recordingOf(content: Buffer | readonly unknown[]): Promise<string> {
	const path = join(await mkdtemp(join(tmpdir(), 'pulsetop-')), 'test.pulse');
	const lines = (items: readonly unknown[]) => items.map(item => `${JSON.stringify(item)}\n`).join('');
	await writeFile(path, Buffer.isBuffer(content) ? content : gzipSync(lines(content as readonly unknown[])));
	return path;
}

/** All events of a recording up to its end or to the first place that can't be read, and the reason given there. */
export async function readAll(path: string): Promise<{events: RecordedEvent[]; error?: unknown}> {
	const events: RecordedEvent[] = [];
	const recording = await openRecording(path);
	try {
		for await (const event of recording.events) events.push(event);
		return {events};
	} catch (error) {
		return {events, error};
	} finally {
		await recording.close();
	}
}
