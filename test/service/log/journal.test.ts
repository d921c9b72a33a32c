import {readdirSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {entryKey} from '../../../source/contract/entry.ts';
import {Journal, type JournalOptions} from '../../../source/service/log/journal.ts';
import {JournalFailed, JournalInUse} from '../../../source/service/log/journal-file.ts';
import type {MarketEvent} from '../../../source/service/market/events.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {address, batch, blockMs, CHAIN, launch, trade, transfer} from '../follow/made-events.ts';

const A = address(1);
const B = address(2);

function open(options: JournalOptions = {}): Journal {
	const journal = new Journal(options);
	onTestFinished(() => {
		try {
			journal.close();
		} catch {
			// The test has closed it.
		}
	});
	return journal;
}

function eventsOf(journal: Journal, token: string): MarketEvent[] {
	const events: MarketEvent[] = [];
	journal.read(entryKey(CHAIN, token), event => events.push(event));
	return events;
}

test('a journal that is opened again has the events, facts and cursors that it had', () => {
	const dataDir = temporaryDirectory();
	const first = open({dataDir});
	const events = [launch(A, 10), trade(A, 11), transfer(A, 11), launch(B, 12)];
	first.append(batch(10, 12, events, [{key: 'price', block: 11, value: '1'}]));
	first.append(
		batch(
			13,
			13,
			[trade(B, 13)],
			[
				{key: 'price', block: 13, value: '2'},
				{key: 'pool', block: 13, value: '{}'},
			],
		),
	);
	first.close();

	const second = open({dataDir});
	expect(eventsOf(second, A)).toEqual(events.slice(0, 3));
	expect(eventsOf(second, B)).toEqual([launch(B, 12), trade(B, 13)]);
	expect(second.resume(CHAIN)).toEqual({
		cursor: 'at 13',
		toBlock: 13,
		facts: [
			{key: 'price', block: 13, value: '2'},
			{key: 'pool', block: 13, value: '{}'},
		],
	});
	expect(second.resume('evm:56')).toBeUndefined();
});

test('blocks that are taken back are gone, with their facts, also after a restart', () => {
	const dataDir = temporaryDirectory();
	const journal = open({dataDir});
	journal.append(batch(10, 10, [launch(A, 10)], [{key: 'price', block: 10, value: '1'}]));
	journal.append(
		batch(11, 14, [trade(A, 11), trade(A, 13), launch(B, 13), trade(B, 14)], [{key: 'price', block: 13, value: '2'}]),
	);
	expect(journal.takeBack(CHAIN, 13).sort()).toEqual([entryKey(CHAIN, A), entryKey(CHAIN, B)]);
	expect(eventsOf(journal, A)).toEqual([launch(A, 10), trade(A, 11)]);
	expect(eventsOf(journal, B)).toEqual([]);
	expect(journal.facts(CHAIN)).toEqual([{key: 'price', block: 10, value: '1'}]);

	journal.append(batch(13, 13, [trade(A, 13, {wallet: B})]));
	journal.close();
	expect(eventsOf(open({dataDir}), A)).toEqual([launch(A, 10), trade(A, 11), trade(A, 13, {wallet: B})]);
});

test('killed between a take-back and the next blocks, what comes again is stored once', () => {
	const dataDir = temporaryDirectory();
	const journal = open({dataDir});
	journal.append(batch(10, 10, [launch(A, 10)]));
	journal.append(batch(11, 14, [trade(A, 11), trade(A, 13)]));
	journal.takeBack(CHAIN, 13);
	journal.close();

	const next = open({dataDir});
	expect(next.resume(CHAIN)).toMatchObject({cursor: 'at 10', toBlock: 10});
	expect(eventsOf(next, A)).toEqual([launch(A, 10)]);
	next.append(batch(11, 14, [trade(A, 11), trade(A, 14)]));
	expect(eventsOf(next, A)).toEqual([launch(A, 10), trade(A, 11), trade(A, 14)]);
});

test('blocks that are there already, and events of other blocks or chains, are refused whole', () => {
	const journal = open();
	journal.append(batch(10, 12, [launch(A, 10)]));
	expect(() => journal.append(batch(12, 13, [trade(A, 12)]))).toThrow(JournalFailed);
	expect(() => journal.append(batch(13, 13, [trade(A, 13), trade(A, 14)]))).toThrow(RangeError);
	expect(() => journal.append(batch(13, 13, [trade(A, 13, {chainId: 'evm:56'})]))).toThrow(RangeError);
	expect(eventsOf(journal, A)).toEqual([launch(A, 10)]);
	expect(journal.resume(CHAIN)?.toBlock).toBe(12);
});

test('a batch that cannot be stored to its end is not stored at all', () => {
	const dataDir = temporaryDirectory();
	const journal = open({dataDir});
	journal.append(batch(10, 10, [launch(A, 10)], [{key: 'price', block: 10, value: '1'}]));
	const unstorable = {key: 'odd', block: 11, value: {} as never};
	const torn = batch(11, 11, [trade(A, 11), launch(B, 11)], [{key: 'price', block: 11, value: '2'}, unstorable]);
	expect(() => journal.append(torn)).toThrow(JournalFailed);
	const isAsBefore = (one: Journal): void => {
		expect(eventsOf(one, A)).toEqual([launch(A, 10)]);
		expect(eventsOf(one, B)).toEqual([]);
		expect(one.resume(CHAIN)).toEqual({cursor: 'at 10', toBlock: 10, facts: [{key: 'price', block: 10, value: '1'}]});
	};
	isAsBefore(journal);
	journal.close();
	const next = open({dataDir});
	isAsBefore(next);
	next.append(batch(11, 11, [trade(A, 11)]));
	expect(eventsOf(next, A)).toEqual([launch(A, 10), trade(A, 11)]);
});

test('events of tokens whose launch was not seen count for nothing, nor do second launches', () => {
	const journal = open();
	const counted = journal.append(
		batch(10, 11, [trade(B, 10), launch(A, 10), launch(A, 11, {symbol: 'FAKE'}), trade(A, 11)]),
	);
	expect(counted).toEqual([launch(A, 10), trade(A, 11)]);
	expect(eventsOf(journal, A)).toEqual(counted);
	expect([...journal.tokens()].map(({address}) => address)).toEqual([A]);
});

test('addresses of one token in several spellings are one token', () => {
	const journal = open();
	const mixed = '0xAbCdEf0000000000000000000000000000000001';
	journal.append(batch(10, 11, [launch(mixed, 10), trade(mixed.toLowerCase(), 11)]));
	expect(eventsOf(journal, mixed)).toEqual([launch(mixed, 10), trade(mixed.toLowerCase(), 11)]);
	expect(eventsOf(journal, mixed.toLowerCase())).toHaveLength(2);
});

test('a forgotten token leaves no events and no facts, and others keep theirs', () => {
	const journal = open();
	const facts = [A, B].flatMap(token => [
		{key: `token:${token}`, block: 10, value: '1'},
		{key: `token:${token}:pool`, block: 10, value: '1'},
	]);
	journal.append(batch(10, 11, [launch(A, 10), launch(B, 10), trade(A, 11)], facts));
	journal.forget(CHAIN, [A]);
	expect(eventsOf(journal, A)).toEqual([]);
	expect(eventsOf(journal, B)).toEqual([launch(B, 10)]);
	expect(journal.facts(CHAIN)).toEqual(facts.slice(2));
});

test('a gap stands among the events of each token where it was, and is taken back with its blocks', () => {
	const dataDir = temporaryDirectory();
	const journal = open({dataDir});
	journal.append(batch(10, 11, [launch(A, 10), trade(A, 11)]));
	journal.gap({chainId: CHAIN, fromBlock: 12, toBlock: 19, fromMs: blockMs(12), toMs: blockMs(19), why: 'no answer'});
	journal.append(batch(20, 20, [trade(A, 20), launch(B, 20)]));
	const gap = {type: 'gap', chainId: CHAIN, token: A, block: 19, fromMs: blockMs(12), timeMs: blockMs(19)};
	expect(eventsOf(journal, A)).toEqual([launch(A, 10), trade(A, 11), gap, trade(A, 20)]);
	expect(eventsOf(journal, B)).toEqual([launch(B, 20)]);
	journal.close();

	const next = open({dataDir});
	expect(eventsOf(next, A)).toEqual([launch(A, 10), trade(A, 11), gap, trade(A, 20)]);
	expect(next.takeBack(CHAIN, 12)).toContain(entryKey(CHAIN, A));
	expect(eventsOf(next, A)).toEqual([launch(A, 10), trade(A, 11)]);
	expect(next.gaps(CHAIN)).toEqual([]);
});

test('a gap that nothing came after is said again by the source after a restart, not twice', () => {
	const dataDir = temporaryDirectory();
	const journal = open({dataDir});
	journal.append(batch(10, 11, [launch(A, 10)]));
	journal.gap({chainId: CHAIN, fromBlock: 12, toBlock: 19, fromMs: blockMs(12), toMs: blockMs(19), why: 'no answer'});
	journal.close();
	expect(open({dataDir}).gaps(CHAIN)).toEqual([]);
});

test('many events of one token in one batch come back in order, in parts of any size', () => {
	const journal = open();
	const events = [
		launch(A, 1),
		...Array.from({length: 3000}, (_, n) => trade(A, 1 + Math.floor(n / 3), {amountToken: n + 1})),
	];
	journal.append(
		batch(
			1,
			600,
			events.filter(event => event.block <= 600),
		),
	);
	journal.gap({chainId: CHAIN, fromBlock: 601, toBlock: 700, fromMs: 1, toMs: 2, why: 'no answer'});
	journal.append(
		batch(
			701,
			1001,
			events.filter(event => event.block > 700),
		),
	);
	const read: MarketEvent[] = [];
	const key = entryKey(CHAIN, A);
	for (let next: number | undefined = 0; next !== undefined; )
		next = journal.read(key, event => read.push(event), next, 1);
	expect(read).toEqual(eventsOf(journal, A));
	expect(read.filter(({type}) => type === 'gap')).toHaveLength(1);
	expect(read.filter(({type}) => type !== 'gap')).toEqual(events.filter(({block}) => block <= 600 || block > 700));

	journal.takeBack(CHAIN, 300);
	expect(eventsOf(journal, A)).toEqual(events.filter(({block}) => block < 300));
});

test('tokens without a trade for 24 hours are dropped with their facts', () => {
	const journal = open();
	const facts = [{key: `token:${A}`, block: 1, value: '1'}];
	journal.append(batch(1, 1, [launch(A, 1), launch(B, 1), launch(address(3), 1, {kind: 'quote', pool: null})], facts));
	journal.append(batch(2, 40_000, [trade(B, 30_000)]));
	expect(journal.prune(blockMs(43_300)).map(({address}) => address)).toEqual([A]);
	expect([...journal.tokens()].map(({address}) => address)).toEqual([B, address(3)]);
	expect(journal.facts(CHAIN)).toEqual([]);
});

test('a journal that is full keeps the tokens that were traded last', () => {
	const lines: string[] = [];
	const journal = open({maxBytes: 20_000, log: line => lines.push(line)});
	const tokens = Array.from({length: 100}, (_, n) => address(n + 1));
	journal.append(
		batch(
			1,
			1,
			tokens.map(token => launch(token, 1)),
		),
	);
	journal.append(
		batch(
			2,
			200,
			tokens.map((token, n) => trade(token, 2 + n)),
		),
	);
	journal.prune(blockMs(200));
	expect(journal.bytes).toBeLessThan(20_000);
	const kept = [...journal.tokens()].map(({address}) => address);
	expect(kept).toEqual(tokens.slice(-kept.length));
	expect(kept.length).toBeGreaterThan(10);
	expect(lines.join()).toMatch(/full: \d+ tokens were dropped/);
});

test('facts that were replaced long ago and old cursors are dropped, the newest stay', () => {
	const dataDir = temporaryDirectory();
	const journal = open({dataDir});
	for (let block = 1; block <= 5000; block++) {
		journal.append(
			batch(
				block,
				block,
				[],
				[{key: 'price', block, value: `${block}`}, ...(block === 1 ? [{key: 'once', block, value: 'x'}] : [])],
			),
		);
	}
	journal.prune(blockMs(5000));
	expect(journal.facts(CHAIN)).toEqual([
		{key: 'once', block: 1, value: 'x'},
		{key: 'price', block: 5000, value: '5000'},
	]);
	journal.takeBack(CHAIN, 900);
	// Older prices are known no more, so nothing may be claimed of them: the source begins anew.
	journal.close();
	expect(open({dataDir}).resume(CHAIN)).toBeUndefined();
});

test('a second process on the same data directory is refused, until the first lets go', () => {
	const dataDir = temporaryDirectory();
	const first = open({dataDir});
	expect(() => new Journal({dataDir})).toThrow(JournalInUse);
	first.close();
	expect(() => open({dataDir})).not.toThrow();
});

test('a damaged file, and one of another version, is kept aside and said', () => {
	const dataDir = temporaryDirectory();
	writeFileSync(join(dataDir, 'follow.db'), 'this is no database, and it is long enough to be read as one'.repeat(100));
	const lines: string[] = [];
	open({dataDir, log: line => lines.push(line)}).append(batch(1, 1, [launch(A, 1)]));
	expect(lines).toHaveLength(1);
	expect(lines[0]).toMatch(
		/^the journal follow\.db cannot be used \(.*\): it is kept as follow\.db\.damaged-\d+ and a new one started/,
	);
	expect(readdirSync(dataDir).filter(name => name.includes('damaged'))).toHaveLength(1);
	expect(statSync(join(dataDir, 'follow.db')).mode & 0o777).toBe(0o600);
});
