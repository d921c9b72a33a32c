import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {Client} from '../../../source/client/client.ts';
import {ServiceRefused} from '../../../source/client/http/service-errors.ts';
import {describeBridge} from '../../../source/trading/bridge/describe-state.ts';
import type {BridgeFlow} from '../../../source/trading/bridge/flow.ts';
import {openIntents} from '../../../source/trading/bridge/journal-fold.ts';
import type {ChainReader} from '../../../source/trading/chain-reader.ts';
import {acceptAll, type BridgeWorld, openBridgeWorld} from './bridge-world.ts';

/* A service that lies, in front of real chains: what the program says of money must follow from the chains alone. */

let world: BridgeWorld;
beforeAll(async () => {
	world = await openBridgeWorld();
});
afterAll(() => world?.close());

type Call = Client['call'];
const usdc = (chainId: string) => world.contracts(chainId)['usdc']!;
const balance = (chainId: string, address: string) => world.chains.balance(chainId, usdc(chainId), address);

/** The service, with some responses changed; an execute can get a response without being made. */
function lying(answers: Partial<Record<string, (honest: () => Promise<unknown>) => unknown>>): Call {
	return (async (id, given, options) => {
		const honest = () => world.client.call(id, given, options);
		const lie = answers[id];
		return lie ? lie(honest) : honest();
	}) as Call;
}

const says = (row: object) => () => ({data: row});
const everyStatus = (row: object) => ({bridgeStatus: says(row), bridgeStatusWait: says(row)});
const accepted = () => ({
	data: {intentId, status: 'pending', depositTxHash: `0x${'ab'.repeat(32)}`, sponsoredGasLimit: '1', message: ''},
});
let intentId = '';

describe('an execute that is refused although the batch was broadcast', () => {
	test.each([400, 401, 404, 409, 429, 502, 503, 504])(
		'with %i is followed on the chain to its true end',
		async status => {
			const me = await world.person();
			const flow = me.flow({
				call: lying({
					async bridgeExecute(honest) {
						await honest();
						throw new ServiceRefused(status, 'no');
					},
					...everyStatus({status: 'pending'}),
				}),
			});
			await world.ready(flow);
			await flow.execute();
			expect(describeBridge(flow.view.state).text).not.toMatch(/nothing was sent|nothing moved/i);
			expect(me.caps.spentToday('evm:8453', usdc('evm:8453'), 6)).toBe(50_000_000n);
			await expect(flow.quote(world.input())).rejects.toMatchObject({code: 'not-now'});
			await expect.poll(async () => (await flow.read()).phase).toBe('filled');
			expect(flow.view.state.leftTxHash).toMatch(/^0x[0-9a-f]{64}$/);
			expect(me.caps.spentToday('evm:8453', usdc('evm:8453'), 6)).toBe(50_000_000n);
			expect(await balance('evm:8453', me.address)).toBeLessThan(10_000_000_000n);
		},
	);

	test('and then silent is still seen to arrive', async () => {
		const me = await world.person();
		const silent = () => {
			throw new ServiceRefused(500, 'gone');
		};
		const call = lying({
			async bridgeExecute(honest) {
				await honest();
				return silent();
			},
			bridgeStatus: silent,
			bridgeStatusWait: silent,
		});
		const flow = me.flow({call});
		await world.ready(flow);
		await flow.execute();
		expect(await flow.watch()).toMatchObject({phase: 'filled', leftTxHash: expect.any(String)});
		expect(await balance('evm:42161', me.address)).toBeGreaterThan(49_000_000n);
	});
});

describe('a contract', () => {
	/** The chains, with other code at one address. */
	const withCode = (address: string, code: () => string | undefined): ChainReader => ({
		...world.chains,
		async request(chainId, method, params) {
			const isAsked = method === 'eth_getCode' && String(params[0]).toLowerCase() === address.toLowerCase();
			return (isAsked ? code() : undefined) ?? world.chains.request(chainId, method, params);
		},
	});
	const failing = (flow: BridgeFlow) => flow.view.checks.filter(({ok}) => !ok).map(({name}) => name);

	test.each([
		['batchExecutor', 'executor-pin'],
		['bridge', 'target-pin'],
	])('%s without code, or with code that it lends, cannot be accepted', async (name, check) => {
		const address = world.contracts('evm:8453')[name]!;
		for (const code of ['0x', `0xef0100${'12'.repeat(20)}`]) {
			const me = await world.person();
			const flow = me.flow({chains: withCode(address, () => code)});
			await flow.quote(world.input());
			expect(failing(flow)).toContain(check);
			expect(flow.view.toAccept).toHaveLength(1);
			await acceptAll(flow);
			expect(failing(flow)).toEqual([check]);
			await expect(flow.execute()).rejects.toMatchObject({code: 'not-now'});
		}
	});

	test.each([
		['batchExecutor', 'executor-pin'],
		['bridge', 'target-pin'],
	])('%s whose code was exchanged since it was accepted stops everything before a signature', async (name, check) => {
		const me = await world.person();
		let code: string | undefined;
		const flow = me.flow({chains: withCode(world.contracts('evm:8453')[name]!, () => code)});
		await world.ready(flow);
		code = '0x6001600255';
		await expect(flow.execute()).rejects.toMatchObject({code: 'check-failed', check});
		expect(me.journal.records().filter(({kind}) => kind === 'bridge.intended')).toEqual([]);
	});

	test('is not accepted by the end of its address, which the service chose', async () => {
		const me = await world.person();
		const flow = me.flow();
		await flow.quote(world.input());
		const [first] = flow.view.toAccept;
		await expect(flow.accept(first!.role, first!.address.slice(-6))).rejects.toMatchObject({code: 'pin-not-confirmed'});
	});
});

describe('an end that only the service reports', () => {
	const nothing = {bridgeExecute: accepted};

	async function afterExecute(answers: Parameters<typeof lying>[0]) {
		const me = await world.person();
		const flow = me.flow({call: lying(answers)});
		await world.ready(flow);
		({intentId} = flow.view.quoted!.quote);
		await flow.execute();
		return {me, flow};
	}

	test.each([
		['filled', {}],
		['settled', {}],
		['filled', {depositTxHash: `0x${'d1'.repeat(32)}`, fillTxHash: `0x${'f1'.repeat(32)}`}],
	])('%s %j without any transfer is no arrival, and is read on', async (status, hashes) => {
		const {flow} = await afterExecute({...nothing, ...everyStatus({status, ...hashes})});
		expect(await flow.watch(undefined, 200)).toMatchObject({phase: 'claimed', claim: status});
		expect(describeBridge(flow.view.state).title).toBe('Filled, says the service');
	});

	test('filled by the payment of another transfer is no arrival', async () => {
		const me = await world.person();
		const first = me.flow();
		await world.ready(first);
		await first.execute();
		const {fillTxHash} = await first.watch();
		const flow = me.flow({call: lying({...nothing, ...everyStatus({status: 'filled', fillTxHash})})});
		await world.ready(flow);
		({intentId} = flow.view.quoted!.quote);
		await flow.execute();
		expect(await flow.watch(undefined, 200)).toMatchObject({phase: 'claimed', claim: 'filled'});
	});

	test('filled is no arrival either where the node answers with the deposit and the payment of another transfer', async () => {
		const me = await world.person();
		const first = me.flow();
		await world.ready(first);
		await first.execute();
		const {leftTxHash, fillTxHash} = await first.watch();
		const own = {'evm:8453': leftTxHash, 'evm:42161': fillTxHash};
		const chains: ChainReader = {
			...world.chains,
			// It has run no lane, and says that it has run each.
			laneSequence: async () => 1n,
			async request(chainId, method, params) {
				const receipt = () =>
					world.chains.request(chainId, 'eth_getTransactionReceipt', [own[chainId as keyof typeof own]]);
				if (method === 'eth_getTransactionReceipt') return receipt();
				if (method === 'eth_getLogs') return ((await receipt()) as {logs: unknown}).logs;
				return world.chains.request(chainId, method, params);
			},
		};
		const lies = everyStatus({
			status: 'filled',
			depositTxHash: `0x${'d1'.repeat(32)}`,
			fillTxHash: `0x${'f1'.repeat(32)}`,
		});
		const flow = me.flow({call: lying({...nothing, ...lies}), chains});
		await world.ready(flow);
		({intentId} = flow.view.quoted!.quote);
		await flow.execute();
		expect(await flow.watch(undefined, 200)).toMatchObject({phase: 'claimed', claim: 'filled'});
		expect(flow.view.state.leftTxHash).toBeUndefined();
	});

	test('failed with the tokens gone is not called harmless, and what arrives counts', async () => {
		const {flow} = await afterExecute({...everyStatus({status: 'failed', failureReason: 'it reverted'})});
		expect(await flow.watch()).toMatchObject({phase: 'filled'});
	});

	test('failed and nothing else is no proof that nothing moved: the batch can still be sent', async () => {
		const {me, flow} = await afterExecute({...nothing, ...everyStatus({status: 'failed'})});
		expect(await flow.watch(undefined, 200)).toMatchObject({phase: 'claimed', claim: 'failed'});
		expect(describeBridge(flow.view.state).text).not.toMatch(/no tokens moved|new quote/);
		expect(me.caps.spentToday('evm:8453', usdc('evm:8453'), 6)).toBe(50_000_000n);
	});

	test('reported as refunded without a transfer back is not called refunded', async () => {
		const {flow} = await afterExecute(everyStatus({status: 'refunded'}));
		await flow.watch(undefined, 200);
		expect(flow.view.state.phase).not.toBe('refunded');
	});

	test('filled on a chain without a node ends as a claim of the service, with the reason', async () => {
		const me = await world.person();
		const call = lying({...nothing, ...everyStatus({status: 'filled'})});
		const flow = me.flow({call, chains: {...world.chains, knows: chainId => chainId === 'evm:8453'}});
		await world.ready(flow);
		({intentId} = flow.view.quoted!.quote);
		await flow.execute();
		expect(await flow.watch()).toMatchObject({
			phase: 'claimed',
			blind: 'no node of Arbitrum is configured',
		});
	});

	describe('on a chain whose node is configured later', () => {
		const half = (): ChainReader => ({...world.chains, knows: chainId => chainId === 'evm:8453'});

		/** A transfer that went well, or that the service only calls done, with a node for the origin alone. */
		async function unseen(answers: Parameters<typeof lying>[0]) {
			const me = await world.person();
			const flow = me.flow({call: lying(answers), chains: half()});
			await world.ready(flow);
			({intentId} = flow.view.quoted!.quote);
			await flow.execute();
			expect(await flow.watch()).toMatchObject({phase: 'claimed', claim: expect.stringMatching(/filled|settled/)});
			expect(describeBridge(flow.view.state).text).toContain('no node of Arbitrum is configured');
			return me;
		}

		test('what arrived is found by the next start, and is filled', async () => {
			const me = await unseen({});
			expect(openIntents(me.journal, half().knows)).toEqual([]);
			const [open] = openIntents(me.journal, world.chains.knows);
			const next = me.flow();
			next.resume(open!.intentId);
			expect(await next.watch()).toMatchObject({
				phase: expect.stringMatching(/filled|settled/),
				proof: expect.any(String),
				arrivedRaw: expect.any(String),
			});
			expect(openIntents(me.journal, world.chains.knows)).toEqual([]);
		});

		test('what did not arrive stays a claim of the service, and is read again', async () => {
			const me = await unseen({...nothing, ...everyStatus({status: 'filled'})});
			const next = me.flow({call: lying(everyStatus({status: 'filled'}))});
			next.resume(intentId);
			expect(await next.watch(undefined, 200)).toMatchObject({phase: 'claimed', claim: 'filled'});
			expect(next.view.state.blind).toBeUndefined();
			expect(openIntents(me.journal, world.chains.knows)).toHaveLength(1);
		});

		test('cannot be resumed while there is still no node', async () => {
			const me = await unseen({});
			expect(() => me.flow({chains: half()}).resume(intentId)).toThrow(/resuming/);
		});
	});
});
