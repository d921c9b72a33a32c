import {type ChildProcess, fork} from 'node:child_process';
import {expect, onTestFinished, test} from 'vitest';
import {EntryWriter, MarketLags} from '../../../source/service/log/entry-writer.ts';
import type {LogEntry} from '../../../source/service/log/log-entry.ts';
import type {SourceReport} from '../../../source/service/market/event-source.ts';
import {type Leaders, type LedStream, startLeaders} from '../../../source/service/replicas/leader.ts';
import {openReplica} from '../../../source/service/replicas/open-replica.ts';
import {LeaseLost} from '../../../source/service/store/lease.ts';
import {until} from '../../helpers/until.ts';
import {CountedChain, ReadMarket} from './read-market.ts';
import {replicaDatabases} from './replica-databases.ts';

const databases = replicaDatabases();
const LEASE_MS = {ttlMs: 800, renewMs: 200, retryMs: 50};

interface Led {
	readonly market: ReadMarket;
	readonly leaders: Leaders;
	readonly sources: readonly CountedChain[];
	readonly replica: Awaited<ReturnType<typeof openReplica>>;
	readonly faults: string[];
}

async function replica(name: string, {chains = ['evm:1'], leads = true, catchUpMs = 10_000} = {}): Promise<Led> {
	const {server, schema} = databases;
	const faults: string[] = [];
	const opened = await openReplica({
		store: server.address,
		schema,
		leaseMs: LEASE_MS,
		sources: {kind: 'followed', chains: ['evm:1']},
		fault: (during, error) => faults.push(`${during}: ${error}`),
	});
	const market = new ReadMarket(opened.log);
	const sources: CountedChain[] = [];
	const streams = chains.map(
		(chainId): LedStream => ({
			name: chainId,
			chainId,
			async open() {
				const source = new CountedChain(name, {chainId});
				sources.push(source);
				return source;
			},
		}),
	);
	const {leases, log} = opened;
	const leaders = startLeaders({leases, log, market, streams: leads ? streams : [], tickMs: 50, catchUpMs});
	onTestFinished(async () => {
		await leaders.close();
		market.close();
		await opened.close();
	});
	return {market, leaders, sources, replica: opened, faults};
}

/** Blocks of a chain in the order of the log, each with its writer. */
function blocks(entries: readonly LogEntry[], chain = 'evm:1'): {block: number; by: string}[] {
	return entries.flatMap(({record}) =>
		record.kind === 'batch' && record.batch.chainId === chain
			? [{block: record.batch.toBlock, by: record.batch.cursor}]
			: [],
	);
}

/** Each block once, in order, and entries without a hole. */
function expectWhole(entries: readonly LogEntry[], chain?: string): void {
	expect(entries.map(({seq}) => seq)).toEqual(entries.map((_, n) => n + 1));
	const numbers = blocks(entries, chain).map(({block}) => block);
	expect(numbers).toEqual(numbers.map((_, n) => n + 1));
}

/** Whose turns it was, in order. */
function turns(entries: readonly LogEntry[], chain?: string): string[] {
	return blocks(entries, chain).flatMap(({by}, n, all) => (all[n - 1]?.by === by ? [] : [by]));
}

test('of several replicas one leads a stream; the next continues after its last block', async () => {
	const [one, two] = [await replica('one'), await replica('two')];
	const all = [one, two];
	for (let turn = 0; turn < 2; turn++) {
		await until(() => all.some(({leaders}) => leaders.leading().length > 0));
		const leading = all.find(({leaders}) => leaders.leading().length > 0)!;
		const before = leading.market.entries.length;
		await until(() => leading.market.entries.length > before + 20);
		expect(all.filter(({leaders}) => leaders.leading().length > 0)).toEqual([leading]);
		all.splice(all.indexOf(leading), 1);
		await leading.leaders.close();
		expect(leading.sources.every(({isRunning}) => !isRunning)).toBe(true);
	}
	const reader = await replica('reader', {leads: false});
	const {seq} = await reader.replica.log.head();
	await reader.market.untilApplied(seq, AbortSignal.timeout(10_000));
	expectWhole(reader.market.entries);
	expect(turns(reader.market.entries)).toHaveLength(2);
	expect([...one.faults, ...two.faults]).toEqual([]);
});

const isLeading = ({leaders}: Led): boolean => leaders.leading().length > 0;

/** Two replicas, of which the first leads. */
async function ledByOne(options: Parameters<typeof replica>[1] = {}): Promise<[first: Led, second: Led]> {
	const [one, two] = [await replica('one', options), await replica('two', options)];
	await until(() => isLeading(one) || isLeading(two));
	return isLeading(one) ? [one, two] : [two, one];
}

test('a leader that cannot read the log further releases its lease', async () => {
	const [first, second] = await ledByOne();
	first.market.readable = false;
	await until(() => isLeading(second));
	expect(isLeading(first)).toBe(false);
	// On a busy machine the second may lead before the first has said why it does not.
	await expect
		.poll(() => first.faults)
		.toEqual([
			'the lease market:evm:1: Error: the market log cannot be read further: another replica may lead market:evm:1',
		]);
	expectWhole(second.market.entries);
});

test('a leader whose own market stands still releases its lease', async () => {
	const [first, second] = await ledByOne({catchUpMs: 2000});
	first.market.isStill = true;
	await until(() => isLeading(second));
	expect(isLeading(first)).toBe(false);
	await expect.poll(() => first.faults).toEqual(['the lease market:evm:1: MarketLags: This replica does not lead']);
	const before = blocks(second.market.entries).length;
	await until(() => blocks(second.market.entries).length > before + 20);
	expectWhole(second.market.entries);
});

test('a reorganisation waits for a market that stands still no longer than the sink lasts', async () => {
	const {replica: opened, market} = await replica('one', {leads: false});
	const sinkOf = async (name: string, times: {tickMs: number; catchUpMs: number}): Promise<EntryWriter> => {
		const lease = (await opened.leases.tryTake(name))!;
		return new EntryWriter({log: opened.log, lease, market, ...times});
	};
	market.isStill = true;
	const late = await sinkOf('market:late', {tickMs: 60_000, catchUpMs: 50});
	await expect(late.takeBack('evm:1', 1)).rejects.toThrow();
	expect(await late.ended).toBeInstanceOf(MarketLags);

	const unreadable = await sinkOf('market:unreadable', {tickMs: 20, catchUpMs: 60_000});
	const taking = unreadable.takeBack('evm:1', 1);
	market.readable = false;
	await expect(taking).rejects.toThrow();
	await unreadable.ended;
});

test('a leader whose source ends by itself releases its lease, and says why', async () => {
	const [first, second] = await ledByOne();
	first.sources[0]!.end(new RangeError('a mistake'));
	await until(() => isLeading(second));
	expect(isLeading(first)).toBe(false);
	expect(first.faults).toEqual(['the lease market:evm:1: RangeError: a mistake']);
	// The other way round too.
	second.sources[0]!.end(new RangeError('another mistake'));
	await until(() => isLeading(first));
	const before = blocks(first.market.entries).length;
	await until(() => blocks(first.market.entries).length > before + 20);
	expectWhole(first.market.entries);
});

test('each stream has its leader, and the log one order', async () => {
	const one = await replica('one', {chains: ['evm:1', 'evm:2']});
	const two = await replica('two', {chains: ['evm:1', 'evm:2']});
	await until(() => [...one.leaders.leading(), ...two.leaders.leading()].length === 2);
	await until(() => one.market.entries.length > 100);
	await one.leaders.close();
	const left = blocks(two.market.entries).length;
	await until(() => blocks(two.market.entries).length > left + 20);
	for (const chain of ['evm:1', 'evm:2']) expectWhole(two.market.entries, chain);
	expect([...two.leaders.leading()].sort()).toEqual(['evm:1', 'evm:2']);
});

test('a leader whose write is refused stops its source at once', async () => {
	const [one, two] = [await replica('one'), await replica('two', {leads: false})];
	await until(() => one.market.entries.length > 5);
	two.replica.database.show('heir');
	await two.replica.database.run("UPDATE leases SET owner = 'heir', fence = fence + 1 WHERE name = 'market:evm:1'");
	const {seq} = await two.replica.log.head();
	await until(() => one.sources[0]!.failure !== undefined);
	expect(one.sources[0]!.failure).toBeInstanceOf(LeaseLost);
	await until(() => one.leaders.leading().length === 0);
	expect((await two.replica.log.head()).seq).toBe(seq);
	// When the other lets it run out, a new source goes on.
	await until(() => one.sources.length === 2);
	await until(() => one.market.appliedSeq() > seq + 5);
	expectWhole(one.market.entries);
});

test('a database that is killed and comes back finds leases, log and leaders as they were', async () => {
	const all = [await replica('one'), await replica('two')];
	await until(() => all[0]!.market.entries.length > 10);
	await databases.server.kill();
	await databases.server.start();
	const known = all[0]!.market.appliedSeq();
	await until(() => all.every(({market}) => market.appliedSeq() > known + 20));
	for (const {market} of all) expectWhole(market.entries);
});

test('reports are written once a second, calls in their order, and the clock moves on by itself', async () => {
	const {replica: opened, market} = await replica('one', {leads: false});
	const lease = (await opened.leases.tryTake('market:one'))!;
	const sink = new EntryWriter({log: opened.log, lease, market, tickMs: 20, catchUpMs: 10_000});
	const report = (block: number) => ({chainId: 'evm:1', block}) as SourceReport;
	const batch = (block: number) => ({
		chainId: 'evm:1',
		fromBlock: block,
		toBlock: block,
		events: [],
		facts: [{key: `f${block}`, block, value: '1'}],
		cursor: `${block}`,
	});
	for (let block = 1; block <= 5; block++) sink.report(report(block));
	await Promise.all([
		sink.append(batch(1)),
		sink.append(batch(2)),
		sink.forget('evm:1', ['0x1']),
		sink.append(batch(3)),
	]);
	// The facts that are left are those of the log.
	expect((await sink.takeBack('evm:1', 3)).map(({key}) => key)).toEqual(['f1', 'f2']);
	const kinds = () => market.entries.map(({record}) => record.kind);
	expect(kinds().filter(kind => kind !== 'clock')).toEqual([
		'report',
		'batch',
		'batch',
		'forget',
		'batch',
		'take-back',
	]);
	await until(() => kinds().filter(kind => kind === 'report').length === 2);
	await until(() => kinds().filter(kind => kind === 'clock').length > 3);
	const reports = market.entries.flatMap(({record}) => (record.kind === 'report' ? [record.report] : []));
	expect(reports).toEqual([report(1), report(5)]);

	await lease.release();
	expect(await sink.ended).toBeInstanceOf(LeaseLost);
	await expect(sink.append(batch(4))).rejects.toBeInstanceOf(LeaseLost);
	const {seq} = await opened.log.head();
	await new Promise(resolve => setTimeout(resolve, 60));
	expect((await opened.log.head()).seq).toBe(seq);
});

/** Another process that takes part in leading; resolves when it leads for the first time, if it is asked to. */
function startProcess(): {readonly child: ChildProcess; readonly name: string; readonly leads: Promise<void>} {
	const {server, schema} = databases;
	const child = fork(
		new URL('./leading-process.ts', import.meta.url),
		[server.address, schema, LEASE_MS].map(value => JSON.stringify(value)),
		{stdio: ['ignore', 'ignore', 'inherit', 'ipc']},
	);
	onTestFinished(() => void child.kill('SIGKILL'));
	return {child, name: `p${child.pid}`, leads: new Promise(resolve => child.once('message', () => resolve()))};
}

test('a leader that resumes after its lease has expired writes nothing; a killed one is replaced', async () => {
	const {market, replica: reader} = await replica('reader', {leads: false});
	const one = startProcess();
	await one.leads;
	const two = startProcess();
	const count = (name: string) => blocks(market.entries).filter(({by}) => by === name).length;
	await until(() => count(one.name) > 30);

	one.child.kill('SIGSTOP');
	const stoppedMs = performance.now();
	await two.leads;
	await until(() => count(two.name) > 30);
	// Stopped for three times its lease.
	await until(() => performance.now() - stoppedMs > 3 * LEASE_MS.ttlMs);
	const before = count(one.name);
	const goneOnSeq = (await reader.log.head()).seq;
	one.child.kill('SIGCONT');
	await until(() => market.appliedSeq() > goneOnSeq + 100);
	expect(count(one.name)).toBe(before);
	expect(turns(market.entries)).toEqual([one.name, two.name]);

	// The one that was stopped takes part again.
	const killedMs = performance.now();
	two.child.kill('SIGKILL');
	await until(() => count(one.name) > before + 30);
	expect(performance.now() - killedMs).toBeLessThan(20 * LEASE_MS.ttlMs);
	expect(turns(market.entries)).toEqual([one.name, two.name, one.name]);
	expectWhole(market.entries);
});
