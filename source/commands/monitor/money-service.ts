import type {Client, ClientOptions} from '../../client/client.ts';
import type {Config} from '../../config/config.ts';
import {PulsetopError} from '../../errors.ts';
import {followOf} from '../service/followed.ts';
import {moneyModeOf} from '../service/money-mode.ts';
import {hostedOptions, type OpenService} from '../service/open-service.ts';
import {practiceAt} from '../service/practice-at.ts';

/** The service that moves money, and its client. */
export interface MoneyService {
	readonly client: Client;
	readonly options: ClientOptions;
	close(): Promise<void>;
}

/** The service of a monitor. */
export interface Served {
	client?: Client;
	service?: OpenService;
	/** The hosted service beside chains that are followed, once money was asked for. */
	money?: Promise<MoneyService>;
}

/**
 * The service that moves the money of a monitor: that of the feed, or the hosted one beside chains that are followed, whose
 * client is opened once.
 * @throws ServiceMissing while there is no service; MoneyMissing; PracticeUnproven
 */
export async function moneyServiceOf(config: Config, connected: Served): Promise<MoneyService> {
	const {client, service} = connected;
	if (!client || !service) throw new ServiceMissing();
	const isSeveral = [service.options.baseUrl].flat().length > 1;
	const practice = isSeveral ? practiceAt(service.options, await moneyModeOf(config)) : undefined;
	if (followOf(config) === undefined && !practice) return {client, options: service.options, close: async () => {}};
	connected.money ??= openHosted(config, practice && {baseUrl: practice.baseUrl, streamUrl: null});
	return connected.money;
}

/** @param at another address than the configured ones */
async function openHosted(config: Config, at?: Pick<ClientOptions, 'baseUrl' | 'streamUrl'>): Promise<MoneyService> {
	const [{createClient}, configured] = await Promise.all([
		import('../../client/create-client.ts'),
		hostedOptions(config),
	]);
	const options = {...configured, ...at};
	const client = createClient(options);
	return {client, options, close: () => client.close()};
}

class ServiceMissing extends PulsetopError {
	readonly code = 'service-missing';

	constructor() {
		super('The service is not there yet', {why: 'money actions need its answer', next: 'retry-later'});
	}
}
