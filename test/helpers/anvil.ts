import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {findAnvil} from '../../source/service/chain/anvil-binary.ts';

/** A running process of anvil. */
export interface Anvil {
	readonly port: number;
	readonly url: string;
	close(): Promise<void>;
}

/** Starts anvil on a free port of this machine, without accounts. */
export async function startAnvil(args: readonly string[]): Promise<Anvil> {
	const {path, tried} = findAnvil();
	if (path === undefined) throw new Error(`anvil was not found in ${tried.join(', ')}`);
	const child = spawn(path, ['--host', '127.0.0.1', '--port', '0', '--accounts', '0', ...args], {
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const port = await portOf(child);
	return {
		port,
		url: `http://127.0.0.1:${port}`,
		async close() {
			if (child.exitCode !== null || child.signalCode !== null) return;
			const ended = once(child, 'exit');
			child.kill('SIGKILL');
			await ended;
		},
	};
}

/** The port, which anvil prints on stdout. Both pipes are read to their end afterwards: a full one stops the node. */
function portOf(child: ChildProcess): Promise<number> {
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
			resolve(Number(port));
		});
		child.once('error', reject);
		child.once('exit', () => reject(new Error(`anvil ended at once: ${printed.slice(-500)}`)));
	});
}
