import {expect, test} from 'vitest';
import type {Entry} from '../../source/contract/entry.ts';
import type {ProgramEnd, UserCommand} from '../../source/monitor/user-commands.ts';
import {entryOf} from '../helpers/entries.ts';
import {openTestMonitor} from '../helpers/monitor-app.tsx';

const COMMAND: UserCommand = {
	name: 'explorer',
	key: 'f2',
	run: ['open', 'it'],
	help: 'Open in the explorer.',
	confirm: false,
	danger: false,
};
const F2 = '\u001bOQ';

/** A monitor with one command on F2; its programs end when the test says so. */
function open(changes: Partial<UserCommand> = {}, start: Parameters<typeof openTestMonitor>[0] = {}) {
	const runs: {readonly entry: Entry; readonly command: UserCommand; readonly end: (end: ProgramEnd) => void}[] = [];
	const monitor = openTestMonitor({
		size: {columns: 160, rows: 30},
		commands: new Map([['explorer', {...COMMAND, ...changes}]]),
		runProgram: (command, entry) => new Promise(end => runs.push({command, entry, end})),
		...start,
	});
	monitor.arrive('new', [entryOf('a', {symbol: 'AAA', created_at: 2}), entryOf('b', {symbol: 'BBB', created_at: 1})]);
	const notice = (): string => {
		const {text, hint = ''} = monitor.store.get().notice ?? {text: ''};
		return `${text} ${hint}`.trim();
	};
	return {monitor, runs, notice};
}

test('its key runs a command for the token under the cursor, once at a time, and the end is said', async () => {
	const {monitor, runs, notice} = open();
	monitor.press(F2);
	expect(runs).toEqual([]);
	expect(notice()).toBe('Put the cursor on a token first (j).');
	monitor.press('j', F2);
	expect(runs[0]?.entry.symbol).toBe('AAA');
	expect(notice()).toBe('Running explorer for AAA.');
	monitor.press('j', F2);
	expect(notice()).toBe('explorer is still running.');
	runs[0]?.end({kind: 'ended', code: 2, lastLine: 'no network'});
	await expect.poll(notice).toBe('explorer failed with exit code 2: no network');
	monitor.press(F2);
	expect(runs.map(({entry}) => entry.symbol)).toEqual(['AAA', 'BBB']);
});

test('it stands in the hints, in the help and in the palette, which runs it', () => {
	const {monitor, runs} = open({}, {size: {columns: 240, rows: 60}});
	expect(monitor.frame()).not.toContain('F2 explorer');
	monitor.press('j');
	expect(monitor.frame()).toContain('F2 explorer');
	monitor.press('?', '/', 'Open in the explorer', '\r');
	expect(monitor.frame()).toMatch(/F2 +Open in the explorer\./);
	monitor.press('\u001b', ':', 'explorer');
	expect(monitor.frame()).toMatch(/Explorer .*F2/);
	monitor.press('\r');
	expect(runs).toHaveLength(1);
});

test('with confirm a command asks first, Cancel is marked, and the command runs for the token in the question', () => {
	const {monitor, runs, notice} = open({confirm: true});
	monitor.press('j', F2);
	expect(monitor.frame()).toContain('Run this command?');
	expect(monitor.frame()).toMatch(/Run explorer for AAA +open it/);
	monitor.press('\r');
	expect(runs).toEqual([]);
	expect(notice()).toBe('Cancelled.');
	monitor.press(F2);
	monitor.change('new', [], ['solana:solana|a']);
	monitor.press('j', '\r');
	expect(runs.map(({entry}) => entry.symbol)).toEqual(['AAA']);
	monitor.press(F2, '\u001b');
	expect(runs).toHaveLength(1);
});

test('in rewind and in a recording nothing runs', () => {
	const {monitor, runs} = open();
	monitor.press('j');
	const {columns, nowMs} = monitor.store.get();
	monitor.moments.push({atMs: nowMs, columns} as (typeof monitor.moments)[number]);
	monitor.press('<');
	expect(monitor.store.get().modes.at(-1)?.kind).toBe('rewind');
	monitor.press(F2);
	expect(runs).toEqual([]);
	const recording = {label: 'r', embedded: false, recording: {phase: 'playing', speed: 1}} as const;
	const replay = open({}, {service: recording});
	replay.monitor.press('j', F2);
	expect(replay.runs).toEqual([]);
	expect(replay.notice()).toBe('Commands do not run in a recording.');
});

test('read-only mode leaves out what is marked as danger, and only that', () => {
	const {monitor, runs} = open({danger: true}, {readOnly: true});
	monitor.press('j', F2);
	expect(runs).toEqual([]);
	const harmless = open({}, {readOnly: true});
	harmless.monitor.press('j', F2);
	expect(harmless.runs).toHaveLength(1);
});
