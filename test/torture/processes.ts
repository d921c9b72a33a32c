import {type ChildProcess, fork} from 'node:child_process';
import {once} from 'node:events';
import type {Service} from '../service/bridge/wire-wallet.ts';
import {ask} from '../service/helpers/http-client.ts';

/** The only key of the services under trial. */
export const KEY = 'test-key';

/** A service in a process of its own. */
export interface ServiceProcess {
	readonly child: ChildProcess;
	readonly service: Service;
}

/** Numbers from 0 to 1, the same for the same seed. */
export function randomBy(seed: number): () => number {
	let state = seed % 2_147_483_647 || 1;
	return () => {
		state = (state * 48_271) % 2_147_483_647;
		return state / 2_147_483_647;
	};
}

/** Starts the service of a file, which sends its address as a message. @param onFork gets the process before it listens */
export async function forkService(
	file: URL,
	args: readonly string[],
	onFork: (child: ChildProcess) => void = () => {},
): Promise<ServiceProcess> {
	const child = fork(file, [...args], {stdio: ['ignore', 'ignore', 'inherit', 'ipc']});
	onFork(child);
	const [message] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
	const {url} = (message ?? {}) as {url?: string};
	if (url === undefined) throw new Error('the service ended before it listened');
	return {child, service: {url, apiKeys: [KEY]}};
}

/** Ends a process with -9. @returns false when it had ended before */
export async function kill9(child: ChildProcess): Promise<boolean> {
	if (hasEnded(child)) return false;
	const gone = once(child, 'exit');
	child.kill('SIGKILL');
	await gone;
	return true;
}

export function hasEnded({exitCode, signalCode}: ChildProcess): boolean {
	return exitCode !== null || signalCode !== null;
}

/** Raw units of a token, read past every part of the program; 0 for a launch that nobody has bought: it has no code. */
export async function balanceAt(service: Service, chainId: string, token: string, holder: string): Promise<bigint> {
	const data = `0x70a08231${holder.slice(2).toLowerCase().padStart(64, '0')}`;
	const body = {jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{to: token, data}, 'latest']};
	const {json} = await ask(service as never, 'POST', `/dev/rpc/${chainId}`, {body});
	return json.result === '0x' ? 0n : BigInt(json.result);
}
