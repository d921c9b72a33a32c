import {expect, onTestFinished, test} from 'vitest';
import {findEvmChain} from '../../../source/chains/evm-chains.ts';
import {quoteLaunches} from '../../../source/service/follow/evm/quote-launches.ts';
import {EntryReader} from '../../../source/service/log/entry-reader.ts';
import {EntryWriter} from '../../../source/service/log/entry-writer.ts';
import type {JournalPosition} from '../../../source/service/log/journal-file.ts';
import {LocalLog} from '../../../source/service/log/local-log.ts';
import type {LogEntry} from '../../../source/service/log/log-entry.ts';
import {createLogMarket, type LogMarket} from '../../../source/service/log/log-market.ts';
import {openPostgresLog} from '../../../source/service/log/postgres-log.ts';
import type {EventSink} from '../../../source/service/market/event-source.ts';
import {openLeases} from '../../../source/service/store/leases.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {address, batch, blockMs, CHAIN, launch, trade} from '../follow/made-events.ts';
import {replicaDatabases} from '../replicas/replica-databases.ts';
import {bytesOf, differing, openReplica, untilAt} from '../replicas/replica-pages.ts';
import {MADE_CHAIN, writeMadeChain} from './made-log.ts';
import {MemoryLog} from './memory-log.ts';

/* What holds for the log of a process that is alone and for that of replicas. */

const A = address(1);
const databases = replicaDatabases();

interface World {
	/** The sink of a source. */
	readonly sink: EventSink;
	readonly market: LogMarket;
	/** Every entry that the market got, in order. */
	readonly entries: LogEntry[];
	readonly lines: string[];
	/** Sets the log's clock. */
	at(ms: number): Promise<void>;
	/** Resolves when the market has all that was written. */
	settled(): Promise<void>;
}

const BEGIN = {epoch: 'begin', seq: 0, atMs: blockMs(0)};

interface Listening extends Pick<World, 'market' | 'entries' | 'lines'> {
	readonly heard: Pick<LogMarket, 'position' | 'apply' | 'factsOf'>;
}

/** A market, and what it gets. */
function listening(begin: JournalPosition, isShared: boolean): Listening {
	const entries: LogEntry[] = [];
	const lines: string[] = [];
	const dataDir = temporaryDirectory();
	const quotes = quoteLaunches(findEvmChain(CHAIN)!);
	const market = createLogMarket({chainIds: [CHAIN], quotes, dataDir, begin, isShared, log: line => lines.push(line)});
	market.fill();
	onTestFinished(() => market.close());
	const apply = (entry: LogEntry): void => {
		market.apply(entry);
		entries.push(entry);
	};
	return {market, entries, lines, heard: {position: market.position, apply, factsOf: market.factsOf}};
}

async function alone(): Promise<World> {
	let nowMs = blockMs(0);
	const {market, entries, lines, heard} = listening(BEGIN, false);
	const log = new LocalLog(heard, () => nowMs);
	return {
		sink: log.sink,
		market,
		entries,
		lines,
		at: async ms => {
			nowMs = ms;
		},
		settled: async () => {},
	};
}

async function replica(): Promise<World> {
	const database = await databases.open();
	await database.run('CREATE TABLE clock (ms bigint)', []);
	await database.run('INSERT INTO clock VALUES (?)', [blockMs(0)]);
	const log = await openPostgresLog(database, {clock: '(SELECT ms FROM clock)'});
	const leases = openLeases(database);
	onTestFinished(() => leases.close());
	const lease = (await leases.tryTake('market:made'))!;
	const {market, entries, lines, heard} = listening({...BEGIN, epoch: log.epoch}, true);
	const reader = new EntryReader({
		log,
		market: heard,
		fault: line => lines.push(line),
	});
	reader.start();
	onTestFinished(() => reader.stop());
	const settled = async (): Promise<void> => {
		const {seq} = await log.head();
		await reader.untilApplied(seq, AbortSignal.timeout(60_000));
	};
	const sink = new EntryWriter({
		log,
		lease,
		// Only the entries of the test.
		tickMs: 3_600_000,
		catchUpMs: 60_000,
		market: {
			appliedSeq: () => market.position.seq,
			isReadable: () => reader.isReadable,
			untilWarm: async () => {},
			untilApplied: (seq, signal) => reader.untilApplied(seq, signal),
			resumeOf: market.resumeOf,
			beganToLead: () => {},
			factsOf: market.factsOf,
		},
	});
	return {
		sink,
		market,
		entries,
		lines,
		at: async ms => {
			await database.run('UPDATE clock SET ms = ?', [ms]);
		},
		settled,
	};
}

const WORLDS = [
	['a process that is alone', alone],
	['replicas', replica],
] as const;

test.each(WORLDS)('the log of %s: entries are numbered without a hole, and their time never falls', async (_, open) => {
	const {sink, entries, at, settled, market} = await open();
	await at(blockMs(10));
	await sink.append(batch(10, 10, [launch(A, 10)]));
	await at(blockMs(9));
	await sink.append(batch(11, 11, [trade(A, 11)]));
	await at(blockMs(12));
	await sink.gap({chainId: CHAIN, fromBlock: 12, toBlock: 12, fromMs: blockMs(11), toMs: blockMs(12), why: 'a test'});
	await settled();
	expect(entries.map(({seq}) => seq)).toEqual([1, 2, 3]);
	expect(entries.map(({atMs}) => atMs)).toEqual([blockMs(10), blockMs(10), blockMs(12)]);
	expect(market.position).toMatchObject({seq: 3, atMs: blockMs(12)});
	expect(market.view.nowMs()).toBe(blockMs(12));
});

test.each(WORLDS)(
	'the log of %s: what is taken back leaves the facts before it, and the source goes on',
	async (_, open) => {
		const {sink, settled, market} = await open();
		await sink.append(batch(10, 12, [launch(A, 10), trade(A, 11)], [{key: 'price', block: 11, value: '1'}]));
		await sink.append(batch(13, 14, [trade(A, 13)], [{key: 'price', block: 14, value: '2'}]));
		expect(await sink.takeBack(CHAIN, 13)).toEqual([{key: 'price', block: 11, value: '1'}]);
		await sink.append(batch(13, 13, [trade(A, 13)]));
		await settled();
		expect(market.resumeOf().get(CHAIN)).toMatchObject({toBlock: 13, facts: [{key: 'price', value: '1'}]});
		expect(market.view.table.numbers('trades_24h')[market.engine.rowOf(`${CHAIN}|${A}`)!]).toBe(2);
	},
);

test.each(WORLDS)('the log of %s: a batch that cannot follow has no effect, and the next one has', async (_, open) => {
	const {sink, settled, market} = await open();
	await sink.append(batch(10, 12, [launch(A, 10), trade(A, 11)]));
	await sink.append(batch(12, 13, [trade(A, 13)])).catch(() => {});
	await sink.append(batch(13, 14, [trade(A, 14)]));
	await settled();
	expect(market.resumeOf().get(CHAIN)).toMatchObject({toBlock: 14});
	expect(market.view.table.numbers('trades_24h')[market.engine.rowOf(`${CHAIN}|${A}`)!]).toBe(2);
});

test('the same entries give the same bytes alone and in a replica', async () => {
	const log = new MemoryLog();
	await writeMadeChain(log, {seed: 11, steps: 300});
	log.show(log.length);
	const shared = await openReplica(log, {sources: MADE_CHAIN, startMs: blockMs(0), directory: temporaryDirectory()});
	await untilAt(shared, log.length);

	const {market, lines} = listening(BEGIN, false);
	const own = new LocalLog(market, () => blockMs(0));
	for (const {record, atMs} of await log.read(0, log.length)) own.write(record, atMs);
	const [one, other] = [shared, market.view].map(bytesOf);
	expect(one!.size).toBeGreaterThan(20);
	expect(differing(one!, other!)).toEqual([]);
	expect(lines).toEqual([]);
});
