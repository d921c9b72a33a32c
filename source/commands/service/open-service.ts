import type {MessagePort} from 'node:worker_threads';
import type {ClientOptions} from '../../client/client.ts';
import type {Clock} from '../../client/clock.ts';
import type {Config} from '../../config/config.ts';
import {PulsetopError} from '../../errors.ts';
import {isCodeGone} from '../../installation.ts';
import type {Playback} from '../../service/replay/player.ts';
import {type SpawnOptions, spawnService} from '../../service/spawn-service.ts';
import {followOf} from './followed.ts';

/** A recording that is being played. */
export interface Playing {
	/** The last report of the player. */
	readonly last: Playback;
	/** The recorded time. */
	readonly clock: Clock;
	/** Calls back at every report of the player. */
	onChange(listener: () => void): void;
}

/** A service that is ready: the options of its client, and how to stop an embedded one. */
export interface OpenService {
	readonly options: ClientOptions;
	/** Resolves when an embedded service has loaded the day before: later events are live. */
	readonly historyLoaded?: Promise<void>;
	/**
	 * Calls back with false when the simulated market has begun again after a jump of the clock: its tokens are others, and were
	 * there before. With true once its history is loaded.
	 */
	readonly onHistory?: (listener: (isLoaded: boolean) => void) => void;
	/** The playback state, for a service that plays a recording. */
	readonly playback?: Playing;
	close(): Promise<void>;
}

/** Further options of an embedded service. */
export type EmbeddedOptions = Pick<SpawnOptions, 'allowPrivateWebhooks' | 'dataDir' | 'history' | 'beside'>;

/**
 * Opens the service of the feed: an embedded one that follows the configured chains, else the configured service, else an
 * embedded one with a simulated market. An embedded service runs in a worker thread, on loopback. The thread starts before the
 * promise is returned, while the caller loads modules.
 * @param own further options of an embedded service
 * @throws ConfigError for a name in `provider.aliases` that is not a field; ServiceNotStarted when the embedded one can't start
 */
export async function openService(
	config: Config,
	own: EmbeddedOptions = {dataDir: config.dataDir},
): Promise<OpenService> {
	const follow = followOf(config);
	if (follow === undefined && config.service.baseUrl !== undefined)
		return {options: await hostedOptions(config), close: async () => {}};
	const {promise: historyLoaded, resolve} = Promise.withResolvers<void>();
	let noteHistory: ((isLoaded: boolean) => void) | undefined;
	const spawned = await spawnService({
		...config.embedded,
		...own,
		...threadWith(own.beside),
		...(follow && {follow}),
		onHistoryLoaded: () => {
			resolve();
			noteHistory?.(true);
		},
		onBeginsAgain: () => noteHistory?.(false),
	});
	const [key] = spawned.apiKeys;
	return {
		options: {baseUrl: spawned.url, streamUrl: spawned.streamUrl, ...(key !== undefined && {apiKey: key})},
		historyLoaded,
		onHistory: listener => {
			noteHistory = listener;
		},
		close: () => spawned.close(),
	};
}

/** The client's options for the configured service. @throws ConfigError for a name in `provider.aliases` that is not a field */
export async function hostedOptions({service, provider}: Config): Promise<ClientOptions> {
	const {baseUrl, streamUrl, apiKey} = service;
	return {
		baseUrl: baseUrl!,
		...(streamUrl !== undefined && {streamUrl}),
		...(apiKey !== undefined && {apiKey}),
		...(Object.keys(provider.aliases).length > 0 && {
			provider: (await import('./provider-names.ts')).providerNames(provider.aliases),
		}),
	};
}

/** The thread that runs the service and reads the feeds. Its death ends the program: the screen would show old rows as live. */
export function threadWith(beside: MessagePort | undefined): Pick<SpawnOptions, 'beside' | 'entry' | 'onDeath'> {
	if (beside === undefined) return {};
	return {
		beside,
		entry: new URL('../../threads/service-and-feeds.ts', import.meta.url),
		onDeath: error => {
			throw isCodeGone(error) ? error : new ServiceDied(error);
		},
	};
}

/** The thread of the embedded service ended. */
class ServiceDied extends PulsetopError {
	readonly code = 'service-died';

	constructor(cause: unknown) {
		const why = cause instanceof Error ? cause.message : 'its thread ended by itself';
		super('The embedded service has died', {why, next: 'report', cause});
	}
}
