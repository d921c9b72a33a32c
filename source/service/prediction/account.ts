import {type Address, encodeFunctionData, formatUnits, getAddress, type Hex, isAddressEqual, zeroAddress} from 'viem';
import {isEvmAddress} from '../../address.ts';
import {hasWrongChecksum} from '../../address-checksum.ts';
import {
	type DeployBuild,
	PREDICTION,
	type PredictionAccountStatus,
	type PredictionTransaction,
} from '../../contract/prediction.ts';
import {deployTypedData, typedDataJson} from '../../contract/typed-data.ts';
import {InvalidRequest} from '../../contract/wire-error.ts';
import {Token, Vault, VaultFactory} from '../chain/artifacts.generated.ts';
import type {Chain} from '../chain/chain-set.ts';
import {accountAddressOf} from '../chain/deployment.ts';
import {MalformedSignature, recoverTypedDataSigner} from '../chain/recover.ts';
import {Refused} from '../http-error.ts';
import {baseUnits} from './exact-amount.ts';

const STABLE_DECIMALS = 6;

/**
 * An owner's address of a request. Letters of both cases must form a right checksum, since money is sent there.
 * @param field of the request
 * @throws InvalidRequest
 */
export function ownerAddress(text: string, field: string): Address {
	const isMistyped = hasWrongChecksum(text);
	if (!isMistyped && isEvmAddress(text)) return getAddress(text);
	const why = isMistyped ? 'its checksum is wrong: a letter was mistyped' : '0x and 40 hex digits';
	throw new InvalidRequest(field, 'must be an EVM address', why);
}

/**
 * The transaction with which an owner withdraws stablecoin from the account (spec 4.12).
 * @param amount the number as written in the request
 * @throws InvalidRequest `amount`
 */
export async function buildWithdraw(chain: Chain, owner: Address, amount: string): Promise<PredictionTransaction> {
	const amountRaw = baseUnits(amount, STABLE_DECIMALS);
	const vaultAddress = accountAddressOf(chain.addresses.vaultFactory, owner);
	return {
		to: vaultAddress,
		calldata: encodeFunctionData({
			abi: Vault.abi,
			functionName: 'withdraw',
			args: [chain.addresses.usdc, owner, amountRaw],
		}),
		chainId: PREDICTION.chainId,
		vaultAddress,
		deployed: await isDeployed(chain, vaultAddress),
	};
}

/**
 * The transaction with which any account puts stablecoin into an owner's account (contract gaps 6.3). An account can be
 * filled before its deployment: only its owner can ever have it.
 * @throws InvalidRequest `amount`
 */
export async function buildDeposit(chain: Chain, owner: Address, amount: string): Promise<PredictionTransaction> {
	const {usdc, vaultFactory} = chain.addresses;
	const vaultAddress = accountAddressOf(vaultFactory, owner);
	const args = [vaultAddress, baseUnits(amount, STABLE_DECIMALS)] as const;
	return {
		to: usdc,
		calldata: encodeFunctionData({abi: Token.abi, functionName: 'transfer', args}),
		chainId: PREDICTION.chainId,
		vaultAddress,
		deployed: await isDeployed(chain, vaultAddress),
	};
}

/**
 * The typed data that deploys an owner's account, and the account's address (spec 4.13). @throws Refused 409 when the account
 * is deployed
 */
export async function buildDeploy(chain: Chain, owner: Address): Promise<DeployBuild> {
	const {vaultFactory} = chain.addresses;
	const vaultAddress = accountAddressOf(vaultFactory, owner);
	await assertMissing(chain, vaultAddress);
	return {...typedDataJson(deployTypedData(vaultFactory)), vaultAddress};
}

/**
 * The transaction that deploys an owner's account; any account may send it (contract gaps 6.2).
 * @throws Refused 400 when the signature is not the owner's, 409 when the account is deployed
 */
export async function submitDeploy(chain: Chain, owner: Address, signature: string): Promise<PredictionTransaction> {
	const {vaultFactory} = chain.addresses;
	if (!isAddressEqual(signerOf(vaultFactory, signature), owner)) {
		throw new Refused(400, 'The signature is not by this address over the typed data of its deployment');
	}
	const vaultAddress = accountAddressOf(vaultFactory, owner);
	await assertMissing(chain, vaultAddress);
	return {
		to: vaultFactory,
		calldata: encodeFunctionData({
			abi: VaultFactory.abi,
			functionName: 'createProxy',
			args: [zeroAddress, 0n, zeroAddress, signature as Hex],
		}),
		chainId: PREDICTION.chainId,
		vaultAddress,
		deployed: false,
	};
}

/** Whether an owner's account is deployed, and its balance (contract gaps 6.2). */
export async function accountStatus(chain: Chain, owner: Address): Promise<PredictionAccountStatus> {
	const vaultAddress = accountAddressOf(chain.addresses.vaultFactory, owner);
	const [deployed, balance] = await Promise.all([
		isDeployed(chain, vaultAddress),
		chain.client.readContract({
			abi: Token.abi,
			address: chain.addresses.usdc,
			functionName: 'balanceOf',
			args: [vaultAddress],
		}),
	]);
	// The chain has no token of the platform.
	return {deployed, vaultAddress, usdceBalance: formatUnits(balance, STABLE_DECIMALS), pusdBalance: '0'};
}

function signerOf(factory: Address, signature: string): Address {
	try {
		return recoverTypedDataSigner(deployTypedData(factory), signature);
	} catch (error) {
		if (error instanceof MalformedSignature) throw new Refused(400, `${error.message}: ${error.why}`, {cause: error});
		throw error;
	}
}

async function assertMissing(chain: Chain, account: Address): Promise<void> {
	if (await isDeployed(chain, account))
		throw new Refused(409, 'The account is already deployed', {next: 'poll-status'});
}

async function isDeployed({client}: Chain, address: Address): Promise<boolean> {
	return (await client.getCode({address})) !== undefined;
}
