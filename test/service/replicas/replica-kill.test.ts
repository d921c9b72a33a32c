import {fork} from 'node:child_process';
import {expect, onTestFinished, test} from 'vitest';
import {entryKey} from '../../../source/contract/entry.ts';
import {JournalFailed} from '../../../source/service/log/journal-file.ts';
import type {LogEntry} from '../../../source/service/log/log-entry.ts';
import {createLogMarket} from '../../../source/service/log/log-market.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {kill9, randomBy} from '../../torture/processes.ts';
import {address, batch, blockMs, CHAIN, launch} from '../follow/made-events.ts';
import {MADE_CHAIN, writeMadeChain} from '../log/made-log.ts';
import {MemoryLog} from '../log/memory-log.ts';
import {copyAsKilled, positionIn, withConnection} from '../log/replica-file.ts';
import {bytesOf, differing, openReplica, untilAt} from './replica-pages.ts';

const CHILD = new URL('./replica-under-kill.ts', import.meta.url);
const SEED = Number(process.env['PULSETOP_SEED'] ?? 7);
const STEPS = 500;
const START = {sources: MADE_CHAIN, startMs: blockMs(0)};

async function openLog(): Promise<MemoryLog> {
	const log = new MemoryLog();
	await writeMadeChain(log, {seed: SEED, steps: STEPS});
	log.show(0);
	return log;
}

test('a killed replica has the state of one entry, and goes on from there to what one shows that was never killed', async () => {
	const random = randomBy(SEED);
	const directory = temporaryDirectory();
	const log = await openLog();
	const always = await openReplica(log, {...START, directory: temporaryDirectory()});
	const left: number[] = [];
	for (let kill = 0; kill < 3; kill++) {
		const child = fork(CHILD, [directory, `${SEED}`, `${STEPS}`], {stdio: ['ignore', 'ignore', 'inherit', 'ipc']});
		const goOn = Math.floor(20 + random() * 60);
		let killedAt = log.length;
		await new Promise<void>((resolve, reject) => {
			child.on('message', seq => {
				const reached = seq as number;
				// Some of it is committed by now, and some entries come after that: a busy machine may commit these, too.
				const hasNew = () => (positionIn(copyAsKilled(directory)) ?? 0) > (left.at(-1) ?? 0);
				if (killedAt === log.length && hasNew()) killedAt = Math.min(reached + goOn, log.length - 1);
				if (reached > killedAt || reached === log.length) resolve();
				else child.send('go on');
			});
			child.on('exit', code => reject(new Error(`the process ended with ${code}, seed ${SEED}`)));
		});
		await kill9(child);
		const seq = positionIn(directory)!;
		expect(seq, `seed ${SEED}`).toBeGreaterThan(left.at(-1) ?? 0);
		left.push(seq);

		log.show(seq);
		await untilAt(always, seq);
		// What is in the file, without any entry of the log.
		const killed = await openReplica(log, {...START, directory: copyAsKilled(directory)});
		await untilAt(killed, seq);
		await expect.poll(() => killed.isFilled).toBe(true);
		expect(differing(bytesOf(always), bytesOf(killed)), `seed ${SEED}, entry ${seq}`).toEqual([]);
		await killed.close();
	}
	log.show(log.length);
	const last = await openReplica(log, {...START, directory});
	await Promise.all([untilAt(always, log.length), untilAt(last, log.length)]);
	expect(differing(bytesOf(always), bytesOf(last)), `seed ${SEED}`).toEqual([]);
});

test('a replica whose disk is full keeps its market, says so once, and reads on when there is room', async () => {
	const log = await openLog();
	const healthyLog = await openLog();
	const always = await openReplica(healthyLog, {...START, directory: temporaryDirectory()});
	const directory = temporaryDirectory();
	const faults: string[] = [];
	const {opened: market, connection} = await withConnection(() => openReplica(log, {...START, directory, faults}));
	const half = Math.floor(log.length / 2);
	log.show(half);
	await untilAt(market, half);
	await expect.poll(() => positionIn(copyAsKilled(directory)) ?? 0).toBeGreaterThan(0);
	const pages = Number(connection.prepare('PRAGMA page_count').get()?.['page_count']);
	connection.exec(`PRAGMA max_page_count = ${pages + 2}`);
	log.show(log.length);
	await expect.poll(() => faults.length).toBe(1);
	expect(faults[0]).toMatch(/^the market log: The journal of the followed chains could not be used: .*is full\. /);

	const stopped = market.appliedSeq();
	expect(stopped).toBeLessThan(log.length);
	healthyLog.show(stopped);
	await untilAt(always, stopped);
	// The clock may be that of the next entry already; tokens and pools are the same.
	expect([...bytesOf(market).keys()]).toEqual([...bytesOf(always).keys()]);
	// A kill in this state loses only what is read again.
	const killed = copyAsKilled(directory);
	expect(positionIn(killed)).toBeLessThanOrEqual(stopped);

	connection.exec('PRAGMA max_page_count = 1000000');
	healthyLog.show(log.length);
	await untilAt(market, log.length);
	expect(faults).toHaveLength(1);
	await market.close();
	const restarted = await openReplica(log, {...START, directory});
	const resumed = await openReplica(log, {...START, directory: killed});
	for (const one of [always, restarted, resumed]) await untilAt(one, log.length);
	for (const one of [market, restarted, resumed])
		expect(differing(bytesOf(always), bytesOf(one)), `seed ${SEED}`).toEqual([]);
});

test('tokens that a replica drops leave its journal too, at the latest when that works again', async () => {
	const {opened: market, connection} = await withConnection(() =>
		createLogMarket({
			chainIds: [CHAIN],
			dataDir: temporaryDirectory(),
			begin: {epoch: 'test', seq: 0, atMs: blockMs(0)},
			isShared: true,
			maxRows: 4,
			log: line => expect.unreachable(line),
		}),
	);
	onTestFinished(() => market.close());
	market.fill();
	const tokens = [1, 2, 3, 4, 5, 6].map(address);
	const launches = batch(
		1,
		1,
		tokens.map(token => launch(token, 1)),
	);
	market.apply({seq: 1, atMs: blockMs(1), record: {kind: 'batch', batch: launches}});
	market.journal.keepPosition();
	connection.exec(`CREATE TRIGGER failing BEFORE DELETE ON tokens BEGIN SELECT RAISE(FAIL, 'a test'); END`);
	const clock: LogEntry = {seq: 2, atMs: blockMs(1) + 2 * 3_600_000, record: {kind: 'clock'}};
	expect(() => market.apply(clock)).toThrow(JournalFailed);
	expect(market.position.seq).toBe(1);
	expect(market.engine.catalog.used).toBeLessThan(6);
	expect([...market.journal.tokens()]).toHaveLength(6);

	connection.exec('DROP TRIGGER failing');
	market.apply(clock);
	const left = [...market.journal.tokens()].map(({address: token}) => token);
	expect(left).toEqual(tokens.filter(token => market.engine.rowOf(entryKey(CHAIN, token)) !== undefined));
	expect(left.length).toBeLessThan(6);
});
