import type {PulsetopError} from '../errors.ts';
import {createEventQueue} from './event-queue.ts';
import type {FeedEvent, LinkState, SnapshotSource} from './feed-events.ts';
import type {View, Views} from './feed-view.ts';
import type {ViewUpdate} from './view-state.ts';

/** Turns what happened to views into events, and keeps their times. */
export interface FeedTeller {
	/** Data of a view came; `undefined` when it changed nothing. */
	update(view: View, update: ViewUpdate | undefined, source: SnapshotSource): void;
	total(view: View, total: number): void;
	/** Trouble, of one view or of all: told once, until it is over. */
	problem(error: PulsetopError, view?: View): void;
	/** The trouble of a view, or of all, is over: the next is told again. */
	over(view?: View): void;
	link(link: LinkState): void;
	close(): void;
}

export function createFeedTeller(views: Views, onEvent: (event: FeedEvent) => void): FeedTeller {
	const queue = createEventQueue<FeedEvent>(onEvent);
	/** The trouble last told, by view; of all views under the empty name. */
	const troubles = new Map<string, string>();

	function tellTotal(view: View, total: number): void {
		if (view.total === total) return;
		view.total = total;
		queue.push({type: 'total', view: view.name, total, atMs: Date.now()});
	}

	return {
		update(view, update, source) {
			if (views.get(view.name) !== view) return;
			const atMs = Date.now();
			view.dataAtMs = atMs;
			if (update === undefined) return;
			if (update.kind === 'change') {
				queue.push({type: 'change', view: view.name, upserts: update.upserts, removed: update.removed, atMs});
				return;
			}
			view.snapshotAtMs = atMs;
			view.source = source === 'init' || source === 'sync' ? 'stream' : 'poll';
			troubles.delete(view.name);
			queue.push({type: 'snapshot', view: view.name, entries: update.entries, atMs, source});
			if (update.total !== undefined) tellTotal(view, update.total);
		},
		total: tellTotal,
		problem(error, view) {
			const about = view?.name ?? '';
			const words = `${error.code} ${error.message} ${error.why}`;
			if (troubles.get(about) === words) return;
			troubles.set(about, words);
			queue.push({type: 'problem', error, ...(view ? {view: view.name} : {}), atMs: Date.now()});
		},
		over(view) {
			troubles.delete(view?.name ?? '');
		},
		link(link) {
			queue.push({type: 'link', link});
		},
		close: queue.close,
	};
}
