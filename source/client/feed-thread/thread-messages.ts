import type {Explanation} from '../../errors.ts';
import type {ClientOptions} from '../client.ts';
import type {ClockBounds} from '../clock.ts';
import type {FeedOptions, LinkState, SnapshotSource, ViewRequest, ViewStatus} from '../feed-events.ts';

/*
 * What the thread of the feeds and the screen's thread say to each other. All of it is plain data that survives a
 * structured clone.
 */

export type ToThread =
	| {readonly kind: 'connect'; readonly options: Omit<ClientOptions, 'clock'>}
	| {readonly kind: 'open'; readonly feed: number; readonly options: Omit<FeedOptions, 'onEvent'>}
	| ({readonly kind: 'command'; readonly feed: number; readonly number: number} & FeedCommand)
	/** The last news of the feed were taken in: there is room for more. */
	| {readonly kind: 'taken'; readonly feed: number}
	| {readonly kind: 'end'};

/** A method of a feed that is called over there; commands of a feed are numbered from 1. */
export type FeedCommand =
	| {readonly method: 'setView'; readonly view: string; readonly request: ViewRequest}
	| {readonly method: 'removeView'; readonly view: string}
	| {readonly method: 'pause' | 'resume' | 'refresh'; readonly views: readonly string[] | undefined}
	| {readonly method: 'retryNow' | 'close'};

export type FromThread =
	| FeedNews
	/** A `refresh` is over; the error if it failed. */
	| {
			readonly kind: 'refreshed';
			readonly feed: number;
			readonly number: number;
			readonly error: Explanation | undefined;
	  };

/** All that happened to a feed since the message before. */
export interface FeedNews {
	readonly kind: 'news';
	readonly feed: number;
	/** The last command that was obeyed before. */
	readonly obeyed: number;
	readonly data: readonly PackedNews[];
	/** What was told that is not data, after the data. */
	readonly events: readonly PackedEvent[];
	readonly link: PackedLink;
	readonly views: ReadonlyMap<string, ViewStatus>;
	readonly clock: ClockBounds | undefined;
}

/** See ViewNews; entries as what changed since the other side was last told of them. */
export interface PackedNews {
	readonly view: string;
	readonly snapshot?: readonly PackedEntry[];
	readonly source?: SnapshotSource;
	readonly upserts: readonly PackedEntry[];
	readonly removed: readonly string[];
	readonly atMs: number;
}

/** The places of what changed (see PLACES), and what is there now. None when the entry is known as it is. */
export interface PackedEntry {
	readonly key: string;
	readonly places: readonly number[];
	readonly values: readonly unknown[];
}

export type PackedLink = Omit<LinkState, 'error'> & {readonly error?: Explanation};

export type PackedEvent =
	| {readonly type: 'total'; readonly view: string; readonly total: number; readonly atMs: number}
	| {readonly type: 'link'}
	| {readonly type: 'problem'; readonly error: Explanation; readonly view?: string; readonly atMs: number};
