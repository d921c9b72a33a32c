import {startService} from '../service/server.ts';
import type {ServiceOptions} from '../service/service-options.ts';
import {print} from './output.ts';

/** What `pulsetop serve` runs with. */
export interface ServeOptions
	extends Required<
		Pick<
			ServiceOptions,
			'host' | 'port' | 'apiKeys' | 'auth' | 'seed' | 'rate' | 'dataDir' | 'allowPrivateWebhooks' | 'chains'
		>
	> {}

/**
 * Runs the service until SIGINT or SIGTERM. Prints `listening on <url>` when it answers, then the key if one was made.
 * @returns exit code 0 after a clean stop
 * @throws ServiceNotStarted
 */
export async function serve(options: ServeOptions): Promise<number> {
	// Asked for before the start: a signal that comes meanwhile ends the service as soon as there is one.
	const asked = stopSignal();
	const service = await startService({...options, onFault: words => process.stderr.write(`pulsetop: ${words}\n`)});
	await print(`listening on ${service.url}\n`);
	if (options.auth && options.apiKeys.length === 0) await print(`api key: ${service.apiKeys[0]}\n`);
	await asked;
	await service.close();
	return 0;
}

function stopSignal(): Promise<void> {
	return new Promise(resolve => {
		for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
	});
}
