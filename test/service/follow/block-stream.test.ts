import {afterEach, beforeEach, expect, test} from 'vitest';
import {type HostileNode, startHostileNode} from '../../helpers/hostile-node.ts';
import {PlayedChain} from '../../helpers/played-chain.ts';
import {
	expectTruth,
	FILTER,
	type Followed,
	type FollowSettings,
	follow,
	OTHER,
	swap,
	TOKEN,
	truth,
} from './followed-blocks.ts';

let chain: PlayedChain;
let node: HostileNode;
const open: Followed[] = [];

beforeEach(async () => {
	chain = new PlayedChain();
	node = await startHostileNode(chain);
});

afterEach(async () => {
	await Promise.all(open.splice(0).map(followed => followed.stop()));
	await node.close();
});

function start(settings: Partial<FollowSettings> = {}): Followed {
	const followed = follow({urls: [node.url], chain, ...settings});
	open.push(followed);
	return followed;
}

/** Blocks with a log in every third. */
function mineSome(count: number, at = chain): void {
	for (let i = 0; i < count; i++) at.mine(at.head.number % 3 === 0 ? [swap(at.head.number), swap(1, OTHER)] : []);
}

test('a chain is read from the past to its head, and then block by block', async () => {
	mineSome(300);
	const followed = start();
	await expectTruth(followed, chain);
	expect(followed.stream.state).toMatchObject({phase: 'live', why: null, head: 300, finalized: 236, reorgs: 0});
	mineSome(5);
	await expectTruth(followed, chain);
	expect(followed.takenBack).toEqual([]);
});

test('without a past, the first block is the one after the head', async () => {
	mineSome(10);
	const followed = start({start: {backfillMs: 0}});
	await expect.poll(() => followed.stream.state.phase).toBe('live');
	chain.mine([swap(7)]);
	await expect.poll(() => followed.lines()).toHaveLength(1);
	expect(followed.batches[0]).toMatchObject({fromBlock: 11, toBlock: 11});
});

test('a backfill begins at its time', async () => {
	chain.mineEmpty(2000);
	const followed = start({start: {backfillMs: 200_000}});
	await expect.poll(() => followed.cursor().block).toBe(2000);
	expect(followed.batches[0]!.fromBlock).toBe(1900);
});

test('blocks that left the chain are taken back, down to the common ancestor', async () => {
	mineSome(100);
	const followed = start();
	await expectTruth(followed, chain);
	chain.drop(7);
	mineSome(8);
	await expectTruth(followed, chain);
	expect(followed.takenBack).toEqual([94]);
	expect(followed.stream.state.reorgs).toBe(7);
});

test('a chain that became shorter is believed when it stays so', async () => {
	mineSome(100);
	const followed = start();
	await expectTruth(followed, chain);
	chain.drop(4);
	mineSome(2);
	await expectTruth(followed, chain);
	expect(followed.takenBack).toEqual([97]);
});

test('logs of further addresses come from the same blocks', async () => {
	chain.mine([swap(1), swap(2, OTHER)]);
	chain.mine([swap(3, OTHER), swap(4, TOKEN)]);
	const seen: string[] = [];
	const followed = start({
		async blocks(batch) {
			const more = await batch.more({addresses: [OTHER], topics: FILTER.topics});
			for (const log of more) seen.push(`${log.blockNumber} ${batch.timeOf(log.blockNumber)} ${Number(log.data)}`);
		},
	});
	await expectTruth(followed, chain);
	expect(seen).toEqual(['1 1700000002000 2', '2 1700000004000 3']);
});

test('after a restart it goes on behind the cursor, and takes back what left the chain meanwhile', async () => {
	mineSome(200);
	const first = start();
	await expectTruth(first, chain);
	await first.stop();
	chain.drop(5);
	mineSome(20);
	const second = start({start: first.cursor(), earlier: first.lines()});
	await expectTruth(second, chain);
	expect(second.takenBack.every(block => block <= 196 && block > 180)).toBe(true);
	expect(truth(chain)).toEqual(second.lines());
});
