import type {Entry} from '../contract/entry.ts';
import type {FieldName} from '../contract/fields.ts';
import type {Clock} from './clock.ts';
import type {Feed, FeedOptions, ViewRequest} from './feed/feed-events.ts';
import type {Call} from './http/call.ts';
import type {ServiceFacts} from './http/health.ts';
import type {WalletLabels} from './lookups/labels.ts';
import type {ViewPage} from './lookups/page.ts';
import type {Sparkline, SparklineQuery} from './lookups/sparkline.ts';

/** Field names of a hosted provider that differ from the neutral ones. */
export interface ProviderNames {
	/** Further spellings of entry fields, preferred to the standard ones. */
	readonly fieldAliases?: Readonly<Partial<Record<FieldName, readonly string[]>>>;
	/** Field names in responses to calls, by neutral name; read where the neutral name is absent. */
	readonly answerAliases?: Readonly<Record<string, string>>;
}

export interface ClientOptions {
	/** Address of the service, `http(s)://host[:port][/prefix]`; or several, of its replicas. */
	readonly baseUrl: string | readonly string[];
	/**
	 * Address of the stream; default: the host of `baseUrl` with ws or wss and path `/`; null for a service without one.
	 * Several belong to those of `baseUrl` by their places.
	 */
	readonly streamUrl?: string | readonly string[] | null | undefined;
	readonly apiKey?: string | undefined;
	readonly provider?: ProviderNames;
	/** Longest time for one response. Default 10,000. Long-polling calls (`/wait`) have their own. */
	readonly timeoutMs?: number;
	/** Silence, probes included, after which the stream counts as dead. Default 15,000; 6,000 with several addresses. */
	readonly silenceMs?: number;
	/** Largest response, in bytes. Default 16 MiB. */
	readonly maxResponseBytes?: number;
	/** The service's time where it is not that of its responses: a recording's time, which may pass faster. */
	readonly clock?: Clock;
}

/** All requests and feeds of one service. All methods throw a PulsetopError on failure. */
export interface Client {
	readonly clock: Clock;
	/** Calls one endpoint of the contract's table. */
	readonly call: Call;
	/** The service's own description, e.g. a simulated market. Not part of the API: empty for a hosted service. */
	facts(options?: {signal?: AbortSignal}): Promise<ServiceFacts>;
	/** Opens a feed: a snapshot at once, then changes. */
	openFeed(options: FeedOptions): Feed;
	/** One token with all its fields; undefined for a token that the service does not know. */
	fetchToken(token: {chainId: string; address: string}, options?: {signal?: AbortSignal}): Promise<Entry | undefined>;
	/** Rows of a view from an `offset` on, over REST, as they are now. */
	fetchPage(request: ViewRequest, options?: {signal?: AbortSignal}): Promise<ViewPage>;
	/** Opens a feed of one token: its entry now and at every change; undefined while the service does not know the token. */
	watchToken(token: {chainId: string; address: string}, onEntry: (entry: Entry | undefined) => void): Feed;
	/**
	 * Labels of wallets, requested in batches of at most 100 and cached for `maxAgeMs`.
	 * @param token makes the labels relative to this token
	 */
	labels(
		addresses: readonly string[],
		options?: {token?: string; maxAgeMs?: number; signal?: AbortSignal},
	): Promise<ReadonlyMap<string, WalletLabels>>;
	/** The price line of an asset as numbers; undefined for an asset that the service does not know. */
	sparkline(query: SparklineQuery, options?: {signal?: AbortSignal}): Promise<Sparkline | undefined>;
	/** Ends every request, feed and connection. */
	close(): Promise<void>;
}
