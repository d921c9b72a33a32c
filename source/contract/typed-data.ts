import type {Hex} from 'viem';
import {
	concatHex,
	hashMessage,
	hashTypedData,
	isAddress,
	keccak256,
	numberToHex,
	stringToBytes,
	toRlp,
} from 'viem/utils';
import type {PerpAction} from './perp.ts';
import {NEUTRAL_PROVIDER, type Provider} from './provider.ts';
import {InvalidRequest, quoteForMessage} from './wire-error.ts';

/*
 * The data to sign: the EIP-712 batch and deploy, the EIP-7702 authorization, the EIP-191 texts, the nonce lane
 * (spec 4.4, 5). No key comes near here. Client and service share it, so every digest is pinned by vectors that another
 * implementation made (test/vectors/signing.py).
 */

/** The number of an EVM chain: `evm:8453` => 8453. @throws InvalidRequest `chainId` for any other chain */
export function chainNumber(chainId: string): number {
	const digits = /^evm:([1-9]\d{0,15})$/.exec(chainId)?.[1];
	if (digits === undefined)
		throw new InvalidRequest('chainId', 'must be an EVM chain', `got ${quoteForMessage(chainId)}`);
	return Number(digits);
}

const BATCH_TYPES = {
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

/** The fields of an execute body that are signed (spec 4.4), as the wire spells them. */
export interface Batch {
	readonly originChainId: string;
	/** The user's account: domain and place where the calls run. */
	readonly authority: string;
	readonly calls: readonly {readonly to: string; readonly value: string; readonly data: string}[];
	readonly batchNonce: string;
	/** Unix seconds. */
	readonly deadline: string;
	readonly gasToken: string;
	readonly minBalance: string;
}

/**
 * The typed data of a batch: for viem's signTypedData, and for typedDataJson.
 * @throws InvalidRequest when the origin is no EVM chain; SyntaxError when a number is no number
 */
export function batchTypedData(batch: Batch, provider: Provider = NEUTRAL_PROVIDER) {
	return {
		domain: {
			name: provider.domainName,
			version: provider.domainVersion,
			chainId: chainNumber(batch.originChainId),
			verifyingContract: encodable(batch.authority),
		},
		types: BATCH_TYPES,
		primaryType: 'Batch',
		message: {
			calls: batch.calls.map(({to, value, data}) => ({to: encodable(to), value: BigInt(value), data: data as Hex})),
			nonce: BigInt(batch.batchNonce),
			deadline: BigInt(batch.deadline),
			gasToken: encodable(batch.gasToken),
			minBalance: BigInt(batch.minBalance),
		},
	} as const;
}

/** An address as it is spelled, or in lower case where its capitals are no checksum: viem encodes no such one. */
function encodable(address: string): Hex {
	return isAddress(address) ? address : (address.toLowerCase() as Hex);
}

/** The digest that the batch's signature is over: 32 bytes. */
export function batchDigest(batch: Batch, provider: Provider = NEUTRAL_PROVIDER): Hex {
	return hashTypedData(batchTypedData(batch, provider));
}

const LANE_BITS = 192n;
const SEQUENCE_BITS = 64n;

/** The lane of an intent: keccak256 of the id's bytes, its lower 192 bits (spec 4.4). */
export function laneOf(intentId: string): bigint {
	return BigInt(intentHashOf(intentId)) & ((1n << LANE_BITS) - 1n);
}

/** An intent as the bridge's calls and events name it: 32 bytes of hex, in lower case. */
export function intentHashOf(intentId: string): string {
	return keccak256(stringToBytes(intentId));
}

/**
 * The nonce of an intent's batch. On the wire it is decimal text: `String(batchNonce(id))`.
 * @param sequence how many batches of this lane went through; the spec's first and only is 0
 */
export function batchNonce(intentId: string, sequence = 0n): bigint {
	return (laneOf(intentId) << SEQUENCE_BITS) | sequence;
}

/** The delegation of an authorization: the account's code becomes that of `address`, on one chain, once. */
export interface AuthorizationRequest {
	/** Never 0, which would hold on every chain. */
	readonly chainId: number;
	/** The delegate: the batch executor. */
	readonly address: string;
	/** The account's current nonce. */
	readonly nonce: number;
}

/** The digest of an EIP-7702 authorization: keccak256(0x05 || rlp([chainId, address, nonce])). */
export function authorizationDigest({chainId, address, nonce}: AuthorizationRequest): Hex {
	const integer = (value: number): Hex => (value === 0 ? '0x' : numberToHex(value));
	return keccak256(concatHex(['0x05', toRlp([integer(chainId), address as Hex, integer(nonce)])]));
}

/**
 * The account that a code delegates to, in lower case; undefined when it is no delegation (a plain account has no code).
 * @param code as eth_getCode gives it; viem gives undefined for none
 */
export function delegateOf(code: string | undefined): string | undefined {
	return /^0xef0100([0-9a-f]{40})$/i
		.exec(code ?? '')?.[1]
		?.toLowerCase()
		.replace(/^/, '0x');
}

/** The text that a payload request signs by EIP-191 (spec 5). @param timestampMs as in the body */
export function perpPayloadText(action: PerpAction, timestampMs: number): string {
	return `api/2/perp/payloads/${action}-${timestampMs}`;
}

/** The text that execute signs by EIP-191 (spec 5). @param payloadStr the final string, as in the body */
export function perpExecuteText(timestampMs: number, payloadStr: string): string {
	return `api/2/perp/execute-v2-${timestampMs}-${payloadStr}`;
}

/** The digest of an EIP-191 text. */
export function messageDigest(text: string): Hex {
	return hashMessage(text);
}

const DEPLOY_TYPES = {
	CreateProxy: [
		{name: 'paymentToken', type: 'address'},
		{name: 'payment', type: 'uint256'},
		{name: 'paymentReceiver', type: 'address'},
	],
} as const;

const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000';

/**
 * The typed data that deploys a smart account of a prediction market (contract gaps 6.2), without a payment.
 * @param factory the contract that creates the account
 */
export function deployTypedData(factory: string, {name = 'ServiceVaultFactory', chainId = 137} = {}) {
	return {
		domain: {name, chainId, verifyingContract: factory as Hex},
		types: DEPLOY_TYPES,
		primaryType: 'CreateProxy',
		message: {paymentToken: ZERO_ADDRESS, payment: 0n, paymentReceiver: ZERO_ADDRESS},
	} as const;
}

/** The digest of the deploy's typed data. */
export function deployDigest(factory: string, options: {name?: string; chainId?: number} = {}): Hex {
	return hashTypedData(deployTypedData(factory, options));
}

/** Typed data as plain JSON, integers as decimal text: it signs to the same bytes. Shared by dry runs and responses. */
export function typedDataJson(data: {
	readonly domain: object;
	readonly types: object;
	readonly primaryType: string;
	readonly message: object;
}): {
	domain: Record<string, unknown>;
	types: Record<string, {name: string; type: string}[]>;
	primaryType: string;
	message: Record<string, unknown>;
} {
	return JSON.parse(JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? value.toString() : value)));
}
