import type {Client} from '../client/client.ts';
import type {Config} from '../config/config.ts';
import {type OpenService, openService} from './open-service.ts';

/**
 * Opens a client of the configured service, or of one of our own when none is configured, and closes both after use.
 * @param use what is done with the client
 * @param options.isLive whether changes are wanted: without, no stream is opened
 * @param options.open where the service comes from, when it is another
 */
export async function withClient<T>(
	config: Config,
	use: (client: Client) => Promise<T>,
	{isLive = false, open = openWhole}: {isLive?: boolean; open?: (config: Config) => Promise<OpenService>} = {},
): Promise<T> {
	const [service, {createClient}] = await Promise.all([open(config), import('../client/create-client.ts')]);
	const client = createClient(isLive ? service.options : {...service.options, streamUrl: null});
	try {
		return await use(client);
	} finally {
		await client.close();
		await service.close();
	}
}

/** Whoever asks once must not be told the half of it. */
function openWhole(config: Config): Promise<OpenService> {
	return openService(config, {dataDir: config.dataDir, hasWholeHistory: true});
}
