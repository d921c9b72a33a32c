import type {JsonRpc, RpcCall} from '../../rpc/json-rpc.ts';
import type {ChainInfo} from './chains.ts';

/** The offer of a transaction for gas, in wei. */
export interface GasFees {
	readonly maxFeePerGas: bigint;
	readonly maxPriorityFeePerGas: bigint;
}

/**
 * The price of gas units in US dollars, as a quote charges them: from the configured price, since the gas price of an
 * idle practice chain falls to nothing.
 */
export function gasCostUSD(info: ChainInfo, units: bigint): number {
	return Number(units) * info.gasPriceGwei * 1e-9 * info.nativeUSD;
}

/** Fees that the next blocks accept: twice the base fee of the last block, and the tip that the node advises. */
export async function currentFees(rpc: JsonRpc): Promise<GasFees> {
	return feesIn(await rpc.batch(FEE_CALLS));
}

/** The calls whose answers `feesIn` reads, for who asks the node for more in the same request. */
export const FEE_CALLS: readonly RpcCall[] = [
	{method: 'eth_getBlockByNumber', params: ['latest', false]},
	{method: 'eth_maxPriorityFeePerGas', params: []},
];

/** See currentFees. @param answers those to FEE_CALLS, first */
export function feesIn(answers: readonly unknown[]): GasFees {
	const [block, tip] = answers as [{baseFeePerGas?: string}, string];
	const maxPriorityFeePerGas = BigInt(tip);
	return {maxFeePerGas: BigInt(block.baseFeePerGas ?? 0) * 2n + maxPriorityFeePerGas, maxPriorityFeePerGas};
}
