import type {Hex} from 'viem';
import type {ChainReader} from '../chain-reader.ts';

/** What a unit of gas may cost, in wei. */
export interface Fees {
	readonly maxFeePerGas: bigint;
	readonly maxPriorityFeePerGas: bigint;
}

/** Room for a base fee that rises by an eighth in each of six blocks. */
const BASE_FEE_FACTOR = 2n;
/** A quarter more than estimated: the state may change until the transaction is mined. */
const gasWithRoom = (gas: bigint): bigint => (gas * 5n) / 4n;

/** What a transaction would have to offer now. @throws ChainUnread */
export async function readFees(chains: ChainReader, chainId: string): Promise<Fees> {
	const [block, tip] = await Promise.all([
		chains.request(chainId, 'eth_getBlockByNumber', ['latest', false]),
		chains.request(chainId, 'eth_maxPriorityFeePerGas', []),
	]);
	const base = quantity(
		typeof block === 'object' && block !== null && 'baseFeePerGas' in block ? block.baseFeePerGas : '0x0',
	);
	const maxPriorityFeePerGas = quantity(tip);
	return {maxFeePerGas: base * BASE_FEE_FACTOR + maxPriorityFeePerGas, maxPriorityFeePerGas};
}

/** The gas that a call needs, with some room; a call that would fail throws. @throws ChainUnread */
export async function estimateGas(
	chains: ChainReader,
	chainId: string,
	call: {readonly from: string; readonly to: string; readonly data: Hex},
): Promise<bigint> {
	return gasWithRoom(quantity(await chains.request(chainId, 'eth_estimateGas', [call])));
}

function quantity(value: unknown): bigint {
	return typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value) ? BigInt(value) : 0n;
}
