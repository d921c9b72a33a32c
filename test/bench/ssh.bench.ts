import {spawn} from 'node:child_process';
import {mkdtempSync, readFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import Client, {type ClientChannel} from 'ssh2/lib/client.js';
import {tableText} from '../../source/commands/output/table.ts';
import {CLI, startServe} from '../helpers/program.ts';
import {isolatedEnvironment} from '../helpers/pty.ts';

/*
 * The monitor over SSH: the built program, over real sockets, with a service in another process; 1, 10, 50 and 100 viewers at
 * 200x60, two of them slow and one that reads nothing. `npm run bench -- ssh viewers=100 seconds=20`; memory is full after four
 * minutes: `seconds=240`. Goals for 100 viewers: RSS 500 MB, half a core at five frames a second each, key to next byte p99 50 ms.
 */

const settings = new Map(process.argv.slice(2).map(word => word.split('=') as [string, string]));
const COUNTS = settings.has('viewers') ? [Number(settings.get('viewers'))] : [1, 10, 50, 100];
/** Slow viewers and one that reads nothing are among ten and more, unless `slow=0`. */
const HAS_SLOW = settings.get('slow') !== '0';
const SECONDS = Number(settings.get('seconds') ?? 15);
const SIZE = {term: 'xterm-256color', cols: 200, rows: 60};
/** The time between two logins: the server takes ten a second. */
const LOGIN_EVERY_MS = 120;
const QUERY = '\u001b[5n';
const ANSWER = '\u001b[0n';
/** Each viewer presses a key this often, ms. */
const KEY_EVERY_MS = 2000;

interface Viewer {
	readonly channel: ClientChannel;
	frames: number;
	bytes: number;
	pressedMs: number | undefined;
}

const latencies: number[] = [];
const firstFrames: number[] = [];

async function openViewer(port: number, at: number, kind: 'usual' | 'slow' | 'paused'): Promise<Viewer> {
	const client = new Client();
	const startedMs = performance.now();
	client.on('error', error => console.log(`viewer ${at}: ${(error as Error).message}`));
	await new Promise(resolve => {
		client.on('ready', resolve);
		client.connect({
			...{host: '127.0.0.1', port, username: 'guest', localAddress: `127.0.${1 + (at >> 7)}.${1 + (at & 127)}`},
			algorithms: {cipher: ['aes128-gcm@openssh.com']},
		});
	});
	// As OpenSSH at a terminal: else a key waits up to 40 ms for the acknowledgement of an answer to a query.
	client._sock.setNoDelay(true);
	const channel = await new Promise<ClientChannel>((resolve, reject) => {
		client.shell(SIZE, {}, (error, made) => (error ? reject(error) : resolve(made)));
	});
	const viewer: Viewer = {channel, frames: 0, bytes: 0, pressedMs: undefined};
	if (kind === 'paused') {
		client._sock.pause();
		return viewer;
	}
	let isFirst = true;
	channel.on('data', data => {
		const nowMs = performance.now();
		if (isFirst) firstFrames.push(nowMs - startedMs);
		isFirst = false;
		viewer.frames++;
		viewer.bytes += data.length;
		if (viewer.pressedMs !== undefined) {
			latencies.push(nowMs - viewer.pressedMs);
			viewer.pressedMs = undefined;
		}
		const queries = data.toString('latin1').split(QUERY).length - 1;
		const answer = (): void => void channel.write(ANSWER.repeat(queries));
		if (queries > 0) kind === 'slow' ? setTimeout(answer, 1000) : answer();
	});
	return viewer;
}

/** CPU time of a process, s, and its resident memory, MB. */
function figuresOf(pid: number): {readonly cpuS: number; readonly rssMB: number} {
	const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
	return {cpuS: (Number(fields[11]) + Number(fields[12])) / 100, rssMB: Number(rss) / 1024};
}

function quantile(values: readonly number[], part: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? Number.NaN;
}

const serve = await startServe(['--no-auth', '--rate', '1']);
const rows: (readonly string[])[] = [];
for (const count of COUNTS) {
	const home = mkdtempSync(join(tmpdir(), 'pulsetop-'));
	const child = spawn(process.execPath, [CLI, 'serve-ssh', '--port', '0', '--open', '--base-url', serve.url], {
		stdio: ['ignore', 'pipe', 'ignore'],
		env: isolatedEnvironment(home),
	});
	const port = await new Promise<number>(resolve => {
		let text = '';
		child.stdout.on('data', data => {
			text += data;
			const found = /listening on [\d.]+:(\d+)/.exec(text)?.[1];
			if (found !== undefined) resolve(Number(found));
		});
	});
	latencies.length = 0;
	firstFrames.length = 0;
	const viewers: Viewer[] = [];
	for (let at = 0; at < count; at++) {
		const kind = !HAS_SLOW || count < 10 || at > 2 ? 'usual' : at < 2 ? 'slow' : 'paused';
		viewers.push(await openViewer(port, at, kind));
		await new Promise(resolve => setTimeout(resolve, LOGIN_EVERY_MS));
	}
	await new Promise(resolve => setTimeout(resolve, 3000));
	latencies.length = 0;
	const usual = viewers.slice(HAS_SLOW && count >= 10 ? 3 : 0);
	for (const viewer of viewers) Object.assign(viewer, {frames: 0, bytes: 0});
	const before = figuresOf(child.pid!);
	const startedMs = performance.now();
	const keys = usual.map((viewer, at) =>
		setTimeout(
			() =>
				setInterval(() => {
					viewer.pressedMs = performance.now();
					viewer.channel.write('j');
				}, KEY_EVERY_MS).unref(),
			(at * KEY_EVERY_MS) / usual.length,
		),
	);
	await new Promise(resolve => setTimeout(resolve, SECONDS * 1000));
	const seconds = (performance.now() - startedMs) / 1000;
	const after = figuresOf(child.pid!);
	for (const key of keys) clearTimeout(key);
	const sum = (of: (viewer: Viewer) => number): number => usual.reduce((all, viewer) => all + of(viewer), 0);
	rows.push([
		String(count),
		after.rssMB.toFixed(0),
		(((after.cpuS - before.cpuS) / seconds) * 100).toFixed(0),
		(sum(({frames}) => frames) / usual.length / seconds).toFixed(1),
		(sum(({bytes}) => bytes) / usual.length / seconds / 1000).toFixed(1),
		quantile(latencies, 0.5).toFixed(0),
		quantile(latencies, 0.99).toFixed(0),
		quantile(firstFrames, 0.99).toFixed(0),
	]);
	child.kill('SIGKILL');
}
const titles = ['VIEWERS', 'RSS MB', 'CPU %', 'FRAMES/S', 'KB/S', 'KEY P50', 'KEY P99', 'FIRST P99'];
console.log(
	tableText(
		titles.map((title, at) => ({title, align: 'right' as const, cell: (row: readonly string[]) => row[at]!})),
		rows,
		{width: undefined, ascii: true},
	),
);
await serve.stop();
process.exit(0);
