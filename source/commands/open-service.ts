import type {MessagePort} from 'node:worker_threads';
import type {ClientOptions} from '../client/client.ts';
import type {Clock} from '../client/clock.ts';
import type {Config} from '../config/config.ts';
import {PulsetopError} from '../errors.ts';
import type {Playback} from '../service/replay/player.ts';
import {type SpawnOptions, spawnService} from '../service/spawn-service.ts';

/** A recording that is being played. */
export interface Playing {
	/** What was told last. */
	readonly last: Playback;
	/** The recorded time. */
	readonly clock: Clock;
	/** Calls back whenever more is told. */
	onChange(listener: () => void): void;
}

/** A service that is ready: how a client reaches it, and how it ends if it is ours. */
export interface OpenService {
	readonly options: ClientOptions;
	/** Whether the program started it for itself. */
	readonly isEmbedded: boolean;
	/** Of one of our own: its market has told the day before, and what comes from now on is news. */
	readonly historyLoaded?: Promise<void>;
	/** Where the playing has come to, of a service that plays a recording. */
	readonly playback?: Playing;
	close(): Promise<void>;
}

/** More for a service of one's own. */
export type OwnService = Pick<SpawnOptions, 'allowPrivateWebhooks' | 'dataDir' | 'history' | 'beside'>;

/**
 * The configured service; where none is configured, one of our own in a worker thread, on loopback: that thread starts
 * before this returns its promise, so whatever is loaded next is loaded beside it.
 * @param own more for one of our own
 * @throws ConfigError for a name in `provider.aliases` that is no field; ServiceNotStarted when our own can't start
 */
export async function openService(
	{service, embedded, dataDir, provider}: Config,
	own: OwnService = {dataDir},
): Promise<OpenService> {
	const {baseUrl, streamUrl, apiKey} = service;
	if (baseUrl !== undefined) {
		return {
			options: {
				baseUrl,
				...(streamUrl !== undefined && {streamUrl}),
				...(apiKey !== undefined && {apiKey}),
				...(Object.keys(provider.aliases).length > 0 && {
					provider: (await import('./provider-names.ts')).providerNames(provider.aliases),
				}),
			},
			isEmbedded: false,
			close: async () => {},
		};
	}
	const {promise: historyLoaded, resolve: onHistoryLoaded} = Promise.withResolvers<void>();
	const spawned = await spawnService({...embedded, ...own, ...threadWith(own.beside), onHistoryLoaded});
	const [key] = spawned.apiKeys;
	return {
		options: {baseUrl: spawned.url, streamUrl: spawned.streamUrl, ...(key !== undefined && {apiKey: key})},
		isEmbedded: true,
		historyLoaded,
		close: () => spawned.close(),
	};
}

/** Where feeds are read beside the service, its end is theirs: a screen that goes on would show what was, as live. */
export function threadWith(beside: MessagePort | undefined): Pick<SpawnOptions, 'beside' | 'entry' | 'onDeath'> {
	if (beside === undefined) return {};
	return {
		beside,
		entry: new URL('../threads/service-and-feeds.ts', import.meta.url),
		onDeath: error => {
			throw new ServiceDied(error);
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
