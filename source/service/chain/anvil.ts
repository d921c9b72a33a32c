import {createJsonRpc} from '../../rpc/json-rpc.ts';
import {type AnvilOptions, launchAnvil, stopAnvil} from './anvil-process.ts';
import {type ChainDriver, ChainUnavailable} from './driver.ts';
import {createSaver} from './saver.ts';
import {stateFiles} from './state-file.ts';

/** A practice chain, and its process for the watchdog. */
export interface Anvil extends ChainDriver {
	readonly pid: number;
}

const RESTART_MS = {first: 100, most: 10_000};

/**
 * Starts a practice chain as a child process with a socket file. It mines a block for each transaction, has no
 * accounts, and neither a web page nor another user can reach it (see findListenAddress). When the process dies it is
 * restarted from the saved state.
 * @throws ChainUnavailable when it does not start
 */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
	const {chainId, directory, log = () => {}, watchdog} = options;
	const files = directory === undefined ? undefined : stateFiles(directory, chainId);
	let running = await launchAnvil(options, files);
	let closing = false;
	const listeners: ((reason: string | undefined) => void)[] = [];
	const rpc = createJsonRpc(() => running.url);

	const report = (reason: string | undefined) => {
		for (const listener of listeners) listener(reason);
	};
	const watch = () => {
		running.child.once('exit', (code, signal) => {
			watchdog.drop(running.pid);
			if (closing) return;
			log(`evm:${chainId}: its node ended (${signal ?? `exit ${code}`}) and is started again`);
			report('its node ended and is being started again');
			restart(RESTART_MS.first);
		});
	};
	const restart = (delayMs: number) => {
		const timer = setTimeout(async () => {
			if (closing) return;
			try {
				const next = await launchAnvil(options, files);
				if (closing) return void stopAnvil(next.child);
				running = next;
				watch();
				report(undefined);
			} catch (error) {
				report(error instanceof ChainUnavailable ? error.why : String(error));
				restart(Math.min(delayMs * 2, RESTART_MS.most));
			}
		}, delayMs);
		timer.unref();
	};
	watch();

	const saver = createSaver(async () => {
		const dump = await rpc.call<string>('anvil_dumpState');
		await files?.save(dump);
	}, log);

	return {
		kind: 'embedded',
		chainId,
		get rpcUrl() {
			return running.url;
		},
		get pid() {
			return running.pid;
		},
		touched() {
			if (files && !closing) saver.schedule();
		},
		onChange: listener => void listeners.push(listener),
		async close() {
			if (closing) return;
			closing = true;
			await saver.finish();
			await rpc.close();
			await stopAnvil(running.child);
			watchdog.drop(running.pid);
		},
	};
}
