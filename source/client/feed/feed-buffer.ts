import type {Entry} from '../../contract/entry.ts';
import type {FeedEvent, SnapshotSource} from './feed-events.ts';

/** Changes of one view, conflated to the last value of each token: a snapshot if one arrived, then the changes after the snapshot. */
export interface ViewChanges {
	readonly snapshot?: readonly Entry[];
	/** Where the snapshot is from; set exactly when `snapshot` is. */
	readonly source?: SnapshotSource;
	readonly upserts: ReadonlyMap<string, Entry>;
	readonly removed: ReadonlySet<string>;
	/** Entries that came into the view while the stream was lost, and left it again, the oldest first. */
	readonly missed?: readonly Entry[];
	/** When the last change arrived, `steadyNow()` scale. */
	readonly atMs: number;
}

export type DataEvent = Extract<FeedEvent, {type: 'snapshot' | 'change'}>;

interface Pending extends ViewChanges {
	readonly upserts: Map<string, Entry>;
	readonly removed: Set<string>;
	atMs: number;
}

/**
 * Conflates the data events of a feed to the last value of each token, so that a reader that drains the buffer at its own
 * pace handles at most one update a token, however fast updates arrive.
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
			const missed = [...(this.#pending.get(view)?.missed ?? []), ...(event.missed ?? [])];
			this.#pending.set(view, {
				snapshot: entries,
				source,
				upserts: new Map(),
				removed: new Set(),
				...(missed.length > 0 && {missed}),
				atMs,
			});
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

	/** Returns the collected changes by view, and empties the buffer. */
	drain(): ReadonlyMap<View, ViewChanges> {
		const drained = this.#pending;
		this.#pending = new Map();
		return drained;
	}
}
