import {setTimeout as pause} from 'node:timers/promises';
import {
	checkHooks,
	checkNonces,
	checkPerp,
	checkReader,
	checkTransfers,
	comparePages,
	type Expect,
	endsOf,
	isAccepted,
} from './replica-checks.ts';
import {databaseStage} from './replica-database.ts';
import {countOnChains} from './replica-executes.ts';
import {type LaunchReceiver, makeWebhook, openLaunchReceiver} from './replica-hooks.ts';
import {killStage} from './replica-kills.ts';
import {leaderStage} from './replica-leader.ts';
import {readMarketLog} from './replica-log.ts';
import {type Load, openOf, type Stage, underLoad} from './replica-stage.ts';
import type {ReplicaSubscriber} from './replica-subscriber.ts';
import {type ReplicaWorld, startReplicaWorld} from './replica-world.ts';

/** Parts of the trial that can run alone. */
export const REPLICA_STAGES = ['kills', 'database', 'leader'] as const;
export type ReplicaStage = (typeof REPLICA_STAGES)[number];

export interface ReplicaRoundsOptions {
	/** How long replicas are killed. */
	readonly seconds: number;
	readonly seed: number;
	readonly stages: readonly ReplicaStage[];
	readonly onLine?: (line: string) => void;
}

export interface ReplicaFigures {
	/** One figure a line. */
	readonly lines: readonly string[];
	/** What must not be: nothing may stand here. */
	readonly violations: readonly string[];
}

const REPLICAS = 3;
const USERS = 60;

interface NamedStage {
	readonly name: string;
	readonly stage: Stage;
	readonly subscribers: number;
	readonly load: Load;
}

/** The database and a leader are away under less load: all of it waits meanwhile, and comes at once when they are back. */
function stagesOf({stages, seconds}: ReplicaRoundsOptions): NamedStage[] {
	const full = {subscribers: 300, load: {executesPerS: 20, executesMost: USERS, perpPerS: 2}};
	const less = {subscribers: 60, load: {executesPerS: 5, executesMost: 12, perpPerS: 3}};
	const known: Readonly<Record<ReplicaStage, readonly NamedStage[]>> = {
		kills: [{name: 'kills', stage: killStage(seconds), ...full}],
		database: [
			{name: 'database killed', stage: databaseStage('killed'), ...less},
			{name: 'database paused', stage: databaseStage('paused'), ...less},
		],
		leader: [{name: 'leader paused', stage: leaderStage, ...less}],
	};
	return REPLICA_STAGES.filter(name => stages.includes(name)).flatMap(name => known[name]);
}

/**
 * Three replicas, subscribers and transfers, and what goes wrong with them in stages. Afterwards everything is counted from what
 * the replicas can't change: the chains, the market log, and what each subscriber and the target of a webhook saw.
 */
export async function replicaRounds(options: ReplicaRoundsOptions): Promise<ReplicaFigures> {
	const {seed, onLine = () => {}} = options;
	const violations: string[] = [];
	let during = '';
	const expect: Expect = (holds, otherwise) => {
		if (!holds && violations.push(`${during}: ${otherwise}`) <= 50) onLine(`VIOLATION ${violations.at(-1)}`);
	};
	const stages = stagesOf(options);
	const hooks = await openLaunchReceiver();
	const world = await startReplicaWorld({
		replicas: REPLICAS,
		seed,
		subscribers: Math.max(...stages.map(({subscribers}) => subscribers)),
		users: USERS,
		args: ['--allow-private-webhooks'],
	}).catch(async error => {
		await hooks.close();
		throw error;
	});
	try {
		await makeWebhook(world.set.urls[0]!, hooks.url);
		onLine(`${world.readers.length} subscribers are served, ${world.executes.sent.length} accounts have their code`);
		const lines: string[] = [];
		for (const {name, stage, subscribers, load} of stages) {
			during = name;
			for (const reader of openOf(world.readers).slice(subscribers)) reader.close();
			const [startMs, before] = [performance.now(), world.executes.sent.length];
			const figures = await underLoad(world, load, () => stage(world, {hooks, expect}));
			const text = [
				`${name}: ${subscribers} subscribers, ${world.executes.sent.length - before} transfers in ${Math.round((performance.now() - startMs) / 1000)} s`,
				...figures.map(line => `  ${line}`),
			];
			lines.push(...text);
			for (const line of text) onLine(line);
		}
		during = 'afterwards';
		// What came last is to arrive everywhere.
		await pause(2000);
		for (const reader of world.readers) reader.close();
		const counted = await countAll(world, hooks, expect);
		return {violations, lines: [...lines, ...counted]};
	} finally {
		if (violations.length > 0)
			for (const [n, text] of world.set.stderr().entries()) onLine(`replica ${n} wrote: ${text.slice(-2000)}`);
		await world.close();
		await hooks.close();
	}
}

/** Counts what has come of all stages together. */
async function countAll(world: ReplicaWorld, hooks: LaunchReceiver, expect: Expect): Promise<string[]> {
	const {database, nodes, set, executes, perp, readers} = world;
	const ends = await endsOf(executes, set);
	await checkTransfers({executes, set, ends, expect, counts: await countOnChains(nodes)});
	await checkNonces(nodes, expect);
	checkPerp(perp, expect);
	const log = await readMarketLog(database);
	for (const problem of log.problems) expect(false, problem);
	for (const [n, reader] of readers.entries()) checkReader(n, reader, log.launches, expect);
	await checkHooks(hooks, log.launches, expect);
	const pages = await comparePages(set, expect);
	const gaps = readers.flatMap(({gapsMs}) => gapsMs).sort((a, b) => a - b);
	const delays = readers.flatMap(({delaysMs}) => delaysMs).sort((a, b) => a - b);
	const took = executes.sent
		.map(({tookMs}) => tookMs)
		.filter(Number.isFinite)
		.sort((a, b) => a - b);
	const at = (sorted: readonly number[], part: number) =>
		`${Math.round(sorted[Math.floor(sorted.length * part)] ?? Number.NaN)} ms`;
	const sum = (of: (reader: ReplicaSubscriber) => number) => readers.reduce((total, reader) => total + of(reader), 0);
	return [
		`${executes.sent.length} transfers, ${executes.sent.filter(isAccepted).length} accepted, ${executes.unquoted} without a quote; ends: ${tally(ends)}`,
		`execute: p50 ${at(took, 0.5)}, p99 ${at(took, 0.99)}; ${perp.answers.length} signatures`,
		`${gaps.length} connections lost, ${sum(r => r.silences)} of them silent; back after p50 ${at(gaps, 0.5)}, p99 ${at(gaps, 0.99)}, worst ${at(gaps, 0.9999)}`,
		`resumed ${sum(r => r.recovered)}, not recovered ${sum(r => r.notRecovered)}, ${sum(r => r.missed)} tokens came as missed`,
		`launch to frame: p50 ${at(delays, 0.5)}, p99 ${at(delays, 0.99)}; ${(sum(r => r.bytes) / 1e6).toFixed(0)} MB read`,
		`log: ${log.entries} entries, ${log.launches.length} launches; ${pages} equal pages at equal positions`,
		`webhooks: ${hooks.tokens.size} launches in ${hooks.deliveries} deliveries of ${hooks.ids.size} ids; ${hooks.refused} were refused, ${hooks.takenTwice} came again`,
	];
}

function tally(ends: ReadonlyMap<string, string>): string {
	const counts = new Map<string, number>();
	for (const end of ends.values()) counts.set(end, (counts.get(end) ?? 0) + 1);
	return [...counts].map(([end, count]) => `${count} ${end}`).join(', ');
}
