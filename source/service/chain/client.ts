import {createPublicClient, custom, defineChain, type PublicClient} from 'viem';
import {type JsonRpc, RpcRefused} from '../../rpc/json-rpc.ts';
import type {ChainInfo} from './chains.ts';

/**
 * A viem client over the service's own connection. viem's defaults wait and cache for four seconds, too long for a
 * practice chain, and its list of chains takes longer to load than everything else together.
 */
export function createChainClient(info: ChainInfo, rpc: JsonRpc): PublicClient {
	const chain = defineChain({
		id: info.id,
		name: info.name,
		nativeCurrency: {name: info.nativeSymbol, symbol: info.nativeSymbol, decimals: 18},
		// Unused: the transport below has the connection.
		rpcUrls: {default: {http: []}},
	});
	const request = async ({method, params}: {method: string; params?: unknown}) => {
		try {
			return await rpc.call(method, params as readonly unknown[] | undefined);
		} catch (error) {
			// viem reads a revert's bytes from an error's `code` and `data`.
			if (error instanceof RpcRefused) {
				throw Object.assign(new Error(error.message, {cause: error}), {code: error.rpcCode, data: error.data});
			}
			throw error;
		}
	};
	return createPublicClient({
		chain,
		transport: custom({request}, {retryCount: 0}),
		pollingInterval: 25,
		cacheTime: 0,
	}) as PublicClient;
}
