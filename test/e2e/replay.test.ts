import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, readFile, rename, rm, stat, truncate, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {gunzipSync, gzipSync} from 'node:zlib';
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';
import {CLI, type RunningServe, runCli, startServe} from '../helpers/program.ts';
import {isolatedEnvironment, withPty} from '../helpers/pty.ts';
import {LAUNCHES, readAll, recordingOf} from '../helpers/recordings.ts';

/** About when the recording of these tests was made. */
const RECORDED_MS = Date.UTC(2026, 10, 21, 12);
const scratch = await mkdtemp(join(tmpdir(), 'pulsetop-'));

test('a recording that is played is always marked as one on the screen, and no money key works in it', async () => {
	await withPty({args: [CLI, 'replay', LAUNCHES, '--speed', '5'], columns: 120, rows: 30}, async pty => {
		const times = new Set<string>();
		await pty.waitFor(screen => {
			const [time] = /\S+ \S+$/.exec(screen.row(0).trimEnd()) ?? [];
			if (screen.row(0).includes('RECORDING') && time !== undefined) times.add(time);
			return screen.text().includes('$FROG');
		});
		expect(pty.row(0)).toMatch(/RECORDING .*playing 5x launches\.pulse/);
		// No frame, the first ones neither, shows another time than that of the recording.
		expect([...times].filter(time => Math.abs(Date.parse(time) - RECORDED_MS) > 60_000)).toEqual([]);
		expect(times.size).toBeGreaterThan(0);
		expect(pty.screenText()).not.toMatch(/PRACTICE|● live/);
		await pty.waitFor('SQUID');
		for (const key of ['b', 'Mo', '\u001b', 'Mp', '\u001b']) pty.type(key);
		await pty.waitFor('at its end');
		expect(pty.screenText()).not.toMatch(/BRIDGE|ORDERS/i);
		pty.type('\x1b');
		await pty.waitFor(/at its end launches\.pulse/);
		// The clock stands: ages are those of the recording.
		const ages = /SQUID\s+\w+\s+(\d+)s/.exec(await pty.waitFor(/SQUID\s+\w+\s+\d+s/));
		expect(Number(ages?.[1])).toBeLessThan(10);
		// Filters are those of the live screen, over what was recorded.
		pty.type('\t\tfsymbol=SOL\r');
		await pty.waitFor(/BONDED 1\/1 /);
		expect(pty.screenText()).not.toContain('MOGOBL');
		pty.type('q');
		expect((await pty.exit).code).toBe(0);
	});
});

test('a damaged recording plays up to the damage and says where that is', async () => {
	const bytes = await readFile(LAUNCHES);
	bytes.fill(0x55, bytes.length - 20_000, bytes.length - 19_000);
	const path = await recordingOf(bytes);
	await withPty({args: [CLI, 'replay', path, '--speed', '20'], columns: 120, rows: 30}, async pty => {
		await pty.waitFor(/The recording is damaged from here on: line \d+, after 12:00:\d\d UTC/);
		expect(pty.screenText()).toContain('GOLLAMA');
		pty.type('q');
		await pty.exit;
	});
});

test('without a terminal a replay prints the views at its start', async () => {
	const {stdout, code} = await runCli(['replay', LAUNCHES, '--from', '4s', '--json']);
	expect(code).toBe(0);
	const {views, atMs} = JSON.parse(stdout);
	expect(views.new.tokens.map(({symbol}: {symbol: string}) => symbol)).toEqual(
		expect.arrayContaining(['PROTOCOL', 'FWIZAR', 'SHRIMP', 'GOLLAMA', 'LAZYGOAT']),
	);
	expect(new Date(atMs).toISOString()).toMatch(/^2026-11-21T12:00:0/);
	expect(await runCli(['replay', '/nowhere/to-be-found'])).toMatchObject({
		code: 1,
		stderr: expect.stringContaining('there is no such file'),
	});
	expect((await runCli(['replay', LAUNCHES, '--speed', '0'])).code).toBe(2);
});

test('without a terminal, too, a recording that ends before its first rows says so', async () => {
	const bytes = await readFile(LAUNCHES);
	const [header] = gunzipSync(bytes).toString().split('\n');
	for (const [part, words] of [
		[bytes.subarray(0, 2000), 'pulsetop: The recording was cut off here.'],
		[gzipSync(`${header}\nnot JSON\n`), 'pulsetop: The recording is damaged from here on: line 2'],
	] as const) {
		const {code, stderr} = await runCli(['replay', await recordingOf(part)]);
		expect([code, stderr]).toEqual([1, expect.stringContaining(words)]);
	}
});

test('a recording is readable after a kill, and overwritten only with --force', async () => {
	const path = join(scratch, 'killed.pulse');
	const recording = spawn(process.execPath, [CLI, 'record', path], {
		stdio: 'ignore',
		env: isolatedEnvironment(scratch),
	});
	onTestFinished(() => void recording.kill('SIGKILL'));
	const ended = once(recording, 'exit');
	const eventsIn = async () => (await readAll(path).catch(() => ({events: []}))).events;
	await expect.poll(async () => (await eventsIn()).length, {interval: 100}).toBeGreaterThan(4);
	recording.kill('SIGKILL');
	await ended;
	const {events, error} = await readAll(path);
	expect(error).toBeUndefined();
	expect(events.length).toBeGreaterThan(4);
	expect(events.at(-1)?.type).not.toBe('end');
	const again = await runCli(['record', path, '--for', '1s']);
	expect(again).toMatchObject({
		code: 1,
		stderr: expect.stringContaining('the file is there already; --force writes over it'),
	});
	const forced = await runCli(['record', path, '--for', '1s', '--force', '--view', 'bonded', '--json']);
	expect(forced.code).toBe(0);
	expect(JSON.parse(forced.stdout)).toMatchObject({schema: 'pulsetop.record/1', file: path, views: ['bonded']});
	// The second is one of recording: the start of the service is no part of it.
	const {fromMs, toMs} = JSON.parse(forced.stdout);
	expect(toMs - fromMs).toBeGreaterThan(900);
	expect((await readAll(path)).events.at(-1)?.type).toBe('end');
});

test('a recording on a full disk is an error with a text', async () => {
	expect(await runCli(['record', join(scratch, 'no', 'where')])).toMatchObject({
		code: 1,
		stderr: expect.stringContaining('there is no such directory'),
	});
	expect(await runCli(['record', '/dev/full', '--force'])).toMatchObject({
		code: 1,
		stderr: expect.stringContaining('the disk is full'),
	});
});

const LOSSES: readonly [string, (path: string) => Promise<unknown>, RegExp][] = [
	['deleted', path => rm(path), /the file was deleted or moved/],
	['moved', path => rename(path, `${path}.1`), /the file was deleted or moved/],
	['cut as by copytruncate', path => truncate(path), /another program cut the file .*of \d+ bytes are left/],
	['replaced', path => rm(path).then(() => writeFile(path, 'another')), /another file was put in its place/],
];

describe('a recording of a service', () => {
	let service: RunningServe;
	beforeAll(async () => {
		service = await startServe(['--no-auth']);
	});
	afterAll(() => service?.stop());

	test.each(LOSSES)('whose file is %s ends with what happened', async (name, lose, words) => {
		const path = join(scratch, `${name}.pulse`);
		const running = runCli(['record', path, '--for', '2m', '--base-url', service.url]);
		await expect.poll(async () => (await stat(path).catch(() => undefined))?.size ?? 0).toBeGreaterThan(1000);
		await lose(path);
		expect(await running).toMatchObject({code: 1, stdout: '', stderr: expect.stringMatching(words)});
	});
});
