import {type ChildProcess, fork} from 'node:child_process';
import {setTimeout as pause} from 'node:timers/promises';
import {tableText} from '../../source/commands/output/table.ts';
import {openReplica} from '../../source/service/replicas/open-replica.ts';
import {startPostgres} from '../helpers/postgres.ts';
import {ReadMarket} from '../service/replicas/read-market.ts';

/*
 * How long the market log stands still when the leader of a chain ends: from the signal to the first entry of the next leader,
 * as another replica reads it. Three processes that lead a chain with a block each 5 ms, with the lease times of the service.
 */

const ROUNDS = {SIGKILL: 8, SIGTERM: 5, SIGSTOP: 2} as const;
const SCHEMA = 'takeover';

const database = await startPostgres({fsync: 'on'});
const reader = await openReplica({
	store: database.address,
	schema: SCHEMA,
	sources: {kind: 'followed', chains: ['evm:1']},
	fault: () => {},
});
const market = new ReadMarket(reader.log);
const children = new Map<string, ChildProcess>();
try {
	for (let n = 0; n < 3; n++) start();
	const rows: {readonly signal: string; readonly values: readonly number[]}[] = [];
	for (const [signal, rounds] of Object.entries(ROUNDS)) {
		const values: number[] = [];
		while (values.length < rounds) values.push(await standStill(signal as keyof typeof ROUNDS));
		rows.push({signal, values: values.sort((a, b) => a - b)});
	}
	const column = (title: string, at: (values: readonly number[]) => number | undefined) => ({
		title,
		align: 'right' as const,
		cell: ({values}: (typeof rows)[number]) => `${at(values)?.toFixed(0)} ms`,
	});
	console.log(
		tableText(
			[
				{title: 'the leader gets', cell: ({signal}) => signal},
				column('least', values => values[0]),
				column('median', values => values[values.length >> 1]),
				column('most', values => values.at(-1)),
			],
			rows,
		),
	);
} finally {
	for (const child of children.values()) child.kill('SIGKILL');
	market.close();
	await reader.close();
	await database.close();
}

function start(): void {
	const args = [database.address, SCHEMA, {}].map(value => JSON.stringify(value));
	const child = fork(new URL('../service/replicas/leading-process.ts', import.meta.url), args, {
		stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
	});
	children.set(`p${child.pid}`, child);
}

/** Sends the leader a signal, waits for the next one, and starts another process in its place. */
async function standStill(signal: NodeJS.Signals): Promise<number> {
	// At any time between two renewals of its lease.
	const fromMs = performance.now() + 3000 + Math.random() * 2000;
	while (performance.now() < fromMs || leader() === undefined) await pause(10);
	const name = leader()!;
	const startMs = performance.now();
	children.get(name)!.kill(signal);
	while (leader() === name) await pause(2);
	const ms = performance.now() - startMs;
	children.get(name)!.kill('SIGKILL');
	children.delete(name);
	start();
	return ms;
}

/** Who wrote the newest block. */
function leader(): string | undefined {
	const entry = market.entries.findLast(({record}) => record.kind === 'batch');
	return entry?.record.kind === 'batch' ? entry.record.batch.cursor : undefined;
}
