import {PulsetopError} from '../errors.ts';
import type {FollowOptions} from './follow/follow-options.ts';
import type {Limits} from './limits.ts';
import type {Market} from './market/market.ts';
import type {MoneyOptions} from './money-services.ts';
import type {Playback, ReplayOptions} from './replay/player.ts';
import type {ReplicaTuning} from './replicas/replica-service.ts';
import type {StoreAddress} from './store/store-address.ts';

export interface ServiceOptions {
	/** Default 127.0.0.1. */
	readonly host?: string;
	/** Default 0: any free port. */
	readonly port?: number;
	/** Sockets that listen on the port (see listen.ts): for many clients that come at once. Default 1. */
	readonly listeners?: number;
	/** Accepted keys; default: one new key. */
	readonly apiKeys?: readonly string[];
	/** Default true. False needs a loopback host. */
	readonly auth?: boolean;
	/** The simulated market: the same seed is the same market. Default 1. */
	readonly seed?: number;
	/** Activity of the simulated market; 1, the default, is about 200 trades a second. */
	readonly rate?: number;
	/**
	 * When the 24 hours of history are loaded, which takes about a second. The newest and most interesting tokens are always
	 * there at once. `first`: before the service answers, for a program that reads once. `later`, the default: while the
	 * service runs. `on-demand`: when a money flow names a token that is not loaded, for a program that reads no tokens.
	 */
	readonly history?: 'first' | 'later' | 'on-demand';
	/**
	 * Whether a store of an earlier run is opened before the service listens. Default false: it is opened when it is
	 * first used.
	 */
	readonly examinesStore?: boolean;
	/** Called once all history of the simulated market is loaded: later events are new. */
	readonly onHistoryLoaded?: () => void;
	/** Called when the simulated market has begun again after a jump of the clock; `onHistoryLoaded` follows once more. */
	readonly onBeginsAgain?: () => void;
	/** Where parts store what must survive; default: nothing survives. */
	readonly dataDir?: string;
	/** Database that several replicas of this service share; default: an embedded store in `dataDir`. */
	readonly store?: StoreAddress;
	/** Settings of replicas that only tests change. */
	readonly replica?: ReplicaTuning;
	/** Aborts a start that waits for the database, with the signal's reason. */
	readonly startSignal?: AbortSignal;
	/** The chains of the money flows; default: embedded practice chains, which replicas do not have. */
	readonly chains?: MoneyOptions['chains'];
	/** How long the bridge's /wait holds a request, in milliseconds; default 30 s (contract gaps 4.4). */
	readonly bridgeWaitMs?: number;
	/**
	 * Whether webhooks may lead to addresses of this machine and the networks around it. Default false; counts only
	 * while the host is a loopback address.
	 */
	readonly allowPrivateWebhooks?: boolean;
	/**
	 * Proves for the nonce of a client that this service has only a simulated market and practice chains (contract/practice-proof.ts);
	 * undefined while it cannot. Default: no proof.
	 */
	readonly provePractice?:
		| ((nonce: string) => {readonly address: string; readonly proof: string} | undefined)
		| undefined;
	/** Another market than the simulated one; the caller stops it. */
	readonly market?: Market;
	/**
	 * Chains to follow instead of the simulated market: their launches are real, and the service moves no money. With `history:
	 * 'first'` their past is waited for, up to half a minute.
	 */
	readonly follow?: FollowOptions;
	/** A recording to play instead of the simulated market; the service then serves its feed and nothing else. */
	readonly recording?: ReplayOptions;
	/** Called with each change of the playback of a recording. */
	readonly onPlayback?: (playback: Playback) => void;
	readonly limits?: Partial<Limits>;
	/** `https://HOST`, where clients reach the service through a proxy: links in responses begin with it. Default: the Host of each request. */
	readonly publicUrl?: string | undefined;
	/** Credits of each key (spec 4.4), for this run or, with `store`, from all replicas together; default: no limit. */
	readonly credits?: number | undefined;
	/** Milliseconds between two rounds of stream changes; default 200. */
	readonly flushMs?: number;
	/** Milliseconds between two full states of a subscription; default 60,000. */
	readonly syncMs?: number;
	/** Whether the socket offers compression (contract gaps 1.1). Default true; costs only clients that ask for it. */
	readonly deflate?: boolean;
	/** Called with every fault of the service itself: what failed, and the stack. */
	readonly onFault?: (text: string) => void;
}

export interface RunningService {
	/** `http://HOST:PORT` */
	readonly url: string;
	/** `ws://HOST:PORT/` */
	readonly streamUrl: string;
	/** Accepted keys, given or made; empty without auth. */
	readonly apiKeys: readonly string[];
	/**
	 * Closes every connection and stops; may be called twice.
	 * @param options.drainMs length of the graceful shutdown before, in milliseconds (default 0); see Drain
	 */
	close(options?: {readonly drainMs?: number}): Promise<void>;
}

/** The service could not start to listen, or its options are not allowed. */
export class ServiceNotStarted extends PulsetopError {
	readonly code = 'service-not-started';
}
