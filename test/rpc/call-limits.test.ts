import {afterEach, beforeEach, expect, test} from 'vitest';
import {createEvmSource} from '../../source/service/follow/evm/evm-source.ts';
import {DrivenClock} from '../helpers/driven-clock.ts';
import {type CallLimit, type HostileNode, startHostileNode} from '../helpers/hostile-node.ts';
import {PlainSink} from '../helpers/plain-sink.ts';
import {PlayedChain} from '../helpers/played-chain.ts';
import {
	expectTruth,
	type Followed,
	type FollowSettings,
	follow,
	OTHER,
	swap,
} from '../service/follow/followed-blocks.ts';

/* Nodes that take a few calls a second. Time is that of a clock which goes on when everything waits for it. */

let chain: PlayedChain;
let node: HostileNode;
let clock: DrivenClock;
const open: Followed[] = [];

beforeEach(async () => {
	chain = new PlayedChain();
	node = await startHostileNode(chain);
	clock = new DrivenClock();
});

afterEach(async () => {
	await Promise.all(open.splice(0).map(followed => followed.stop()));
	await node.close();
});

/** Blocks, some of them with logs. */
function mineSome(count: number, every = 3): void {
	for (let i = 0; i < count; i++)
		chain.mine(chain.head.number % every === 0 ? [swap(chain.head.number), swap(1, OTHER)] : []);
}

function start(urls: readonly string[], settings: Partial<FollowSettings> = {}): Followed {
	const followed = follow({urls, chain, clock, callsPerSecond: 20, deadlineMs: 60_000, ...settings});
	open.push(followed);
	return followed;
}

type Refuses = Pick<CallLimit, 'refuses' | 'by' | 'hasHeaders'>;

const REFUSALS: readonly (readonly [
	name: string,
	over: readonly ('url' | 'wsUrl')[],
	(perSecond: number) => Refuses,
])[] = [
	[
		'refuses items of a batch without a time',
		['url', 'wsUrl'],
		() => ({refuses: 'items', by: {refusal: {code: -32005, message: 'project ID request rate exceeded'}}}),
	],
	[
		'refuses items of a batch and names its rate',
		['url', 'wsUrl'],
		perSecond => ({
			refuses: 'items',
			by: {refusal: {code: -32007, message: `${perSecond}/second request limit reached`}},
		}),
	],
	[
		'refuses items of a batch and asks to wait',
		['url', 'wsUrl'],
		() => ({
			refuses: 'items',
			by: {refusal: {code: -32005, message: 'exceeded project rate limit', data: {rate: {backoff_seconds: 30}}}},
		}),
	],
	[
		'answers HTTP 200 with one error for the batch',
		['url', 'wsUrl'],
		() => ({refuses: 'whole', by: {refusal: {code: -32016, message: 'over rate limit'}}}),
	],
	['answers HTTP 429', ['url'], () => ({refuses: 'whole', by: {status: 429}})],
	[
		'answers HTTP 429 with Retry-After',
		['url'],
		() => ({refuses: 'whole', by: {status: 429, headers: {'retry-after': '3'}}}),
	],
	['says in its headers what is left', ['url'], () => ({refuses: 'whole', by: {status: 429}, hasHeaders: true})],
];
const NODES = REFUSALS.flatMap(([name, over, refuses]) =>
	over.flatMap(address => [5, 12, 15, 25, 50].map(perSecond => [perSecond, name, address, refuses] as const)),
);

test.each(NODES)(
	'a node of %i calls a second that %s becomes live (%s)',
	async (perSecond, _name, address, refuses) => {
		mineSome(400);
		node.callLimit = {perSecond, nowMs: () => clock.nowMs(), ...refuses(perSecond)};
		const followed = start([node[address]]);
		await expectTruth(followed, chain);
		await expect.poll(() => followed.stream.state).toMatchObject({phase: 'live', why: null});
		for (let i = 0; i < 5; i++) {
			mineSome(2);
			await expectTruth(followed, chain);
		}
		// No storm: what is refused is a few batches at the start, and now and then the look for a higher rate.
		expect(node.refused).toBeLessThan(120);
		// A look for a higher rate doubles it at most.
		expect(followed.node.callLimit ?? 0).toBeLessThanOrEqual(perSecond * 2);
		expect(followed.gaps).toEqual([]);
		// "Wait" never shrinks the range.
		const blocks = node.asked.map(({method, params}) => {
			const {fromBlock, toBlock} = (params[0] ?? {}) as {fromBlock?: string; toBlock?: string};
			return method === 'eth_getLogs' ? Number(toBlock) - Number(fromBlock) : Number.NaN;
		});
		expect(Math.max(...blocks.filter(count => count > 0))).toBeGreaterThan(200);
	},
);

test.each([5, 15])(
	'a chain with ten blocks a second is followed at %i calls a second, a little later',
	async perSecond => {
		mineSome(300);
		const isOver = () => chain.head.number >= 1500;
		clock = new DrivenClock(nowMs => {
			while (!isOver() && chain.head.number < 300 + nowMs / 100) mineSome(1, 30);
		});
		const by = {refusal: {code: -32005, message: 'project ID request rate exceeded'}};
		node.callLimit = {perSecond, nowMs: () => clock.nowMs(), refuses: 'items', by};
		const behind: number[] = [];
		const followed = start([node.url], {
			blockTimeMs: 100,
			blocks: async batch => {
				if (chain.head.number > 600 && !isOver()) behind.push(chain.head.number - batch.toBlock);
			},
		});
		await expect.poll(isOver).toBe(true);
		await expectTruth(followed, chain);
		expect(Math.max(...behind)).toBeLessThan(perSecond === 5 ? 250 : 100);
	},
);

/** Newest blocks of the looks at everything that launchpads write, which no launch needs. */
async function looksAt(callLimit: CallLimit | undefined): Promise<readonly number[]> {
	const {host} = new URL(node.url);
	const before = node.asked.length;
	node.callLimit = callLimit;
	const followed = {chainId: 'evm:8453', name: 'base', urls: [node.url], confirmations: 0};
	const nowMs = () => chain.head.timeS * 1000;
	const source = createEvmSource({chain: followed, backfillMs: 1e9, log: () => {}, nowMs, clock});
	const sink = new PlainSink();
	source.start(sink, new Map());
	await sink.until(({coverage}) => coverage?.state === 'live');
	await source.stop();
	expect(sink.coverage).toMatchObject({node: host, block: chain.head.number, callLimit: callLimit?.perSecond ?? null});
	return node.asked
		.slice(before)
		.filter(({method}) => method === 'eth_getLogs')
		.map(({params}) => params[0] as {topics: readonly unknown[]; toBlock: string})
		.filter(({topics}) => topics.length === 0)
		.map(({toBlock}) => Number(toBlock));
}

test('below ten calls a second, what launches do not need is left out while the chain is far behind', async () => {
	chain.mineEmpty(1500);
	const head = chain.head.number;
	const by = {refusal: {code: -32005, message: 'project ID request rate exceeded'}};
	const limited = await looksAt({perSecond: 5, nowMs: () => clock.nowMs(), refuses: 'items', by});
	expect(limited.every(toBlock => head - toBlock < 16)).toBe(true);
	const unlimited = await looksAt(undefined);
	expect(unlimited.some(toBlock => head - toBlock > 500)).toBe(true);
});
