import type {PulseQuery} from '../../contract/pulse-query.ts';
import type {EntryCache, EntryMode} from '../pulse/entry-cache.ts';
import {type EntryFramer, entryFramer, removeFrame, snapshotFrame} from './frames.ts';
import type {LiveView, LiveViews} from './live-views.ts';
import type {RowIdentity} from './live-window.ts';

/** The target of a subscription's frames. */
export interface Outlet {
	send(frame: string | Buffer): void;
	/** True when too much is buffered for the reader, so that changes should wait. */
	readonly isCongested: boolean;
}

/** A change of a row that was not sent yet: a later one replaces it. */
type PendingChange =
	| {readonly kind: 'new' | 'update'; readonly row: number}
	| {readonly kind: 'remove'; readonly identity: RowIdentity};

interface SubscribedView {
	readonly name: string;
	readonly live: LiveView;
	readonly framer: EntryFramer;
	isPaused: boolean;
	/** The next frame of this view is a `sync`. */
	needsSync: boolean;
	/** The last step whose changes were sent or queued. */
	sentStep: number;
	/** Changes queued while the reader is slow, by identity of the row. At most two windows of them. */
	pending: Map<string, PendingChange>;
}

/** One subscription of one socket: its views and what was sent of them. */
export class Subscription {
	readonly id: string;
	readonly #mode: EntryMode;
	readonly #entries: EntryCache;
	readonly #outlet: Outlet;
	readonly #views: SubscribedView[];
	#needsInit = true;
	#syncedMs: number;

	constructor(id: string, query: PulseQuery, parts: {views: LiveViews; entries: EntryCache; outlet: Outlet}) {
		this.id = id;
		this.#mode = query.assetMode ? 'asset' : 'pool';
		this.#entries = parts.entries;
		this.#outlet = parts.outlet;
		this.#views = query.views.map(view => ({
			name: view.name,
			live: parts.views.acquire(view, this.#mode),
			framer: entryFramer(this.#mode, view.name, id),
			isPaused: false,
			needsSync: false,
			sentStep: -1,
			pending: new Map(),
		}));
		this.#syncedMs = performance.now();
	}

	get viewNames(): readonly string[] {
		return this.#views.map(view => view.name);
	}

	/** Stops the deltas of some views; the socket stays as it is (contract gaps 1.3). */
	pause(names: readonly string[]): void {
		for (const view of this.#named(names)) {
			view.isPaused = true;
			view.pending.clear();
		}
	}

	/** Resumes views, with one `sync` of each that was paused. */
	unpause(names: readonly string[]): void {
		for (const view of this.#named(names)) {
			view.needsSync ||= view.isPaused;
			view.isPaused = false;
		}
	}

	/** Ends one view; false when it was the last one. */
	dropView(name: string): boolean {
		const at = this.#views.findIndex(view => view.name === name);
		if (at >= 0) this.#views.splice(at, 1)[0]!.live.release();
		return this.#views.length > 0;
	}

	end(): void {
		for (const view of this.#views) view.live.release();
		this.#views.length = 0;
	}

	/** Sends the changes of the last step, or holds them back while the reader is slow. */
	sendChanges(): void {
		if (this.#needsInit) return;
		for (const view of this.#views) {
			// A state sent since the step includes its changes.
			if (view.isPaused || view.needsSync || view.sentStep === view.live.stepNumber) continue;
			view.sentStep = view.live.stepNumber;
			const {entered, updated, left} = view.live.change;
			if (entered.length + updated.length + left.length === 0) continue;
			if (view.pending.size > 0 || this.#outlet.isCongested) this.#hold(view);
			else {
				for (const identity of left) this.#send(view, {kind: 'remove', identity});
				for (const row of entered) this.#send(view, {kind: 'new', row});
				for (const row of updated) this.#send(view, {kind: 'update', row});
			}
		}
	}

	/**
	 * Sends what is due while the reader keeps up: the first state, queued changes, a full state from time to time.
	 */
	sendDue(nowMs: number, syncMs: number): void {
		if (this.#outlet.isCongested) return;
		if (this.#needsInit) {
			this.#needsInit = false;
			this.#snapshot('init', this.#views);
			return;
		}
		if (nowMs - this.#syncedMs >= syncMs) {
			this.#syncedMs = nowMs;
			for (const view of this.#views) view.needsSync = true;
		}
		for (const view of this.#views) {
			// Where half of the window has changed, a full state costs no more.
			if (view.pending.size * 2 > view.live.rows.length) view.needsSync = true;
		}
		const stale = this.#views.filter(view => view.needsSync && !view.isPaused);
		if (stale.length > 0) this.#snapshot('sync', stale);
		for (const view of this.#views) {
			for (const pending of view.pending.values()) this.#send(view, pending);
			view.pending.clear();
		}
	}

	#named(names: readonly string[]): SubscribedView[] {
		return this.#views.filter(view => names.includes(view.name));
	}

	#hold(view: SubscribedView): void {
		const {entered, updated, left} = view.live.change;
		const {pending} = view;
		for (const identity of left) {
			const name = this.#nameOf(identity);
			// A row that was never sent needs no removal.
			if (pending.get(name)?.kind === 'new') pending.delete(name);
			else pending.set(name, {kind: 'remove', identity});
		}
		for (const row of [...entered, ...updated]) {
			const name = this.#nameOf(view.live.identity(row));
			const before = pending.get(name)?.kind;
			const isNew = before === 'new' || (before === undefined && entered.includes(row));
			pending.set(name, {kind: isNew ? 'new' : 'update', row});
		}
	}

	#nameOf({key, pool}: RowIdentity): string {
		return this.#mode === 'pool' ? pool! : key;
	}

	#send(view: SubscribedView, pending: PendingChange): void {
		if (pending.kind === 'remove') this.#outlet.send(removeFrame(this.#mode, view.name, pending.identity, this.id));
		else this.#outlet.send(view.framer.frame(pending.kind, this.#json(view, pending.row)));
	}

	#json({live}: SubscribedView, row: number): Buffer {
		return this.#entries.json(row, this.#mode, live.isIncluded(row));
	}

	#snapshot(type: 'init' | 'sync', views: readonly SubscribedView[]): void {
		const shown = views
			.filter(view => !view.isPaused)
			.map(view => ({name: view.name, entries: view.live.rows.map(row => this.#json(view, row))}));
		for (const view of views) {
			view.needsSync = false;
			view.sentStep = view.live.stepNumber;
			view.pending.clear();
		}
		this.#outlet.send(snapshotFrame(type, shown, this.id));
	}
}
