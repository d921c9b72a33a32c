import type {PulseQuery} from '../../contract/pulse-query.ts';
import type {EntryCache, EntryMode} from '../pulse/entry-cache.ts';
import {type EntryFramer, entryFramer, removeFrame, snapshotFrame} from './frames.ts';
import type {LiveView, LiveViews} from './live-views.ts';
import type {RowIdentity} from './live-window.ts';

/** Where a subscription's frames go. */
export interface Outlet {
	send(frame: string | Buffer): void;
	/** So much waits for the reader that changes should be held back. */
	readonly isCongested: boolean;
}

/** What the reader has not been told of a row yet: the last word wins. */
type Untold =
	| {readonly kind: 'new' | 'update'; readonly row: number}
	| {readonly kind: 'remove'; readonly identity: RowIdentity};

interface SubscribedView {
	readonly name: string;
	readonly live: LiveView;
	readonly framer: EntryFramer;
	isPaused: boolean;
	/** The next frame of this view is a `sync`. */
	needsSync: boolean;
	/** The step up to which the reader has been told, or it is held back for it. */
	toldStep: number;
	/** Held back while the reader is slow, by what the wire calls the row. Never more than two windows of them. */
	untold: Map<string, Untold>;
}

/** One subscription of one socket: its views and what of them has been told. */
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
			toldStep: -1,
			untold: new Map(),
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
			view.untold.clear();
		}
	}

	/** Goes on with some views, by one `sync` of those that were paused. */
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

	/** Tells what the last step changed, or remembers it while the reader is slow. */
	tellChanges(): void {
		if (this.#needsInit) return;
		for (const view of this.#views) {
			// A state sent since the step holds the step's changes already.
			if (view.isPaused || view.needsSync || view.toldStep === view.live.stepNumber) continue;
			view.toldStep = view.live.stepNumber;
			const {entered, updated, left} = view.live.change;
			if (entered.length + updated.length + left.length === 0) continue;
			if (view.untold.size > 0 || this.#outlet.isCongested) this.#hold(view);
			else {
				for (const identity of left) this.#tell(view, {kind: 'remove', identity});
				for (const row of entered) this.#tell(view, {kind: 'new', row});
				for (const row of updated) this.#tell(view, {kind: 'update', row});
			}
		}
	}

	/** Sends what is due as far as the reader keeps up: the first state, held back changes, a full state from time to time. */
	tellDue(nowMs: number, syncMs: number): void {
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
			// Where half of the window has changed, the whole costs no more and is certain.
			if (view.untold.size * 2 > view.live.rows.length) view.needsSync = true;
		}
		const stale = this.#views.filter(view => view.needsSync && !view.isPaused);
		if (stale.length > 0) this.#snapshot('sync', stale);
		for (const view of this.#views) {
			for (const untold of view.untold.values()) this.#tell(view, untold);
			view.untold.clear();
		}
	}

	#named(names: readonly string[]): SubscribedView[] {
		return this.#views.filter(view => names.includes(view.name));
	}

	#hold(view: SubscribedView): void {
		const {entered, updated, left} = view.live.change;
		const {untold} = view;
		for (const identity of left) {
			const name = this.#nameOf(identity);
			// What the reader never saw need not be taken away.
			if (untold.get(name)?.kind === 'new') untold.delete(name);
			else untold.set(name, {kind: 'remove', identity});
		}
		for (const row of [...entered, ...updated]) {
			const name = this.#nameOf(view.live.identity(row));
			const before = untold.get(name)?.kind;
			const isNew = before === 'new' || (before === undefined && entered.includes(row));
			untold.set(name, {kind: isNew ? 'new' : 'update', row});
		}
	}

	#nameOf({key, pool}: RowIdentity): string {
		return this.#mode === 'pool' ? pool! : key;
	}

	#tell(view: SubscribedView, untold: Untold): void {
		if (untold.kind === 'remove') this.#outlet.send(removeFrame(this.#mode, view.name, untold.identity, this.id));
		else this.#outlet.send(view.framer.frame(untold.kind, this.#json(view, untold.row)));
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
			view.toldStep = view.live.stepNumber;
			view.untold.clear();
		}
		this.#outlet.send(snapshotFrame(type, shown, this.id));
	}
}
