import {type Address, createPublicClient, createWalletClient, defineChain, type Hex, http} from 'viem';
import {generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount} from 'viem/accounts';
import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest';
import {endpointOf} from '../../../source/contract/endpoints.ts';
import type {PredictionTransaction} from '../../../source/contract/prediction.ts';
import {startService} from '../../../source/service/server.ts';
import type {RunningService} from '../../../source/service/service-options.ts';
import {PATIENCE_MS} from '../../helpers/patience.ts';
import {ask, expectError} from '../helpers/http-client.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';

let service: RunningService;
let usdc: Address;
let factory: Address;

beforeAll(async () => {
	service = await startService({market: new TinyMarket(), apiKeys: ['secret'], chains: {chainIds: [137]}});
	const {data} = (await ask(service, 'GET', '/dev/chains')).json;
	({usdc, vaultFactory: factory} = data[0].contracts);
});
afterAll(() => service.close());

const post = (path: string, body: unknown) => ask(service, 'POST', path, {body});
const newUser = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey());
const faucet = async (address: Address, token?: Address) => {
	const response = await post('/dev/faucet', {chainId: 'evm:137', address, ...(token ? {token} : {})});
	expect(response.status, response.text).toBe(200);
};

/** The chain as a wallet sees it: through the service's filtered RPC. */
function chainOf() {
	const url = `${service.url}/dev/rpc/evm:137`;
	const chain = defineChain({
		id: 137,
		name: 'Polygon',
		nativeCurrency: {name: 'POL', symbol: 'POL', decimals: 18},
		rpcUrls: {default: {http: [url]}},
	});
	const transport = http(url, {fetchOptions: {headers: {authorization: 'secret'}}, retryCount: 0});
	return {chain, transport, client: createPublicClient({chain, transport, pollingInterval: 25, cacheTime: 0})};
}

async function broadcast(account: PrivateKeyAccount, {to, calldata}: {to: string; calldata: string}) {
	const {chain, transport, client} = chainOf();
	const wallet = createWalletClient({account, chain, transport});
	const hash = await wallet.sendTransaction({to: to as Address, data: calldata as Hex});
	// A wait of viem asks once a block, and a practice chain counts a block before it shows the receipts in it.
	return vi.waitUntil(() => client.getTransactionReceipt({hash}).catch(() => undefined), {timeout: PATIENCE_MS});
}

const status = async (wallet: string) => {
	const response = await ask(service, 'GET', `/api/2/wallet/pm/status?wallet=${wallet}`);
	return (endpointOf('vaultStatus').response().parse(response.json) as {data: Record<string, unknown>}).data;
};

const balanceOf = (holder: Address) =>
	chainOf().client.readContract({
		abi: [
			{
				type: 'function',
				name: 'balanceOf',
				stateMutability: 'view',
				inputs: [{type: 'address'}],
				outputs: [{type: 'uint256'}],
			},
		],
		address: usdc,
		functionName: 'balanceOf',
		args: [holder],
	});

test.each(['toLowerCase', 'toUpperCase'] as const)('an owner written by %s is the same owner', async change => {
	const user = newUser();
	const owner = `0x${user.address.slice(2)[change]()}`;
	expect(await status(owner)).toEqual(await status(user.address));
	for (const path of ['deploy/build', 'withdraw/build', 'deposit/build']) {
		const build = async (address: string) => (await post(`/api/2/pm/${path}`, {address, amount: 5})).json.data;
		expect(await build(owner)).toEqual(await build(user.address));
	}
	const {domain, types, primaryType, message} = (await post('/api/2/pm/deploy/build', {address: owner})).json.data;
	const signature = await user.signTypedData({domain, types, primaryType, message});
	expect(await post('/api/2/pm/deploy/submit', {address: owner, signature})).toMatchObject({status: 201});
});

test("an account is deployed on its owner's signature where it was predicted, filled, and emptied to the cent", async () => {
	const user = newUser();
	await faucet(user.address);
	const built = await post('/api/2/pm/deploy/build', {address: user.address});
	expect(built.status, built.text).toBe(201);
	const {data, took} = endpointOf('deployBuild').response().parse(built.json) as never as {
		data: Parameters<PrivateKeyAccount['signTypedData']>[0] & {vaultAddress: Address; domain: object; message: object};
		took: number;
	};
	expect(took).toBeGreaterThan(0);
	expect(data.domain).toEqual({name: 'ServiceVaultFactory', chainId: 137, verifyingContract: factory});
	const zero = `0x${'0'.repeat(40)}`;
	expect(data.message).toEqual({paymentToken: zero, payment: '0', paymentReceiver: zero});
	expect(await status(user.address)).toEqual({
		deployed: false,
		vaultAddress: data.vaultAddress,
		usdceBalance: '0',
		pusdBalance: '0',
	});
	// Signed as a wallet would: from the JSON, without code of this project.
	const signature = await user.signTypedData(data as never);
	const submitted = await post('/api/2/pm/deploy/submit', {address: user.address, signature});
	expect(submitted.status, submitted.text).toBe(201);
	const deploy = submitted.json.data as PredictionTransaction;
	expect(deploy).toMatchObject({to: factory, chainId: 137, vaultAddress: data.vaultAddress, deployed: false});
	expect((await broadcast(user, deploy)).status).toBe('success');

	await faucet(user.address, usdc);
	const deposit = await post('/api/2/pm/deposit/build', {address: user.address, amount: 1000});
	expect(deposit.json.data).toMatchObject({to: usdc, vaultAddress: data.vaultAddress, deployed: true});
	expect((await broadcast(user, deposit.json.data)).status).toBe('success');
	expect(await status(user.address)).toMatchObject({deployed: true, usdceBalance: '1000'});
	const withdraw = await post('/api/2/pm/withdraw/build', {address: user.address, amount: 0.1});
	expect(withdraw.status, withdraw.text).toBe(201);
	const {data: transaction} = withdraw.json as {data: PredictionTransaction};
	expect(transaction).toMatchObject({
		to: data.vaultAddress,
		chainId: 137,
		vaultAddress: data.vaultAddress,
		deployed: true,
	});
	expect((await broadcast(user, transaction)).status).toBe('success');
	expect(await balanceOf(user.address)).toBe(100_000n);
	const rest = (await post('/api/2/pm/withdraw/build', {address: user.address, amount: 999.9})).json.data;
	expect((await broadcast(user, rest)).status).toBe('success');
	expect(await balanceOf(user.address)).toBe(1_000_000_000n);
	expect(await status(user.address)).toMatchObject({usdceBalance: '0'});

	// What was built for the owner does nothing when another account sends it.
	const thief = newUser();
	await faucet(thief.address);
	await expect(broadcast(thief, transaction)).rejects.toThrow(/revert/);
	// A second deployment is refused before it costs gas.
	expectError(await post('/api/2/pm/deploy/build', {address: user.address}), 409, /already deployed/);
	expectError(await post('/api/2/pm/deploy/submit', {address: user.address, signature}), 409, /already deployed/);
});

describe('a withdrawal (spec 4.12)', () => {
	const owner = `0x${'1'.repeat(40)}`;
	/** The amount in the calldata: its last word. @param text as it stands in the JSON */
	const rawOf = async (text: string) => {
		const response = await post('/api/2/pm/withdraw/build', `{"address":"${owner}","amount":${text}}`);
		return response.status === 201 ? BigInt(`0x${response.json.data.calldata.slice(-64)}`) : response.status;
	};

	test.each([
		['0.01', 10_000n],
		['0.1', 100_000n],
		['4.35', 4_350_000n],
		['1.005', 1_005_000n],
		['8.2e-1', 820_000n],
		['1e9', 10n ** 15n],
		['999999999.999999', 999_999_999_999_999n],
		['0.009', 400],
		['0', 400],
		['-5', 400],
		['1000000000.01', 400],
		['1.0000001', 400],
		['1000000000.0000000001', 400],
		['0.30000000000000004', 400],
		['"5"', 400],
		['null', 400],
	])('of %s is %s', async (text, expected) => {
		expect(await rawOf(text)).toBe(expected);
	});

	test('takes the amount of the body itself, not of something in it', async () => {
		expect(await rawOf('2.5,"x":{"amount":7}')).toBe(2_500_000n);
		expect(await rawOf('7,"amount":2.5')).toBe(2_500_000n);
	});

	test('says that an account does not exist yet', async () => {
		expect((await post('/api/2/pm/withdraw/build', {address: owner, amount: 5})).json.data.deployed).toBe(false);
	});

	test('wants an address without a typing mistake', async () => {
		const build = (address: unknown) => post('/api/2/pm/withdraw/build', {address, amount: 5});
		const {address} = newUser();
		expect((await build(address.toLowerCase())).status).toBe(201);
		const at = [...address].findIndex((letter, i) => i > 1 && /[a-f]/.test(letter));
		const mistyped = address.slice(0, at) + address[at]!.toUpperCase() + address.slice(at + 1);
		expectError(await build(mistyped), 400, /address .*checksum/);
		expectError(await build(''), 400, /address/);
		expectError(await build('0x12'), 400, /address/);
	});
});

describe('a deployment (spec 4.13)', () => {
	test('is not built from the signature of another account, of another chain, or of garbage', async () => {
		const [user, other] = [newUser(), newUser()];
		const {data} = (await post('/api/2/pm/deploy/build', {address: user.address})).json;
		const submit = (signature: string) => post('/api/2/pm/deploy/submit', {address: user.address, signature});
		expectError(await submit(await other.signTypedData(data)), 400, /signature/);
		const elsewhere = {...data, domain: {...data.domain, chainId: 1}};
		expectError(await submit(await user.signTypedData(elsewhere)), 400, /signature/);
		expectError(await submit(`0x${'00'.repeat(65)}`), 400, /signature/);
		expectError(await submit('0x1234'), 400, /signature/);
		expect((await submit(await user.signTypedData(data))).status).toBe(201);
	});

	test('is built for an address of its own: two owners have two accounts', async () => {
		const addresses = await Promise.all(
			[newUser(), newUser()].map(
				async ({address}) => (await post('/api/2/pm/deploy/build', {address})).json.data.vaultAddress,
			),
		);
		expect(new Set(addresses).size).toBe(2);
	});
});
