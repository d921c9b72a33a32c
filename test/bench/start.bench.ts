import {spawnSync} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {tableText} from '../../source/commands/output/table.ts';
import {CLI} from '../helpers/program.ts';
import {type Pty, withPty} from '../helpers/pty.ts';

/*
 * How soon the program is there, and how much memory it takes. A time counts from the start of the process to the moment
 * when a terminal of 200x60 shows it; the terminal's own work is inside. Medians, with the quickest and the slowest. The
 * very first start on a machine has no compiled code to take up yet, and has lines of its own.
 */

const RUNS = 9;
const FIRST_RUNS = 3;
const RSS_AT_S = [1, 10, 30];

interface Figures {
	readonly what: string;
	readonly goal: string;
	readonly values: readonly number[];
	readonly unit: string;
}

function timeVersion(): number {
	const startedAt = performance.now();
	const {status, stdout} = spawnSync(process.execPath, [CLI, '--version'], {encoding: 'utf8'});
	const ms = performance.now() - startedAt;
	if (status !== 0 || !/^\d+\.\d+\.\d+\n$/.test(stdout)) throw new Error(`--version printed ${stdout}, code ${status}`);
	return ms;
}

function timeNode(): number {
	const startedAt = performance.now();
	spawnSync(process.execPath, ['-e', '0']);
	return performance.now() - startedAt;
}

/** A row of a token has its age and a figure in thousands or millions. */
const TOKEN_ROW = /\b\d{1,3}[smhd]\b.*\b\d+(\.\d+)?[KM]\b/m;

interface Start {
	readonly firstFrame: number;
	readonly firstRows: number;
	/** CPU time of all threads until the first rows: unlike the times above, it does not grow while others use the machine. */
	readonly cpu: number;
}

/** @param cache where compiled code is kept; a directory of its own when omitted */
async function timeMonitor(cache?: string): Promise<Start> {
	const env = cache === undefined ? {} : {XDG_CACHE_HOME: cache};
	return withPty({args: [CLI], columns: 200, rows: 60, env}, async pty => {
		await pty.waitFor(screen => screen.isAlternate() && screen.text().includes('pulsetop'), 20_000);
		const firstFrame = performance.now() - pty.startedAt;
		await pty.waitFor(TOKEN_ROW, 20_000);
		const start = {firstFrame, firstRows: performance.now() - pty.startedAt, cpu: cpuMs(pty.pid)};
		// Compiled code is kept at the end.
		pty.type('q');
		await pty.exit;
		return start;
	});
}

/** User and system time of a process, in milliseconds; the kernel counts it in hundredths of a second. */
function cpuMs(pid: number): number {
	const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function memory(): Promise<readonly Figures[]> {
	return withPty({args: [CLI], columns: 200, rows: 60}, async pty => {
		const figures: Figures[] = [];
		for (const second of RSS_AT_S) {
			await sleep(pty.startedAt + second * 1000 - performance.now());
			figures.push({
				what: `RSS after ${second} s`,
				goal: second === RSS_AT_S.at(-1) ? '< 250' : '',
				unit: 'MB',
				values: [rssMb(pty)],
			});
		}
		return figures;
	});
}

/** The resident memory of the program and of everything it started. The service's worker is a thread of it. */
function rssMb(pty: Pty): number {
	const parents = new Map(
		readdirSync('/proc')
			.filter(name => /^\d+$/.test(name))
			.flatMap(pid => {
				try {
					const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
					return [[Number(pid), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])] as const];
				} catch {
					return [];
				}
			}),
	);
	const isOurs = (pid: number | undefined): boolean =>
		pid !== undefined && (pid === pty.pid || isOurs(parents.get(pid)));
	const kilobytes = [...parents.keys()].filter(isOurs).map(pid => {
		const status = readFileSync(`/proc/${pid}/status`, 'utf8');
		return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
	});
	return kilobytes.reduce((sum, kb) => sum + kb, 0) / 1024;
}

function median(values: readonly number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

const runs = Array.from({length: RUNS});
const firsts: Start[] = [];
for (let run = 0; run < FIRST_RUNS; run++) firsts.push(await timeMonitor());
const cache = mkdtempSync(join(tmpdir(), 'pulsetop-cache-'));
const starts: Start[] = [];
await timeMonitor(cache);
for (const _ of runs) starts.push(await timeMonitor(cache));
rmSync(cache, {recursive: true});
const figures: readonly Figures[] = [
	{what: 'node -e 0, for comparison', goal: '', unit: 'ms', values: runs.map(timeNode)},
	{what: 'pulsetop --version', goal: '< 60', unit: 'ms', values: runs.map(timeVersion)},
	{what: 'first frame', goal: '< 250', unit: 'ms', values: starts.map(({firstFrame}) => firstFrame)},
	{what: 'first rows', goal: '< 500', unit: 'ms', values: starts.map(({firstRows}) => firstRows)},
	{what: 'CPU time until the first rows', goal: '', unit: 'ms', values: starts.map(({cpu}) => cpu)},
	{what: 'the very first time: first frame', goal: '', unit: 'ms', values: firsts.map(({firstFrame}) => firstFrame)},
	{what: 'the very first time: first rows', goal: '', unit: 'ms', values: firsts.map(({firstRows}) => firstRows)},
	...(await memory()),
];
process.stdout.write(
	tableText<Figures>(
		[
			{title: 'FIGURE', cell: ({what}) => what},
			{title: 'MEDIAN', align: 'right', cell: ({values, unit}) => `${median(values).toFixed(0)} ${unit}`},
			{title: 'FROM', align: 'right', cell: ({values}) => Math.min(...values).toFixed(0)},
			{title: 'TO', align: 'right', cell: ({values}) => Math.max(...values).toFixed(0)},
			{title: 'GOAL', align: 'right', cell: ({goal}) => goal},
		],
		figures,
	),
);
