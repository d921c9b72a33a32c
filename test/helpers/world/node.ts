import {createJsonRpc, type JsonRpc} from '../../../source/rpc/json-rpc.ts';
import {startAnvil} from '../anvil.ts';

/** A real node with a chain of its own, on a free port. Nothing is mined until it is asked for. */
export interface WorldNode {
	readonly url: string;
	readonly wsUrl: string;
	readonly rpc: JsonRpc;
	close(): Promise<void>;
}

/**
 * Starts anvil.
 * @param options.startS time of its first block, Unix seconds
 * @param options.finalAfter blocks behind the head that count as final: `safe` is half of it
 */
export async function startNode(options: {
	readonly chainNumber: number;
	readonly startS: number;
	readonly finalAfter: number;
}): Promise<WorldNode> {
	const {port, url, close} = await startAnvil(args(options));
	const rpc = createJsonRpc(() => url);
	await rpc.call('anvil_autoImpersonateAccount', [true]);
	return {
		url,
		wsUrl: `ws://127.0.0.1:${port}`,
		rpc,
		async close() {
			await rpc.close();
			await close();
		},
	};
}

function args({chainNumber, startS, finalAfter}: Parameters<typeof startNode>[0]): string[] {
	return [
		...['--chain-id', String(chainNumber), '--timestamp', String(startS)],
		...['--no-mining', '--order', 'fifo', '--disable-code-size-limit'],
		...['--gas-limit', '1000000000', '--base-fee', '0', '--gas-price', '0'],
		// Two epochs are final; old states stay in memory, so that every block can be asked.
		...['--slots-in-an-epoch', String(Math.max(1, Math.floor(finalAfter / 2))), '--prune-history', '5000'],
	];
}
