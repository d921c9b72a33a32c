import type {PulseQuery} from '../../contract/pulse-query.ts';
import {formatPosition, parsePosition} from '../log/position.ts';
import type {MarketLog} from '../market/market.ts';
import type {EntryCache, EntryMode} from '../pulse/entry-cache.ts';
import {
	type EntryFramer,
	entryFramer,
	type FrameEnd,
	marketFrame,
	removeFrame,
	type SnapshotEnd,
	snapshotFrame,
	type ViewEntries,
} from './frames.ts';
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

/** The parts that a subscription works with. */
export interface SubscriptionParts {
	readonly views: LiveViews;
	readonly entries: EntryCache;
	readonly outlet: Outlet;
	/** The market log of a replica. */
	readonly log?: MarketLog | undefined;
}

/** How long the first state waits for a market that has not reached the reader's position yet, in milliseconds. */
const REACH_MS = 2000;
/**
 * How old the position of a reader gets while its views stay as they are, in milliseconds: a replica that has followed them for
 * longer can say that nothing was missed.
 */
const POSITION_MS = 5000;

/** One subscription of one socket: its views and what was sent of them. */
export class Subscription {
	readonly id: string;
	readonly #mode: EntryMode;
	readonly #entries: EntryCache;
	readonly #outlet: Outlet;
	readonly #log: MarketLog | undefined;
	readonly #views: SubscribedView[];
	/** Where the reader goes on; undefined for a new one. */
	readonly #resume: string | undefined;
	readonly #openedMs = performance.now();
	#needsInit = true;
	#syncedMs: number;
	/**
	 * Part of the time between two full states until the next one. The first comes earlier: readers that came together, as after
	 * the end of a replica, would get theirs together for ever.
	 */
	#syncPart = 1 - Math.random() / 2;
	/** The last position that the reader was sent, and when. */
	#sentAt: string | undefined;
	#sentAtMs = 0;
	/** The reader was last sent that the market is stale. */
	#isStale = false;
	/** The last frame so far of a round: only the very last one may carry the position. */
	#held: ((end: FrameEnd) => string | Buffer) | undefined;

	/** @param resume the newest position that the reader has, as it gave it */
	constructor(id: string, query: PulseQuery, parts: SubscriptionParts, resume?: string) {
		this.id = id;
		this.#mode = query.assetMode ? 'asset' : 'pool';
		this.#entries = parts.entries;
		this.#outlet = parts.outlet;
		this.#log = parts.log;
		this.#resume = resume;
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

	/**
	 * Sends what is due while the reader keeps up: the first state, the changes of the last step, queued ones, a full state
	 * from time to time. While the reader is slow, changes are held back.
	 */
	flush(nowMs: number, syncMs: number): void {
		this.#sendChanges();
		this.#sendDue(nowMs, syncMs);
		const at = this.#position();
		if (at !== undefined && !this.#held && this.#isPositionDue(at, nowMs)) this.#tell();
		if (this.#held && at !== undefined) {
			this.#sentAt = at;
			this.#sentAtMs = nowMs;
		}
		this.#release({at});
	}

	/** Of views that are all paused the reader has not the changes that a position stands for. */
	#isPositionDue(at: string, nowMs: number): boolean {
		if (at === this.#sentAt || nowMs - this.#sentAtMs < POSITION_MS || this.#outlet.isCongested) return false;
		return this.#views.some(({isPaused}) => !isPaused);
	}

	#sendChanges(): void {
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

	#sendDue(nowMs: number, syncMs: number): void {
		if (this.#outlet.isCongested) return;
		if (this.#needsInit) {
			if (this.#isAhead() && nowMs - this.#openedMs < REACH_MS) return;
			this.#needsInit = false;
			this.#snapshot('init', this.#views);
			return;
		}
		if (nowMs - this.#syncedMs >= syncMs * this.#syncPart) {
			this.#syncedMs = nowMs;
			this.#syncPart = 1;
			for (const view of this.#views) view.needsSync = true;
		}
		for (const view of this.#views) {
			// Where half of the window has changed, a full state costs no more.
			if (view.pending.size * 2 > view.live.rows.length) view.needsSync = true;
			if (view.needsSync) continue;
			for (const pending of view.pending.values()) this.#send(view, pending);
			view.pending.clear();
		}
		const due = this.#views.filter(view => view.needsSync && !view.isPaused);
		const isStale = this.#log?.staleMs() !== undefined;
		if (due.length > 0) this.#snapshot('sync', due);
		else if (isStale !== this.#isStale) this.#tell();
	}

	/** The position of all that was sent; undefined while anything up to it was not, and where there is no log. */
	#position(): string | undefined {
		if (!this.#log || this.#needsInit) return undefined;
		for (const {isPaused, needsSync, pending, sentStep, live} of this.#views)
			if (!isPaused && (needsSync || pending.size > 0 || sentStep !== live.stepNumber)) return undefined;
		return formatPosition({epoch: this.#log.epoch, seq: this.#reachedSeq()});
	}

	/** The position that all views have reached. Of a paused one the reader gets nothing until its next full state. */
	#reachedSeq(): number {
		const sending = this.#views.filter(view => !view.isPaused);
		return Math.min(...(sending.length > 0 ? sending : this.#views).map(({live}) => live.seq ?? 0));
	}

	/** Whether the reader has seen more than this market, which lags behind that of another replica. */
	#isAhead(): boolean {
		const since = this.#resumedSeq();
		return since !== undefined && since > this.#reachedSeq();
	}

	/** Where the reader goes on in this market's log; undefined for another log or no position at all. */
	#resumedSeq(): number | undefined {
		const position = this.#resume === undefined ? undefined : parsePosition(this.#resume);
		return position !== undefined && position.epoch === this.#log?.epoch ? position.seq : undefined;
	}

	/** Entries of what entered the views while the reader was away; undefined where that is not known. */
	#missed(views: readonly SubscribedView[]): ViewEntries[] | undefined {
		const since = this.#resumedSeq();
		if (since === undefined || this.#isAhead()) return undefined;
		const missed = [];
		for (const view of views) {
			const rows = view.live.missedSince(since);
			if (rows === undefined) return undefined;
			missed.push({name: view.name, entries: rows.map(row => this.#json(view, row))});
		}
		return missed;
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
		this.#put(
			pending.kind === 'remove'
				? end => removeFrame(this.#mode, view.name, pending.identity, this.id, end)
				: end => view.framer.frame(pending.kind, this.#json(view, pending.row), end),
		);
	}

	#json({live}: SubscribedView, row: number): Buffer {
		return this.#entries.json(row, this.#mode, live.isIncluded(row));
	}

	#snapshot(type: 'init' | 'sync', views: readonly SubscribedView[]): void {
		const shown = views.filter(view => !view.isPaused);
		for (const view of views) {
			view.needsSync = false;
			view.sentStep = view.live.stepNumber;
			view.pending.clear();
		}
		const staleMs = this.#toldStaleMs();
		this.#put(end => {
			const entries = shown.map(view => ({
				name: view.name,
				entries: view.live.rows.map(row => this.#json(view, row)),
			}));
			return snapshotFrame(type, entries, this.id, {...end, ...(type === 'init' && this.#recovery(shown)), staleMs});
		});
	}

	/** How old the market is, for a frame that says it. */
	#toldStaleMs(): number | undefined {
		const staleMs = this.#log?.staleMs();
		this.#isStale = staleMs !== undefined;
		return staleMs;
	}

	/** Says where the market is, and whether it is stale. */
	#tell(): void {
		const staleMs = this.#toldStaleMs();
		this.#put(end => marketFrame(this.id, {...end, staleMs}));
	}

	/** The answer to a reader that goes on; nothing for a new one. */
	#recovery(views: readonly SubscribedView[]): SnapshotEnd {
		if (this.#resume === undefined) return {};
		const missed = this.#missed(views);
		return {recovered: missed !== undefined, missed};
	}

	/** Sends the frame before, and holds this one: only the last frame of a round is marked as the last. */
	#put(frame: (end: FrameEnd) => string | Buffer): void {
		this.#release({});
		this.#held = frame;
	}

	#release(end: FrameEnd): void {
		const frame = this.#held;
		this.#held = undefined;
		if (frame) this.#outlet.send(frame(end));
	}
}
