import type {LogRecord} from '../../../source/service/log/log-entry.ts';
import type {EventSink} from '../../../source/service/market/event-source.ts';
import {PlainSink} from '../../helpers/plain-sink.ts';
import {randomBy} from '../../torture/processes.ts';
import {MadeSource} from '../follow/made-chain.ts';
import {address, blockMs, CHAIN} from '../follow/made-events.ts';
import type {MemoryLog} from './memory-log.ts';

/** Sources of a replica that reads the log of a made chain. */
export const MADE_CHAIN = {follow: {chains: [{chainId: CHAIN, name: 'base', urls: ['http://127.0.0.1:1']}]}};

/** Writes what the source of a made chain passes to its sink: blocks, reorganisations, times that could not be read, dropped tokens, and documents. */
export async function writeMadeChain(log: MemoryLog, {seed, steps}: {seed: number; steps: number}): Promise<void> {
	const random = randomBy(seed);
	const plain = new PlainSink();
	const source = new MadeSource(seed);
	let atMs = blockMs(0);
	const write = (record: LogRecord): void => log.write(record, atMs);
	const sink: EventSink = {
		append: async batch => {
			await plain.append(batch);
			// Read a moment after the block.
			atMs = Math.max(atMs, blockMs(batch.toBlock)) + Math.floor(random() * 5000);
			write({kind: 'batch', batch});
		},
		takeBack: async (chainId, fromBlock) => {
			write({kind: 'take-back', chainId, fromBlock});
			return await plain.takeBack(chainId, fromBlock);
		},
		gap: async gap => write({kind: 'gap', gap}),
		forget: async (chainId, tokens) => write({kind: 'forget', chainId, tokens}),
		report: report => write({kind: 'report', report}),
	};
	source.start(sink, new Map());
	for (let n = 0; n < steps; n++) {
		await source.step();
		const {block} = source;
		if (random() < 0.01) {
			// What its last block says of the state after it comes behind it.
			const gap = {fromBlock: block + 1, toBlock: block + 1, fromMs: blockMs(block), toMs: blockMs(block + 1)};
			// After a restart a source says again what it could not read.
			for (let times = 0; times < 2; times++) await sink.gap({...gap, chainId: CHAIN, why: 'a test'});
		}
		if (random() < 0.02) await sink.forget(CHAIN, [address(1 + Math.floor(random() * 20))]);
		if (random() < 0.1) {
			const profile = {description: `step ${n}`, website: random() < 0.5 ? 'https://example.org' : null};
			write({kind: 'describe', chainId: CHAIN, token: address(1 + Math.floor(random() * 20)), profile});
		}
		if (random() < 0.3) write({kind: 'clock'});
	}
}
