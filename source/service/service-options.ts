import {PulsetopError} from '../errors.ts';
import type {Limits} from './limits.ts';
import type {Market} from './market/market.ts';
import type {MoneyOptions} from './money-room.ts';
import type {Playback, ReplayOptions} from './replay/player.ts';

export interface ServiceOptions {
	/** Default 127.0.0.1. */
	readonly host?: string;
	/** Default 0: any free port. */
	readonly port?: number;
	/** Keys that are let in; none given: one is made. */
	readonly apiKeys?: readonly string[];
	/** Default true. False needs a loopback host. */
	readonly auth?: boolean;
	/** The simulated market: the same seed is the same market. Default 1. */
	readonly seed?: number;
	/** How busy the simulated market is; 1, the default, is about 200 trades a second. */
	readonly rate?: number;
	/**
	 * Whether the day before is told before the service listens, which takes about a second. Default false: the newest and most
	 * interesting tokens are there at once, the others come while it runs. Who asks only once has to be told all.
	 */
	readonly hasWholeHistory?: boolean;
	/** Whether a store of a former run is looked at before the service listens. Default false: it is opened when it is needed. */
	readonly examinesStore?: boolean;
	/** Told once the simulated market has told all of the day before: what comes from then on is news. */
	readonly onHistoryTold?: () => void;
	/** Where parts keep what must survive; none given: nothing survives. */
	readonly dataDir?: string;
	/** Which chains the money flows run on; practice chains of our own by default. */
	readonly chains?: MoneyOptions['chains'];
	/** How long the bridge's /wait holds a request, in milliseconds; default 30 s (contract gaps 4.4). */
	readonly bridgeWaitMs?: number;
	/**
	 * Whether webhooks may lead to addresses of this machine and the networks around it. Default false; it counts only while
	 * the host is a loopback address.
	 */
	readonly allowPrivateWebhooks?: boolean;
	/** Another market than the simulated one; it stays the caller's. */
	readonly market?: Market;
	/** A recording instead of the simulated market: the feed of it, and nothing else, is served. */
	readonly recording?: ReplayOptions;
	/** Called with each turn of the playing of a recording. */
	readonly onPlayback?: (playback: Playback) => void;
	readonly limits?: Partial<Limits>;
	/** Credits of each key for this run (spec 4.4); none given: nothing runs out. */
	readonly credits?: number | undefined;
	/** Milliseconds between two rounds of stream changes; default 200. */
	readonly flushMs?: number;
	/** Milliseconds between two full states of a subscription; default a minute. */
	readonly syncMs?: number;
	/** Whether the socket offers compression (contract gaps 1.1). Default true; it costs only for those who ask for it. */
	readonly deflate?: boolean;
	/** Called with every fault of the service itself, in words: what it was about and where it came from. */
	readonly onFault?: (words: string) => void;
}

export interface RunningService {
	/** `http://HOST:PORT` */
	readonly url: string;
	/** `ws://HOST:PORT/` */
	readonly streamUrl: string;
	/** Keys that are let in, given or made; empty without auth. */
	readonly apiKeys: readonly string[];
	/** Ends every connection and stops; may be called twice. */
	close(): Promise<void>;
}

/** The service could not begin to listen, or was asked for something that it must not do. */
export class ServiceNotStarted extends PulsetopError {
	readonly code = 'service-not-started';
}
