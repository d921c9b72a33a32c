import type {Hex} from 'viem';
import type {ChainReader} from '../chain-reader.ts';
import {quantity} from '../evm-words.ts';

/** The price limit of a unit of gas, in wei. */
export interface Fees {
	readonly maxFeePerGas: bigint;
	readonly maxPriorityFeePerGas: bigint;
}

/** Margin for a base fee that rises by an eighth in each of six blocks. */
const BASE_FEE_FACTOR = 2n;
/** A quarter more than estimated: the state may change until the transaction is mined. */
const gasWithRoom = (gas: bigint): bigint => (gas * 5n) / 4n;

/** The fees that a transaction has to offer now. @throws ChainUnread */
export async function readFees(chains: ChainReader, chainId: string): Promise<Fees> {
	const [block, tip] = await Promise.all([
		chains.request(chainId, 'eth_getBlockByNumber', ['latest', false]),
		chains.request(chainId, 'eth_maxPriorityFeePerGas', []),
	]);
	const base = quantity((block as {baseFeePerGas?: unknown} | null)?.baseFeePerGas) ?? 0n;
	const maxPriorityFeePerGas = quantity(tip) ?? 0n;
	return {maxFeePerGas: base * BASE_FEE_FACTOR + maxPriorityFeePerGas, maxPriorityFeePerGas};
}

/** The gas that a call needs, plus a quarter. @throws NodeRefused for a call that would fail; ChainUnread */
export async function estimateGas(
	chains: ChainReader,
	chainId: string,
	call: {readonly from: string; readonly to: string; readonly data: Hex},
): Promise<bigint> {
	return gasWithRoom(quantity(await chains.request(chainId, 'eth_estimateGas', [call])) ?? 0n);
}
