import type {Hex} from 'viem';
import type {JsonRpc} from '../../rpc/json-rpc.ts';

/** The hash of a chain's first block: chains with the same number differ in it. */
export async function firstBlock(rpc: JsonRpc): Promise<Hex> {
	return (await rpc.call<{hash: Hex}>('eth_getBlockByNumber', ['0x0', false])).hash;
}
