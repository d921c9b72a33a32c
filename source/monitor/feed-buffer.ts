import type {FeedEvent} from '../client/feed-events.ts';
import type {Entry} from '../contract/entry.ts';
import {VIEWS, type ViewName} from './state.ts';
import type {ViewNews} from './transitions/feed.ts';

interface Pending {
	snapshot?: readonly Entry[];
	readonly upserts: Map<string, Entry>;
	readonly removed: Set<string>;
	atMs: number;
}

/**
 * Collects what the feed tells between two beats and keeps the last value of each token only, so that a flood of
 * updates costs the screen no more than one update a token a beat. Nothing else in the program conflates.
 */
export class FeedBuffer {
	#pending = new Map<ViewName, Pending>();

	get isEmpty(): boolean {
		return this.#pending.size === 0;
	}

	add(event: Extract<FeedEvent, {type: 'snapshot' | 'change'}>): void {
		const view = VIEWS.find(name => name === event.view);
		if (view === undefined) return;
		if (event.type === 'snapshot') {
			this.#pending.set(view, {snapshot: event.entries, upserts: new Map(), removed: new Set(), atMs: event.atMs});
			return;
		}
		const pending: Pending = this.#pending.get(view) ?? {upserts: new Map(), removed: new Set(), atMs: event.atMs};
		for (const key of event.removed) {
			pending.upserts.delete(key);
			pending.removed.add(key);
		}
		for (const entry of event.upserts) {
			pending.removed.delete(entry.key);
			pending.upserts.set(entry.key, entry);
		}
		pending.atMs = event.atMs;
		this.#pending.set(view, pending);
	}

	/** Everything collected, and starts anew. */
	drain(): ReadonlyMap<ViewName, ViewNews> {
		const news = this.#pending;
		this.#pending = new Map();
		return news;
	}
}
