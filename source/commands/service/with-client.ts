import type {Client} from '../../client/client.ts';
import type {Config} from '../../config/config.ts';
import {followOf} from './followed.ts';
import {type EmbeddedOptions, type OpenService, openService} from './open-service.ts';

/** How {@link withClient} opens the service and the client. */
export interface ClientUse {
	/** Whether the client reads changes: without, no stream is opened. */
	readonly isLive?: boolean;
	/** When an embedded service loads its history. Default `first`: a command that reads once prints all tokens. */
	readonly history?: EmbeddedOptions['history'];
	/** Opens another service than the configured or the embedded one. */
	readonly open?: ((config: Config) => Promise<OpenService>) | undefined;
}

/**
 * Opens a client of the configured service, or of an embedded one when none is configured, and closes both after use.
 * @param use the work with the client; its result is returned
 */
export async function withClient<T>(
	config: Config,
	use: (client: Client) => Promise<T>,
	{isLive = false, history = 'first', open}: ClientUse = {},
): Promise<T> {
	// A command that reads changes receives the past of followed chains too.
	const waits = isLive && followOf(config) !== undefined ? 'later' : history;
	const opening = open ? open(config) : openService(config, {dataDir: config.dataDir, history: waits});
	const [service, {createClient}] = await Promise.all([opening, import('../../client/create-client.ts')]);
	const client = createClient(isLive ? service.options : {...service.options, streamUrl: null});
	try {
		return await use(client);
	} finally {
		await client.close();
		await service.close();
	}
}
