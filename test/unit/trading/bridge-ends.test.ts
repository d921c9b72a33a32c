import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {recheckEnds} from '../../../source/trading/bridge/ends.ts';
import {intentsIn, openIntents} from '../../../source/trading/bridge/journal-fold.ts';
import {isEnd, isInFlight} from '../../../source/trading/bridge/machine.ts';
import type {Spend} from '../../../source/trading/caps.ts';
import {type ChainReader, ChainUnread} from '../../../source/trading/chain-reader.ts';
import {openJournal} from '../../../source/trading/journal.ts';
import {settledTrades} from '../../../source/trading/positions/settled.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

/* Ends of the journal, and chains that keep, replace or finish the blocks that showed them. */

const HASH = `0x${'a8'.repeat(32)}`;
const FIRST = `0x${'00'.repeat(32)}`;
const seen = (chainId: string) => ({chainId, number: 8, hash: HASH, first: FIRST});
const INTENDED = {
	originChainId: 'evm:8453',
	destinationChainId: 'evm:42161',
	originToken: `0x${'33'.repeat(20)}`,
	symbol: 'PEPE',
	decimals: 18,
	amountRaw: '5000000000000000000',
	authority: `0x${'11'.repeat(20)}`,
	recipient: `0x${'11'.repeat(20)}`,
	attempt: 1,
	deadlineS: 1_800_000_000,
	delegates: false,
	digest: FIRST,
	leastOut: '22.0051',
	mode: 'practice',
	trade: {side: 'sell', chainId: 'evm:8453', token: `0x${'33'.repeat(20)}`, symbol: 'PEPE', decimals: 18},
};
const FILLED = {
	phase: 'filled',
	leftTxHash: `0x${'d1'.repeat(32)}`,
	fillTxHash: `0x${'f1'.repeat(32)}`,
	proof: 'f1:1',
	arrivedRaw: '24000000',
	arrivedDecimals: 6,
	readAtMs: 1,
};

type Block = 'kept' | 'replaced' | 'final' | 'of another chain' | 'unread';

/** A journal with one end, and what became of its blocks on both chains. */
function world(status: Record<string, unknown>, blocks: Readonly<Record<string, Block>>) {
	const journal = openJournal(join(temporaryDirectory(), 'journal.jsonl'));
	journal.append('bridge.intended', 'i1', INTENDED);
	journal.append('bridge.answered', 'i1', {kind: 'accepted', depositTxHash: `0x${'d1'.repeat(32)}`});
	journal.append('bridge.status', 'i1', {...status, seenIn: Object.keys(blocks).map(seen)});
	const counted: Spend[] = [];
	const chains = {
		knows: () => true,
		async request(chainId: string, method: string, [tag]: readonly [string]) {
			const block = blocks[chainId]!;
			if (block === 'unread') throw new ChainUnread(chainId, 'away');
			if (method === 'eth_blockNumber') return '0x9';
			const isOwn = block !== 'of another chain';
			if (tag === '0x0') return {number: '0x0', hash: isOwn ? FIRST : HASH};
			if (tag === 'finalized') return {number: block === 'final' ? '0x8' : '0x7', hash: HASH};
			return {number: tag, hash: block === 'kept' || block === 'final' ? HASH : FIRST};
		},
	} as unknown as ChainReader;
	const caps = {reserve: (spend: Spend) => void counted.push(spend)};
	const end = () => intentsIn(journal.records())[0]!.state;
	return {journal, counted, end, recheck: () => recheckEnds({journal, caps, chains})};
}

const ORIGIN = 'evm:8453';
const DESTINATION = 'evm:42161';

describe('an end whose blocks are looked at again', () => {
	test.each<[Block, Block]>([
		['kept', 'kept'],
		['kept', 'final'],
		['unread', 'final'],
		['unread', 'replaced'],
	])('stays and is looked at again while its blocks are %s and %s', async (origin, destination) => {
		const {journal, end, recheck} = world(FILLED, {[ORIGIN]: origin, [DESTINATION]: destination});
		const lines = journal.records().length;
		expect(await recheck()).toEqual([]);
		expect(end()).toMatchObject({phase: 'filled', seenIn: [{}, {}]});
		expect(journal.records()).toHaveLength(lines);
	});

	test.each<[Block, Block]>([
		['final', 'final'],
		// What a practice chain showed before a reset says nothing of the new one.
		['of another chain', 'kept'],
		['kept', 'of another chain'],
	])('stays for good when they are %s and %s', async (origin, destination) => {
		const {journal, end, recheck} = world(FILLED, {[ORIGIN]: origin, [DESTINATION]: destination});
		expect(await recheck()).toEqual([]);
		expect([end().phase, end().seenIn, isEnd(end())]).toEqual(['filled', undefined, true]);
		expect(settledTrades(journal.records())).toHaveLength(1);
		const lines = journal.records().length;
		await recheck();
		expect(journal.records()).toHaveLength(lines);
	});

	test.each<[Block, Block]>([
		['replaced', 'kept'],
		['kept', 'replaced'],
		['final', 'replaced'],
		['replaced', 'replaced'],
	])(
		'is taken back when they are %s and %s: in the journal, in the positions, once by two processes',
		async (origin, destination) => {
			const {journal, counted, end, recheck} = world(FILLED, {[ORIGIN]: origin, [DESTINATION]: destination});
			expect(settledTrades(journal.records())).toHaveLength(1);
			const lines = journal.records().length;
			const back = (await Promise.all([recheck(), recheck()])).flat();
			expect(back.map(({intentId}) => intentId)).toEqual(['i1']);
			expect(journal.records()).toHaveLength(lines + 1);
			expect(end()).toMatchObject({phase: 'unclear', isTakenBack: true, attempts: 1});
			for (const name of ['proof', 'arrivedRaw', 'leftTxHash', 'seenIn'] as const) expect(end()[name]).toBeUndefined();
			expect([isInFlight(end()), openIntents(journal).length, settledTrades(journal.records())]).toEqual([true, 1, []]);
			// The limits count it already: it was never given back.
			expect(counted).toEqual([]);
			expect(await recheck()).toEqual([]);
		},
	);

	test.each(['lapsed', 'refused', 'failed'])(
		'is counted again when it was %s and its block is replaced',
		async phase => {
			const {counted, end, recheck} = world({phase}, {[ORIGIN]: 'replaced'});
			await recheck();
			expect(end()).toMatchObject({phase: 'unclear', isTakenBack: true});
			expect(counted).toEqual([
				{
					id: 'i1',
					chainId: ORIGIN,
					token: INTENDED.originToken,
					symbol: 'PEPE',
					amountRaw: 5n * 10n ** 18n,
					decimals: 18,
					trade: {side: 'sell', usdMicro: 22_005_100n},
				},
			]);
		},
	);
});
