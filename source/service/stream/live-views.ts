import {timeDependent} from '../../contract/filter.ts';
import type {ViewQuery} from '../../contract/pulse-query.ts';
import {type MarketLog, type MarketTable, ROW} from '../market/market.ts';
import type {EntryMode} from '../pulse/entry-cache.ts';
import type {PulseEngine} from '../pulse/pulse-engine.ts';
import {LiveWindow, nameOf, type RowIdentity, type WindowChange} from './live-window.ts';
import {type DefinedView, signatureOf} from './view-definition.ts';
import {KEPT_MS, ViewHistory} from './view-history.ts';

/**
 * Refresh interval of views that change by the passing of time alone, or are too deep to be followed, in milliseconds.
 */
const REFILL_MS = 1000;
/** Windows that end beyond this are not followed row by row. */
const DEEPEST = 2000;
/** Views that a replica follows without a subscription of its own. */
const MAX_IDLE = 200;
/** Replicas renew the views they use every minute (view-registry.ts): a view without a renewal in this time has no subscriber. */
const IN_USE_MS = 150_000;

/** A view that subscriptions share: the window and the changes of its last step. */
export interface LiveView {
	readonly mode: EntryMode;
	readonly rows: readonly number[];
	/** The changes of the last step. */
	readonly change: WindowChange;
	/** Number of steps so far. */
	readonly stepNumber: number;
	/** The window has all changes up to this position in the market log; undefined where there is no log. */
	readonly seq: number | undefined;
	/** Whether a row is in the window because the request names its token. */
	isIncluded(row: number): boolean;
	/** The token or the pool of a row of the window. */
	identity(row: number): RowIdentity;
	/**
	 * Rows of what entered after a position and is not in the window now, oldest first; undefined where that is not known.
	 * Tokens that the market has dropped are left out.
	 */
	missedSince(seq: number): readonly number[] | undefined;
	release(): void;
}

export interface LiveOptions {
	/** Rows kept behind each window: with more, the whole market is searched less often. */
	readonly reserve?: number;
	/** On a replica: views then remember what entered them, and are followed for ten minutes after their last use. */
	readonly log?: MarketLog | undefined;
}

/** The live views of all subscriptions: equal views are followed once. */
export class LiveViews {
	readonly #engine: PulseEngine;
	readonly #table: MarketTable;
	readonly #options: LiveOptions;
	readonly #live = new Map<string, SharedView>();

	constructor(engine: PulseEngine, table: MarketTable, options: LiveOptions = {}) {
		this.#engine = engine;
		this.#table = table;
		this.#options = options;
	}

	/** Number of different views. */
	get size(): number {
		return this.#live.size;
	}

	acquire(view: ViewQuery, mode: EntryMode): LiveView {
		const shared = this.#shared({view, mode});
		shared.users++;
		return shared;
	}

	/**
	 * Follows a view that subscribers of other replicas use, until it was not used for ten minutes.
	 * @param usedMs when it was last used, by the clock of `step`
	 */
	follow(defined: DefinedView, usedMs: number): void {
		this.#shared(defined).wasUsedAt(usedMs);
	}

	/** Notes that a view that is followed was used elsewhere. */
	keep(signature: string, usedMs: number): void {
		this.#live.get(signature)?.wasUsedAt(usedMs);
	}

	/** How many more views can be followed without a subscription: they take the places of those that were not used lately. */
	roomFor(nowMs: number): number {
		let used = 0;
		for (const {users, usedMs} of this.#live.values()) if (users === 0 && nowMs - usedMs < IN_USE_MS) used++;
		return Math.max(0, MAX_IDLE - used);
	}

	/** Signatures of all views, and of the used ones what they are. */
	*list(): Generator<{readonly signature: string; readonly used?: DefinedView}> {
		for (const [signature, {users, defined}] of this.#live) yield users > 0 ? {signature, used: defined} : {signature};
	}

	/** Applies the rows that changed since the last step. Afterwards every view's `change` has the result. */
	step(changed: readonly number[], nowMs: number): void {
		for (const live of this.#live.values()) live.step(changed, nowMs);
		if (this.#options.log) this.#dropUnused(nowMs);
	}

	#shared(defined: DefinedView): SharedView {
		const signature = signatureOf(defined);
		let shared = this.#live.get(signature);
		if (!shared) {
			const ended = () => {
				// A replica follows it on, for readers that come back.
				if (!this.#options.log) this.#live.delete(signature);
			};
			shared = new SharedView(this.#engine, this.#table, defined, {...this.#options, ended});
			this.#live.set(signature, shared);
		}
		return shared;
	}

	#dropUnused(nowMs: number): void {
		const idle: [signature: string, usedMs: number][] = [];
		for (const [signature, {users, usedMs}] of this.#live) if (users === 0) idle.push([signature, usedMs]);
		if (idle.length > MAX_IDLE) idle.sort((a, b) => b[1] - a[1]);
		for (const [n, [signature, usedMs]] of idle.entries())
			if (n >= MAX_IDLE || nowMs - usedMs > KEPT_MS) this.#live.delete(signature);
	}
}

class SharedView implements LiveView {
	users = 0;
	/** When it was last used, as far as it is known here. */
	usedMs = Number.NEGATIVE_INFINITY;
	stepNumber = 0;
	seq: number | undefined;
	change: WindowChange = {entered: [], updated: [], left: []};
	readonly defined: DefinedView;
	readonly mode: EntryMode;
	readonly #table: MarketTable;
	readonly #window: LiveWindow;
	readonly #refills: boolean;
	readonly #isDeep: boolean;
	readonly #log: MarketLog | undefined;
	readonly #history: ViewHistory | undefined;
	readonly #ended: () => void;
	#included: ReadonlySet<number> = new Set();
	/** Changed rows that a deep view has not applied yet. */
	readonly #waiting = new Set<number>();
	#refilledMs: number;

	constructor(
		engine: PulseEngine,
		table: MarketTable,
		defined: DefinedView,
		{ended, log, ...options}: LiveOptions & {ended: () => void},
	) {
		const {view, mode} = defined;
		this.defined = defined;
		this.mode = mode;
		this.#table = table;
		this.#ended = ended;
		this.#log = log;
		this.#isDeep = view.offset + view.limit > DEEPEST;
		this.#refills = this.#isDeep || timeDependent(view.filter);
		this.#refilledMs = performance.now();
		this.#window = new LiveWindow(
			{
				first: size => engine.first(view, 0, size),
				matching: rows => engine.matching(view, rows),
				included: () => {
					const rows = engine.included(view);
					this.#included = new Set(rows);
					return rows;
				},
				order: () => engine.order(view),
				identity: row => this.identity(row),
				version: row => table.versions()[row]!,
			},
			{...view, ...options},
		);
		this.seq = log?.seq();
		this.#history = this.seq === undefined ? undefined : new ViewHistory(this.seq);
	}

	get rows(): readonly number[] {
		return this.#window.rows;
	}

	step(changed: readonly number[], nowMs: number): void {
		const refill = this.#refills && nowMs - this.#refilledMs >= REFILL_MS;
		if (refill) this.#refilledMs = nowMs;
		if (this.#isDeep) {
			for (const row of changed) this.#waiting.add(row);
			changed = refill ? [...this.#waiting] : [];
			if (refill) this.#waiting.clear();
		}
		this.stepNumber++;
		this.change = this.#window.advance(changed, {refill});
		if (this.#log && this.#history) this.#note(this.#log, this.#history, {isWhole: refill || !this.#refills, nowMs});
	}

	identity(row: number): RowIdentity {
		const key = this.#table.key(row);
		const {token0, pool} = this.#table.addresses(row);
		const spelled = key.slice(0, key.indexOf('|') + 1) + token0;
		return this.mode === 'pool' ? {key, spelled, pool: pool ?? spelled} : {key, spelled};
	}

	isIncluded(row: number): boolean {
		return this.#included.has(row);
	}

	missedSince(seq: number): readonly number[] | undefined {
		if (this.#log && seq < this.#log.unbrokenSeq()) return undefined;
		const entered = this.#history?.since(seq);
		if (!entered?.length) return entered && [];
		const shown = new Set(this.rows.map(row => nameOf(this.identity(row))));
		const missed = entered.filter(({identity}) => !shown.has(nameOf(identity)));
		return missed.map(({identity, row}) => this.#rowOf(identity, row)).filter(row => row !== undefined);
	}

	wasUsedAt(timeMs: number): void {
		this.usedMs = Math.max(this.usedMs, timeMs);
	}

	release(): void {
		this.wasUsedAt(performance.now());
		if (--this.users === 0) this.#ended();
	}

	/** @param step.isWhole whether the step had the changes that the passing of time alone makes, too */
	#note(log: MarketLog, history: ViewHistory, {isWhole, nowMs}: {isWhole: boolean; nowMs: number}): void {
		const seq = log.seq();
		const {entered} = this.change;
		history.add(
			entered.map(row => ({row, identity: this.identity(row)})),
			seq,
			nowMs,
		);
		if (isWhole) this.seq = seq;
	}

	/** The row of a token or a pool now. It has another one when its chain was reorganised, a token also in another pool. */
	#rowOf({key, pool}: RowIdentity, before: number): number | undefined {
		const table = this.#table;
		const isLive = (row: number): boolean => (table.bits[row]! & ROW.live) !== 0;
		const main = table.rowOf(key);
		if (main === undefined || !isLive(main)) return undefined;
		if (this.mode === 'asset') return main;
		const isIt = (row: number): boolean => isLive(row) && this.identity(row).pool === pool && table.key(row) === key;
		if (isIt(before)) return before;
		for (let row = 0; row < table.length; row++) if (isIt(row)) return row;
		return undefined;
	}
}
