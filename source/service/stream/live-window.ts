import {compareKeys, compareRows, type RowOrder, rankOf} from '../pulse/top-rows.ts';

/** The view as a live window reads it; read again in every step, because columns may have been replaced. */
export interface WindowSource {
	/** The first `size` matching rows of the whole market, in order, and whether they are all. */
	first(size: number): {readonly rows: number[]; readonly isComplete: boolean};
	/** Those of these rows that match. */
	matching(rows: readonly number[]): readonly number[];
	/** Rows shown regardless of the filters (includeTokens). */
	included(): readonly number[];
	order(): RowOrder;
	/** The identity of a row in frames: the token in asset mode, the pool in pool mode. */
	identity(row: number): RowIdentity;
	/** Grows with each change of what the row's entry shows. */
	version(row: number): number;
}

interface Shown {
	readonly identity: RowIdentity;
	readonly version: number;
}

export interface RowIdentity {
	/** `<chainId>|<address>` of the token, an EVM address in lower case. */
	readonly key: string;
	/** The key with the address as the entry spells it. */
	readonly spelled: string;
	/** Set in pool mode. */
	readonly pool?: string;
}

/** The changes of a window in one step. A token that moved from one pool's row to another is an update. */
export interface WindowChange {
	readonly entered: readonly number[];
	readonly updated: readonly number[];
	readonly left: readonly RowIdentity[];
}

const NO_CHANGE: WindowChange = {entered: [], updated: [], left: []};

/**
 * The first rows of a view, kept current from the changed rows instead of by a search of the whole market. Behind the
 * window it keeps a reserve: every matching row that ranks at or before `#bound`. Rows that leave are replaced from the
 * reserve; when the reserve is used up the market is searched once.
 */
export class LiveWindow {
	readonly #source: WindowSource;
	readonly #offset: number;
	readonly #end: number;
	readonly #reserve: number;
	/** Matching rows in order, the window and the reserve. */
	#ranked: number[] = [];
	#isRanked = new Set<number>();
	/** Undefined: all matching rows are in `#ranked`. */
	#bound: {rank: number; key: string} | undefined;
	#shown = new Map<number, Shown>();

	/** @param page.reserve rows kept behind the window: with more, the whole market is searched less often */
	constructor(source: WindowSource, page: {offset: number; limit: number; reserve?: number}) {
		const {offset, limit, reserve = Math.max(16, ((offset + limit) >> 1) + 8)} = page;
		this.#source = source;
		this.#offset = offset;
		this.#end = offset + limit;
		this.#reserve = reserve;
		this.#fill();
		this.#show([]);
	}

	/** The rows to show, in order; included ones after the window. */
	get rows(): readonly number[] {
		return [...this.#shown.keys()];
	}

	/**
	 * Applies changed rows, freed ones included.
	 * @param refill search the whole market again: for views that change by the passing of time alone
	 */
	advance(changed: readonly number[], {refill = false} = {}): WindowChange {
		if (refill) {
			this.#fill();
			return this.#show(changed);
		}
		if (changed.length === 0) return NO_CHANGE;
		const order = this.#source.order();
		const matching = this.#source.matching(changed);
		const entering = this.#bound ? matching.filter(row => this.#withinBound(order, row)) : matching;
		const touched = changed.some(row => this.#isRanked.has(row));
		if (touched || entering.length > 0) this.#merge(order, changed, entering);
		else if (!changed.some(row => this.#shown.has(row)) && this.#source.included().length === 0) return NO_CHANGE;
		return this.#show(changed);
	}

	#fill(): void {
		const {rows, isComplete} = this.#source.first(this.#end + this.#reserve);
		this.#ranked = rows;
		this.#isRanked = new Set(rows);
		this.#bound = isComplete ? undefined : this.#boundAt(rows.length - 1);
	}

	#boundAt(index: number): {rank: number; key: string} {
		const order = this.#source.order();
		const row = this.#ranked[index]!;
		return {rank: rankOf(order, row), key: order.key(row)};
	}

	#withinBound(order: RowOrder, row: number): boolean {
		const {rank, key} = this.#bound!;
		const own = rankOf(order, row);
		return own < rank || (own === rank && compareKeys(order.key(row), key) <= 0);
	}

	/** Removes the changed rows and inserts those that still match at their positions. */
	#merge(order: RowOrder, changed: readonly number[], entering: readonly number[]): void {
		const moved = new Set(changed);
		const kept = this.#ranked.filter(row => !moved.has(row));
		const coming = [...entering].sort((a, b) => compareRows(order, a, b));
		const merged: number[] = [];
		let at = 0;
		for (const row of kept) {
			while (at < coming.length && compareRows(order, coming[at]!, row) < 0) merged.push(coming[at++]!);
			merged.push(row);
		}
		merged.push(...coming.slice(at));
		this.#ranked = merged;
		if (merged.length > this.#end + 2 * this.#reserve) {
			merged.length = this.#end + this.#reserve;
			this.#bound = this.#boundAt(merged.length - 1);
		} else if (this.#bound && merged.length < this.#end) {
			this.#fill();
			return;
		}
		this.#isRanked = new Set(merged);
	}

	/** Compares the shown rows with the current ones. */
	#show(changed: readonly number[]): WindowChange {
		const current = this.#ranked.slice(this.#offset, this.#end);
		const inWindow = new Set(current);
		for (const row of this.#source.included()) if (!inWindow.has(row)) current.push(row);
		const before = this.#shown;
		const after = new Map<number, Shown>();
		const isChanged = new Set(changed);
		const entered: number[] = [];
		const updated: number[] = [];
		for (const row of current) {
			const old = before.get(row);
			if (old && !isChanged.has(row)) {
				after.set(row, old);
				continue;
			}
			const now = {identity: this.#source.identity(row), version: this.#source.version(row)};
			after.set(row, now);
			if (!old || !same(old.identity, now.identity)) entered.push(row);
			else if (old.version !== now.version) updated.push(row);
		}
		const left: RowIdentity[] = [];
		for (const [row, {identity}] of before) {
			const now = after.get(row);
			if (!now || !same(now.identity, identity)) left.push(identity);
		}
		this.#shown = after;
		return settle(entered, updated, left, after);
	}
}

/** A token that left in one row and entered in another has not left. */
function settle(
	entered: number[],
	updated: number[],
	left: RowIdentity[],
	shown: ReadonlyMap<number, Shown>,
): WindowChange {
	if (entered.length === 0 || left.length === 0) return {entered, updated, left};
	const leaving = new Map(left.map(identity => [nameOf(identity), identity]));
	const fresh = entered.filter(row => !leaving.has(nameOf(shown.get(row)!.identity)));
	const moved = entered.filter(row => leaving.has(nameOf(shown.get(row)!.identity)));
	for (const row of moved) leaving.delete(nameOf(shown.get(row)!.identity));
	return {entered: fresh, updated: [...updated, ...moved], left: [...leaving.values()]};
}

/** The name of a row in the changes of its view: unique in it. */
export function nameOf({key, pool}: RowIdentity): string {
	return pool ?? key;
}

function same(a: RowIdentity, b: RowIdentity): boolean {
	return a.key === b.key && a.pool === b.pool;
}
