import {encodeFunctionData, type Hex} from 'viem';
import {generatePrivateKey, privateKeyToAccount} from 'viem/accounts';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {createJsonRpc} from '../../../source/rpc/json-rpc.ts';
import {type BridgeService, createBridge} from '../../../source/service/bridge/bridge.ts';
import {type Anvil, startAnvil} from '../../../source/service/chain/anvil.ts';
import {findAnvil} from '../../../source/service/chain/anvil-binary.ts';
import {Token} from '../../../source/service/chain/artifacts.generated.ts';
import {type ChainSet, createChainSet} from '../../../source/service/chain/chain-set.ts';
import {missingStock} from '../../../source/service/chain/stock.ts';
import {startWatchdog} from '../../../source/service/chain/watchdog.ts';
import {createPerp} from '../../../source/service/perp/perp.ts';
import {openSqlite} from '../../../source/service/store/sqlite.ts';
import {mined, newUser} from '../chain/practice.ts';

/** A practice chain beside one that is real, as far as the service knows. */
let real: Anvil;
let chains: ChainSet;
let bridge: BridgeService;
const watchdog = startWatchdog();
const database = openSqlite(undefined);
const key: Hex = generatePrivateKey();

beforeAll(async () => {
	real = await startAnvil({chainId: 42161, binary: findAnvil().path!, watchdog});
	const rpc = createJsonRpc(() => real.rpcUrl);
	await rpc.call('anvil_setBalance', [privateKeyToAccount(key).address, '0x8ac7230489e80000']);
	await rpc.close();
	const external = new Map([[42161, {rpcUrl: real.rpcUrl, key, deploys: true}]]);
	chains = createChainSet({chainIds: [8453], external});
	bridge = await createBridge({chains, database});
});
afterAll(async () => {
	await bridge.close();
	await chains.close();
	await real.close();
	watchdog.close();
	await database.close();
});

test.each([
	['evm:8453', 'evm:42161'],
	['evm:42161', 'evm:8453'],
])(
	'no transfer leads from a practice chain to a real one or back: %s to %s',
	async (originChainId, destinationChainId) => {
		const {addresses} = await chains.ready(8453);
		const request = {originChainId, destinationChainId, walletAddress: newUser().address, amount: '10', slippage: 1};
		const quote = bridge.quote({...request, originToken: addresses.usdc, gasless: true});
		await expect(quote).rejects.toMatchObject({check: 'mixed-worlds', statusCode: 400});
	},
);

test('on a real chain the service says what its accounts lack, until they have it', async () => {
	const chain = await chains.ready(42161);
	const {address} = privateKeyToAccount(key);
	const {usdc, dai, bridge: bridgeAt} = chain.addresses;
	expect(await missingStock(chain)).toEqual([
		`the solver ${address} holds no USDC (${usdc}) on evm:42161`,
		`the solver ${address} holds no DAI (${dai}) on evm:42161`,
	]);
	const send = async (to: Hex, functionName: 'mint' | 'approve', who: Hex, amount: bigint) => {
		const data = encodeFunctionData({abi: Token.abi, functionName, args: [who, amount]});
		await mined(chain, await chain.sender('solver').send({to, data, gas: 150_000n}));
	};
	for (const token of [usdc, dai]) await send(token, 'mint', address, 5_000_000n);
	await send(dai, 'approve', bridgeAt, 2n ** 256n - 1n);
	expect(await missingStock(chain)).toEqual([
		`the solver ${address} lets the bridge ${bridgeAt} take none of its USDC (${usdc}) on evm:42161`,
	]);
	await send(usdc, 'approve', bridgeAt, 2_000_000n);
	expect(await missingStock(chain)).toEqual([
		`the solver ${address} lets the bridge ${bridgeAt} take only 2 of its USDC (${usdc}) on evm:42161`,
	]);
	await send(usdc, 'approve', bridgeAt, 5_000_000n);
	expect(await missingStock(chain)).toEqual([]);
});

test('no route is listed between a practice chain and a real one', async () => {
	expect(await bridge.routes()).toEqual([]);
	const external = new Map([
		[42161, {rpcUrl: real.rpcUrl, key, deploys: true}],
		[137, {rpcUrl: 'http://127.0.0.1:1', key}],
	]);
	const mixed = createChainSet({chainIds: [8453, 56], external});
	const routes = await (await createBridge({chains: mixed, database: openSqlite(undefined)})).routes();
	expect(routes.map(route => `${route.originChainId} ${route.destinationChainId}`)).toEqual([
		'evm:8453 evm:56',
		'evm:56 evm:8453',
	]);
	await mixed.close();
});

test('the book of dexB takes no real money', async () => {
	const perp = await createPerp({chains, database});
	const user = newUser();
	const timestamp = Date.now();
	const signature = await user.signMessage({message: `api/2/perp/payloads/deposit-${timestamp}`});
	const place = {dex: 'dexB', chainId: 'dexB:304', originChainId: 'evm:42161'} as const;
	const body = {timestamp, signature, ...place, amountUsdc: '10'};
	const failed = perp.payload('deposit', body);
	await expect(failed).rejects.toMatchObject({
		message: 'deposit payload generation failed',
		details: {reason: 'dexB is for practice chains'},
		cause: expect.objectContaining({message: 'dexB is for practice chains'}),
	});
	await perp.close();
});
