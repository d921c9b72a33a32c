import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {tableText} from '../../source/commands/output/table.ts';
import {CLI} from '../helpers/program.ts';
import {type Pty, withPty} from '../helpers/pty.ts';

/*
 * How soon a window opens for the first time in a session: from the byte of its key to its own first byte, in a terminal of
 * 200x60 on the embedded service. Each opening has a process of its own, with compiled code kept from an earlier run. Once
 * when the program has run for some seconds, once as soon as it shows tokens. Name windows to measure those alone.
 */

interface Window {
	readonly name: string;
	readonly key: string;
	/** What no other part of the screen writes. */
	readonly mark: string;
	/** Keys before, each with time to show. */
	readonly before?: string;
}

const WINDOWS: readonly Window[] = [
	{name: 'help', key: '?', mark: '╭'},
	{name: 'sort', key: 's', mark: '╭'},
	{name: 'commands', key: ':', mark: '╭'},
	{name: 'what I see', key: 'v', mark: '╭'},
	{name: 'more', key: 'M', mark: '╭'},
	{name: 'colours', key: 't', mark: 'High contrast', before: 'v'},
	{name: 'saved views', key: "'", mark: '╭'},
	{name: 'alerts', key: 'A', mark: '╭'},
	{name: 'figures', key: 'f', mark: '(off)', before: 'v'},
	{name: 'why', key: 'e', mark: '╭', before: 'j'},
	{name: 'detail', key: '\r', mark: ' PRICE ', before: 'j'},
	{name: 'filter', key: 'f', mark: 'filter new:'},
	{name: 'search', key: '/', mark: 'search new'},
	{name: 'bridge', key: 'b', mark: '╔'},
	{name: 'orders', key: 'o', mark: '╔', before: 'M'},
	// The first frame of a screen says that it loads.
	{name: 'markets', key: 'p', mark: 'Loading', before: 'M'},
	{name: 'webhooks', key: 'w', mark: 'Loading', before: 'M'},
	{name: 'wallets', key: 'i', mark: 'Loading', before: 'M'},
];
const RUNS = 3;
const SETTLED_MS = 1500;
const SIZE = {args: [CLI], columns: 200, rows: 60} as const;
/** It shows tokens (a row has its age and a figure in thousands or millions), and may move money. */
const READY = /● live[\s\S]*\b\d{1,3}[smhd]\b.*\b\d+(\.\d+)?[KM]\b/;

interface Opening {
	readonly ms: number;
	/** Processor time of the main thread up to there: unlike the time above it does not grow while others use the machine. */
	readonly cpuMs: number;
}

/** Linux only: what a thread has used so far. */
function cpuMs({pid}: Pty): number {
	return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

async function open(pty: Pty, {key, mark}: Window): Promise<Opening> {
	const cpu = cpuMs(pty);
	const seen = pty.heard(mark);
	const pressedAt = performance.now();
	pty.type(key);
	const ms = (await seen) - pressedAt;
	return {ms, cpuMs: cpuMs(pty) - cpu};
}

/** @param afterMs how long after the first rows */
async function firstOpening(window: Window, cache: string, afterMs: number): Promise<Opening> {
	return withPty({...SIZE, env: {XDG_CACHE_HOME: cache}}, async pty => {
		await pty.waitFor(READY, 20_000);
		await sleep(afterMs);
		if (window.before !== undefined) {
			pty.type(window.before);
			await sleep(200);
		}
		return open(pty, window);
	});
}

function median(values: readonly number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

const wanted = process.argv.slice(2);
const windows = WINDOWS.filter(({name}) => wanted.length === 0 || wanted.includes(name));
const cache = mkdtempSync(join(tmpdir(), 'pulsetop-cache-'));
// Keeps its compiled code when it ends.
await withPty({...SIZE, env: {XDG_CACHE_HOME: cache}}, async pty => {
	await pty.waitFor(READY, 20_000);
	await sleep(SETTLED_MS);
	pty.type('q');
	await pty.exit;
});
const figures: Array<{name: string; settled: Opening[]; atOnce: Opening[]}> = [];
for (const window of windows) {
	const settled: Opening[] = [];
	const atOnce: Opening[] = [];
	for (let run = 0; run < RUNS; run++) {
		settled.push(await firstOpening(window, cache, SETTLED_MS));
		atOnce.push(await firstOpening(window, cache, 0));
	}
	figures.push({name: window.name, settled, atOnce});
}
rmSync(cache, {recursive: true});
const all = {
	name: 'first window of a session',
	settled: figures.flatMap(({settled}) => settled),
	atOnce: figures.flatMap(({atOnce}) => atOnce),
};
const cell = (openings: readonly Opening[]): string => {
	const ms = openings.map(opening => opening.ms);
	return `${median(ms).toFixed(1)} / ${Math.max(...ms).toFixed(1)} ms`;
};
const cpu = (openings: readonly Opening[]): string => `${median(openings.map(opening => opening.cpuMs)).toFixed(1)} ms`;
console.log('Goal: a window within 30 ms of its key.');
console.log(
	tableText(
		[
			{title: 'WINDOW', cell: ({name}) => name},
			{title: 'MEDIAN / WORST', align: 'right', cell: ({settled}) => cell(settled)},
			{title: 'CPU', align: 'right', cell: ({settled}) => cpu(settled)},
			{title: 'AT ONCE, MEDIAN / WORST', align: 'right', cell: ({atOnce}) => cell(atOnce)},
			{title: 'CPU', align: 'right', cell: ({atOnce}) => cpu(atOnce)},
		],
		[...figures, all],
	),
);
