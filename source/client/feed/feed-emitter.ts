import type {Entry} from '../../contract/entry.ts';
import type {PulsetopError} from '../../errors.ts';
import {steadyNow} from '../../steady-clock.ts';
import {createEventQueue} from './event-queue.ts';
import type {FeedEvent, LinkState, SnapshotSource} from './feed-events.ts';
import type {View, Views} from './feed-view.ts';
import type {ViewUpdate} from './view-state.ts';

/** Turns updates of views into feed events, and keeps the times of the views. */
export interface FeedEmitter {
	/**
	 * Data of a view arrived; `undefined` when the data changed nothing.
	 * @param missed with a full view: entries that were in the view while the stream was lost, and left it again
	 */
	update(view: View, update: ViewUpdate | undefined, source: SnapshotSource, missed?: readonly Entry[]): void;
	total(view: View, total: number): void;
	/** Reports a failure of one view, or of all; the same failure is reported once until `clearProblem`. */
	problem(error: PulsetopError, view?: View): void;
	/** The failure of a view, or of all, is over: the next one is reported again. */
	clearProblem(view?: View): void;
	link(link: LinkState): void;
	resumed(event: Extract<FeedEvent, {type: 'resumed'}>): void;
	close(): void;
}

export function createFeedEmitter(views: Views, onEvent: (event: FeedEvent) => void): FeedEmitter {
	const queue = createEventQueue<FeedEvent>(onEvent);
	/** The last problem reported, by view; a problem of all views has the empty name. */
	const reported = new Map<string, string>();

	function emitTotal(view: View, total: number): void {
		if (view.total === total) return;
		view.total = total;
		queue.push({type: 'total', view: view.name, total, atMs: steadyNow()});
	}

	return {
		update(view, update, source, missed = []) {
			if (views.get(view.name) !== view) return;
			const nowMs = steadyNow();
			// Data that a stale market sends now is as old as the market.
			const atMs = view.staleSinceMs ?? nowMs;
			view.dataAtMs = atMs;
			if (update === undefined) return;
			if (update.kind === 'change') {
				queue.push({type: 'change', view: view.name, upserts: update.upserts, removed: update.removed, atMs});
				return;
			}
			view.snapshotAtMs = nowMs;
			view.source = source === 'init' || source === 'sync' ? 'stream' : 'poll';
			reported.delete(view.name);
			const {entries} = update;
			queue.push({
				type: 'snapshot',
				view: view.name,
				entries,
				atMs,
				source,
				...(missed.length > 0 && {missed}),
			});
			if (update.total !== undefined) emitTotal(view, update.total);
		},
		total: emitTotal,
		problem(error, view) {
			const about = view?.name ?? '';
			const text = `${error.code} ${error.message} ${error.why}`;
			if (reported.get(about) === text) return;
			reported.set(about, text);
			queue.push({type: 'problem', error, ...(view ? {view: view.name} : {}), atMs: steadyNow()});
		},
		clearProblem(view) {
			reported.delete(view?.name ?? '');
		},
		link(link) {
			queue.push({type: 'link', link});
		},
		resumed: queue.push,
		close: queue.close,
	};
}
