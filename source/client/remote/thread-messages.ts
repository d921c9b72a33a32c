import type {Explanation} from '../../errors.ts';
import type {ClientOptions} from '../client.ts';
import type {ClockBounds} from '../clock.ts';
import type {FeedOptions, LinkState, Resumed, SnapshotSource, ViewRequest, ViewStatus} from '../feed/feed-events.ts';

/*
 * The messages between the feed thread and the screen's thread. All are plain data that survive a structured clone.
 */

export type ToThread =
	| {readonly kind: 'connect'; readonly options: Omit<ClientOptions, 'clock'>}
	| {readonly kind: 'open'; readonly feed: number; readonly options: Omit<FeedOptions, 'onEvent'>}
	| ({readonly kind: 'command'; readonly feed: number; readonly number: number} & FeedCommand)
	/** The reader has received the last update of the feed: the host may send the next. */
	| {readonly kind: 'received'; readonly feed: number}
	| {readonly kind: 'end'};

/** A method call on a hosted feed; the commands of a feed are numbered from 1. */
export type FeedCommand =
	| {readonly method: 'setView'; readonly view: string; readonly request: ViewRequest}
	| {readonly method: 'removeView'; readonly view: string}
	| {readonly method: 'pause' | 'resume' | 'refresh'; readonly views: readonly string[] | undefined}
	| {readonly method: 'retryNow' | 'close'};

export type FromThread =
	| FeedUpdate
	/** A `refresh` has ended; `error` is set if the refresh failed. */
	| {
			readonly kind: 'refreshed';
			readonly feed: number;
			readonly number: number;
			readonly error: Explanation | undefined;
	  };

/** Everything that happened to a feed since the message before. */
export interface FeedUpdate {
	readonly kind: 'update';
	readonly feed: number;
	/** The number of the last command that was performed before. */
	readonly lastCommand: number;
	readonly data: readonly ViewDelta[];
	/** Events other than data, in order; to be emitted after the data. */
	readonly events: readonly SerializedEvent[];
	readonly link: SerializedLink;
	readonly views: ReadonlyMap<string, ViewStatus>;
	readonly clock: ClockBounds | undefined;
}

/** ViewChanges with each entry as its delta to the last one sent. */
export interface ViewDelta {
	readonly view: string;
	readonly snapshot?: readonly EntryDelta[];
	readonly source?: SnapshotSource;
	/** Each whole. */
	readonly missed?: readonly EntryDelta[];
	readonly upserts: readonly EntryDelta[];
	readonly removed: readonly string[];
	readonly atMs: number;
}

/** The changed fields of an entry: their indexes in ENTRY_FIELDS and new values. Empty for an unchanged entry. */
export interface EntryDelta {
	readonly key: string;
	readonly places: readonly number[];
	readonly values: readonly unknown[];
}

export type SerializedLink = Omit<LinkState, 'error'> & {readonly error?: Explanation};

export type SerializedEvent =
	| {readonly type: 'total'; readonly view: string; readonly total: number; readonly atMs: number}
	| {readonly type: 'link'}
	| Resumed
	| {readonly type: 'problem'; readonly error: Explanation; readonly view?: string; readonly atMs: number};
