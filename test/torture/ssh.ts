import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import Client, {type ClientChannel} from 'ssh2/lib/client.js';
import {CLI} from '../helpers/program.ts';
import {isolatedEnvironment} from '../helpers/pty.ts';

/*
 * Comings and goings over SSH: viewers who press keys, change their size, leave with q, are cut, read nothing or ask for words, for
 * MINUTES (10). The memory of the server must be flat: at the end, with nobody there, at most 1.3 times of the first minute.
 */

const minutes = Number(process.argv[2] ?? 10);
/** Viewers at a time. */
const PLACES = 20;
const KEYS = [
	'j',
	'k',
	'\t',
	'\r',
	'\u001b',
	's',
	'\r',
	'f',
	'mcap>5k\r',
	'?',
	' ',
	'q',
	'V',
	'M',
	'p',
	'<',
	'A',
	'x',
	'u',
	'P',
	'v',
];
const MAX_GROWTH = 1.3;

const home = mkdtempSync(join(tmpdir(), 'pulsetop-torture-'));
const server = spawn(
	process.execPath,
	[CLI, 'serve-ssh', '--port', '0', '--metrics', '127.0.0.1:0', '--drain-seconds', '0', '--max-viewers', '50'],
	{stdio: ['ignore', 'pipe', 'ignore'], env: isolatedEnvironment(home)},
);
let printed = '';
server.stdout.on('data', data => {
	printed += data;
});
while (!/metrics on \S+\n/.test(printed)) await once(server.stdout, 'data');
const port = Number(/listening on [\d.]+:(\d+)/.exec(printed)![1]);
const metrics = /metrics on (\S+)/.exec(printed)![1]!;

/** A figure of the server. */
async function figure(name: string): Promise<number> {
	const text = await (await fetch(metrics)).text();
	return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

const random = (below: number): number => Math.floor(Math.random() * below);
const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));
let visits = 0;
let isOver = false;

/** One visit after the other, each from an address of its own. */
async function occupy(place: number): Promise<void> {
	while (!isOver) {
		const client = new Client();
		client.on('error', () => {});
		const heard = (event: string): Promise<void> => new Promise(resolve => client.on(event, () => resolve()));
		const [closed, ready] = [heard('close'), heard('ready')];
		const localAddress = `127.${1 + place}.${(visits >> 7) % 128}.${1 + (visits % 127)}`;
		visits++;
		client.connect({host: '127.0.0.1', port, username: 'guest', localAddress});
		const isIn = await Promise.race([ready.then(() => true), closed.then(() => false)]);
		if (isIn) await visit(client).catch(() => {});
		client.destroy();
		await Promise.race([closed, sleep(1000)]);
		await sleep(random(2000));
	}
}

async function visit(client: Client): Promise<void> {
	if (random(6) === 0) {
		await Promise.race([new Promise<void>(resolve => client.exec('feed --json', {}, () => resolve())), sleep(3000)]);
		return;
	}
	const channel = await new Promise<ClientChannel>((resolve, reject) => {
		const pty = {term: 'xterm-256color', cols: 60 + random(160), rows: 12 + random(50)};
		client.shell(pty, {}, (error, made) => (error ? reject(error) : resolve(made)));
	});
	if (random(8) === 0) client._sock.pause();
	channel.on('data', data => {
		const queries = data.toString('latin1').split('\u001b[5n').length - 1;
		if (queries > 0) channel.write('\u001b[0n'.repeat(queries));
	});
	for (let left = random(40); left > 0 && !isOver; left--) {
		channel.write(KEYS[random(KEYS.length)]!);
		if (random(10) === 0) channel.setWindow(12 + random(50), 60 + random(160), 0, 0);
		await sleep(random(300));
	}
}

const places = Array.from({length: PLACES}, (_, place) => occupy(place));
const startedMs = performance.now();
let first: number | undefined;
for (let minute = 1; minute <= minutes; minute++) {
	await sleep(60_000);
	const rss = await figure('process_resident_memory_bytes');
	first ??= rss;
	const viewers = await figure('pulsetop_ssh_viewers');
	console.log(`${minute} min: ${Math.round(rss / 1e6)} MB, ${viewers} viewers, ${visits} visits so far`);
}
isOver = true;
await Promise.all(places);
await sleep(5000);
const left = await figure('pulsetop_ssh_viewers');
const rss = await figure('process_resident_memory_bytes');
console.log(
	`after ${Math.round((performance.now() - startedMs) / 1000)} s: ${Math.round(rss / 1e6)} MB, ${left} viewers`,
);
const isFlat = left === 0 && rss <= first! * MAX_GROWTH && server.exitCode === null;
server.kill('SIGTERM');
const [code] = (await once(server, 'exit')) as [number | null];
console.log(isFlat && code === 0 ? 'flat' : `not as it should be: ${left} viewers left, exit code ${code}`);
process.exit(isFlat && code === 0 ? 0 : 1);
