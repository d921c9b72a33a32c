/** How a view orders its rows. Unknown values come last in both directions (contract gaps 3.5). */
export interface RowOrder {
	/** NaN is unknown. */
	readonly values: Float64Array;
	readonly descending: boolean;
	/** Breaks ties: `<chainId>|<address>`, ascending. */
	key(row: number): string;
	/** In the order of the keys; equal where they are too alike to tell, NaN where it is not known. */
	keyRank(row: number): number;
}

/**
 * A row's place in an order as a number: less is earlier, unknown is last. Ties are settled by the key.
 */
export function rankOf({values, descending}: RowOrder, row: number): number {
	const value = values[row]!;
	if (Number.isNaN(value)) return Infinity;
	return descending ? -value : value;
}

/** Negative when row `a` comes before row `b`. */
export function compareRows(order: RowOrder, a: number, b: number): number {
	const difference = rankOf(order, a) - rankOf(order, b);
	// Two unknown rows give NaN.
	if (difference < 0 || difference > 0) return difference;
	if (a === b) return 0;
	return order.keyRank(a) - order.keyRank(b) || compareKeys(order.key(a), order.key(b)) || a - b;
}

export function compareKeys(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Rows `from` (inclusive) to `to` (exclusive) of `rows[0..count)` in their order, without sorting the rest: linear in
 * `count` wherever the page lies.
 * @param rows is used as working memory: its order is lost
 */
export function topRows(order: RowOrder, rows: Int32Array, count: number, from: number, to: number): number[] {
	to = Math.min(to, count);
	if (from >= to) return [];
	let candidates = rows;
	let size = count;
	let begin = from;
	if (to * 4 < count) {
		candidates = new Int32Array(to * 2 + 64);
		size = gather(order, rows, count, to, candidates);
	} else if (count > WORTH_A_HISTOGRAM) {
		const part = aroundPage(order, rows, count, from, to);
		size = part.size;
		begin = from - part.before;
	}
	const end = begin + to - from;
	if (end < size) select(order, candidates, 0, size - 1, end - 1);
	if (begin > 0) select(order, candidates, 0, end - 1, begin);
	return Array.from(candidates.subarray(begin, end)).sort((a, b) => compareRows(order, a, b));
}

const WORTH_A_HISTOGRAM = 4096;

/**
 * Leaves in `rows` only those that may lie on a deep page, and says how many of the others come before them. Two linear
 * passes: doubles of one sign order like their upper bits, so a histogram of those tells where the page is.
 */
function aroundPage(
	order: RowOrder,
	rows: Int32Array,
	count: number,
	from: number,
	to: number,
): {size: number; before: number} {
	const upper = new Int32Array(order.values.buffer, order.values.byteOffset, order.values.length * 2);
	const places = new Int32Array(BUCKETS);
	for (let i = 0; i < count; i++) places[bucketOf(order, upper, rows[i]!)]!++;
	let first = 0;
	let before = 0;
	while (before + places[first]! <= from) before += places[first++]!;
	let last = first;
	for (let end = before + places[first]!; end < to; end += places[last]!) last++;
	let size = 0;
	for (let i = 0; i < count; i++) {
		const row = rows[i]!;
		const bucket = bucketOf(order, upper, row);
		rows[size] = row;
		size += Number(bucket >= first) & Number(bucket <= last);
	}
	return {size, before};
}

const BUCKETS = 65_537;

function bucketOf({values, descending}: RowOrder, upper: Int32Array, row: number): number {
	const value = values[row]!;
	if (Number.isNaN(value)) return BUCKETS - 1;
	// The two zeros are equal and must share a bucket.
	const high = value === 0 ? 0 : upper[2 * row + 1]!;
	const ascending = ((high ^ ((high >> 31) | 0x80000000)) >>> 16) & 0xffff;
	return descending ? 0xffff - ascending : ascending;
}

/**
 * Copies into `into` a superset of the first `wanted` rows, and gives its size. The worst row that can still matter is
 * known after the first cut, so almost every further row costs one comparison.
 */
function gather(order: RowOrder, rows: Int32Array, count: number, wanted: number, into: Int32Array): number {
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
			select(order, into, 0, size - 1, wanted - 1);
			size = wanted;
			worst = into[wanted - 1]!;
			worstRank = rankOf(order, worst);
		}
	}
	return size;
}

/** Hoare's selection: afterwards `rows[nth]` is the nth in order, smaller ones before it, greater ones after it. */
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
