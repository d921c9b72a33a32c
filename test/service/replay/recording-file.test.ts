import {readFile} from 'node:fs/promises';
import {gzipSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {explain} from '../../../source/errors.ts';
import {openRecording, RecordingUnreadable} from '../../../source/service/replay/recording-file.ts';
import {entryOf} from '../../helpers/entries.ts';
import {fc} from '../../helpers/properties.ts';
import {LAUNCHES, readAll, recordingOf} from '../../helpers/recordings.ts';

const HEADER = {type: 'pulsetop-recording', version: 1, atMs: 1000, views: {new: {}}};
const snapshot = (atMs: number) => ({type: 'snapshot', view: 'new', atMs, tokens: [entryOf('A', {market_cap: atMs})]});

const whyOf = async (path: string): Promise<string> =>
	openRecording(path).then(
		() => expect.fail('it was opened'),
		error => `${explain(error).code}: ${explain(error).why}`,
	);

test('a file that is no recording is refused with the reason', async () => {
	expect(await whyOf('/nowhere/at-all')).toBe('recording-unreadable: there is no such file or directory');
	expect(await whyOf('/tmp')).toBe('recording-unreadable: it is a directory');
	expect(await whyOf(await recordingOf(Buffer.alloc(0)))).toBe('recording-unreadable: it is empty');
	expect(await whyOf(await recordingOf(Buffer.from('plain text\n')))).toMatch(/it is not a recording of pulsetop$/);
	expect(await whyOf(await recordingOf(gzipSync('plain text\n')))).toMatch(/does not begin as a recording/);
	expect(await whyOf(await recordingOf(Buffer.from('\x1f\x8bplain text\n', 'latin1')))).toMatch(/data are damaged/);
	expect(await whyOf(await recordingOf([{type: 'other'}]))).toMatch(/does not begin as a recording/);
	expect(await whyOf(await recordingOf([{...HEADER, version: 2}]))).toMatch(/it is of version 2/);
});

test('a recording that was cut off anywhere is read as far as it goes, and has no end', async () => {
	const bytes = await readFile(LAUNCHES);
	const {events: all} = await readAll(LAUNCHES);
	expect(all.at(-1)?.type).toBe('end');
	await fc.assert(
		fc.asyncProperty(fc.integer({min: 1000, max: bytes.length - 12}), async length => {
			const {events, error} = await readAll(await recordingOf(bytes.subarray(0, length)));
			expect(error).toBeUndefined();
			expect(events).toEqual(all.slice(0, events.length));
			// What was flushed is not lost: all but a line or two of what the bytes hold.
			expect(events.length).toBeGreaterThanOrEqual(Math.floor((length / bytes.length) * all.length * 0.2) - 3);
		}),
		{numRuns: 15},
	);
});

test('damaged bytes never break the reader: it returns what was recorded before them, or refuses the file', async () => {
	const bytes = await readFile(LAUNCHES);
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.integer({min: 1, max: 255})), {minLength: 1, maxLength: 5}),
			async changes => {
				const damaged = Buffer.from(bytes);
				for (const [at, by] of changes) damaged[at]! ^= by;
				const path = await recordingOf(damaged);
				try {
					const {error} = await readAll(path);
					if (error !== undefined) expect(error).toBeInstanceOf(RecordingUnreadable);
				} catch (error) {
					expect(error).toBeInstanceOf(RecordingUnreadable);
				}
			},
		),
		{numRuns: 25},
	);
});

test('lines that were changed by hand are found, and named by their number and time', async () => {
	const path = await recordingOf([HEADER, snapshot(61_000), snapshot(62_000), {...snapshot(63_000), view: 'other'}]);
	const {events, error} = await readAll(path);
	expect(events.map(({atMs}) => atMs)).toEqual([61_000, 62_000]);
	expect(explain(error)).toMatchObject({
		code: 'recording-unreadable',
		what: 'The recording cannot be read',
		why: 'line 4, after 00:01:02 UTC: its view is not one of the recording',
	});
});

test('kinds of lines that a later program may add are passed over', async () => {
	const path = await recordingOf([HEADER, {type: 'weather', atMs: 1500}, snapshot(2000), {type: 'end', atMs: 3000}]);
	expect((await readAll(path)).events.map(({type}) => type)).toEqual(['snapshot', 'end']);
});

test('bytes after the end of the packed data cause no wait, and cost no more than the last lines', async () => {
	const bytes = await readFile(LAUNCHES);
	const {events: all} = await readAll(LAUNCHES);
	for (const tail of ['\0', '\0'.repeat(20_000), 'junk', '\x1f\x8b\x08 more']) {
		const {events} = await readAll(await recordingOf(Buffer.concat([bytes, Buffer.from(tail, 'latin1')])));
		expect(events).toEqual(all.slice(0, events.length));
		expect(events.length).toBeGreaterThan(all.length - 3);
	}
});

test('a file that unpacks to more than any line may be is refused, and takes little memory', async () => {
	const head = Buffer.from(`${JSON.stringify(HEADER)}\n{"type":"`);
	const path = await recordingOf(gzipSync(Buffer.concat([head, Buffer.alloc(150_000_000, 0x20)]), {level: 1}));
	const before = process.memoryUsage().rss;
	const {events, error} = await readAll(path);
	expect(events).toEqual([]);
	expect(explain(error).why).toMatch(/^line 2, after 00:00:01 UTC: it is too long$/);
	expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
});
