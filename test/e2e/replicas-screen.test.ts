import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, beforeEach, expect, test} from 'vitest';
import {PATIENCE_MS} from '../helpers/patience.ts';
import {type PostgresServer, postgresBinaries, startPostgres} from '../helpers/postgres.ts';
import {CLI, runCli} from '../helpers/program.ts';
import {type Pty, withPty} from '../helpers/pty.ts';
import {REPLICA_KEYS, type ReplicaSet, startReplicaSet} from '../helpers/replica-set.ts';
import {readMarketLog} from '../torture/replica-log.ts';

/* A person's screen, and a watch without one, while the replica that they read is killed, again and again. */

let server: PostgresServer | undefined;
let set: ReplicaSet;
let directory: string;

beforeAll(async () => {
	if (postgresBinaries === undefined) return;
	server = await startPostgres();
	directory = await mkdtemp(join(tmpdir(), 'pulsetop-screen-'));
	set = await startReplicaSet({replicas: 2, storeUrl: server.url, args: ['--seed', '3', '--rate', '8']});
});
afterAll(async () => {
	await set?.close();
	await server?.close();
	await rm(directory, {recursive: true, force: true});
});
beforeEach(context => {
	if (server === undefined) context.skip('PostgreSQL is not installed here');
});

/** Addresses of EVM chains are written in two cases. */
const foldCase = (address: string): string => (address.startsWith('0x') ? address.toLowerCase() : address);

/** Every launch matches, at once. */
const RULE = '@new age<1h';
const KILLS = 3;

/** A configuration whose alerts write the address of their token to a file, and those addresses, in the order they rang. */
async function ringer(): Promise<{readonly config: string; readonly rung: () => Promise<readonly string[]>}> {
	const hook = join(directory, 'hook.sh');
	const file = join(directory, 'rung');
	const config = join(directory, 'config.toml');
	await writeFile(hook, `echo "$PULSETOP_ADDRESS" >> '${file}'\n`);
	await writeFile(config, `[alerts]\nrules = ["${RULE}"]\ncommand = ["sh", "${hook}"]\nquiet = "never"\n`);
	const read = () => readFile(file, 'utf8').catch(() => '');
	return {
		config,
		rung: async () =>
			(await read())
				.split('\n')
				.filter(line => line !== '')
				.map(foldCase),
	};
}

/** Addresses of the tokens that were launched after an entry of the log. */
async function launchedAfter(seq: number): Promise<readonly string[]> {
	const {launches, problems} = await readMarketLog(server!, seq);
	expect(problems).toEqual([]);
	return launches.map(({key}) => key.slice(key.indexOf('|') + 1));
}

/** Waits until more tokens are launched. @returns the last entry of the log that launched one */
async function moreLaunches(count: number): Promise<number> {
	const {launches: before} = await readMarketLog(server!);
	const later = async () => (await readMarketLog(server!)).launches;
	await expect.poll(async () => (await later()).length).toBeGreaterThanOrEqual(before.length + count);
	return (await later()).at(-1)!.seq;
}

/** The replica that the first line of the screen names; -1: none. */
const shown = (pty: Pty): number => set.urls.findIndex(url => pty.row(0).includes(new URL(url).host));

test('a killed replica costs a screen and a watch no alert, none rings twice, and both say where they moved', async () => {
	const {config, rung} = await ringer();
	const where = ['--base-url', set.urls.join(',')];
	const env = {PULSETOP_API_KEY: REPLICA_KEYS[0]};
	let watched = '';
	let stopWatch = () => {};
	const watching = runCli(['watch', '--rule', RULE, '--json', ...where], {
		env,
		// Longer than all kills together take.
		timeoutMs: 4 * PATIENCE_MS,
		onStdout: (soFar, {stop}) => {
			watched = soFar;
			stopWatch = stop;
		},
	});
	await withPty({args: [CLI, '--config', config, ...where], env, columns: 160, rows: 45}, async pty => {
		await pty.waitFor('● live');
		await expect.poll(async () => watched !== '' && (await rung()).length > 0).toBe(true);
		const from = await moreLaunches(1);
		for (let kill = 0; kill < KILLS; kill++) {
			const lost = shown(pty);
			expect(lost, pty.row(0)).not.toBe(-1);
			await set.end(lost, 'SIGKILL');
			await pty.waitFor(`Moved to ${new URL(set.urls[1 - lost]!).host} · `);
			expect(shown(pty)).toBe(1 - lost);
			// It is ready when it follows the views of all readers, so what comes now can be recovered from it.
			await set.start(lost);
			await moreLaunches(2);
		}
		await moreLaunches(1);
		const due = await launchedAfter(from);
		const isIn = (lines: readonly string[]) => due.filter(address => !lines.includes(address));
		await expect.poll(async () => isIn(await rung())).toEqual([]);
		const hits = () =>
			watched.split('\n').flatMap(line => (line === '' ? [] : [foldCase(JSON.parse(line).token.address)]));
		await expect.poll(() => isIn(hits())).toEqual([]);
		for (const all of [await rung(), hits()]) expect(all).toEqual([...new Set(all)]);
		expect(due.length).toBeGreaterThanOrEqual(KILLS * 2);
	});
	stopWatch();
	expect(await watching).toMatchObject({code: 0, stderr: expect.stringContaining('Moved to ')});
});
