import {monitorEventLoopDelay} from 'node:perf_hooks';
import {setTimeout as pause} from 'node:timers/promises';
import {tableText} from '../../source/commands/output/table.ts';
import {findAnvil} from '../../source/service/chain/anvil-binary.ts';
import {postgresBinaries} from '../helpers/postgres.ts';
import {type ServedWorld, startReplicaWorld, startServedWorld} from '../torture/replica-world.ts';
import {type CpuTimes, cpuTimes, memoryOf} from './processes-cpu.ts';

/*
 * What replicas cost: the same subscribers and transfers on three replicas, on one process with PostgreSQL, and on one with SQLite.
 * All of it shares this machine: the nodes of two chains, the database (with fsync), the subscribers and the users, who are in this
 * process. So a load is chosen that two cores bear; beyond that the figures say how a full machine shares itself out. Other loads:
 * `npm run bench -- replicas replicas=3 subscribers=300 executes=20 seconds=60 seed=1`.
 *
 * Launch to frame counts from the time of the launch in the market log (`created_at`) to the frame's arrival in this process, trade
 * to frame from the newest trade in the frame. In both are: the tick of the simulated market (100 ms), the log, and the
 * pace of the frames (200 ms); the wait of this process's own event loop, too, which has a row of its own.
 */

const SETTINGS = {replicas: 3, subscribers: 100, executes: 10, seconds: 40, seed: 15};
/** Connections, compiled code and the history of the market are there after this time. */
const WARM_UP_MS = 15_000;
const USERS = 60;
/** What SQLite's store does, PostgreSQL does as well: a commit is on the disk. */
const DURABLE = {fsync: 'on'};
const MB = 1 << 20;

interface Measured {
	readonly title: string;
	readonly launches: readonly number[];
	readonly trades: readonly number[];
	readonly executes: readonly number[];
	readonly answers: string;
	readonly unsent: number;
	/** Of each process of the service. */
	readonly memory: readonly (ReturnType<typeof memoryOf> & {})[];
	readonly cpu: CpuTimes | undefined;
	readonly ownDelayMs: number;
}

const settings = {...SETTINGS};
for (const word of process.argv.slice(2)) {
	const [name, value] = word.split('=') as [keyof typeof SETTINGS, string];
	if (!(name in SETTINGS) || !(Number(value) > 0)) throw new Error(`${word}: known are ${Object.keys(SETTINGS)}`);
	settings[name] = Number(value);
}
if (postgresBinaries === undefined || findAnvil().path === undefined) {
	console.log('not measured: it needs PostgreSQL and anvil on this machine');
} else {
	await main();
}

async function main(): Promise<void> {
	const {replicas, subscribers, executes, seconds} = settings;
	console.log(
		`${subscribers} subscribers, ${executes} executes a second for ${seconds} s, no kills; all on this machine`,
	);
	const options = {...settings, copies: 1, users: USERS} as const;
	const measured = [
		await measure(`${replicas} replicas`, () => startReplicaWorld(options, DURABLE)),
		await measure('1 on PostgreSQL', () => startReplicaWorld({...options, replicas: 1}, DURABLE)),
		await measure('1 on SQLite', () => startServedWorld({...options, replicas: 1})),
	];
	print(measured);
}

async function measure(title: string, start: () => Promise<ServedWorld>): Promise<Measured> {
	const world = await start();
	try {
		const {executes, readers, set} = world;
		const warm = new AbortController();
		const warming = executes.run(settings.executes, warm.signal);
		await pause(WARM_UP_MS);
		warm.abort();
		await warming;
		const before = {
			sent: executes.sent.length,
			unsent: executes.unsent,
			unquoted: executes.unquoted,
			launches: readers.map(({delaysMs}) => delaysMs.length),
			trades: readers.map(({tradeDelaysMs}) => tradeDelaysMs.length),
		};
		const delay = monitorEventLoopDelay({resolution: 5});
		delay.enable();
		const from = cpuTimes();
		const stop = new AbortController();
		const moving = executes.run(settings.executes, stop.signal);
		await pause(settings.seconds * 1000);
		const to = cpuTimes();
		const memory = set.urls.flatMap((_, n) => memoryOf(set.pid(n)!) ?? []);
		delay.disable();
		stop.abort();
		await moving;
		const sent = executes.sent.slice(before.sent);
		const answers = Map.groupBy(sent, one => String(one.answers[0] ?? 'cut'));
		const unquoted = executes.unquoted - before.unquoted;
		return {
			title,
			launches: readers.flatMap(({delaysMs}, n) => delaysMs.slice(before.launches[n])),
			trades: readers.flatMap(({tradeDelaysMs}, n) => tradeDelaysMs.slice(before.trades[n])),
			executes: sent.map(({tookMs}) => tookMs),
			answers: [
				...[...answers].map(([status, those]) => `${those.length} × ${status}`),
				...(unquoted > 0 ? [`${unquoted} no quote`] : []),
			].join(', '),
			unsent: executes.unsent - before.unsent,
			memory,
			cpu: from && to && difference(to, from),
			ownDelayMs: delay.percentile(99) / 1e6,
		};
	} finally {
		await world.close();
	}
}

function difference(to: CpuTimes, from: CpuTimes): CpuTimes {
	const parts = Object.keys(to).map(name => [name, to[name as keyof CpuTimes] - from[name as keyof CpuTimes]]);
	return Object.fromEntries(parts) as unknown as CpuTimes;
}

function print(measured: readonly Measured[]): void {
	const at = (times: readonly number[], part: number): number =>
		times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? Number.NaN;
	const ms = (value: number): string => (Number.isNaN(value) ? 'none' : `${value.toFixed(value < 10 ? 1 : 0)} ms`);
	const share = (part: (cpu: CpuTimes) => number) => (one: Measured) =>
		one.cpu ? `${(100 * part(one.cpu)).toFixed(1)} %` : 'unknown';
	const memory = (part: (one: {readonly resident: number; readonly own: number}) => number) => (one: Measured) =>
		one.memory.length > 0
			? `${(one.memory.reduce((sum, each) => sum + part(each), 0) / one.memory.length / MB).toFixed(0)} MB`
			: 'unknown';
	const others = measured.slice(1);
	const slower = (one: Measured): string =>
		one === measured[0]
			? others.map(other => (at(one.executes, 0.99) / at(other.executes, 0.99)).toFixed(2)).join(' and ')
			: '';
	const lines: readonly (readonly [what: string, value: (one: Measured) => string, target?: string])[] = [
		['launch to frame, p50', ({launches}) => ms(at(launches, 0.5))],
		['launch to frame, p99', ({launches}) => ms(at(launches, 0.99)), '< 500 ms'],
		['trade to frame, p50', ({trades}) => ms(at(trades, 0.5))],
		['trade to frame, p99', ({trades}) => ms(at(trades, 0.99)), '< 500 ms'],
		['execute, p50', ({executes}) => ms(at(executes, 0.5))],
		['execute, p99', ({executes}) => ms(at(executes, 0.99))],
		['execute, longest', ({executes}) => ms(Math.max(...executes))],
		['p99 by that of one', slower, '≤ 1.3'],
		['answers', ({answers}) => answers],
		['not sent: users all wait', ({unsent}) => String(unsent)],
		['memory a process', memory(({resident}) => resident)],
		['of that no files', memory(({own}) => own)],
		['CPU, all, of one core', share(({all}) => all / settings.seconds)],
		["PostgreSQL's share of it", share(({postgres, all}) => postgres / all)],
		["the service's", share(({service, all}) => service / all)],
		["the chains' nodes'", share(({nodes, all}) => nodes / all)],
		["this bench's", share(({own, all}) => own / all)],
		['PostgreSQL beside service', share(({postgres, service}) => postgres / (postgres + service))],
		['own event loop late, p99', ({ownDelayMs}) => ms(ownDelayMs)],
	];
	type Line = (typeof lines)[number];
	console.log(
		tableText<Line>(
			[
				{title: '', cell: ([what]) => what},
				...measured.map(one => ({title: one.title, align: 'right' as const, cell: ([, value]: Line) => value(one)})),
				{title: 'target', align: 'right', cell: ([, , target = '']) => target},
			],
			lines,
		),
	);
}
