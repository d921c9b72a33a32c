import {timeDependent} from '../../contract/filter.ts';
import type {ViewQuery} from '../../contract/pulse-query.ts';
import type {MarketTable} from '../market/market.ts';
import type {EntryMode} from '../pulse/entry-cache.ts';
import type {PulseEngine} from '../pulse/pulse-engine.ts';
import {viewSignature} from '../pulse/view-filter.ts';
import {LiveWindow, type RowIdentity, type WindowChange} from './live-window.ts';

/**
 * Refresh interval of views that change by the passing of time alone, or are too deep to be followed, in milliseconds.
 */
const REFILL_MS = 1000;
/** Windows that end beyond this are not followed row by row. */
const DEEPEST = 2000;

/** A view that subscriptions share: the window and the changes of its last step. */
export interface LiveView {
	readonly mode: EntryMode;
	readonly rows: readonly number[];
	/** What the last step changed. */
	readonly change: WindowChange;
	/** Number of steps so far. */
	readonly stepNumber: number;
	/** Whether a row is in the window because the request names its token. */
	isIncluded(row: number): boolean;
	/** The token or the pool of a row of the window. */
	identity(row: number): RowIdentity;
	release(): void;
}

export interface LiveOptions {
	/** Rows kept behind each window: with more, the whole market is searched less often. */
	readonly reserve?: number;
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
		const {sort, limit, offset} = view;
		const signature = `${mode}|${sort.field.name}|${sort.order}|${limit}|${offset}|${viewSignature(view)}`;
		let shared = this.#live.get(signature);
		if (!shared) {
			const ended = () => this.#live.delete(signature);
			shared = new SharedView(this.#engine, this.#table, view, mode, {...this.#options, ended});
			this.#live.set(signature, shared);
		}
		shared.users++;
		return shared;
	}

	/** Applies the rows that changed since the last step. Afterwards every view's `change` has the result. */
	step(changed: readonly number[], nowMs: number): void {
		for (const live of this.#live.values()) live.step(changed, nowMs);
	}
}

class SharedView implements LiveView {
	users = 0;
	stepNumber = 0;
	change: WindowChange = {entered: [], updated: [], left: []};
	readonly mode: EntryMode;
	readonly #table: MarketTable;
	readonly #window: LiveWindow;
	readonly #refills: boolean;
	readonly #isDeep: boolean;
	readonly #ended: () => void;
	#included: ReadonlySet<number> = new Set();
	/** Changed rows that a deep view has not applied yet. */
	readonly #waiting = new Set<number>();
	#refilledMs: number;

	constructor(
		engine: PulseEngine,
		table: MarketTable,
		view: ViewQuery,
		mode: EntryMode,
		{ended, ...options}: LiveOptions & {ended: () => void},
	) {
		this.mode = mode;
		this.#table = table;
		this.#ended = ended;
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
	}

	identity(row: number): RowIdentity {
		const key = this.#table.key(row);
		return this.mode === 'pool' ? {key, pool: this.#table.addresses(row).pool ?? key} : {key};
	}

	isIncluded(row: number): boolean {
		return this.#included.has(row);
	}

	release(): void {
		if (--this.users === 0) this.#ended();
	}
}
