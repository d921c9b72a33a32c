import {
	type Address,
	concatHex,
	encodeDeployData,
	encodeFunctionData,
	getContractAddress,
	type Hex,
	keccak256,
} from 'viem';
import {afterAll, beforeAll, beforeEach, expect, test} from 'vitest';
import {Bridge, Token} from '../../../source/service/chain/artifacts.generated.ts';
import type {Chain, ChainSet} from '../../../source/service/chain/chain-set.ts';
import {CREATE2_DEPLOYER} from '../../../source/service/chain/deployment.ts';
import {balanceOf, mined, USDC} from '../chain/practice.ts';
import {type Bench, bodyOf, fundedUser, openBench, quoteOf, type User} from './bridge-client.ts';
import {type Fault, faultyChains} from './faults.ts';

let bench: Bench;
/** Where the bridge of the earlier version stands, on both chains. */
let earlier: Address;
let fault: Fault | undefined;

beforeAll(async () => {
	bench = await openBench();
	const addresses = await Promise.all([bench.base, bench.arbitrum].map(deployEarlier));
	earlier = addresses[0]!;
});
afterAll(() => bench.close());
beforeEach(() => {
	fault = undefined;
});

/** The same contract at another address, as another version of its code would be; the solver lets it take its USDC. */
async function deployEarlier(chain: Chain): Promise<Address> {
	const bytecode = encodeDeployData({abi: Bridge.abi, bytecode: Bridge.init, args: [chain.accounts.solver.address]});
	const salt = keccak256('0xea');
	const to = CREATE2_DEPLOYER;
	await mined(chain, await chain.sender('deployer').send({to, data: concatHex([salt, bytecode]), gas: 3_000_000n}));
	const address = getContractAddress({opcode: 'CREATE2', from: CREATE2_DEPLOYER, salt, bytecode});
	const data = encodeFunctionData({abi: Token.abi, functionName: 'approve', args: [address, 2n ** 256n - 1n]});
	await mined(chain, await chain.sender('solver').send({to: chain.addresses.usdc, data, gas: 100_000n}));
	return address;
}

/** The chains as the earlier version saw them; of its solver nothing comes through when it has a fault. */
function earlierChains(): ChainSet {
	const {chains} = bench;
	const ready = async (id: number) => {
		const chain = await chains.ready(id);
		return {...chain, addresses: {...chain.addresses, bridge: earlier}};
	};
	return faultyChains({...chains, ready}, (_, role) => (role === 'solver' ? fault : undefined));
}

async function begun(solver: Fault): Promise<{user: User; intentId: string; out: bigint}> {
	const user = await fundedUser(bench);
	const quote = await quoteOf(bench, user);
	fault = solver;
	await bench.bridge.execute(await bodyOf(bench, user, quote));
	await expect.poll(async () => (await bench.bridge.status(quote.intentId)).status).toBe('filling');
	return {user, intentId: quote.intentId, out: BigInt(Math.round(Number(quote.estimatedAmountOut) * 1e6))};
}

const heldBy = (bridge: Address) => balanceOf(bench.base, bridge);

test('transfers of an earlier version, their fills unsent or sent, are ended once, on their own bridge', async () => {
	await bench.restart({chains: earlierChains()});
	const unsent = await begun('hangs before it is sent');
	const sent = await begun('hangs after it was sent');
	await bench.restart();
	for (const {intentId, out, user} of [unsent, sent]) {
		await expect.poll(async () => (await bench.bridge.status(intentId)).status).toBe('settled');
		expect(await balanceOf(bench.arbitrum, user.address)).toBe(out);
		expect(await balanceOf(bench.base, user.address)).toBe(950n * USDC);
	}
	expect([await heldBy(earlier), await heldBy(bench.base.addresses.bridge)]).toEqual([0n, 0n]);
});

test('a quote of an earlier version is not executed by the next one, and says why', async () => {
	await bench.restart({chains: earlierChains()});
	const user = await fundedUser(bench);
	const body = await bodyOf(bench, user, await quoteOf(bench, user));
	await bench.restart();
	await expect(bench.bridge.execute(body)).rejects.toMatchObject({check: 'call-out-of-scope'});
	expect(await balanceOf(bench.base, user.address)).toBe(1000n * USDC);
});

test('a transfer whose bridge is gone from its destination ends by name, and is not paid from another', async () => {
	await bench.restart({chains: earlierChains()});
	const {intentId, user} = await begun('hangs before it is sent');
	const code: Hex = (await bench.arbitrum.client.getCode({address: earlier}))!;
	await bench.arbitrum.rpc.call('anvil_setCode', [earlier, '0x']);
	await bench.restart();
	const row = await bench.bridge.wait(intentId);
	expect(row).toMatchObject({
		status: 'failed',
		failureReason: expect.stringContaining('does not stand on both chains'),
		message: expect.stringContaining('contact support'),
	});
	expect(await balanceOf(bench.arbitrum, user.address)).toBe(0n);
	await bench.arbitrum.rpc.call('anvil_setCode', [earlier, code]);
});
