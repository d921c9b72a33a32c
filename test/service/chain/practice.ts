import {type Address, encodeFunctionData, type Hex, keccak256, stringToHex} from 'viem';
import {generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount} from 'viem/accounts';
import {BatchExecutor, Bridge, Token} from '../../../source/service/chain/artifacts.generated.ts';
import type {Chain} from '../../../source/service/chain/chain-set.ts';
import {minedReceipt} from '../../../source/service/chain/receipt.ts';
import {PATIENCE_MS} from '../../helpers/patience.ts';

export interface Call {
	readonly to: Address;
	readonly value: bigint;
	readonly data: Hex;
}

export const USDC = 1_000_000n;

export const newUser = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey());

let intents = 0;
export const newIntent = (): string => `test-${process.pid}-${++intents}-${Math.random().toString(36).slice(2)}`;

export const intentHash = (intentId: string): Hex => keccak256(stringToHex(intentId));

export const laneNonce = (intentId: string, sequence = 0n): bigint =>
	((BigInt(intentHash(intentId)) & ((1n << 192n) - 1n)) << 64n) | sequence;

export const nowS = (): bigint => BigInt(Math.floor(Date.now() / 1000));

export async function waitFor<T>(
	ask: () => Promise<T | undefined | null | false> | T | undefined | null | false,
	ms = PATIENCE_MS,
): Promise<T> {
	const untilMs = Date.now() + ms;
	while (true) {
		const found = await ask();
		if (found) return found;
		if (Date.now() > untilMs) throw new Error(`not within ${ms} ms: ${ask}`);
		await new Promise(resolve => setTimeout(resolve, 10));
	}
}

export const mined = (chain: Chain, hash: Hex) => minedReceipt(chain, hash, PATIENCE_MS);

export async function mint(chain: Chain, to: Address, amount: bigint, token = chain.addresses.usdc): Promise<void> {
	const data = encodeFunctionData({abi: Token.abi, functionName: 'mint', args: [to, amount]});
	await mined(chain, await chain.sender('faucet').send({to: token, data, gas: 200_000n}));
}

export const balanceOf = (chain: Chain, holder: Address, token = chain.addresses.usdc): Promise<bigint> =>
	chain.client.readContract({abi: Token.abi, address: token, functionName: 'balanceOf', args: [holder]});

/** Approve and bridgeToken, as a quote's steps have them. */
export function depositCalls(
	chain: Chain,
	recipient: Address,
	intentId: string,
	amount: bigint,
	approved = amount,
): Call[] {
	const {usdc, bridge} = chain.addresses;
	return [
		{
			to: usdc,
			value: 0n,
			data: encodeFunctionData({abi: Token.abi, functionName: 'approve', args: [bridge, approved]}),
		},
		{
			to: bridge,
			value: 0n,
			data: encodeFunctionData({
				abi: Bridge.abi,
				functionName: 'bridgeToken',
				args: [intentHash(intentId), usdc, amount, 42161n, recipient],
			}),
		},
	];
}

export interface BatchInput {
	readonly calls: readonly Call[];
	readonly nonce: bigint;
	readonly deadline?: bigint;
	readonly gasToken?: Address;
	readonly minBalance?: bigint;
	readonly signer?: PrivateKeyAccount;
}

export const batchTypes = {
	Call: [
		{name: 'to', type: 'address'},
		{name: 'value', type: 'uint256'},
		{name: 'data', type: 'bytes'},
	],
	Batch: [
		{name: 'calls', type: 'Call[]'},
		{name: 'nonce', type: 'uint256'},
		{name: 'deadline', type: 'uint256'},
		{name: 'gasToken', type: 'address'},
		{name: 'minBalance', type: 'uint256'},
	],
} as const;

/** The calldata of execute, signed as spec 4.4 says. */
export async function signedBatch(chain: Chain, user: PrivateKeyAccount, input: BatchInput): Promise<Hex> {
	const {
		calls,
		nonce,
		deadline = nowS() + 300n,
		gasToken = chain.addresses.usdc,
		minBalance = 0n,
		signer = user,
	} = input;
	const signature = await signer.signTypedData({
		domain: {name: 'ServiceBatchExecutor', version: '1', chainId: chain.info.id, verifyingContract: user.address},
		types: batchTypes,
		primaryType: 'Batch',
		message: {calls, nonce, deadline, gasToken, minBalance},
	});
	return encodeFunctionData({
		abi: BatchExecutor.abi,
		functionName: 'execute',
		args: [calls, nonce, deadline, gasToken, minBalance, signature],
	});
}

export async function authorize(chain: Chain, user: PrivateKeyAccount, {nonce}: {nonce?: number} = {}) {
	return user.signAuthorization({
		address: chain.addresses.batchExecutor,
		chainId: chain.info.id,
		nonce: nonce ?? (await chain.client.getTransactionCount({address: user.address})),
	});
}
