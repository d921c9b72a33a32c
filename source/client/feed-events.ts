import type {Entry} from '../contract/entry.ts';
import type {PulsetopError} from '../errors.ts';

/**
 * What one view asks for, as the wire spells it (spec 4.1, "View object"); its name is the key in `FeedRequest.views`.
 * The feed passes it on unchanged and never interprets it.
 */
export interface ViewRequest {
	readonly model?: string;
	readonly chainId?: string | readonly string[];
	readonly poolTypes?: string | readonly string[];
	readonly sortBy?: string;
	readonly sortOrder?: 'asc' | 'desc';
	readonly limit?: number;
	readonly offset?: number;
	readonly addressToExclude?: string | readonly string[];
	readonly includeTokens?: string | readonly string[];
	readonly filters?: unknown;
	readonly [option: string]: unknown;
}

/** What a feed asks for: the options common to all views (spec 4.1, body) and the views by name. */
export interface FeedRequest {
	/** Token-centric entries with all fields; pools otherwise (the wire's default is false). */
	readonly assetMode?: boolean;
	readonly chainId?: string | readonly string[];
	readonly poolTypes?: string | readonly string[];
	readonly excludeDuplicates?: boolean;
	readonly filterQuotes?: boolean;
	readonly excludeLPTokens?: boolean;
	readonly views: Readonly<Record<string, ViewRequest>>;
}

/** Where a full view came from: the first POST, the stream's first frame, a later full frame, or polling. */
export type SnapshotSource = 'rest' | 'init' | 'sync' | 'poll';

/**
 * What the feed tells. All times are `Date.now()` of this machine.
 * Entries are normalised and clean, and are new objects whenever something changed; they are in the service's order in a
 * snapshot and in no order in a change: sorting and trimming to the view's limit is the reader's job (contract gaps 1.3).
 */
export type FeedEvent =
	/** The whole of a view; replaces whatever was known of it. */
	| {
			readonly type: 'snapshot';
			readonly view: string;
			readonly entries: readonly Entry[];
			readonly atMs: number;
			readonly source: SnapshotSource;
	  }
	/** Entries that are new or changed, complete (already merged with what was known), and keys that left the view. */
	| {
			readonly type: 'change';
			readonly view: string;
			readonly upserts: readonly Entry[];
			readonly removed: readonly string[];
			readonly atMs: number;
	  }
	/** How many items match the view on the service; a cached hint (contract gaps 3.3). */
	| {readonly type: 'total'; readonly view: string; readonly total: number; readonly atMs: number}
	/** The connection changed; at most once a second when only its figures moved. */
	| {readonly type: 'link'; readonly link: LinkState}
	/** Something failed and the person should know; `view` when it concerns one view only (a filter that was refused). */
	| {readonly type: 'problem'; readonly error: PulsetopError; readonly view?: string; readonly atMs: number};

/**
 * How the feed is connected.
 * - `connecting`: the first try is under way and nothing has arrived
 * - `live`: the stream is open and feeds every view
 * - `polling`: there is no stream (or not for every view), asking again and again works
 * - `reconnecting`: the stream was lost, the next try is at `nextTryAtMs`
 * - `refused`: the service does not accept the key (401, 403)
 * - `offline`: neither the stream nor asking works
 * - `closed`: closed by us
 */
export type LinkPhase = 'connecting' | 'live' | 'polling' | 'reconnecting' | 'refused' | 'offline' | 'closed';

/** The connection, apart from freshness: a live link may carry old data, and data outlives its link. */
export interface LinkState {
	readonly phase: LinkPhase;
	/** Failed tries of the stream since it was last open; 0 when it is open. */
	readonly attempt: number;
	/** When the stream is tried again, while it waits for that. */
	readonly nextTryAtMs?: number;
	/** When REST is tried again, while it fails and there is no stream: that may be sooner. */
	readonly nextPollAtMs?: number;
	/** When a message of any kind last arrived on the stream, or an answer from REST. */
	readonly lastMessageAtMs?: number;
	/** The last round trip: ping to pong on the stream, request to answer when polling. */
	readonly latencyMs?: number;
	/** Bytes of payload that arrived since the feed was opened, and per second lately. */
	readonly bytesIn: number;
	readonly bytesPerSecond: number;
	/** Frames that arrived since the feed was opened, and per second lately. */
	readonly framesIn: number;
	readonly framesPerSecond: number;
	/** Entries without an address or a chain, which were left out. */
	readonly droppedEntries: number;
	/** Frames that could not be understood. */
	readonly badFrames: number;
	/** Answers to a request that had been replaced in the meantime. */
	readonly lateFrames: number;
	/** How often the stream was opened again after having been open. */
	readonly reconnects: number;
	/** The time between two polls, while polling. */
	readonly pollEveryMs?: number;
	/** What the service says of our request budget, when it does. */
	readonly rateLimit?: RateLimit;
	/** Why the link is not live: the last failure. */
	readonly error?: PulsetopError;
}

/** The request budget that a service reports in `X-RateLimit-*` headers. */
export interface RateLimit {
	readonly limit: number;
	readonly remaining: number;
	/** When the budget is full again, `Date.now()` scale. */
	readonly resetAtMs?: number;
}

/** Freshness of one view, apart from the link. */
export interface ViewStatus {
	/** When data or a sign that nothing changed (an answer to a poll, a heartbeat on a covered stream) last arrived. */
	readonly lastDataAtMs: number | undefined;
	/** When the last full view arrived. */
	readonly lastSnapshotAtMs: number | undefined;
	/** Where the data comes from now: the stream, polling, or nothing yet. */
	readonly source: 'stream' | 'poll' | 'none';
	/** Grows with every `setView`. */
	readonly generation: number;
	/** True from `setView` until the first full view of that request arrives: what is shown belongs to the old request. */
	readonly isPending: boolean;
	readonly isPaused: boolean;
	/** The service did not filter as it was asked to; what does not belong was left out here. */
	readonly isUnfiltered: boolean;
	readonly total: number | undefined;
}

/** A running feed: one POST at once, then the stream, with polling wherever the stream does not reach. */
export interface Feed {
	/** The connection as it is now. */
	readonly link: LinkState;
	/** Freshness of a view; undefined for a view that the feed does not have. */
	view(name: string): ViewStatus | undefined;
	/**
	 * Adds a view, or asks something else of one (filter, sort, limit). Data of the old request stays valid until the
	 * snapshot of the new one; late answers to the old one are dropped. The same request again does nothing.
	 */
	setView(name: string, request: ViewRequest): void;
	/** Stops a view. */
	removeView(name: string): void;
	/** Holds back all data of these views (all when omitted); the service stops sending them. */
	pause(views?: readonly string[]): void;
	/** Lets them flow again, beginning with a full snapshot. */
	resume(views?: readonly string[]): void;
	/** Tries the stream now instead of at `nextTryAtMs`, and asks for all views. */
	retryNow(): void;
	/** Asks for full views over REST now; resolves when they were told, rejects with the failure. */
	refresh(views?: readonly string[]): Promise<void>;
	/** Stops everything. Nothing is told afterwards. */
	close(): void;
}

/** How a feed is opened. */
export interface FeedOptions {
	readonly request: FeedRequest;
	/** Called for every event, never inside a call of the feed's own methods, one after another. */
	readonly onEvent: (event: FeedEvent) => void;
	/** Milliseconds between two askings for totals; 0 asks never. Default 15,000. */
	readonly totalsEveryMs?: number;
	/** Shortest and longest time between two polls. Default 2,000 and 15,000. */
	readonly pollMinMs?: number;
	readonly pollMaxMs?: number;
}
