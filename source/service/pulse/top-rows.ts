/** How a view orders its rows. Unknown values come last in both directions (contract gaps 3.5). */
export interface RowOrder {
	/** NaN is unknown. */
	readonly values: Float64Array;
	readonly descending: boolean;
	/** Breaks ties: `<chainId>|<address>`, ascending. */
	key(row: number): string;
	/** Orders like the keys; equal where keys begin alike, NaN where it is not known. */
	keyRank(row: number): number;
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
	return order.keyRank(a) - order.keyRank(b) || compareKeys(order.key(a), order.key(b)) || a - b;
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
	to = Math.min(to, count);
	if (from >= to) return [];
	let candidates = rows;
	let part: Part = {size: count, before: 0};
	if (to * 4 < count && to < MAX_GATHERED) {
		candidates = new Int32Array(to * 2 + 64);
		part = {size: gather(order, rows, count, to, candidates), before: 0};
	} else if (count > MIN_HISTOGRAM) {
		part = aroundPage(bucketsByValue(order), rows, part, from, to);
		// Keys are dense in a few ranges: a second histogram separates what the first one left.
		for (let size = Infinity; part.size > MIN_HISTOGRAM && part.size * 2 <= size; ) {
			const buckets = bucketsByKey(order, rows, part.size);
			if (!buckets) break;
			({size} = part);
			part = aroundPage(buckets, rows, part, from, to);
		}
	}
	const begin = from - part.before;
	const end = begin + to - from;
	if (end < part.size) select(order, candidates, 0, part.size - 1, end - 1);
	if (begin > 0) select(order, candidates, 0, end - 1, begin);
	return Array.from(candidates.subarray(begin, end)).sort((a, b) => compareRows(order, a, b));
}

/** The first `size` rows of a list, and how many of the others come before them in order. */
interface Part {
	readonly size: number;
	readonly before: number;
}

/** A page that ends after this row is found by histograms. */
const MAX_GATHERED = 4096;
/** With fewer rows a histogram costs more than it saves. */
const MIN_HISTOGRAM = 4096;

/** The bucket of a row; buckets are in the order of the rows. */
type BucketOf = (row: number) => number;

const BUCKETS = 65_537;

/**
 * Keeps in `rows` only those of a part that may be on the page, in two linear passes: a histogram shows in which buckets the
 * page is.
 */
function aroundPage(bucketOf: BucketOf, rows: Int32Array, part: Part, from: number, to: number): Part {
	const counts = new Int32Array(BUCKETS);
	for (let i = 0; i < part.size; i++) counts[bucketOf(rows[i]!)]!++;
	let first = 0;
	let {before} = part;
	while (before + counts[first]! <= from) before += counts[first++]!;
	let last = first;
	for (let end = before + counts[first]!; end < to; end += counts[last]!) last++;
	let size = 0;
	for (let i = 0; i < part.size; i++) {
		const row = rows[i]!;
		const bucket = bucketOf(row);
		rows[size] = row;
		size += Number(bucket >= first) & Number(bucket <= last);
	}
	return {size, before};
}

/** Doubles of one sign order like their upper bits. */
function bucketsByValue({values, descending}: RowOrder): BucketOf {
	const upper = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
	return row => {
		const value = values[row]!;
		if (Number.isNaN(value)) return BUCKETS - 1;
		// The two zeros are equal and must share a bucket.
		const high = value === 0 ? 0 : upper[2 * row + 1]!;
		const ascending = ((high ^ ((high >> 31) | 0x80000000)) >>> 16) & 0xffff;
		return descending ? 0xffff - ascending : ascending;
	};
}

/** Rows of one value are ordered by their keys. Undefined where values differ, or the rank of a key is not known. */
function bucketsByKey(order: RowOrder, rows: Int32Array, count: number): BucketOf | undefined {
	const rank = rankOf(order, rows[0]!);
	let least = Infinity;
	let most = -Infinity;
	for (let i = 0; i < count; i++) {
		const row = rows[i]!;
		const keyRank = order.keyRank(row);
		if (rankOf(order, row) !== rank || Number.isNaN(keyRank)) return undefined;
		least = Math.min(least, keyRank);
		most = Math.max(most, keyRank);
	}
	if (least === most) return undefined;
	const scale = (BUCKETS - 1) / (most - least);
	return row => Math.floor((order.keyRank(row) - least) * scale);
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
