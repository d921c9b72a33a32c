import type {Entry} from '../contract/entry.ts';
import type {FeedEvent, SnapshotSource} from './feed-events.ts';

/** What came for one view, the last value of each token only: the whole view if there is one, then what changed since. */
export interface ViewNews {
	readonly snapshot?: readonly Entry[];
	/** Where the snapshot is from; set with it. */
	readonly source?: SnapshotSource;
	readonly upserts: ReadonlyMap<string, Entry>;
	readonly removed: ReadonlySet<string>;
	/** When the last of it came, `Date.now()` scale. */
	readonly atMs: number;
}

export type DataEvent = Extract<FeedEvent, {type: 'snapshot' | 'change'}>;

interface Pending extends ViewNews {
	readonly upserts: Map<string, Entry>;
	readonly removed: Set<string>;
	atMs: number;
}

/**
 * Collects what a feed tells and keeps the last value of each token only, so that a flood of updates costs its reader no
 * more than one update a token each time it looks.
 */
export class FeedBuffer<View extends string = string> {
	#pending = new Map<View, Pending>();

	get isEmpty(): boolean {
		return this.#pending.size === 0;
	}

	add(view: View, event: DataEvent): void {
		const {atMs} = event;
		if (event.type === 'snapshot') {
			const {entries, source} = event;
			this.#pending.set(view, {snapshot: entries, source, upserts: new Map(), removed: new Set(), atMs});
			return;
		}
		const pending: Pending = this.#pending.get(view) ?? {upserts: new Map(), removed: new Set(), atMs};
		for (const key of event.removed) {
			pending.upserts.delete(key);
			pending.removed.add(key);
		}
		for (const entry of event.upserts) {
			pending.removed.delete(entry.key);
			pending.upserts.set(entry.key, entry);
		}
		pending.atMs = atMs;
		this.#pending.set(view, pending);
	}

	/** Everything collected, by view, and starts anew. */
	drain(): ReadonlyMap<View, ViewNews> {
		const news = this.#pending;
		this.#pending = new Map();
		return news;
	}
}
