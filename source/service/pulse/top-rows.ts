/** How a view orders its rows. Unknown values come last in both directions (contract gaps 3.5). */
export interface RowOrder {
	/** NaN is unknown. */
	readonly values: Float64Array;
	readonly descending: boolean;
	/** Breaks ties: `<chainId>|<address>`, ascending. */
	key(row: number): string;
}

/** The value that a row is ordered by: less is earlier, unknown is last. Keys break ties. */
export function rankOf({values, descending}: RowOrder, row: number): number {
	const value = values[row]!;
	if (Number.isNaN(value)) return Infinity;
	return descending ? -value : value;
}

/** Negative when row `a` comes before row `b`; 0 for the same row only. */
export function compareRows(order: RowOrder, a: number, b: number): number {
	const difference = rankOf(order, a) - rankOf(order, b);
	// Two unknown rows give NaN.
	if (difference < 0 || difference > 0) return difference;
	if (a === b) return 0;
	return compareKeys(order.key(a), order.key(b)) || a - b;
}

/** The order of two keys by UTF-16 code units: -1, 0 or 1. */
export function compareKeys(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Rows `from` (inclusive) to `to` (exclusive) of `rows[0..count)` in their order, without sorting the rest: linear in
 * `count` wherever the page lies.
 * @param rows working memory: its order is lost
 */
export function topRows(order: RowOrder, rows: Int32Array, count: number, from: number, to: number): number[] {
	const end = Math.min(to, count);
	if (from >= end) return [];
	let candidates = rows;
	let size = count;
	if (end * 4 < count) {
		candidates = new Int32Array(end * 2 + 64);
		size = gather(order, rows, count, end, candidates);
	}
	if (end < size) select(order, candidates, 0, size - 1, end - 1);
	if (from > 0) select(order, candidates, 0, end - 1, from);
	return Array.from(candidates.subarray(from, end)).sort((a, b) => compareRows(order, a, b));
}

/**
 * Copies a superset of the first `needed` rows to `into` and returns its size. After the first cut the worst row that can
 * still matter is known, so almost every further row costs one comparison.
 */
function gather(order: RowOrder, rows: Int32Array, count: number, needed: number, into: Int32Array): number {
	const {values} = order;
	const sign = order.descending ? -1 : 1;
	let size = 0;
	let worst = -1;
	let worstRank = Infinity;
	for (let i = 0; i < count; i++) {
		const row = rows[i]!;
		if (worst >= 0) {
			const rank = values[row]! * sign;
			if (rank > worstRank) continue;
			// Equal, unknown, or the worst itself unknown: the exact comparison decides.
			if (!(rank < worstRank) && compareRows(order, row, worst) >= 0) continue;
		}
		into[size++] = row;
		if (size === into.length) {
			select(order, into, 0, size - 1, needed - 1);
			size = needed;
			worst = into[needed - 1]!;
			worstRank = rankOf(order, worst);
		}
	}
	return size;
}

/** Hoare's selection: afterwards `rows[nth]` is the nth in order, with earlier rows before and later rows after. */
function select(order: RowOrder, rows: Int32Array, left: number, right: number, nth: number): void {
	while (left < right) {
		const pivot = medianOfThree(order, rows, left, right);
		let i = left;
		let j = right;
		while (i <= j) {
			while (compareRows(order, rows[i]!, pivot) < 0) i++;
			while (compareRows(order, rows[j]!, pivot) > 0) j--;
			if (i <= j) {
				const row = rows[i]!;
				rows[i++] = rows[j]!;
				rows[j--] = row;
			}
		}
		if (nth <= j) right = j;
		else if (nth >= i) left = i;
		else return;
	}
}

function medianOfThree(order: RowOrder, rows: Int32Array, left: number, right: number): number {
	const a = rows[left]!;
	const b = rows[(left + right) >>> 1]!;
	const c = rows[right]!;
	if (compareRows(order, a, b) < 0) {
		if (compareRows(order, b, c) < 0) return b;
		return compareRows(order, a, c) < 0 ? c : a;
	}
	if (compareRows(order, a, c) < 0) return a;
	return compareRows(order, b, c) < 0 ? c : b;
}
