import {once} from 'node:events';
import {setTimeout as sleep} from 'node:timers/promises';
import {Worker} from 'node:worker_threads';
import {tableText} from '../../source/commands/output/table.ts';
import {CLI} from '../helpers/program.ts';
import {withPty} from '../helpers/pty.ts';
import {cpuMs, keyMs, percentile, rssMb} from './pty-figures.ts';

/*
 * The whole monitor, as it is installed, in a terminal of 200x60, following Solana at the busiest known rate of pump.fun
 * (30 transactions a second) and at ten times that: what it costs, how soon a key shows, and how far it is behind.
 */

const SECONDS = 15;
const KEYS = 200;

async function measure(perSecond: number): Promise<string[]> {
	const worker = new Worker(new URL('./solana-chain.ts', import.meta.url), {workerData: {perSecond}});
	const [url] = (await once(worker, 'message')) as [string];
	try {
		return await withPty({args: [CLI, '--follow', `solana=${url}`], columns: 200, rows: 60}, async pty => {
			await pty.waitFor(/LIVE +solana/, 20_000);
			await sleep(10_000);
			const [main, all, bytes] = [cpuMs(pty), cpuMs(pty, 'all threads'), pty.bytes().length];
			await sleep(SECONDS * 1000);
			const mainShare = (cpuMs(pty) - main) / (SECONDS * 10);
			const allShare = (cpuMs(pty, 'all threads') - all) / (SECONDS * 10);
			const rate = (pty.bytes().length - bytes) / SECONDS / 1000;
			const keys: number[] = [];
			for (let at = 0; at < KEYS; at++) {
				keys.push(await keyMs(pty));
				await sleep(20 + Math.random() * 60);
			}
			const lag = /LIVE +solana · ([\d.]+ \w+) behind/.exec(pty.row(0))?.[1] ?? pty.row(0).trim().slice(0, 40);
			return [
				String(perSecond),
				`${mainShare.toFixed(1)} %`,
				`${allShare.toFixed(1)} %`,
				`${rate.toFixed(1)} kB/s`,
				`${percentile(keys, 0.5).toFixed(1)} ms`,
				`${percentile(keys, 0.99).toFixed(1)} ms`,
				lag,
				`${rssMb(pty).toFixed(0)} MB`,
			];
		});
	} finally {
		await worker.terminate();
	}
}

const rows = [];
for (const perSecond of [30, 300]) rows.push(await measure(perSecond));
console.log('Goal at 300 transactions a second: a key shown within 16 ms (p99).');
const titles = ['transactions/s', 'main thread', 'all threads', 'written', 'key p50', 'key p99', 'behind', 'RSS'];
const columns = titles.map((title, at) => ({
	title,
	align: 'right' as const,
	cell: (row: readonly string[]) => row[at]!,
}));
console.log(tableText(columns, rows));
