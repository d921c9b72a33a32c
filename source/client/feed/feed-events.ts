import type {Entry} from '../../contract/entry.ts';
import type {PulsetopError} from '../../errors.ts';
import type {AddressState} from '../addresses.ts';
import type {RateLimit} from '../http/http.ts';

/**
 * The request of one view, in the spelling of the wire (spec 4.1, "View object"); the view's name is the key in
 * `FeedRequest.views`. The feed passes the request on unchanged and never interprets it.
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

/** The request of a feed: the options common to all views (spec 4.1, body) and the views by name. */
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

/** The source of a full view: a POST at once, the stream's first frame, a later full frame, or polling. */
export type SnapshotSource = 'rest' | 'init' | 'sync' | 'poll';

/**
 * An event of a feed. All times are `steadyNow()` of this machine.
 * Entries are normalised and clean, and are new objects whenever something changed; they are in the service's order in a
 * snapshot and in no order in a change: sorting and trimming to the view's limit is the reader's job (contract gaps 1.3).
 */
export type FeedEvent =
	/** The whole of a view; replaces everything known of that view. */
	| {
			readonly type: 'snapshot';
			readonly view: string;
			readonly entries: readonly Entry[];
			readonly atMs: number;
			readonly source: SnapshotSource;
			/**
			 * After a reconnect to a service that can say it: entries that came into the view while the stream was lost and are
			 * not in it any more, the oldest first, as they are now.
			 */
			readonly missed?: readonly Entry[];
	  }
	/** Entries that are new or changed, complete (already merged with the known fields), and keys that left the view. */
	| {
			readonly type: 'change';
			readonly view: string;
			readonly upserts: readonly Entry[];
			readonly removed: readonly string[];
			readonly atMs: number;
	  }
	/** How many items match the view on the service; a cached hint (contract gaps 3.3). */
	| {readonly type: 'total'; readonly view: string; readonly total: number; readonly atMs: number}
	/** The stream is back after a loss, with all full views: at another address, or the service names the missed changes. */
	| Resumed
	/** The connection changed; at most once a second when only its figures moved. */
	| {readonly type: 'link'; readonly link: LinkState}
	/** A failure that the user should see; `view` when the failure concerns one view only (a filter that was refused). */
	| {readonly type: 'problem'; readonly error: PulsetopError; readonly view?: string; readonly atMs: number};

/** The report on the time in which the stream was lost. */
export interface Resumed {
	readonly type: 'resumed';
	/** With several addresses: the name of the one that serves now, if it is another than before. */
	readonly movedTo?: string;
	/** Whether the service has said all that happened meanwhile; undefined for a service that does not say it. */
	readonly isRecovered?: boolean;
	/** From the last data before to the full views; undefined where no data came before. */
	readonly gapMs?: number;
	/** Tokens that came and went meanwhile, by view; complete only if `isRecovered`. */
	readonly missed: readonly {readonly view: string; readonly entry: Entry}[];
	readonly atMs: number;
}

/**
 * How the feed is connected.
 * - `connecting`: the first attempt is under way and nothing has arrived
 * - `live`: the stream is open and feeds every view
 * - `polling`: there is no stream (or not for every view), REST polling works
 * - `reconnecting`: the stream was lost, the next attempt is at `nextTryAtMs`
 * - `refused`: the service does not accept the key (401, 403)
 * - `offline`: neither the stream nor polling works
 * - `closed`: closed by the program
 */
export type LinkPhase = 'connecting' | 'live' | 'polling' | 'reconnecting' | 'refused' | 'offline' | 'closed';

/** The connection, apart from freshness: a live link may carry old data, and data outlives its link. */
export interface LinkState {
	readonly phase: LinkPhase;
	/** Failed attempts to open the stream since the stream was last open; 0 when open. */
	readonly attempt: number;
	/** When the stream is opened again, while `reconnecting`. */
	readonly nextTryAtMs?: number;
	/** When REST is polled again, while `offline`: may be sooner than `nextTryAtMs`. */
	readonly nextPollAtMs?: number;
	/** The last round trip: ping to pong on the stream, request to response when polling. Absent when neither runs. */
	readonly latencyMs?: number;
	/** Bytes of payload that arrived since the feed was opened, and per second lately. */
	readonly bytesIn: number;
	readonly bytesPerSecond: number;
	/** Frames that arrived since the feed was opened, and per second lately. */
	readonly framesIn: number;
	readonly framesPerSecond: number;
	/** Entries without an address or a chain, which were left out. */
	readonly droppedEntries: number;
	/** Frames that could not be parsed. */
	readonly badFrames: number;
	/** Responses to a request that had been replaced in the meantime. */
	readonly lateFrames: number;
	/** With several addresses: the name of the one that serves now; undefined while none does. */
	readonly address?: string;
	/** With several addresses: the state of each. */
	readonly addresses?: readonly AddressState[];
	/** How often the stream was opened again after having been open. */
	readonly reconnects: number;
	/** The time between two polls, while polling. */
	readonly pollEveryMs?: number;
	/** The request budget, where the service reports one. */
	readonly rateLimit?: RateLimit;
	/** Why the link is not live: the last failure. */
	readonly error?: PulsetopError;
}

/** The link before the first connection. */
export const FIRST_LINK: LinkState = {
	phase: 'connecting',
	attempt: 0,
	bytesIn: 0,
	bytesPerSecond: 0,
	framesIn: 0,
	framesPerSecond: 0,
	droppedEntries: 0,
	badFrames: 0,
	lateFrames: 0,
	reconnects: 0,
};

/** Freshness of one view, apart from the link. */
export interface ViewStatus {
	/** When data last arrived, or proof that nothing changed (an unchanged poll, a heartbeat on a stream that covers the view). */
	readonly lastDataAtMs: number | undefined;
	/** When the last full view arrived. */
	readonly lastSnapshotAtMs: number | undefined;
	/** The current source of the data: the stream, polling, or none yet. */
	readonly source: 'stream' | 'poll' | 'none';
	/** Grows with every `setView`. */
	readonly generation: number;
	/** True from `setView` until the first full view of that request arrives: the known entries belong to the old request. */
	readonly isPending: boolean;
	readonly isPaused: boolean;
	/** Since when the service's market has not moved on, which is how old its data are; absent while it is up to date. */
	readonly staleSinceMs?: number;
	/** The service did not apply the filters; the client removes the non-matching entries. */
	readonly isUnfiltered: boolean;
	/** The service did not apply the sort: the entries are not the first ones of all by it. */
	readonly isUnsorted: boolean;
	readonly total: number | undefined;
}

/** A running feed: one POST at once, then the stream, with polling for views that the stream does not cover. */
export interface Feed {
	/** The connection as it is now. */
	readonly link: LinkState;
	/** Freshness of a view; undefined for a view that the feed does not have. */
	view(name: string): ViewStatus | undefined;
	/**
	 * Adds a view, or replaces the request of one (filter, sort, limit). Data of the old request stays valid until the
	 * snapshot of the new one; late responses to the old one are dropped. The same request again does nothing.
	 */
	setView(name: string, request: ViewRequest): void;
	/** Stops a view. */
	removeView(name: string): void;
	/** Stops the data of these views (all when omitted); the service stops sending them. */
	pause(views?: readonly string[]): void;
	/** Resumes paused views (all when omitted), beginning with a full snapshot. */
	resume(views?: readonly string[]): void;
	/** Opens the stream now instead of at `nextTryAtMs`, and requests all views. */
	retryNow(): void;
	/** Requests full views over REST now; resolves when the events were emitted, rejects with the failure. */
	refresh(views?: readonly string[]): Promise<void>;
	/** Closes the feed. No event is emitted afterwards. */
	close(): void;
}

/** How a feed is opened. */
export interface FeedOptions {
	readonly request: FeedRequest;
	/** Called for every event, never inside a call of the feed's own methods, one after another. */
	readonly onEvent: (event: FeedEvent) => void;
	/** Milliseconds between two requests for totals; 0 for none. Default 15,000. */
	readonly totalsEveryMs?: number;
	/** Shortest and longest time between two polls. Default 2,000 and 15,000. */
	readonly pollMinMs?: number;
	readonly pollMaxMs?: number;
}
