import {encodeFunctionData, type Hex, parseAbi} from 'viem';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {RpcRefused} from '../../../source/rpc/json-rpc.ts';
import {type Chain, type ChainSet, createChainSet} from '../../../source/service/chain/chain-set.ts';
import {type ChainReader, NodeRefused} from '../../../source/trading/chain-reader.ts';
import {simulateCalls} from '../../../source/trading/simulate.ts';
import {codeOf} from '../../../source/trading/simulate-call.ts';
import {COIN, type Simulation, type SimulationRequest} from '../../../source/trading/simulation.ts';
import {depositCalls, mint, newIntent, newUser, USDC} from '../../service/chain/practice.ts';

let chains: ChainSet;
let base: Chain;
const THIEF: Hex = '0x00000000000000000000000000000000000bad00';
/** The address of a contract whose code takes what it was once allowed. */
const TAKER: Hex = '0x00000000000000000000000000000000000bad01';
const abi = parseAbi([
	'function approve(address spender, uint256 amount)',
	'function transfer(address to, uint256 amount)',
	'function transferFrom(address from, address to, uint256 amount)',
]);

beforeAll(async () => {
	chains = createChainSet({chainIds: [8453]});
	base = await chains.ready(8453);
});
afterAll(() => chains?.close());

type Answer = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** The chain's node, or another one in its place with responses of its choice. */
function node(response: (real: Answer) => Answer = real => real): ChainReader {
	const real: Answer = async (method, params) => {
		try {
			return await base.rpc.call(method, params);
		} catch (error) {
			if (!(error instanceof RpcRefused)) throw error;
			throw new NodeRefused('evm:8453', error.message, error.rpcCode);
		}
	};
	return {
		request: (_: string, method: string, params: readonly unknown[]) => response(real)(method, params),
	} as ChainReader;
}

/** A node that knows no such method. */
const without =
	(...missing: readonly string[]) =>
	(real: Answer): Answer =>
	async (method, params) => {
		if (missing.includes(method)) throw new NodeRefused('evm:8453', `the method ${method} does not exist`, -32601);
		return real(method, params);
	};

/** Nodes that show what would move. */
const SHOWING = [
	['eth_simulateV1', node()],
	['debug_traceCall', node(without('eth_simulateV1'))],
] as const;
const CALL_ONLY = without('eth_simulateV1', 'debug_traceCall');

const tryOn = (chain: ChainReader, tried: SimulationRequest): Promise<Simulation> =>
	simulateCalls(chain, 'evm:8453', tried);

/** A user with 100 USDC, and the batch that sends `amount` of it. */
async function depositor(amount = 50n * USDC, approved = amount) {
	const {address} = newUser();
	await mint(base, address, 100n * USDC);
	const calls = depositCalls(base, address, newIntent(), amount, approved);
	return {address, tried: {from: address, calls, delegate: base.addresses.batchExecutor} satisfies SimulationRequest};
}

/** A user who once allowed the taker everything, and what the taker's code then does when it is called. */
async function robbed(stolen: readonly {readonly to: Hex; readonly data: Hex}[]): Promise<void> {
	await base.rpc.call('anvil_setCode', [TAKER, codeOf(stolen)]);
}

describe.each(SHOWING)('on a node with %s', (_, chain) => {
	test('a batch moves what it deposits, to the bridge, and leaves no allowance', async () => {
		const {address, tried} = await depositor();
		const {usdc, bridge} = base.addresses;
		expect(await tryOn(chain, tried)).toMatchObject({
			kind: 'done',
			transfers: [
				{token: usdc.toLowerCase(), from: address.toLowerCase(), to: bridge.toLowerCase(), amountRaw: 50n * USDC},
			],
			approvals: [
				{token: usdc.toLowerCase(), owner: address.toLowerCase(), spender: bridge.toLowerCase(), leftRaw: 0n},
			],
		});
	});

	test('an allowance that is left is seen behind the calls', async () => {
		const {tried} = await depositor(50n * USDC, 80n * USDC);
		expect(await tryOn(chain, tried)).toMatchObject({approvals: [{leftRaw: 30n * USDC}]});
	});

	test('tokens that a contract takes besides are seen', async () => {
		const {address} = await depositor();
		const {usdc} = base.addresses;
		await robbed([
			{to: usdc, data: encodeFunctionData({abi, functionName: 'transferFrom', args: [address, THIEF, 7n]})},
		]);
		const calls = [
			{to: usdc, data: encodeFunctionData({abi, functionName: 'approve', args: [TAKER, 7n]})},
			{to: TAKER, data: '0x'},
		];
		expect(await tryOn(chain, {from: address, calls})).toMatchObject({
			kind: 'done',
			transfers: [{token: usdc.toLowerCase(), from: address.toLowerCase(), to: THIEF, amountRaw: 7n}],
		});
	});

	test('the approvals of an account that a wallet owns are read too', async () => {
		const {address} = await depositor();
		const {usdc} = base.addresses;
		await robbed([{to: usdc, data: encodeFunctionData({abi, functionName: 'approve', args: [THIEF, 9n]})}]);
		const calls = [{to: TAKER, data: '0x'}];
		expect(await tryOn(chain, {from: address, calls, owners: [TAKER]})).toMatchObject({
			approvals: [{owner: TAKER, spender: THIEF, leftRaw: 9n}],
		});
		expect(await tryOn(chain, {from: address, calls})).toMatchObject({approvals: []});
	});

	test('the second of two calls would fail', async () => {
		const {address} = await depositor();
		const {usdc} = base.addresses;
		const send = (amount: bigint) => ({
			to: usdc,
			data: encodeFunctionData({abi, functionName: 'transfer', args: [THIEF, amount]}),
		});
		expect(await tryOn(chain, {from: address, calls: [send(1n), send(1000n * USDC)]})).toMatchObject({
			kind: 'failed',
			call: 2,
		});
	});
});

test('coins that a call would send on are seen as coins', async () => {
	const {address} = newUser();
	await base.rpc.call('anvil_setBalance', [address, '0x64']);
	const wallet = node(real => async (method, params) => {
		const frame = (await without('eth_simulateV1')(real)(method, params)) as Record<string, unknown>;
		// The practice contracts send no coins: a level of the trace says that one did.
		const [inner] = frame['calls'] as [object];
		return {...frame, calls: [{...inner, calls: [{type: 'CALL', from: address, to: THIEF, value: '0x5'}]}]};
	});
	const calls = [{to: TAKER, data: '0x'}];
	await robbed([]);
	expect(await tryOn(wallet, {from: address, calls})).toMatchObject({
		transfers: [{token: COIN, from: address.toLowerCase(), to: THIEF, amountRaw: 5n}],
	});
	// The same word for them as the node's own.
	const block = await base.rpc.call('eth_simulateV1', [
		{blockStateCalls: [{calls: [{from: address, to: THIEF, value: '0x5'}]}], traceTransfers: true},
		'latest',
	]);
	expect(block).toMatchObject([{calls: [{logs: [{address: COIN}]}]}]);
});

describe('on a node with eth_call alone', () => {
	test('a batch that would go through is said not to revert, and nothing more', async () => {
		const {tried} = await depositor();
		expect(await tryOn(node(CALL_ONLY), tried)).toEqual({kind: 'runs'});
	});

	test('the first call that would fail is named, of a batch and of a single transaction', async () => {
		const {address, tried} = await depositor(500n * USDC);
		expect(await tryOn(node(CALL_ONLY), tried)).toMatchObject({
			kind: 'failed',
			call: 2,
			why: expect.stringMatching(/revert/),
		});
		const data = encodeFunctionData({abi, functionName: 'transfer', args: [THIEF, 1000n * USDC]});
		const single = {from: address, calls: [{to: base.addresses.usdc, data}]};
		expect(await tryOn(node(CALL_ONLY), single)).toMatchObject({kind: 'failed', call: 1});
	});

	test('a node that leaves the code out has shown nothing', async () => {
		const forgetful = node(real => (method, params) => CALL_ONLY(real)(method, params.slice(0, 2)));
		const {tried} = await depositor();
		expect(await tryOn(forgetful, tried)).toMatchObject({
			kind: 'unavailable',
			why: expect.stringContaining('does not exist'),
		});
	});

	test('a request that a node refuses is not a call that fails', async () => {
		const old = node(real => async (method, params) => {
			if (params.length > 2) throw new NodeRefused('evm:8453', 'too many arguments, want at most 2', -32602);
			return CALL_ONLY(real)(method, params);
		});
		const {tried} = await depositor();
		expect(await tryOn(old, tried)).toMatchObject({kind: 'unavailable'});
	});
});

test.each([
	[
		'no logs',
		(frame: object) => JSON.parse(JSON.stringify(frame, (name, part) => (name === 'logs' ? undefined : part))),
	],
	['no code for the account', (frame: object) => ({...frame, output: '0x', calls: []})],
	['another number of calls', (frame: {calls?: object[]}) => ({...frame, calls: frame.calls!.slice(1)})],
	['no frame at all', () => null],
])('a trace with %s is not taken for one in which nothing moves', async (_, change) => {
	const lacking = node(real => async (method, params) => {
		const response = await without('eth_simulateV1')(real)(method, params);
		return method === 'debug_traceCall' ? change(response as object) : response;
	});
	const {tried} = await depositor();
	expect(await tryOn(lacking, tried)).toEqual({kind: 'runs'});
});

test('what a failed level of a trace logged did not happen', async () => {
	const {address, tried} = await depositor();
	const {usdc} = base.addresses;
	const topics = [
		'0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
		`0x${'0'.repeat(24)}${address.slice(2).toLowerCase()}`,
		`0x${'0'.repeat(24)}${THIEF.slice(2)}`,
	];
	const log = {address: usdc, topics, data: `0x${'1'.padStart(64, '0')}`, position: '0x0'};
	const lying = (error: object) =>
		node(real => async (method, params) => {
			const frame = (await without('eth_simulateV1')(real)(method, params)) as {calls: object[]};
			const [first, ...others] = frame.calls;
			return {...frame, calls: [{...first, calls: [{type: 'CALL', ...error, logs: [log]}]}, ...others]};
		});
	const moved = async (chain: ChainReader) =>
		((await tryOn(chain, tried)) as Extract<Simulation, {kind: 'done'}>).transfers.length;
	expect(await moved(lying({}))).toBe(2);
	expect(await moved(lying({error: 'execution reverted'}))).toBe(1);
});
