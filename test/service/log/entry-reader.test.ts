import {expect, onTestFinished, test, vi} from 'vitest';
import {EntryReader} from '../../../source/service/log/entry-reader.ts';
import {encodeRecord} from '../../../source/service/log/record-bytes.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {openReplica, untilAt} from '../replicas/replica-pages.ts';
import {MemoryLog} from './memory-log.ts';

test('a replica whose log goes on with an entry that it cannot read is not ready, says why, and goes on when it can', async () => {
	const log = new MemoryLog();
	for (let atMs = 1000; atMs <= 5000; atMs += 1000) log.write({kind: 'clock'}, atMs);
	log.show(2);
	const faults: string[] = [];
	const sources = {follow: {chains: [{chainId: 'evm:1', name: 'one', urls: ['http://127.0.0.1:1']}]}};
	const market = await openReplica(log, {sources, startMs: 1000, directory: temporaryDirectory(), faults});
	await expect.poll(() => market.log.isReady()).toBe(true);

	// Read in one page with the two before it, which count.
	log.overwrite(5, Uint8Array.of(9, 0, 0, 0, 0));
	log.show(5);
	await untilAt(market, 4);
	await expect.poll(() => market.log.isReadable()).toBe(false);
	expect([market.log.isReady(), market.log.seq(), market.nowMs()]).toEqual([false, 4, 4000]);
	expect(faults).toEqual([
		'the market log: The market log could not be read: entry 5: it has version 9. Upgrade this replica: another one is newer.',
	]);

	log.overwrite(5, encodeRecord({kind: 'clock'}));
	await untilAt(market, 5);
	await expect.poll(() => [market.log.isReady(), market.log.isReadable()]).toEqual([true, true]);
	expect(faults).toHaveLength(1);
});

/** A source that reads a log of clocks, by a monotonic clock that the test moves. */
function readClocks(log: MemoryLog): {
	readonly source: EntryReader;
	readonly position: {seq: number; atMs: number};
	/** How much older than the log its market was at most while it was ready, in milliseconds. */
	readonly maxReadyLagMs: () => number;
} {
	vi.useFakeTimers({toFake: ['performance']});
	onTestFinished(() => void vi.useRealTimers());
	let most = 0;
	const position = {epoch: log.epoch, seq: 0, atMs: 0};
	const source = new EntryReader({
		log,
		market: {
			position,
			apply: ({seq, atMs}) => {
				Object.assign(position, {seq, atMs});
			},
		},
		applied: () => {
			if (source.isReady()) most = Math.max(most, log.nowMs - position.atMs);
		},
		fault: line => expect.unreachable(line),
	});
	onTestFinished(() => source.stop());
	source.start();
	return {source, position, maxReadyLagMs: () => most};
}

/** Writes entries of twenty a second. */
function writeClocks(log: MemoryLog, count: number): void {
	for (let n = 0; n < count; n++) log.write({kind: 'clock'}, log.nowMs + 50);
}

test('a market that catches up is not ready before it has what was written meanwhile', async () => {
	const log = new MemoryLog();
	writeClocks(log, 4000);
	const read = log.read.bind(log);
	vi.spyOn(log, 'read').mockImplementation((...page) => {
		vi.advanceTimersByTime(100);
		writeClocks(log, 2);
		return read(...page);
	});
	const {source, position, maxReadyLagMs} = readClocks(log);
	await expect.poll(() => source.isReady()).toBe(true);
	await expect.poll(() => position.seq).toBeGreaterThan(4200);
	// Two seconds, and what is written until the end of the log is read again.
	expect(maxReadyLagMs()).toBeLessThan(3000);
});

test('a market that got nothing for some time is not ready before it has what was written meanwhile', async () => {
	const log = new MemoryLog();
	writeClocks(log, 10);
	const {source, position, maxReadyLagMs} = readClocks(log);
	await expect.poll(() => position.seq).toBe(10);
	expect(source.isReady()).toBe(true);
	log.show(10);
	writeClocks(log, 1000);
	vi.advanceTimersByTime(50_000);
	log.show(log.length);
	await expect.poll(() => position.seq).toBe(log.length);
	expect(maxReadyLagMs()).toBeLessThan(3000);
	expect(source.isReady()).toBe(true);
});

test('a step of the views that has more than five seconds of the log breaks what is known of the time before', async () => {
	const log = new MemoryLog();
	for (let n = 1; n <= 20; n++) log.write({kind: 'clock'}, n * 1000);
	// A minute in which nothing was written: nothing came and went.
	log.write({kind: 'clock'}, 80_000);
	log.show(4);
	const {source, position} = readClocks(log);
	const step = async (seq: number): Promise<number> => {
		log.show(seq);
		await expect.poll(() => position.seq).toBe(seq);
		source.endStep();
		return source.unbrokenSeq;
	};
	expect(await step(4)).toBe(0);
	expect(await step(10)).toBe(0);
	expect(await step(17)).toBe(17);
	expect(await step(20)).toBe(17);
	expect(await step(21)).toBe(17);
});
