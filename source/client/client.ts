import type {Entry} from '../contract/entry.ts';
import type {FieldName} from '../contract/fields.ts';
import type {Call} from './call.ts';
import type {Clock} from './clock.ts';
import type {Feed, FeedOptions} from './feed-events.ts';
import type {ServiceFacts} from './health.ts';
import type {WalletLabels} from './labels.ts';
import type {MarketQuote, MarketWatch} from './market-watch.ts';
import type {Sparkline, SparklineQuery} from './sparkline.ts';

/** Names that a hosted provider spells differently from the neutral ones. */
export interface ProviderNames {
	/** Further spellings of entry fields, read before the usual ones. */
	readonly fieldAliases?: Readonly<Partial<Record<FieldName, readonly string[]>>>;
	/** Fields of answers to calls, by neutral name, read where the neutral name is missing. */
	readonly answerAliases?: Readonly<Record<string, string>>;
}

export interface ClientOptions {
	/** Address of the service, `http(s)://host[:port][/prefix]`. */
	readonly baseUrl: string;
	/** Address of the stream; the host of `baseUrl` with ws or wss and path `/` when omitted; null where there is none. */
	readonly streamUrl?: string | null | undefined;
	readonly apiKey?: string | undefined;
	readonly provider?: ProviderNames;
	/** Longest time for one answer. Default 10,000. Calls that hold (`/wait`) have their own. */
	readonly timeoutMs?: number;
	/** After so much silence, probes unanswered, the stream counts as dead. Default 15,000. */
	readonly silenceMs?: number;
	/** Largest answer, in bytes. Default 16 MiB. */
	readonly maxAnswerBytes?: number;
	/** The service's time where its answers don't tell it: that of a recording, which may pass faster than ours. */
	readonly clock?: Clock;
}

/** Everything the program asks of a service. All methods throw a PulsetopError on failure. */
export interface Client {
	readonly clock: Clock;
	/** Asks one endpoint of the contract's table. */
	readonly call: Call;
	/** What the service says of itself, that its market is simulated for one. Outside the API: a hosted one says nothing. */
	facts(options?: {signal?: AbortSignal}): Promise<ServiceFacts>;
	/** Opens a feed: a snapshot at once, then changes. */
	openFeed(options: FeedOptions): Feed;
	/** One token with all its fields; undefined when the service does not know it. */
	fetchToken(token: {chainId: string; address: string}, options?: {signal?: AbortSignal}): Promise<Entry | undefined>;
	/** A feed of one token: its entry now and at every change. `undefined` while the service does not know it. */
	watchToken(token: {chainId: string; address: string}, onEntry: (entry: Entry | undefined) => void): Feed;
	/**
	 * Labels of wallets, in batches of at most 100, remembered for a while.
	 * @param token makes them relative to this token
	 */
	labels(
		addresses: readonly string[],
		options?: {token?: string; maxAgeMs?: number; signal?: AbortSignal},
	): Promise<ReadonlyMap<string, WalletLabels>>;
	/** The price line of an asset as numbers; undefined when the service has none. */
	sparkline(query: SparklineQuery, options?: {signal?: AbortSignal}): Promise<Sparkline | undefined>;
	/** A watch on prices of prediction markets; undefined where there is no stream. Its owner closes it. */
	watchMarkets(onQuote: (quote: MarketQuote) => void): MarketWatch | undefined;
	/** Ends every request, feed and connection. */
	close(): Promise<void>;
}
