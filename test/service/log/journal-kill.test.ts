import {fork} from 'node:child_process';
import {once} from 'node:events';
import {expect, onTestFinished, test} from 'vitest';
import {entryKey} from '../../../source/contract/entry.ts';
import {Journal} from '../../../source/service/log/journal.ts';
import {JournalInUse} from '../../../source/service/log/journal-file.ts';
import type {MarketEvent} from '../../../source/service/market/events.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {kill9, randomBy} from '../../torture/processes.ts';
import {keptBlocks, MadeSource} from '../follow/made-chain.ts';
import {CHAIN} from '../follow/made-events.ts';
import {openFollowed, shown} from '../follow/shown-market.ts';

const CHILD = new URL('../follow/source-under-kill.ts', import.meta.url);
const TO_BLOCK = 400;

test('killed again and again while it reads and undoes blocks, a market ends as if nothing had happened', async () => {
	const seed = Date.now() % 1_000_000;
	const random = randomBy(seed);
	const dataDir = temporaryDirectory();
	let kills = 0;
	for (let reached = 0; reached < TO_BLOCK; kills++) {
		const child = fork(CHILD, [dataDir, `${seed}`, `${TO_BLOCK}`], {stdio: ['ignore', 'ignore', 'inherit', 'ipc']});
		const until = reached + 20 + random() * 100;
		const at = Math.min(until, TO_BLOCK);
		await new Promise<void>((resolve, reject) => {
			child.on('message', block => {
				reached = Math.max(reached, block as number);
				if (reached >= at) resolve();
			});
			child.on('exit', code => reject(new Error(`the process ended with ${code}, seed ${seed}`)));
		});
		// By now it is anywhere: in a transaction, between two, in a reorganisation.
		await kill9(child);
	}
	expect(kills).toBeGreaterThan(2);

	// What was read after the last message is undone by reading on to the last block.
	const source = new MadeSource(seed);
	const market = openFollowed(source, dataDir);
	onTestFinished(() => market.close());
	market.start();
	while (source.block < TO_BLOCK) await source.step();
	const expected = await fresh(seed, source.block);
	expect(shown(market), `seed ${seed}`).toEqual(expected.shown);
	await market.close();

	const journal = new Journal({dataDir});
	onTestFinished(() => journal.close());
	for (const [token, events] of expected.events) {
		const stored: MarketEvent[] = [];
		journal.read(entryKey(CHAIN, token), event => stored.push(event));
		expect(stored, `seed ${seed}`).toEqual(events);
	}
	expect([...journal.tokens()]).toHaveLength(expected.events.size);
});

test('another process on the same data directory is refused, and a killed one leaves no lock behind', async () => {
	const dataDir = temporaryDirectory();
	const child = fork(CHILD, [dataDir, '1', '10'], {stdio: ['ignore', 'ignore', 'inherit', 'ipc']});
	onTestFinished(() => kill9(child).then(() => {}));
	await once(child, 'message');
	expect(() => new Journal({dataDir})).toThrow(JournalInUse);
	await kill9(child);
	const journal = new Journal({dataDir});
	onTestFinished(() => journal.close());
	expect(journal.resume(CHAIN)).toBeDefined();
});

/** What the chain's blocks make of a market that has never been stopped, and their events by token. */
async function fresh(seed: number, toBlock: number) {
	const kept = keptBlocks(seed, toBlock);
	const market = openFollowed(
		{
			start: sink => void sink.append(kept),
			stop: async () => {},
		},
		undefined,
	);
	market.start();
	const figures = shown(market);
	await market.close();
	const events = Map.groupBy(kept.events, event => ('token' in event ? event.token : ''));
	return {shown: figures, events};
}
