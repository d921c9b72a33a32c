import {setTimeout as sleep} from 'node:timers/promises';
import {type Address, encodeFunctionData, type Hash, type Hex, parseEther, size, toHex} from 'viem';
import type {PrivateKeyAccount} from 'viem/accounts';
import type {JsonRpc, RpcCall} from '../../rpc/json-rpc.ts';
import {Token} from './artifacts.generated.ts';
import {type ContractName, CREATE2_DEPLOYER, type Deployment, planDeployment} from './deployment.ts';
import {ChainUnavailable} from './driver.ts';
import {ROLES, type RoleAccounts} from './practice-keys.ts';
import type {Sender} from './sender.ts';

/** Input of bootstrap. */
export interface BootstrapOptions {
	readonly chainId: number;
	readonly rpc: JsonRpc;
	readonly accounts: RoleAccounts;
	/** Whether coins and tokens may be created: on practice chains only. */
	readonly isPractice: boolean;
	/** Whether missing contracts are deployed; otherwise the chain is refused without them. */
	readonly deploys: boolean;
	readonly senderOf: (account: PrivateKeyAccount) => Sender;
	/** Deploys what is missing; default: at once. With several processes one does, and the others find it done. */
	readonly deployAlone?: ((deployer: Address, act: () => Promise<void>) => Promise<void>) | undefined;
}

/** Holdings of the solver, the pools and the venue on a practice chain, in whole tokens. */
const PRACTICE_STOCK = 10_000_000n;
/** A stock is filled up again below this. */
const PRACTICE_LOW = 1_000_000n;
const PRACTICE_COINS = parseEther('10000');
/**
 * Upper bound of the gas of a creation: a fixed part, and for each byte its calldata, its storage and its share of the
 * constructor.
 */
const CREATION_GAS = {base: 400_000n, byte: 240n};
const FUNDING_GAS = 200_000n;
const MINED_WITHIN_MS = 10_000;

/**
 * Brings a chain to the state that the money flows need: deploys missing contracts, and on a practice chain funds
 * accounts, solver and pools. A second call changes nothing.
 * @throws ChainUnavailable when contracts are missing and may not be deployed, or their deployment fails
 */
export async function bootstrap(options: BootstrapOptions): Promise<Deployment> {
	const {accounts, chainId, deploys, isPractice, rpc} = options;
	const plan = planDeployment({
		solver: accounts.solver.address,
		faucet: accounts.faucet.address,
		keeper: accounts.keeper.address,
	});
	const names = [...plan.creations.keys()];
	const missingNow = async (): Promise<ContractName[]> => {
		const codes = await rpc.batch(names.map(name => getCode(plan.addresses[name])));
		return names.filter((_, i) => codes[i] === '0x');
	};
	const missing = await missingNow();
	if (missing.length > 0 && !deploys) {
		throw new ChainUnavailable(chainId, `these contracts are not deployed on it: ${missing.join(', ')}`);
	}
	if (missing.length > 0 && (await hasNoCode(rpc, CREATE2_DEPLOYER))) {
		throw new ChainUnavailable(chainId, 'the CREATE2 deployer is missing on it');
	}

	if (isPractice) {
		await rpc.batch(
			ROLES.map(role => ({method: 'anvil_setBalance', params: [accounts[role].address, toHex(PRACTICE_COINS)]})),
		);
	}
	if (missing.length > 0) {
		const {deployAlone = (_, act) => act()} = options;
		await deployAlone(accounts.deployer.address, async () =>
			deploy(options, plan.creations, await missingNow(), plan.addresses),
		);
	}
	if (isPractice) await fund(options, plan.addresses);
	return plan.addresses;
}

async function deploy(
	options: BootstrapOptions,
	creations: ReadonlyMap<ContractName, Hex>,
	missing: readonly ContractName[],
	addresses: Deployment,
): Promise<void> {
	if (missing.length === 0) return;
	const {accounts, chainId, rpc} = options;
	const calls = missing.map(name => {
		const data = creations.get(name)!;
		return {to: CREATE2_DEPLOYER, data, gas: CREATION_GAS.base + CREATION_GAS.byte * BigInt(size(data))};
	});
	await sendAll(options, [{account: accounts.deployer, calls}]);
	const codes = await rpc.batch(missing.map(name => getCode(addresses[name])));
	const still = missing.filter((_, i) => codes[i] === '0x');
	if (still.length > 0)
		throw new ChainUnavailable(chainId, `these contracts could not be deployed: ${still.join(', ')}`);
}

/** Tokens for the solver and the pools, and the solver's permission for the bridge to take them. */
async function fund(options: BootstrapOptions, at: Deployment): Promise<void> {
	const {accounts, rpc} = options;
	const {faucet, solver} = accounts;
	const holdings = [
		{token: at.usdc, holder: solver.address, decimals: 6n},
		{token: at.dai, holder: solver.address, decimals: 18n},
		{token: at.usdc, holder: at.amm, decimals: 6n},
		{token: at.dai, holder: at.amm, decimals: 18n},
		{token: at.usdc, holder: at.perpExchange, decimals: 6n},
		{token: at.usdc, holder: at.venue, decimals: 6n},
	];
	const tokens = [at.usdc, at.dai];
	const answers = (await rpc.batch([
		...holdings.map(({token, holder}) => read(token, 'balanceOf', [holder])),
		...tokens.map(token => read(token, 'allowance', [solver.address, at.bridge])),
	])) as Hex[];
	// Holdings below their mark, except those of the pool of two tokens: filling up one side would move its price.
	const mints = holdings
		.filter(({holder, decimals}, i) => BigInt(answers[i]!) < (holder === at.amm ? 1n : PRACTICE_LOW * 10n ** decimals))
		.map(({token, holder, decimals}) => ({
			to: token,
			data: encodeFunctionData({
				abi: Token.abi,
				functionName: 'mint',
				args: [holder, PRACTICE_STOCK * 10n ** decimals],
			}),
			gas: FUNDING_GAS,
		}));
	const approvals = tokens
		.filter((_, i) => BigInt(answers[holdings.length + i]!) < 2n ** 255n)
		.map(token => ({
			to: token,
			data: encodeFunctionData({abi: Token.abi, functionName: 'approve', args: [at.bridge, 2n ** 256n - 1n]}),
			gas: FUNDING_GAS,
		}));
	await sendAll(options, [
		{account: faucet, calls: mints},
		{account: solver, calls: approvals},
	]);
}

interface Sending {
	readonly account: PrivateKeyAccount;
	readonly calls: readonly {readonly to: Address; readonly data: Hex; readonly gas: bigint}[];
}

/** Sends all transactions, those of each account in order, and waits until they are mined. */
async function sendAll({rpc, chainId, senderOf}: BootstrapOptions, sendings: readonly Sending[]): Promise<void> {
	const send = async ({account, calls}: Sending): Promise<Hash[]> => {
		const sender = senderOf(account);
		const hashes: Hash[] = [];
		for (const call of calls) hashes.push(await sender.send(call));
		return hashes;
	};
	const hashes = (await Promise.all(sendings.map(send))).flat();
	const untilMs = performance.now() + MINED_WITHIN_MS;
	while (true) {
		const receipts = await rpc.batch(hashes.map(hash => ({method: 'eth_getTransactionReceipt', params: [hash]})));
		if (receipts.every(receipt => receipt !== null)) return;
		if (performance.now() > untilMs) throw new ChainUnavailable(chainId, 'its first transactions were not mined');
		await sleep(10);
	}
}

async function hasNoCode(rpc: JsonRpc, address: Address): Promise<boolean> {
	return (await rpc.batch([getCode(address)]))[0] === '0x';
}

function getCode(address: Address): RpcCall {
	return {method: 'eth_getCode', params: [address, 'latest']};
}

function read(token: Address, functionName: 'balanceOf' | 'allowance', args: readonly Address[]): RpcCall {
	// The two functions take one and two addresses; viem's types cannot express the choice.
	const data = encodeFunctionData({abi: Token.abi, functionName, args: args as readonly [Address, Address]});
	return {method: 'eth_call', params: [{to: token, data}, 'latest']};
}
