import type {Entry} from '../../contract/entry.ts';
import type {FeedEvent, SnapshotSource} from './feed-events.ts';

/** Entries that are new or changed, and keys that left the view. */
export type ViewChange = Pick<Extract<FeedEvent, {type: 'change'}>, 'upserts' | 'removed'>;

/** The data that arrived for one view: a snapshot if there was one, then the changes after the snapshot. */
export interface ViewChanges {
	readonly snapshot?: readonly Entry[];
	/** Where the snapshot is from; set exactly when `snapshot` is. */
	readonly source?: SnapshotSource;
	/** The oldest first. */
	readonly changes: readonly ViewChange[];
	/** Entries that came into the view while the stream was lost, and left it again, the oldest first. */
	readonly missed?: readonly Entry[];
	/** When the last change arrived, `steadyNow()` scale. */
	readonly atMs: number;
}

export type DataEvent = Extract<FeedEvent, {type: 'snapshot' | 'change'}>;

/** Changes are kept as they came, so that readers of one view can share their work (monitor/columns/shared-rows.ts), up to this many. */
const MAX_CHANGES = 8;

/**
 * Collects the data events of a feed for a reader that drains the buffer at its own pace. A flood is conflated to the last value of
 * each token, so that the reader handles a bounded number of updates, however fast they arrive.
 */
export class FeedBuffer<View extends string = string> {
	#pending = new Map<View, ViewChanges>();

	get isEmpty(): boolean {
		return this.#pending.size === 0;
	}

	add(view: View, event: DataEvent): void {
		const {atMs} = event;
		const before = this.#pending.get(view);
		if (event.type === 'snapshot') {
			const {entries, source} = event;
			const missed = [...(before?.missed ?? []), ...(event.missed ?? [])];
			this.#pending.set(view, {snapshot: entries, source, changes: [], ...(missed.length > 0 && {missed}), atMs});
		} else {
			const changes = [...(before?.changes ?? []), event];
			this.#pending.set(view, {
				...before,
				changes: changes.length > MAX_CHANGES ? [conflated(changes)] : changes,
				atMs,
			});
		}
	}

	/** Returns the collected changes by view, and empties the buffer. */
	drain(): ReadonlyMap<View, ViewChanges> {
		const drained = this.#pending;
		this.#pending = new Map();
		return drained;
	}
}

/** Several changes of a view as one, with the last value of each token. */
export function conflated(changes: readonly ViewChange[]): ViewChange {
	const upserts = new Map<string, Entry>();
	const left = new Set<string>();
	for (const {removed, upserts: arrived} of changes) {
		for (const key of removed) {
			upserts.delete(key);
			left.add(key);
		}
		for (const entry of arrived) {
			left.delete(entry.key);
			upserts.set(entry.key, entry);
		}
	}
	return {upserts: [...upserts.values()], removed: [...left]};
}
