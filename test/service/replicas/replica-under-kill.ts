import {once} from 'node:events';
import {setTimeout as pause} from 'node:timers/promises';
import {openReplicaMarket} from '../../../source/service/replicas/replica-market.ts';
import {blockMs} from '../follow/made-events.ts';
import {MADE_CHAIN, writeMadeChain} from '../log/made-log.ts';
import {MemoryLog} from '../log/memory-log.ts';

/*
 * Reads the log of a made chain entry by entry until it is killed, and sends the number of each tenth entry, and of the last, that
 * is applied. It goes on when it is told to: on a busy machine it would be at the end before the other process looked.
 */

const [directory, seed, steps] = process.argv.slice(2);
const log = new MemoryLog();
await writeMadeChain(log, {seed: Number(seed), steps: Number(steps)});
log.show(0);
const market = await openReplicaMarket({
	log,
	startMs: blockMs(0),
	sources: MADE_CHAIN,
	directory: directory!,
	fault: line => process.stderr.write(`${line}\n`),
});
market.start();
while (!market.isFilled) await pause(1);
for (let seq = market.appliedSeq(); seq < log.length; ) {
	log.show(++seq);
	await market.untilApplied(seq, AbortSignal.timeout(60_000));
	if (seq % 10 === 0 || seq === log.length) {
		process.send!(seq);
		await once(process, 'message');
	}
	await pause(4);
}
await new Promise(() => setInterval(() => {}, 1000));
