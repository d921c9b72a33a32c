import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {findAnvil} from '../../../source/service/chain/anvil-binary.ts';
import {createJsonRpc, type JsonRpc} from '../../../source/service/chain/json-rpc.ts';

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
	const {path, tried} = findAnvil();
	if (path === undefined) throw new Error(`anvil was not found in ${tried.join(', ')}`);
	const child = spawn(path, args(options), {stdio: ['ignore', 'pipe', 'pipe']});
	const port = await portOf(child);
	const url = `http://127.0.0.1:${port}`;
	const rpc = createJsonRpc(() => url);
	await rpc.call('anvil_autoImpersonateAccount', [true]);
	return {
		url,
		wsUrl: `ws://127.0.0.1:${port}`,
		rpc,
		async close() {
			await rpc.close();
			if (child.exitCode !== null || child.signalCode !== null) return;
			const ended = once(child, 'exit');
			child.kill('SIGKILL');
			await ended;
		},
	};
}

function args({chainNumber, startS, finalAfter}: Parameters<typeof startNode>[0]): string[] {
	return [
		...['--host', '127.0.0.1', '--port', '0', '--accounts', '0'],
		...['--chain-id', String(chainNumber), '--timestamp', String(startS)],
		...['--no-mining', '--order', 'fifo', '--disable-code-size-limit'],
		...['--gas-limit', '1000000000', '--base-fee', '0', '--gas-price', '0'],
		// Two epochs are final; old states stay in memory, so that every block can be asked.
		...['--slots-in-an-epoch', String(Math.max(1, Math.floor(finalAfter / 2))), '--prune-history', '5000'],
	];
}

/** The port is printed on stdout. Both pipes are read for good afterwards: a full one stops the node. */
function portOf(child: ChildProcess): Promise<string> {
	return new Promise((resolve, reject) => {
		let printed = '';
		child.stderr?.on('data', chunk => {
			printed += chunk;
		});
		child.stdout?.on('data', chunk => {
			printed += chunk;
			const port = /Listening on [\d.]+:(\d+)/.exec(printed)?.[1];
			if (port === undefined) return;
			child.stdout?.removeAllListeners('data').resume();
			child.stderr?.removeAllListeners('data').resume();
			resolve(port);
		});
		child.once('error', reject);
		child.once('exit', () => reject(new Error(`anvil ended at once: ${printed.slice(-500)}`)));
	});
}
