import {mkdtempSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {encodeFunctionData, type Hex, keccak256, stringToHex, zeroAddress} from 'viem';
import {generatePrivateKey, privateKeyToAccount} from 'viem/accounts';
import {afterEach, expect, test} from 'vitest';
import {evmChainNumber} from '../../../source/chains/chains.ts';
import {createJsonRpc} from '../../../source/rpc/json-rpc.ts';
import {type Anvil, startAnvil} from '../../../source/service/chain/anvil.ts';
import {findAnvil} from '../../../source/service/chain/anvil-binary.ts';
import {Token} from '../../../source/service/chain/artifacts.generated.ts';
import {type ChainSet, type ChainSetOptions, createChainSet} from '../../../source/service/chain/chain-set.ts';
import {CHAINS} from '../../../source/service/chain/chains.ts';
import {ChainUnavailable} from '../../../source/service/chain/driver.ts';
import {FAUCET_UNITS, give, NoFaucet} from '../../../source/service/chain/faucet.ts';
import {gasCostUSD} from '../../../source/service/chain/gas.ts';
import {practiceAccounts, ROLES, type Role} from '../../../source/service/chain/practice-keys.ts';
import {proxyRpc} from '../../../source/service/chain/rpc-proxy.ts';
import {assertMayAct} from '../../../source/service/chain/safety.ts';
import {startWatchdog} from '../../../source/service/chain/watchdog.ts';
import {balanceOf, mined, newUser} from './practice.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
	for (const close of closers.splice(0).reverse()) await close();
});

function open(options: ChainSetOptions = {}): ChainSet {
	const set = createChainSet(options);
	closers.push(() => set.close());
	return set;
}

function newDirectory(): string {
	const directory = mkdtempSync(join(tmpdir(), 'pulsetop-chains-'));
	closers.push(() => rm(directory, {recursive: true}));
	return directory;
}

const newKeys = () => Object.fromEntries(ROLES.map(role => [role, generatePrivateKey()])) as Record<Role, Hex>;
const practiceKey = (role: Role) => keccak256(stringToHex(`pulsetop practice key: ${role}`));

/** A real node, as far as the chain set knows. */
async function somebodysNode(chainId = 8453): Promise<Anvil> {
	const watchdog = startWatchdog();
	const anvil = await startAnvil({chainId, binary: findAnvil().path!, watchdog});
	closers.push(
		() => watchdog.close(),
		() => anvil.close(),
	);
	return anvil;
}

async function fund({rpcUrl}: Anvil, keys: Record<Role, Hex>): Promise<void> {
	const rpc = createJsonRpc(() => rpcUrl);
	await rpc.batch(
		ROLES.map(role => ({
			method: 'anvil_setBalance',
			params: [privateKeyToAccount(keys[role]).address, '0x8ac7230489e80000'],
		})),
	);
	await rpc.close();
}

test('nothing is started before a chain is needed; then that one is, and no other', async () => {
	const set = open();
	const states = () => [8453, 56, 42161, 137, 4663].map(id => set.state(id).state);
	expect(states()).toEqual(['idle', 'idle', 'idle', 'idle', 'idle']);
	const ready = set.ready(4663);
	expect(states()).toEqual(['idle', 'idle', 'idle', 'idle', 'starting']);
	await ready;
	expect(states()).toEqual(['idle', 'idle', 'idle', 'idle', 'ready']);
	expect(await set.ready(4663)).toBe(await set.ready(4663));
});

test('a practice chain is described without being started: where its contracts will stand, and that every balance is 0', async () => {
	const directory = newDirectory();
	const set = open({directory, external: new Map([[137, {rpcUrl: 'http://127.0.0.1:1'}]])});
	const before = set.outline(56);
	expect(before).toMatchObject({kind: 'embedded', isNew: true});
	expect(set.outline(137)).toEqual({kind: 'external', isNew: false});
	expect(set.state(56)).toEqual({state: 'idle'});
	const chain = await set.ready(56);
	expect(before.addresses).toEqual(chain.addresses);
	expect(set.outline(56).isNew).toBe(false);
	await set.close();
	const later = open({directory});
	expect([later.outline(56).isNew, later.outline(8453).isNew]).toEqual([false, true]);
	expect(() => later.outline(1)).toThrow(ChainUnavailable);
});

test('a missing anvil makes every chain unavailable, with the reason as text', async () => {
	const set = open({chainIds: [8453], anvilPath: '/does/not/exist'});
	const reason = 'the program anvil was not found; looked in: the configured path';
	expect(set.state(8453)).toEqual({state: 'unavailable', reason});
	await expect(set.ready(8453)).rejects.toThrow(ChainUnavailable);
	expect(set.state(8453)).toEqual({state: 'unavailable', reason});
});

test('a chain that is not configured, or is unknown, is refused with that reason', async () => {
	const set = open({chainIds: [8453]});
	await expect(set.ready(42161)).rejects.toMatchObject({why: 'it is not configured'});
	expect(() => createChainSet({chainIds: [1]})).toThrow(ChainUnavailable);
});

test('a solver, two pools and their tokens exist from the start, and are not created twice', async () => {
	const directory = newDirectory();
	const first = open({chainIds: [8453], directory});
	await first.ready(8453);
	await first.close();
	const chain = await open({chainIds: [8453], directory}).ready(8453);
	const {usdc, dai, amm, perpExchange, bridge} = chain.addresses;
	const {solver} = chain.accounts;
	expect(await balanceOf(chain, solver.address)).toBe(10_000_000n * 10n ** 6n);
	expect(await balanceOf(chain, solver.address, dai)).toBe(10_000_000n * 10n ** 18n);
	expect(await balanceOf(chain, amm)).toBe(10_000_000n * 10n ** 6n);
	expect(await balanceOf(chain, perpExchange)).toBe(10_000_000n * 10n ** 6n);
	const allowance = {abi: Token.abi, address: usdc, functionName: 'allowance', args: [solver.address, bridge]} as const;
	expect(await chain.client.readContract(allowance)).toBe(2n ** 256n - 1n);
});

test("a real node with the service's own accounts is prepared only on request", async () => {
	const [anvil, key] = [await somebodysNode(), newKeys()];
	await fund(anvil, key);
	const node = (deploys: boolean) => ({
		external: new Map([[8453, {rpcUrl: anvil.rpcUrl, key, deploys}]]),
		chainIds: [],
	});
	await expect(open(node(false)).ready(8453)).rejects.toMatchObject({
		why: expect.stringMatching(/^these contracts are not deployed on it: .*bridge/),
	});
	const chain = await open(node(true)).ready(8453);
	expect(chain.kind).toBe('external');
	expect((await chain.client.getCode({address: chain.addresses.bridge}))?.length).toBeGreaterThan(2);
	expect(await balanceOf(chain, chain.accounts.solver.address)).toBe(0n);
	await open(node(false)).ready(8453);
});

test('a real node without accounts, of another chain, or that is not there, is unavailable', async () => {
	const anvil = await somebodysNode(137);
	const set = (chainId: number, rpcUrl: string) => open({external: new Map([[chainId, {rpcUrl}]]), chainIds: []});
	await expect(set(137, anvil.rpcUrl).ready(137)).rejects.toMatchObject({why: expect.stringContaining('no key')});
	await expect(set(8453, anvil.rpcUrl).ready(8453)).rejects.toMatchObject({why: 'the configured node serves evm:137'});
	await expect(set(8453, 'http://127.0.0.1:1').ready(8453)).rejects.toMatchObject({
		why: 'the configured node does not answer',
	});
});

test('practice keys never act on a real chain, and real keys never on a practice chain', async () => {
	const [anvil, accounts] = [await somebodysNode(), practiceAccounts()];
	const set = open({
		external: new Map([[8453, {rpcUrl: anvil.rpcUrl, key: practiceKey('sponsor'), deploys: true}]]),
		chainIds: [],
	});
	await expect(set.ready(8453)).rejects.toMatchObject({code: 'wrong-world'});
	expect(() => assertMayAct('embedded', newUser().address)).toThrow(/real key was given for a practice chain/);
	expect(() => assertMayAct('external', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')).toThrow(/practice key/);
	for (const role of ROLES) {
		expect(() => assertMayAct('external', accounts[role].address)).toThrow(/practice key/);
		expect(() => assertMayAct('embedded', accounts[role].address)).not.toThrow();
	}
});

test('the faucet gives test tokens and coins on a practice chain, and nothing else anywhere', async () => {
	const chain = await open().ready(8453);
	const someone = newUser().address;
	const given = await give(chain, someone, chain.addresses.usdc);
	await mined(chain, given.txHash!);
	expect(await balanceOf(chain, someone)).toBe(FAUCET_UNITS * 10n ** 6n);
	await give(chain, someone, 'native');
	await give(chain, someone, 'native');
	expect(await chain.client.getBalance({address: someone})).toBe(2n * 10n ** 18n);
	await expect(give(chain, someone, zeroAddress)).rejects.toThrow(NoFaucet);
	await expect(give({...chain, kind: 'external'}, someone, 'native')).rejects.toThrow(NoFaucet);
});

interface Answer {
	id: unknown;
	result?: unknown;
	error?: {code: number; message: string};
}

test('the proxy passes on what a wallet needs and refuses what commands a practice chain', async () => {
	const {rpc} = await open().ready(8453);
	const ask = async (method: string, params: unknown[] = []) =>
		(await proxyRpc(rpc, {jsonrpc: '2.0', id: 'x', method, params})) as Answer;
	expect(await ask('eth_chainId')).toEqual({jsonrpc: '2.0', id: 'x', result: '0x2105'});
	const refused = [
		'anvil_setBalance',
		'evm_mine',
		'debug_traceTransaction',
		'eth_sendTransaction',
		'eth_sendUnsignedTransaction',
		'eth_sign',
		'hardhat_setBalance',
		'txpool_content',
		'personal_sign',
		'trace_block',
	];
	for (const method of refused) expect((await ask(method)).error, method).toMatchObject({code: -32601});
	const someone = newUser().address;
	expect((await ask('eth_getBalance', [someone, 'latest'])).result).toBe('0x0');
	expect((await ask('eth_call', [{to: someone}, 'nonsense'])).error?.code).toBe(-32602);
});

test('the proxy answers batches call by call, and nonsense with an error', async () => {
	const {rpc} = await open().ready(8453);
	const call = (id: number, method: string) => ({jsonrpc: '2.0', id, method});
	const answers = (await proxyRpc(rpc, [call(1, 'eth_chainId'), call(2, 'evm_mine'), 'nonsense'])) as Answer[];
	expect(answers.map(({id, result, error}) => [id, result ?? error?.code])).toEqual([
		[1, '0x2105'],
		[2, -32601],
		[null, -32600],
	]);
	for (const body of [[], null, 7, 'eth_chainId', {id: 1}, Array(51).fill(call(1, 'eth_chainId'))]) {
		expect(((await proxyRpc(rpc, body)) as Answer).error?.code).toBe(-32600);
	}
});

test('a transaction that a wallet signed itself gets onto the chain through the proxy', async () => {
	const chain = await open().ready(8453);
	const user = newUser();
	await give(chain, user.address, 'native');
	const raw = await user.signTransaction({
		chainId: 8453,
		type: 'eip1559',
		to: chain.addresses.usdc,
		data: encodeFunctionData({abi: Token.abi, functionName: 'approve', args: [chain.addresses.bridge, 1n]}),
		gas: 100_000n,
		maxFeePerGas: 10n ** 10n,
		nonce: 0,
	});
	const {result} = (await proxyRpc(chain.rpc, {
		jsonrpc: '2.0',
		id: 1,
		method: 'eth_sendRawTransaction',
		params: [raw],
	})) as Answer;
	expect((await mined(chain, result as `0x${string}`)).status).toBe('success');
});

test('a chain that is reset has another instance, one that is continued the same, and each start is another run', async () => {
	const [directory, other] = [newDirectory(), newDirectory()];
	const marks = async (at: string) => {
		const set = open({chainIds: [8453], directory: at});
		const {instance, run} = await set.ready(8453);
		await set.close();
		return {instance, run};
	};
	const [first, again, another] = [await marks(directory), await marks(directory), await marks(other)];
	expect(again.instance).toBe(first.instance);
	expect(another.instance).not.toBe(first.instance);
	expect(new Set([first.run, again.run, another.run]).size).toBe(3);
});

test('transactions of one account that come at once are all mined: none arrives while the one before it is being mined', async () => {
	const chain = await open().ready(8453);
	const sender = chain.sender('sponsor');
	const outgoing = {to: newUser().address, gas: 21_000n, value: 1n};
	const seen: boolean[] = [];
	let before: Hex | undefined;
	const send = () =>
		sender.send(outgoing, async ({hash}) => {
			// Checked before this one leaves: the one before it is in a block already.
			if (before) seen.push((await chain.rpc.call('eth_getTransactionReceipt', [before])) !== null);
			before = hash;
		});
	await Promise.all(Array.from({length: 50}, send));
	expect(seen).toEqual(Array(49).fill(true));
});

test('chains are named by evm and a plain number, and price gas by their own figures', () => {
	expect([...CHAINS.values()].map(({key}) => key)).toEqual(['evm:8453', 'evm:56', 'evm:42161', 'evm:137', 'evm:4663']);
	expect(['evm:8453', 'evm:0', 'evm:08453', 'evm:', 'solana:solana', 'evm:8453 ', 'EVM:1'].map(evmChainNumber)).toEqual(
		[8453, ...Array(6).fill(undefined)],
	);
	const polygon = CHAINS.get(137)!;
	expect(gasCostUSD(polygon, 1_000_000n)).toBeCloseTo(1_000_000 * polygon.gasPriceGwei * 1e-9 * polygon.nativeUSD, 9);
});
