import {afterEach, beforeEach, expect, test} from 'vitest';
import {type HostileNode, type Lie, startHostileNode} from '../../helpers/hostile-node.ts';
import {honestAnswer, PlayedChain} from '../../helpers/played-chain.ts';
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
	await expect.poll(() => followed.block()).toBe(2000);
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
	const second = start({start: first.cursor()!, earlier: first.lines()});
	await expectTruth(second, chain);
	expect(second.takenBack.every(block => block <= 196 && block > 180)).toBe(true);
	expect(truth(chain)).toEqual(second.lines());
});

// --- nodes that lie, refuse or lag

/** Does something else with the first so many calls of a method. */
function firstTimes(
	times: number,
	method: string,
	lie: (honest: () => unknown, params: readonly unknown[]) => Lie,
): void {
	let left = times;
	node.lie((call, honest) => (call.method === method && left-- > 0 ? lie(honest, call.params) : undefined));
}

type WireLog = Record<string, unknown>;
const changed = (honest: () => unknown, change: (log: WireLog) => WireLog | WireLog[]) => ({
	result: (honest() as WireLog[]).flatMap(change),
});

test.each<[string, (log: WireLog) => WireLog | WireLog[]]>([
	['of another block with that number', log => ({...log, blockHash: `0x${'ee'.repeat(32)}`})],
	['that were removed', log => ({...log, removed: true})],
	['outside the range', log => ({...log, blockNumber: '0xffffff'})],
	['of pending blocks', log => ({...log, blockNumber: null, blockHash: null})],
	['with numbers that are none', log => ({...log, logIndex: '-1'})],
	['with a huge number', log => ({...log, blockNumber: `0x${'f'.repeat(40)}`})],
	['at one place', log => [log, {...log, data: `0x${'ff'.repeat(32)}`}]],
	['with five topics', log => ({...log, topics: Array(5).fill(`0x${'11'.repeat(32)}`)})],
	['with half a byte', log => ({...log, data: '0x123'})],
	['that are null', () => null as unknown as WireLog],
])('logs %s are asked for again', async (_, change) => {
	mineSome(40);
	firstTimes(2, 'eth_getLogs', honest => changed(honest, change));
	await expectTruth(start(), chain);
});

test('logs that come twice, in any order, or were not asked for, do no harm', async () => {
	mineSome(40);
	node.lie(({method, params}, honest) => {
		if (method !== 'eth_getLogs') return undefined;
		const {fromBlock, toBlock} = params[0] as {fromBlock: string; toBlock: string};
		const all = honestAnswer(chain, method, [{fromBlock, toBlock, address: [...FILTER.addresses, OTHER], topics: []}]);
		return {result: [...(all as unknown[]), ...(honest() as unknown[])].reverse()};
	});
	await expectTruth(start(), chain);
});

test('a node that always gives wrong logs stalls the stream, which says why, and goes on when it gives right ones', async () => {
	mineSome(20);
	const lie = (honest: () => unknown) => changed(honest, log => ({...log, blockHash: `0x${'ee'.repeat(32)}`}));
	firstTimes(Number.POSITIVE_INFINITY, 'eth_getLogs', lie);
	const followed = start();
	await expect.poll(() => followed.stream.state.phase).toBe('stalled');
	expect(followed.stream.state.why).toMatch(
		/^127\.0\.0\.1:\d+ contradicts itself: a log of block \d+ belongs to another block/,
	);
	expect(followed.lines()).toEqual([]);
	node.lie(undefined);
	await expectTruth(followed, chain);
});

test('with another node, a liar is left', async () => {
	mineSome(40);
	const honest = await startHostileNode(chain);
	try {
		firstTimes(Number.POSITIVE_INFINITY, 'eth_getLogs', () => ({result: 'no'}));
		const followed = start({urls: [node.url, honest.url]});
		await expectTruth(followed, chain);
		expect(followed.node.host).toBe(new URL(honest.url).host);
	} finally {
		await honest.close();
	}
});

test('an empty answer is not believed when the bloom of a block says otherwise', async () => {
	mineSome(30);
	const followed = start();
	await expectTruth(followed, chain);
	for (let i = 0; i < 4; i++) {
		firstTimes(1, 'eth_getLogs', () => ({result: []}));
		chain.mine([swap(1000 + i)]);
		await expectTruth(followed, chain);
	}
});

test('an empty answer for a long range of the past is not believed either', async () => {
	mineSome(1500);
	firstTimes(2, 'eth_getLogs', () => ({result: []}));
	await expectTruth(start(), chain);
});

test('a node whose blooms always promise logs does not hold the stream up', async () => {
	chain = new PlayedChain();
	node.chain = chain;
	const bloom = (() => {
		const other = new PlayedChain();
		return other.mine([swap(1)]).bloom;
	})();
	node.lie(({method}, honest) => {
		const answer = honest() as {logsBloom?: string} | null;
		return method === 'eth_getBlockByNumber' && answer ? {result: {...answer, logsBloom: bloom}} : undefined;
	});
	mineSome(60);
	const followed = start();
	await expectTruth(followed, chain);
});

test('a node without blooms, or with empty ones, is followed', async () => {
	mineSome(60);
	for (const logsBloom of [`0x${'00'.repeat(256)}`, undefined, '0x', null]) {
		node.lie(({method}, honest) => {
			const answer = honest() as object | null;
			return method === 'eth_getBlockByNumber' && answer ? {result: {...answer, logsBloom}} : undefined;
		});
		await expectTruth(start(), chain);
	}
});

test.each([
	['exceed maximum block range: 50', -32602],
	['query returned more than 10000 results', -32005],
	['Log response size exceeded. this block range should work: [0x1, 0x32]', -32602],
	['limit exceeded', -32005],
	['eth_getLogs is limited to a 50 block range', -32600],
])('a range that is refused is halved or fitted: %s', async (message, code) => {
	mineSome(400);
	node.lie(({method, params}) => {
		const {fromBlock, toBlock} = (params[0] ?? {}) as {fromBlock: string; toBlock: string};
		const isLong = method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) >= 50;
		return isLong ? {refusal: {code, message}} : undefined;
	});
	const followed = start();
	await expectTruth(followed, chain);
	expect(followed.stream.state.phase).toBe('live');
});

test('a range that takes too long, or whose answer is too long, is halved', async () => {
	mineSome(400);
	let last = 0;
	node.lie(({method, params}) => {
		if (method !== 'eth_getLogs') return undefined;
		const {fromBlock, toBlock} = params[0] as {fromBlock?: string; toBlock?: string};
		const blocks = Number(toBlock ?? 0) - Number(fromBlock ?? 0) + 1;
		last = Math.max(last, blocks);
		return blocks > 100 ? 'silence' : undefined;
	});
	await expectTruth(start({deadlineMs: 300}), chain);
	expect(last).toBeGreaterThan(100);
});

test('a long list of addresses is split, and split again when a node refuses it', async () => {
	mineSome(30);
	const many = Array.from({length: 2500}, (_, i): `0x${string}` => `0x${i.toString(16).padStart(40, '0')}`);
	let longest = 0;
	node.lie(({method, params}) => {
		const count = method === 'eth_getLogs' ? (params[0] as {address: string[]}).address.length : 0;
		longest = Math.max(longest, count);
		return count > 300 ? {refusal: {code: -32602, message: 'too many addresses'}} : undefined;
	});
	const addresses = [...FILTER.addresses, ...many, ...FILTER.addresses];
	await expectTruth(start({filter: () => ({...FILTER, addresses})}), chain);
	expect(longest).toBe(1000);
});

test('without addresses nothing is asked for, not everything', async () => {
	mineSome(10);
	const followed = start({filter: () => ({addresses: [], topics: FILTER.topics})});
	await expect.poll(() => followed.block()).toBe(10);
	expect(node.asked.some(({method}) => method === 'eth_getLogs')).toBe(false);
});

test('old blocks that the node refuses are a gap, and newer ones are read', async () => {
	mineSome(500);
	node.lie(({method, params}) => {
		const {fromBlock} = (params[0] ?? {}) as {fromBlock: string};
		const isPruned = method === 'eth_getLogs' && Number(fromBlock) <= 300;
		return isPruned ? {refusal: {code: 4444, message: 'pruned history unavailable'}} : undefined;
	});
	const followed = start();
	await expect.poll(() => followed.block()).toBe(500);
	expect(followed.gaps).toEqual([
		{
			chainId: 'evm:8453',
			fromBlock: 1,
			toBlock: 300,
			fromMs: chain.blocks[0]!.timeS * 1000,
			toMs: chain.blocks[300]!.timeS * 1000,
			why: expect.stringMatching(
				/^no node gives the logs of these blocks: 127\.0\.0\.1:\d+ refused eth_getLogs: pruned history unavailable/,
			),
		},
	]);
	expect(followed.lines()).toEqual(truth(chain).filter(line => Number(line.split(' ')[0]) > 300));
});

test('a node that gives no logs at all stalls the stream, and no gap is made up', async () => {
	mineSome(20);
	firstTimes(Number.POSITIVE_INFINITY, 'eth_getLogs', () => ({refusal: {code: -32005, message: 'limit exceeded'}}));
	const followed = start();
	await expect
		.poll(() => followed.stream.state)
		.toMatchObject({phase: 'stalled', why: expect.stringMatching(/refused eth_getLogs: limit exceeded/)});
	expect(followed.gaps).toEqual([]);
});

test('a node that cannot be reached is said to be, and the chain is caught up afterwards', async () => {
	mineSome(20);
	const followed = start();
	await expectTruth(followed, chain);
	node.lie(() => 'cut');
	await expect.poll(() => followed.stream.state.phase).toBe('unreachable');
	expect(followed.stream.state.why).toMatch(/^127\.0\.0\.1:\d+: the connection ended before the answer$/);
	mineSome(30);
	node.lie(undefined);
	await expectTruth(followed, chain);
	expect(followed.gaps).toEqual([]);
});

test('a head below a final block stalls: nothing is taken back', async () => {
	mineSome(300);
	const followed = start();
	await expectTruth(followed, chain);
	const before = followed.lines();
	const old = new PlayedChain();
	mineSome(100, old);
	node.chain = old;
	await expect
		.poll(() => followed.stream.state)
		.toMatchObject({
			phase: 'stalled',
			why: expect.stringMatching(
				/^the newest block of 127\.0\.0\.1:\d+ is 100, older than block 236, which was final: nothing is taken back$/,
			),
		});
	expect(followed.lines()).toEqual(before);
	expect(followed.takenBack).toEqual([]);
	node.chain = chain;
	mineSome(2);
	await expectTruth(followed, chain);
});

test('another chain from below a final block stalls: nothing is taken back', async () => {
	mineSome(300);
	const followed = start();
	await expectTruth(followed, chain);
	const before = followed.lines();
	const fork = new PlayedChain({startS: 1_700_000_001});
	mineSome(310, fork);
	node.chain = fork;
	await expect
		.poll(() => followed.stream.state)
		.toMatchObject({phase: 'stalled', why: expect.stringMatching(/which was final: nothing is taken back$/)});
	expect(followed.lines()).toEqual(before);
	expect(followed.takenBack).toEqual([]);
});

test('a node that lags behind another loses nothing and undoes nothing', async () => {
	mineSome(100);
	const behind = new PlayedChain();
	mineSome(90, behind);
	const followed = start();
	await expectTruth(followed, chain);
	node.lie((_call, honest) => {
		// As two nodes behind one address: each request reaches either, in no order.
		node.chain = Math.sin(node.requests * 12.9898) > -0.2 ? chain : behind;
		return {result: honest()};
	});
	mineSome(5);
	await expectTruth(followed, chain);
	expect(followed.takenBack).toEqual([]);
});

test('an absurd head is not believed for long', async () => {
	mineSome(50);
	let isLying = true;
	node.lie(({method, params}, honest) => {
		if (!isLying || method !== 'eth_getBlockByNumber' || params[0] !== 'latest') return undefined;
		return {result: {...(honest() as object), number: '0x3b9aca00', hash: `0x${'ab'.repeat(32)}`}};
	});
	const followed = start();
	await expect.poll(() => followed.stream.state.why).toMatch(/has no block|contradicts/);
	isLying = false;
	await expectTruth(followed, chain);
	await expect.poll(() => followed.stream.state.phase).toBe('live');
});

test('a reorg while a batch is read gives the batch up', async () => {
	mineSome(50);
	let isFirst = true;
	const followed = start({
		async blocks(batch) {
			if (batch.toBlock !== chain.head.number || batch.toBlock < 55) return;
			if (isFirst) {
				isFirst = false;
				chain.drop(2);
				chain.mine([swap(900), swap(901, OTHER)]);
				chain.mine([swap(902), swap(903, OTHER)]);
				chain.mine([swap(904)]);
			}
			await batch.more({addresses: [OTHER], topics: FILTER.topics});
		},
	});
	await expectTruth(followed, chain);
	mineSome(5);
	await expectTruth(followed, chain);
});

test('what the consumer throws ends the stream', async () => {
	mineSome(10);
	const followed = start({
		blocks: async () => {
			throw new RangeError('the disk is full');
		},
	});
	await expect(followed.ended).rejects.toThrow('the disk is full');
});

test('a stream that is stopped ends at once, whatever the node does', async () => {
	mineSome(10);
	node.lie(() => 'silence');
	const followed = start({deadlineMs: 60_000});
	await expect.poll(() => node.requests).toBeGreaterThan(0);
	await followed.stop();
	await followed.ended;
});

test('after a longer absence than is caught up, the rest is a gap', async () => {
	mineSome(50);
	const first = start();
	await expectTruth(first, chain);
	await first.stop();
	mineSome(1000);
	const second = start({start: first.cursor()!, maxCatchUpMs: 200_000});
	await expect.poll(() => second.block()).toBe(1050);
	expect(second.gaps).toMatchObject([{fromBlock: 51, toBlock: 949, why: expect.stringMatching(/away for longer/)}]);
	expect(second.batches[0]!.fromBlock).toBe(950);
});

test('a chain with fast blocks is read without each header, and its reorgs are found too', async () => {
	mineSome(100);
	const followed = start({blockTimeMs: 100});
	await expectTruth(followed, chain);
	const asked = node.asked.length;
	mineSome(20);
	await expectTruth(followed, chain);
	expect(node.asked.slice(asked).filter(({method}) => method === 'eth_getBlockByNumber').length).toBeLessThan(18);
	chain.drop(6);
	mineSome(9);
	await expectTruth(followed, chain);
});
