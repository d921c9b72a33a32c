import {toHex} from 'viem';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {bloomSays} from '../../../source/service/follow/evm/bloom.ts';
import {startNode, type WorldNode} from '../../helpers/world/node.ts';
import {type Followed, follow, OTHER, POOL, SWAP, TOKEN, TRANSFER} from './followed-blocks.ts';

/** Writes what it is called with as a log: the first word is the topic, the rest the data. */
const WRITER = '0x366000600037600035602036036020a100';
const START_S = 1_750_000_000;
const FROM = `0x${'f0'.repeat(20)}`;

let node: WorldNode;

beforeAll(async () => {
	node = await startNode({chainNumber: 8453, startS: START_S, finalAfter: 64});
	for (const address of [POOL, TOKEN, OTHER]) await node.rpc.call('anvil_setCode', [address, WRITER]);
	await node.rpc.call('anvil_setBalance', [FROM, '0xffffffffffffffff']);
});

afterAll(() => node.close());

/** Sends a log to the waiting block. */
async function write(to: string, topic: string, word: number): Promise<void> {
	const data = topic + word.toString(16).padStart(64, '0');
	await node.rpc.call('eth_sendTransaction', [{from: FROM, to, data, gas: '0x30000'}]);
}

const mine = (blocks = 1) => node.rpc.call('anvil_mine', [`0x${blocks.toString(16)}`, '0x2']);

interface Header {
	readonly number: `0x${string}`;
	readonly timestamp: `0x${string}`;
	readonly logsBloom: `0x${string}`;
}
const head = () => node.rpc.call<Header>('eth_getBlockByNumber', ['latest', false]);

function start(urls: readonly string[], settings: Partial<Parameters<typeof follow>[0]> = {}): Followed {
	const chain = {chainId: 8453, head: {timeS: START_S}, blocks: []} as unknown as Parameters<typeof follow>[0]['chain'];
	return follow({urls, chain, ...settings});
}

/** Blocks and words of the logs, as the chain has them now. */
async function written(): Promise<string[]> {
	const logs = await node.rpc.call<{blockNumber: string; blockHash: string; logIndex: string; data: string}[]>(
		'eth_getLogs',
		[{fromBlock: '0x0', toBlock: 'latest', address: [POOL, TOKEN], topics: [[SWAP, TRANSFER]]}],
	);
	return logs.map(log => `${Number(log.blockNumber)} ${log.blockHash} ${Number(log.logIndex)} ${log.data}`);
}

async function expectWritten(followed: Followed): Promise<void> {
	await expect.poll(async () => followed.block() - Number((await head()).number)).toBe(0);
	expect(followed.lines()).toEqual(await written());
}

test.each(['url', 'wsUrl'] as const)('a real node is followed through its reorganisations (%s)', async address => {
	for (let i = 0; i < 40; i++) {
		if (i % 3 === 0) await write(POOL, SWAP, i);
		if (i % 4 === 0) await write(TOKEN, TRANSFER, i);
		if (i % 2 === 0) await write(OTHER, SWAP, i);
		await mine();
	}
	const followed = start([node[address]]);
	try {
		await expectWritten(followed);
		const {number} = await head();
		await node.rpc.call('anvil_reorg', [5, []]);
		await mine();
		await expectWritten(followed);
		expect(followed.takenBack).toEqual([Number(number) - 4]);
		await write(POOL, SWAP, 77);
		await write(TOKEN, TRANSFER, 78);
		await mine();
		await expectWritten(followed);
		expect(followed.lines().at(-1)).toMatch(/4e$/);
		expect(followed.stream.state).toMatchObject({phase: 'live', reorgs: 5});
		// Asked for every 15 seconds only.
		expect(followed.stream.state.finalized).toBeLessThanOrEqual(Math.max(0, Number((await head()).number) - 64));
	} finally {
		await followed.stop();
	}
});

test('further logs of a batch are those of the same blocks, by the second topic too', async () => {
	await write(OTHER, SWAP, 5);
	await write(POOL, SWAP, 6);
	await mine();
	const more: string[][] = [];
	const followed = start([node.url], {
		async blocks(batch) {
			const logs = await batch.more({addresses: [OTHER], topics: [SWAP]});
			const none = await batch.more({addresses: [OTHER], topics: [SWAP], second: [TRANSFER]});
			more.push([...logs, ...none].map(log => `${log.blockNumber} ${Number(log.data)}`));
		},
	});
	try {
		await expectWritten(followed);
		expect(more.flat()).toContain(`${Number((await head()).number)} 5`);
	} finally {
		await followed.stop();
	}
});

test('blooms of a real node are read as they were written', async () => {
	await write(POOL, SWAP, 1);
	await mine();
	const {logsBloom} = await head();
	expect(bloomSays(logsBloom, {addresses: [POOL], topics: [SWAP]})).toBe(true);
	expect(bloomSays(logsBloom, {addresses: [TOKEN], topics: [SWAP]})).toBe(false);
	expect(bloomSays(logsBloom, {addresses: [POOL], topics: [TRANSFER]})).toBe(false);
});

test('a backfill begins at its time on a real node', async () => {
	await mine(300);
	const {number, timestamp} = await head();
	const ageS = async (block: number): Promise<number> => {
		const {timestamp: then} = await node.rpc.call<Header>('eth_getBlockByNumber', [toHex(block), false]);
		return Number(timestamp) - Number(then);
	};
	const followed = start([node.url], {start: {backfillMs: 100_000}});
	try {
		await expect.poll(() => followed.block()).toBe(Number(number));
		const {fromBlock} = followed.batches[0]!;
		// A block of anvil is three seconds after the last one when a second of the wall clock ends between them.
		expect(await ageS(fromBlock)).toBeLessThanOrEqual(100);
		expect(await ageS(fromBlock - 1)).toBeGreaterThan(100);
	} finally {
		await followed.stop();
	}
});
