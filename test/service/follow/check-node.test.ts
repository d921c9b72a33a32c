import {expect, onTestFinished, test} from 'vitest';
import {checkText} from '../../../source/commands/follow/check-text.ts';
import {OUTPUT_SCHEMAS} from '../../../source/commands/reference/output-schemas.ts';
import {checkNode} from '../../../source/service/follow/evm/check-node.ts';
import {venuesOf} from '../../../source/service/follow/evm/venues.ts';
import type {NodeCheck} from '../../../source/service/follow/node-check.ts';
import {DrivenClock} from '../../helpers/driven-clock.ts';
import {openWorld} from '../../helpers/follow-world.ts';
import {type HostileNode, startHostileNode} from '../../helpers/hostile-node.ts';
import {PlayedChain, type PlayedLog} from '../../helpers/played-chain.ts';

const BASE = 8453;
const FACTORY = venuesOf(BASE).find(({id}) => id === 'clanker')!;
const STRANGE: PlayedLog = {address: FACTORY.contracts[BASE]![0]!, topics: [`0x${'ee'.repeat(32)}`]};

async function playedNode(chain: PlayedChain): Promise<HostileNode> {
	const node = await startHostileNode(chain);
	onTestFinished(() => node.close());
	return node;
}

/** A chain of 12,000 blocks, as old as the test says. */
function longChain({chainId = BASE, blocks = 12_000} = {}): {chain: PlayedChain; nowMs: () => number} {
	const chain = new PlayedChain({chainId});
	chain.mineEmpty(blocks);
	return {chain, nowMs: () => chain.head.timeS * 1000 + 1500};
}

/** Answers Multicall3 too. */
function withState(node: HostileNode, lie: Parameters<HostileNode['lie']>[0] = () => undefined): void {
	node.lie((call, honest) => (call.method === 'eth_call' ? {result: `0x${'0'.repeat(63)}1`} : lie!(call, honest)));
}

function callOf({calls}: NodeCheck, name: string) {
	return calls.find(call => call.name === name);
}

test('a node of a chain with launches is good, and what launchpads wrote is counted', async () => {
	const world = await openWorld({chain: 'base', live: true});
	onTestFinished(() => world.close());
	const token = await world.launch();
	await world.buy(token, 'ann', 0.1);
	const check = await checkNode({url: world.wsUrl, expected: BASE});
	expect(check).toMatchObject({chain: 'base', chainNumber: BASE, hasAnswered: true, verdict: 'good', problems: []});
	expect(check.head!.number).toBe((await world.head()).number);
	expect(callOf(check, 'eth_call')).toMatchObject({works: true});
	expect(callOf(check, 'eth_call with code of its own')).toMatchObject({works: true});
	expect(callOf(check, 'eth_subscribe newHeads')).toMatchObject({works: true});
	expect(callOf(check, 'batch of calls')).toMatchObject({works: true});
	expect(check.logsHaveTimes).toBe(true);
	expect(check.sample!.venues.find(({venue}) => venue === 'uniswap-v2')).toMatchObject({known: 1, unknown: 0});
	expect(OUTPUT_SCHEMAS['follow-check'].parse({schema: 'pulsetop.follow-check/1', nodes: [check]})).toBeTruthy();
});

test('the range that a node takes is found in few calls, and its own words are believed', async () => {
	const {chain, nowMs} = longChain();
	const node = await playedNode(chain);
	withState(node, ({method, params}) => {
		if (method !== 'eth_getLogs') return undefined;
		const {fromBlock, toBlock} = params[0] as {fromBlock: string; toBlock: string};
		const message = 'eth_getLogs is limited to a 800 blocks range';
		return Number(toBlock) - Number(fromBlock) + 1 > 800 ? {refusal: {code: -32005, message}} : undefined;
	});
	const check = await checkNode({url: node.url, nowMs});
	expect(check.range).toEqual({blocks: 800, refused: 1000, why: expect.stringContaining('800 blocks')});
	expect(check).toMatchObject({verdict: 'good', head: {number: 12_000, ageMs: 1500}, blockMs: 2000, finalized: 11_936});
	expect(node.asked.length).toBeLessThan(25);
	// It answers as if the parameter were not there, which is no problem.
	expect(callOf(check, 'eth_call with code of its own')).toMatchObject({works: false});
});

test('events that no decoder knows are said, and make the node no worse than usable', async () => {
	const {chain, nowMs} = longChain({blocks: 100});
	chain.mine([STRANGE, STRANGE]);
	const node = await playedNode(chain);
	withState(node);
	const check = await checkNode({url: node.url, nowMs});
	expect(check.sample!.venues.find(({venue}) => venue === 'clanker')).toMatchObject({
		known: 0,
		unknown: 2,
		blocksWithUnknown: 1,
	});
	expect(check.verdict).toBe('poor');
	expect(check.problems.join()).toContain('Clanker wrote 2 events in 1 blocks that this program does not know');
});

test('a node of another chain, and of a chain that cannot be followed, is not usable', async () => {
	const {chain, nowMs} = longChain({chainId: 56, blocks: 100});
	const node = await playedNode(chain);
	withState(node);
	const wrong = await checkNode({url: node.url, expected: BASE, nowMs});
	expect(wrong).toMatchObject({verdict: 'unusable', chain: 'bnb'});
	expect(wrong.problems).toContain('it is a node of chain 56, bnb, not of chain 8453');

	node.chain = new PlayedChain({chainId: 324});
	const strange = await checkNode({url: node.url, nowMs});
	expect(strange).toMatchObject({verdict: 'unusable', chain: null, range: null});
	expect(strange.problems).toContain('chain 324 cannot be followed');
});

test('a node that gives no logs, no state and no batches is described call by call', async () => {
	const {chain, nowMs} = longChain({blocks: 200});
	const node = await playedNode(chain);
	node.maxInBatch = 1;
	node.lie(({method}) => (method === 'eth_getLogs' ? {refusal: {code: -32005, message: 'limit exceeded'}} : undefined));
	const check = await checkNode({url: node.url, nowMs});
	expect(check.verdict).toBe('unusable');
	expect(check.problems).toEqual([
		'it answers no eth_call: names, decimals and prices in US dollars stay unknown',
		'it gives no logs, which everything is read from: refused: limit exceeded (-32005)',
	]);
	expect(callOf(check, 'batch of calls')).toMatchObject({works: false});
	expect(callOf(check, 'eth_subscribe newHeads')).toMatchObject({works: null});
});

test('a node whose logs belong to other blocks is said to be wrong', async () => {
	const {chain, nowMs} = longChain({blocks: 200});
	chain.mine([STRANGE]);
	const node = await playedNode(chain);
	withState(node, ({method}, honest) => {
		if (method !== 'eth_getLogs') return undefined;
		const logs = honest() as {blockNumber: string}[];
		return {result: logs.map(log => ({...log, blockNumber: '0x1'}))};
	});
	const check = await checkNode({url: node.url, nowMs});
	expect(check.problems.join()).toContain('its logs are wrong: eth_getLogs: a log of block 1, which was not asked for');
	expect(check.verdict).not.toBe('good');
});

/** A chain with a log of a launchpad in its newest block, and a node that changes what it says of logs. */
async function checkOf(change: (log: Record<string, unknown>) => unknown): Promise<NodeCheck> {
	const {chain, nowMs} = longChain({blocks: 200});
	chain.mine([STRANGE, STRANGE]);
	const node = await playedNode(chain);
	let logs = 0;
	withState(node, ({method}, honest) =>
		method === 'eth_getLogs'
			? {result: (honest() as Record<string, unknown>[]).map(log => (logs++ % 2 === 1 ? change(log) : log))}
			: undefined,
	);
	return checkNode({url: node.url, nowMs});
}

test.each<[string, (log: Record<string, unknown>) => unknown, RegExp]>([
	[
		'that was removed',
		log => ({...log, removed: true}),
		/it gives a log of block 201 that it calls removed: .*take another node/,
	],
	[
		'of two blocks with one number',
		log => ({...log, blockHash: `0x${'ee'.repeat(32)}`}),
		/it has two blocks with the number 201: several nodes stand behind the address, .*take another node/,
	],
	['without a block', log => ({...log, blockNumber: null, blockHash: null}), /a log has no block: .*Take another node/],
	['without a number', ({blockNumber: _, ...log}) => log, /a log has a field that cannot be read.*Take another node/],
	['that is null', () => null, /a log has a field that cannot be read.*Take another node/],
])('a node that gives a log %s is told about in a sentence', async (_, change, sentence) => {
	const check = await checkOf(change);
	expect(check.problems.join('\n')).toMatch(sentence);
	expect(check.verdict).not.toBe('good');
});

test('logs whose block is another one than that of the header are said to be so', async () => {
	const {chain, nowMs} = longChain({blocks: 200});
	chain.mine([STRANGE]);
	const node = await playedNode(chain);
	withState(node, ({method}, honest) =>
		method === 'eth_getLogs'
			? {result: (honest() as object[]).map(log => ({...log, blockHash: `0x${'ee'.repeat(32)}`}))}
			: undefined,
	);
	const check = await checkNode({url: node.url, nowMs});
	expect(check.problems.join()).toContain('it has two blocks with the number 201');
});

test.each([
	['0x0', /its logs have 0 as the time of their block: times are read from headers/, false],
	['0x1', /its logs have another time as the time of their block/, false],
	[undefined, undefined, false],
	['right', undefined, true],
] as const)(
	'what logs say of the time of their block (%s) is compared with its header',
	async (time, problem, haveTimes) => {
		const {chain, nowMs} = longChain({blocks: 200});
		chain.mine([STRANGE]);
		const node = await playedNode(chain);
		const blockTimestamp = time === 'right' ? `0x${chain.head.timeS.toString(16)}` : time;
		withState(node, ({method}, honest) =>
			method === 'eth_getLogs' ? {result: (honest() as object[]).map(log => ({...log, blockTimestamp}))} : undefined,
		);
		const check = await checkNode({url: node.url, nowMs});
		expect(check.logsHaveTimes).toBe(haveTimes);
		if (problem) expect(check.problems.join()).toMatch(problem);
		else expect(check.problems.join()).not.toContain('time of their block');
	},
);

test.each([1, 7, 50, 300, 799, 3000, 7777])('a limit of %i blocks that no text names is found', async limit => {
	const {chain, nowMs} = longChain();
	const node = await playedNode(chain);
	withState(node, ({method, params}) => {
		const {fromBlock, toBlock} = (params[0] ?? {}) as {fromBlock: string; toBlock: string};
		const isLong = method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) + 1 > limit;
		return isLong ? {refusal: {code: -32005, message: 'block range is too wide'}} : undefined;
	});
	const {range, problems} = await checkNode({url: node.url, nowMs});
	expect(range!.blocks).toBeLessThanOrEqual(limit);
	expect(range!.blocks).toBeGreaterThanOrEqual(limit * 0.98);
	expect(range!.refused).toBeGreaterThan(limit);
	expect(problems.some(problem => problem.startsWith(`it takes ${limit} block`))).toBe(limit < 100);
});

test('a node that limits calls is checked to the end, slowly, and its rate is said', async () => {
	const {chain, nowMs} = longChain();
	const node = await playedNode(chain);
	const clock = new DrivenClock();
	withState(node);
	const by = {refusal: {code: -32005, message: 'project ID request rate exceeded'}};
	node.callLimit = {perSecond: 5, nowMs: () => clock.nowMs(), refuses: 'items', by};
	const check = await checkNode({url: node.url, nowMs, clock});
	expect(check).toMatchObject({verdict: 'poor', range: {blocks: 10_000}});
	expect(check.problems.join()).toMatch(
		/it takes about \d calls? a second: .*A key, or a node of your own, takes more/,
	);
});

test('a node that has its newest block, but not yet its logs, is checked on older ones', async () => {
	const {chain, nowMs} = longChain();
	const node = await playedNode(chain);
	withState(node, ({method, params}) => {
		const isNew = method === 'eth_getLogs' && Number((params[0] as {toBlock: string}).toBlock) > chain.head.number - 10;
		return isNew ? {refusal: {code: -32000, message: 'block range extends beyond current head block'}} : undefined;
	});
	const check = await checkNode({url: node.url, nowMs});
	expect(check.range).toMatchObject({blocks: 10_000, refused: null});
	expect(check.problems.join()).toContain('it has no logs of its newest block');
});

const JUNK = [null, true, 7, -1, '', 'no', '0x', `0x${'f'.repeat(80)}`, [], [null], [[]], {}, {number: '0x1'}];
const METHODS = ['eth_chainId', 'eth_getBlockByNumber', 'eth_getLogs', 'eth_call', 'eth_subscribe'];

test.each(METHODS)('whatever a node answers to %s, the check ends with a report', async method => {
	const {chain, nowMs} = longChain({blocks: 200});
	chain.mine([STRANGE]);
	const node = await playedNode(chain);
	for (const result of JUNK) {
		for (const wrap of [(it: object) => it, () => result]) {
			node.wrap(wrap);
			withState(node, call => (call.method === method ? {result} : undefined));
			const check = await checkNode({url: node.url, nowMs, clock: new DrivenClock()});
			expect(OUTPUT_SCHEMAS['follow-check'].parse({schema: 'pulsetop.follow-check/1', nodes: [check]})).toBeTruthy();
		}
	}
});

test('a node that lags, and one without final blocks, is usable', async () => {
	const {chain} = longChain({blocks: 200});
	const node = await playedNode(chain);
	withState(node, ({method, params}) =>
		method === 'eth_getBlockByNumber' && /finalized|safe/.test(String(params[0])) ? {result: null} : undefined,
	);
	const check = await checkNode({url: node.url, nowMs: () => chain.head.timeS * 1000 + 600_000});
	expect(check).toMatchObject({verdict: 'poor', finalized: null, safe: null});
	expect(check.problems).toEqual([
		'its newest block is 600 s old: it lags, or the chain stands still',
		'it names no final block: blocks count as final 128 blocks behind the head',
	]);
	expect(checkText(check)).toMatch(/^ {2}final +no finalized block, no safe block$/m);
});

test('a node that never answers is not usable, and no part of its address but the host is shown', async () => {
	const {chain} = longChain({blocks: 1});
	const node = await playedNode(chain);
	node.lie(() => 'silence');
	const url = `${node.url}/v2/TOP-SECRET-KEY?token=OTHER-SECRET`;
	const check = await checkNode({url, deadlineMs: 50});
	expect(check).toMatchObject({hasAnswered: false, verdict: 'unusable', chainNumber: null, host: new URL(url).host});
	expect(JSON.stringify(check) + checkText(check)).not.toMatch(/SECRET/);
	expect(checkText(check)).toMatch(/^Not usable:\n {2}- it does not answer: .*no answer within 0\.05 s/m);
});

test('what a node says is cleaned of its address and of what would move the cursor', async () => {
	const {chain, nowMs} = longChain({blocks: 50});
	const node = await playedNode(chain);
	const url = `${node.url}/v2/TOP-SECRET-KEY`;
	node.lie(({method}) =>
		method === 'eth_getLogs'
			? {refusal: {code: -32000, message: `no \u001b[2J logs for TOP-SECRET-KEY at ${url}`}}
			: undefined,
	);
	const text = checkText(await checkNode({url, nowMs}));
	expect(text).not.toMatch(/SECRET|\u001b/);
	expect(text).toContain('refused: no logs for');
});
