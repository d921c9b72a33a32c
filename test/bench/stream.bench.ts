import {setTimeout as sleep} from 'node:timers/promises';
import {isMainThread, parentPort, Worker, workerData} from 'node:worker_threads';
import {WebSocket} from 'ws';
import {tableText} from '../../source/commands/output/table.ts';
import {startService} from '../../source/service/server.ts';
import {BulkMarket} from '../service/helpers/bulk-market.ts';

/*
 * 500 subscriptions with distinct filters while 1,000 tokens a second change. The service has its own thread; the
 * readers are in this one and read every frame. Goal: one core keeps up, that is, frames do not come later and later.
 */

const SOCKETS = 50;
const SUBSCRIPTIONS = 500;
const TOKENS = 20_000;
const WARM_UP_MS = 3000;
const MEASURE_MS = 10_000;
const SORTS = ['market_cap', 'created_at', 'volume_1h', 'latest_trade_date', 'holders_count', 'liquidity'];

interface Setting {
	readonly updatesPerS: number;
	readonly deflate: boolean;
}

if (isMainThread) await main();
else await serve(workerData as Setting);

/** The service's thread: a market that changes at an even pace, and on request how busy the thread was. */
async function serve({updatesPerS, deflate}: Setting): Promise<void> {
	const market = new BulkMarket(TOKENS);
	const service = await startService({market, apiKeys: ['bench'], deflate});
	let made = 0;
	const startedAt = performance.now();
	setInterval(() => {
		const due = ((performance.now() - startedAt) / 1000) * updatesPerS;
		for (; made < due; made++) market.touch(Date.now());
	}, 10);
	let cpu = process.threadCpuUsage();
	let sinceMs = performance.now();
	parentPort!.on('message', () => {
		const {user, system} = process.threadCpuUsage(cpu);
		parentPort!.postMessage({cpu: (user + system) / 1000 / (performance.now() - sinceMs), made});
		cpu = process.threadCpuUsage();
		sinceMs = performance.now();
	});
	parentPort!.postMessage({streamUrl: service.streamUrl});
}

interface Result extends Setting {
	readonly made: number;
	readonly cpu: number;
	readonly frames: number;
	readonly bytes: number;
	readonly latencies: readonly number[];
	readonly lateLatencies: readonly number[];
}

async function measure(setting: Setting): Promise<Result> {
	const worker = new Worker(new URL(import.meta.url), {workerData: setting});
	const ask = () =>
		new Promise<Record<string, never>>(resolve => {
			worker.once('message', resolve);
			worker.postMessage('report');
		});
	const {streamUrl} = await new Promise<{streamUrl: string}>(resolve => worker.once('message', resolve));
	let frames = 0;
	let bytes = 0;
	let latencies: number[] = [];
	const read = (data: Buffer): void => {
		frames++;
		bytes += data.length;
		if (!data.subarray(0, 24).includes('update-token')) return;
		const at = data.indexOf('"latest_trade_date":');
		latencies.push(Date.now() - Number.parseInt(data.toString('latin1', at + 20, at + 34), 10));
	};
	const sockets = await Promise.all(Array.from({length: SOCKETS}, () => open(streamUrl, read, setting.deflate)));
	for (let i = 0; i < SUBSCRIPTIONS; i++) sockets[i % SOCKETS]!.send(JSON.stringify(subscription(i)));
	await sleep(WARM_UP_MS);
	const before = await ask();
	[frames, bytes, latencies] = [0, 0, []];
	await sleep(MEASURE_MS / 2);
	const half = latencies.length;
	await sleep(MEASURE_MS / 2);
	const after = await ask();
	const result = {
		...setting,
		made: after['made']! - before['made']!,
		cpu: after['cpu']!,
		frames,
		bytes,
		latencies: latencies.slice(0, half).sort((a, b) => a - b),
		lateLatencies: latencies.slice(half).sort((a, b) => a - b),
	};
	for (const socket of sockets) socket.terminate();
	await worker.terminate();
	return result;
}

/** No two alike: bounds, chains and orders differ. */
function subscription(i: number): unknown {
	const filters = {market_cap: {gte: 500 + 137 * i, lte: 1e5 + 7919 * i}, holders_count: {gte: i % 17}};
	const view = {name: 'v', limit: 30, sortBy: SORTS[i % SORTS.length], filters};
	return {type: 'pulse-v2', authorization: 'bench', payload: {assetMode: true, views: [view], subscriptionId: `s${i}`}};
}

function open(url: string, read: (data: Buffer) => void, deflate: boolean): Promise<WebSocket> {
	return new Promise((resolve, reject) => {
		const socket = new WebSocket(url, {perMessageDeflate: deflate});
		socket.on('message', read);
		socket.on('open', () => resolve(socket));
		socket.on('error', reject);
	});
}

async function main(): Promise<void> {
	const results: Result[] = [];
	for (const updatesPerS of [200, 1000, 5000]) results.push(await measure({updatesPerS, deflate: false}));
	results.push(await measure({updatesPerS: 1000, deflate: true}));
	const at = (sorted: readonly number[], part: number): string =>
		`${sorted[Math.floor(sorted.length * part)] ?? '-'} ms`;
	const perS = (count: number): string => (count / (MEASURE_MS / 1000)).toFixed(0);
	process.stdout.write(
		tableText<Result>(
			[
				{title: 'UPDATES/s', align: 'right', cell: ({made}) => perS(made)},
				{title: 'DEFLATE', cell: ({deflate}) => (deflate ? 'on' : 'off')},
				{title: 'FRAMES/s', align: 'right', cell: ({frames}) => perS(frames)},
				{title: 'MB/s', align: 'right', cell: ({bytes}) => perS(bytes / 1e6)},
				{title: 'CORE', align: 'right', cell: ({cpu}) => `${(cpu * 100).toFixed(0)} %`},
				{title: 'DELAY P50', align: 'right', cell: ({latencies}) => at(latencies, 0.5)},
				{title: 'P99', align: 'right', cell: ({latencies}) => at(latencies, 0.99)},
				{title: 'P50 5 s LATER', align: 'right', cell: ({lateLatencies}) => at(lateLatencies, 0.5)},
				{title: 'P99', align: 'right', cell: ({lateLatencies}) => at(lateLatencies, 0.99)},
			],
			results,
		),
	);
	console.log(
		`${SUBSCRIPTIONS} subscriptions on ${SOCKETS} sockets, ${TOKENS.toLocaleString('en')} tokens, 30 rows each`,
	);
}
