import {type Abi, decodeErrorResult, formatTransactionReceipt, type Hash, type Hex, isHex} from 'viem';
import {type JsonRpc, RpcRefused} from '../../rpc/json-rpc.ts';
import * as artifacts from './artifacts.generated.ts';

/** Why a transaction had no effect. */
export interface FailureReason {
	/** The error's name, such as `CallFailed`, or `out-of-gas`, `reverted`. */
	readonly name: string;
	/** The arguments of the error. */
	readonly args?: readonly unknown[];
	/** The text with its figures: `call 1 failed: InsufficientAllowance(1, 50000000)`. */
	readonly text: string;
}

const ERRORS: Abi = [
	...new Map(
		Object.values(artifacts)
			.flatMap(({abi}) => abi as Abi)
			.filter(item => item.type === 'error')
			.map(item => [JSON.stringify(item), item]),
	).values(),
];

/** Describes the bytes of a revert. */
export function explainRevert(bytes: Hex | undefined): FailureReason {
	if (bytes === undefined || bytes === '0x') return {name: 'reverted', text: 'reverted without a reason'};
	let decoded: {errorName: string; args?: readonly unknown[] | undefined};
	try {
		decoded = decodeErrorResult({abi: ERRORS, data: bytes});
	} catch {
		return {name: 'reverted', text: `reverted with ${bytes.slice(0, 74)}`};
	}
	const {errorName: name, args = []} = decoded;
	if (name === 'CallFailed') {
		const [index, reason] = args as [bigint, Hex];
		return {name, text: `call ${index} failed: ${explainRevert(reason).text}`};
	}
	if (name === 'Error') return {name, text: String(args[0])};
	return {name, args, text: `${name}(${args.map(String).join(', ')})`};
}

/**
 * Why a mined transaction failed: the node runs it again. Call this when the failure is first seen: later the node may
 * have dropped the state before it.
 */
export async function failureOf(rpc: JsonRpc, hash: Hash): Promise<FailureReason> {
	const raw = await rpc.call<MinedTransaction | null>('eth_getTransactionByHash', [hash]);
	const receipt = await rpc.call<Parameters<typeof formatTransactionReceipt>[0] | null>('eth_getTransactionReceipt', [
		hash,
	]);
	if (raw !== null && receipt !== null && BigInt(raw.gas) === formatTransactionReceipt(receipt).gasUsed) {
		return {name: 'out-of-gas', text: 'out of gas'};
	}
	return explainRevert((await traced(rpc, hash)) ?? (raw === null ? undefined : await replayed(rpc, raw)));
}

interface MinedTransaction {
	readonly from: Hex;
	readonly to: Hex | null;
	readonly input: Hex;
	readonly value: Hex;
	readonly gas: Hex;
	readonly blockNumber: Hex;
}

async function traced(rpc: JsonRpc, hash: Hash): Promise<Hex | undefined> {
	const options = {tracer: 'callTracer', tracerConfig: {onlyTopCall: true}};
	try {
		const {output} = await rpc.call<{output?: Hex}>('debug_traceTransaction', [hash, options]);
		return output;
	} catch (error) {
		// Most real nodes do not offer traces.
		if (error instanceof RpcRefused) return undefined;
		throw error;
	}
}

async function replayed(
	rpc: JsonRpc,
	{from, to, input, value, gas, blockNumber}: MinedTransaction,
): Promise<Hex | undefined> {
	try {
		const before = `0x${(BigInt(blockNumber) - 1n).toString(16)}`;
		await rpc.call('eth_call', [{from, to, data: input, value, gas}, before]);
	} catch (error) {
		if (error instanceof RpcRefused) return isHex(error.data) ? error.data : undefined;
		throw error;
	}
	return undefined;
}
