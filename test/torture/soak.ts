import {fork} from 'node:child_process';
import {once} from 'node:events';
import {monitorEventLoopDelay} from 'node:perf_hooks';
import {createClient} from '../../source/client/create-client.ts';
import {explain} from '../../source/errors.ts';
import {initialState} from '../../source/monitor/initial-state.ts';
import {openSession} from '../../source/monitor/session.ts';
import {columnChanged} from '../../source/monitor/transitions/screen.ts';
import {VIEWS} from '../../source/monitor/views.ts';
import {createStore} from '../../source/store.ts';
import {growthOf, resourcesInUse} from './resources.ts';

// `npm run torture -- soak [MINUTES]`: an hour of a market 20 times as busy in six minutes, or so many minutes of it as are
// given. The service in one process; the client and the monitor's state in this one, with a person who never rests.
const minutes = Number(process.argv[2] ?? 60);
const SPEED = 10;
/** Market minutes between two samples. */
const SAMPLE_MINUTES = minutes / 40;
/** A machine that cannot keep up with the faster clock is stopped here, and says how far it came. */
const MAX_WALL_MS = 7.5 * 60_000;
const MB = 1024 * 1024;

interface Sample {
	readonly rss: number;
	readonly heap: number;
	readonly resources: Record<string, number>;
	readonly delayP99Ms: number;
}

interface ServiceSample extends Sample {
	readonly events: number;
	readonly rows: number;
	readonly simulatedMs: number;
}

const child = fork(new URL('./soak-service.ts', import.meta.url), [String(SPEED)], {
	execArgv: ['--expose-gc'],
	stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
});
const [{url, streamUrl}] = (await once(child, 'message')) as [{url: string; streamUrl: string}];
const client = createClient({baseUrl: url, streamUrl, apiKey: 'soak'});
const store = createStore(
	initialState({
		size: {columns: 200, rows: 60},
		nowMs: Date.now(),
		service: {label: 'soak', embedded: false},
		theme: 'dark',
	}),
);
let told = 0;
store.subscribe(() => told++);
const session = openSession(store, client);

/** What a person does: sorts, looks at tokens, pauses, and now and then loses the connection. */
let acts = 0;
async function act(): Promise<void> {
	const view = VIEWS[acts % VIEWS.length]!;
	const column = store.get().columns[view];
	const key = column.order[acts % Math.max(column.order.length, 1)];
	acts++;
	const sortBy = acts % 2 === 0 ? 'created_at' : 'volume_1h';
	if (acts % 5 === 0) store.apply(state => columnChanged(state, view, before => ({...before, sortBy})));
	if (acts % 40 === 0) session.retry();
	if (acts % 40 === 20) session.pause();
	if (acts % 40 === 24) session.resume();
	if (key === undefined) return;
	const [chainId, address] = key.split('|') as [string, string];
	await Promise.all([
		client.fetchToken({chainId, address}),
		client.labels([address]),
		client.sparkline({asset: address, blockchain: chainId}).catch(() => undefined),
	]);
}
const failures: Record<string, number> = {};
let isActing = false;
const person = setInterval(async () => {
	if (isActing) return;
	isActing = true;
	try {
		await act();
	} catch (error) {
		const {code} = explain(error);
		failures[code] = (failures[code] ?? 0) + 1;
	}
	isActing = false;
}, 250);

/** A timer with this period: the number of missed turns is its drift. */
const TICK_MS = 100;
let ticks = 0;
const ticker = setInterval(() => ticks++, TICK_MS);
const startedAt = performance.now();
const delay = monitorEventLoopDelay({resolution: 10});
delay.enable();

function ownSample(): Sample {
	globalThis.gc?.();
	const {rss, heapUsed, external} = process.memoryUsage();
	const sample = {
		rss,
		heap: heapUsed + external,
		resources: resourcesInUse(),
		delayP99Ms: delay.percentile(99) / 1e6,
	};
	delay.reset();
	return sample;
}

const own: Sample[] = [];
const theirs: ServiceSample[] = [];
const ticksAt: {readonly ms: number; readonly ticks: number}[] = [];
while ((theirs.at(-1)?.simulatedMs ?? 0) < minutes * 60_000 && performance.now() - startedAt < MAX_WALL_MS) {
	await new Promise(resolve => setTimeout(resolve, (SAMPLE_MINUTES * 60_000) / SPEED));
	child.send('sample');
	const [sample] = (await once(child, 'message')) as [ServiceSample];
	theirs.push(sample);
	own.push(ownSample());
	ticksAt.push({ms: performance.now() - startedAt, ticks});
	if (theirs.length % 5 !== 0) continue;
	console.log(
		[
			`${(sample.simulatedMs / 60_000).toFixed(1).padStart(5)} min`,
			`service ${(sample.rss / MB).toFixed(0)} MB, ${(sample.heap / MB).toFixed(1)} MB used, ${sample.rows} rows`,
			`monitor ${(own.at(-1)!.rss / MB).toFixed(0)} MB, ${(own.at(-1)!.heap / MB).toFixed(1)} MB used`,
		].join('   '),
	);
}
const elapsedMs = performance.now() - startedAt;
const link = VIEWS.map(view => store.get().columns[view].order.length);
clearInterval(person);
clearInterval(ticker);
const {skewMs} = client.clock;
session.close();
await client.close();
child.disconnect();
await once(child, 'exit');
const left = resourcesInUse();

/** The first third is warming up: caches fill, code is compiled. */
const settled = <T>(samples: readonly T[]): T[] => samples.slice(Math.floor(samples.length / 3));
const percent = (share: number) => `${share < 0 ? '' : '+'}${(share * 100).toFixed(1)} %`;
const problems: string[] = [];
const limit = (holds: boolean, what: string): void => {
	if (!holds) problems.push(what);
};

for (const [name, samples] of [
	['service', theirs],
	['monitor', own],
] as const) {
	const late = settled<Sample>(samples);
	const rss = growthOf(late.map(sample => sample.rss));
	const heap = growthOf(late.map(sample => sample.heap));
	const counts = (sample: Sample) => Object.values(sample.resources).reduce((sum, count) => sum + count, 0);
	const kept = growthOf(late.map(counts));
	const half = late.length >> 1;
	const lag = (part: readonly Sample[]) => part.reduce((sum, sample) => sum + sample.delayP99Ms, 0) / part.length;
	console.log(
		`${name}: after warming up RSS ${percent(rss)}, memory in use ${percent(heap)}, timers, sockets and listeners ${percent(kept)}` +
			` (${counts(late[0]!)} at first, ${counts(late.at(-1)!)} at last); event loop late by ${lag(late.slice(0, half)).toFixed(1)} ms (p99) in the` +
			` first half, ${lag(late.slice(half)).toFixed(1)} ms in the second`,
	);
	limit(rss < 0.1, `the RSS of the ${name} grew by ${percent(rss)}`);
	limit(heap < 0.1, `what the ${name} holds grew by ${percent(heap)}`);
	limit(kept < 0.25, `timers, sockets or listeners of the ${name} grew: ${JSON.stringify(late.at(-1)!.resources)}`);
}
const last = theirs.at(-1)!;
/** How often the timer came in the second half of the time, against the first. */
const middle = ticksAt[ticksAt.length >> 1]!;
const drift = (ticks - middle.ticks) / (elapsedMs - middle.ms) / (middle.ticks / middle.ms) - 1;
limit(Math.abs(drift) < 0.1, `a timer drifted by ${percent(drift)}`);
limit(Math.abs(skewMs) < 2000, `the clocks went apart by ${skewMs} ms`);
limit(!link.includes(0), 'a column was empty at the end');
limit(
	last.simulatedMs >= minutes * 60_000,
	`only ${(last.simulatedMs / 60_000).toFixed(0)} of ${minutes} minutes were done`,
);
console.log(
	[
		`${(last.simulatedMs / 60_000).toFixed(1)} minutes of the market in ${(elapsedMs / 1000).toFixed(0)} s: ${last.events} events, the screen told ${told} times`,
		`a timer of ${TICK_MS} ms came ${percent(drift)} as often in the second half; the service's clock was ${skewMs.toFixed(0)} ms off ours at the end`,
		`the person acted ${acts} times, failed: ${JSON.stringify(failures)}; rows in the columns at the end: ${link.join(', ')}`,
		`left after closing: ${JSON.stringify(left)}`,
		...problems.map(problem => `PROBLEM ${problem}`),
	].join('\n'),
);
process.exitCode = problems.length === 0 ? 0 : 1;
