import {createJsonRpc} from '../../rpc/json-rpc.ts';
import {type ChainDriver, ChainUnavailable} from './driver.ts';

/**
 * A real node, by its address.
 * @throws ChainUnavailable when the node does not answer, or serves another chain
 */
export async function connectExternal(chainId: number, rpcUrl: string): Promise<ChainDriver> {
	const rpc = createJsonRpc(() => rpcUrl, {timeoutMs: 10_000});
	try {
		const answered = Number(await rpc.call<string>('eth_chainId'));
		if (answered !== chainId) throw new ChainUnavailable(chainId, `the configured node serves evm:${answered}`);
	} catch (error) {
		if (error instanceof ChainUnavailable) throw error;
		throw new ChainUnavailable(chainId, 'the configured node does not answer', error);
	} finally {
		await rpc.close();
	}
	return {kind: 'external', chainId, rpcUrl, touched() {}, onChange() {}, async close() {}};
}
