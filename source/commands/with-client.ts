import type {Client} from '../client/client.ts';
import type {Config} from '../config.ts';
import {openService} from './open-service.ts';

/**
 * Opens a client of the configured service, or of one of our own when none is configured, and closes both after use.
 * @param use what is done with the client
 */
export async function withClient<T>(config: Config, use: (client: Client) => Promise<T>): Promise<T> {
	const [service, {createClient}] = await Promise.all([openService(config), import('../client/create-client.ts')]);
	const client = createClient(service.options);
	try {
		return await use(client);
	} finally {
		await client.close();
		await service.close();
	}
}
