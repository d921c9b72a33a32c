import type {Client} from '../client/client.ts';
import type {Config} from '../config.ts';
import {openService} from './open-service.ts';

/**
 * Opens a client of the configured service, or of one of our own when none is configured, and closes both after use.
 * @param use what is done with the client
 * @param options.isLive whether changes are wanted: without, no stream is opened
 */
export async function withClient<T>(
	config: Config,
	use: (client: Client) => Promise<T>,
	{isLive = false}: {isLive?: boolean} = {},
): Promise<T> {
	const [service, {createClient}] = await Promise.all([openService(config), import('../client/create-client.ts')]);
	const client = createClient(isLive ? service.options : {...service.options, streamUrl: null});
	try {
		return await use(client);
	} finally {
		await client.close();
		await service.close();
	}
}
