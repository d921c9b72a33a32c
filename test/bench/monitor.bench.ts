import {once} from 'node:events';
import {setTimeout as sleep} from 'node:timers/promises';
import {Worker} from 'node:worker_threads';
import {tableText} from '../../source/commands/output/table.ts';
import {startService} from '../../source/service/server.ts';
import {CLI} from '../helpers/program.ts';
import {type Pty, withPty} from '../helpers/pty.ts';
import {cpuMs, keyMs, percentile, rssMb} from './pty-figures.ts';

/*
 * The whole monitor, as it is installed, in a terminal of 200x60: what it costs at a steady flood of updates, and how soon a
 * key shows. The flood comes from another thread over a real socket; only the monitor's own main thread is counted.
 */

const SECONDS = 10;
const KEYS = 60;
/** How often each is opened. */
const OPENINGS = 8;
/** Keys that open windows: help, the sort menu, the commands. */
const WINDOWS = ['?', 's', ':'];

async function realEntries(): Promise<Record<string, unknown[]>> {
	const service = await startService({seed: 5, auth: false});
	try {
		await sleep(3000);
		const views = ['new', 'bonding', 'bonded'].map(name => ({name, model: name, limit: 60}));
		const response = await fetch(`${service.url}/api/2/pulse`, {
			method: 'POST',
			headers: {'content-type': 'application/json'},
			body: JSON.stringify({assetMode: true, views}),
		});
		const body = (await response.json()) as Record<string, {data: unknown[]}>;
		return Object.fromEntries(Object.entries(body).map(([view, {data}]) => [view, data]));
	} finally {
		await service.close();
	}
}

/** How long after its key a window stands on the screen. */
async function windowMs(pty: Pty, key: string): Promise<number> {
	const isShown = (): boolean => pty.screenText().includes('╭');
	const startedAt = performance.now();
	pty.type(key);
	await pty.waitFor(isShown, 5000);
	const ms = performance.now() - startedAt;
	pty.type('\u001b');
	await pty.waitFor(() => !isShown(), 5000);
	return ms;
}

async function measure(entries: Record<string, unknown[]>, perSecond: number): Promise<string[]> {
	const worker = new Worker(new URL('./monitor-firehose.ts', import.meta.url), {workerData: {entries, perSecond}});
	const [url] = (await once(worker, 'message')) as [string];
	try {
		return await withPty({args: [CLI, '--base-url', url, '--api-key', 'bench'], columns: 200, rows: 60}, async pty => {
			await pty.waitFor(/live/, 20_000);
			await sleep(3000);
			const [cpu, bytes] = [cpuMs(pty), pty.bytes().length];
			await sleep(SECONDS * 1000);
			const share = (cpuMs(pty) - cpu) / (SECONDS * 10);
			const rate = (pty.bytes().length - bytes) / SECONDS / 1000;
			const keys: number[] = [];
			for (let at = 0; at < KEYS; at++) {
				keys.push(await keyMs(pty));
				await sleep(20 + Math.random() * 60);
			}
			const windows: number[] = [];
			for (let at = 0; at < OPENINGS * WINDOWS.length; at++) {
				windows.push(await windowMs(pty, WINDOWS[at % WINDOWS.length]!));
				await sleep(20 + Math.random() * 60);
			}
			return [
				String(perSecond),
				`${share.toFixed(1)} %`,
				`${rate.toFixed(1)} kB/s`,
				`${percentile(keys, 0.5).toFixed(1)} ms`,
				`${percentile(keys, 0.99).toFixed(1)} ms`,
				`${percentile(windows, 0.5).toFixed(0)} / ${Math.max(...windows).toFixed(0)} ms`,
				`${rssMb(pty).toFixed(0)} MB`,
			];
		});
	} finally {
		await worker.terminate();
	}
}

const entries = await realEntries();
const rows = [];
for (const perSecond of [0, 200, 2000]) rows.push(await measure(entries, perSecond));
console.log(
	'Goals at 200 updates a second: 4 % of a core, 10 kB/s; at 2,000: a key shown within 16 ms (p99), a window within 30.',
);
const titles = ['updates/s', 'main thread', 'written', 'key p50', 'key p99', 'window p50 / max', 'RSS'];
const columns = titles.map((title, at) => ({
	title,
	align: 'right' as const,
	cell: (row: readonly string[]) => row[at]!,
}));
console.log(tableText(columns, rows));
