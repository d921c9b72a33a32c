import {expect, test} from 'vitest';
import {encodeRecord} from '../../../source/service/replicas/record-bytes.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {MemoryLog} from './memory-log.ts';
import {openReplica, untilAt} from './replica-pages.ts';

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
