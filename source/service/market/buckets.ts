import {WINDOW_MS, WINDOWS_8} from '../../contract/windows.ts';
import type {Column, Image} from './image.ts';
import {grown, moved, Segments} from './segments.ts';

/** Sums in US dollars, by lane. */
export const USD = {buy: 0, sell: 1, fees: 2, organicBuy: 3, organicSell: 4} as const;
export const USD_LANES = 5;

/** Counts, by lane. The distinct ones count each wallet once, in the bucket of its newest trade of that kind. */
export const COUNT = {
	buys: 0,
	sells: 1,
	buyers: 2,
	sellers: 3,
	traders: 4,
	organicBuys: 5,
	organicSells: 6,
	organicBuyers: 7,
	organicSellers: 8,
	organicTraders: 9,
} as const;
export const COUNT_LANES = 10;

/** Lanes of one window in the result of `read`: the sums, the counts, the price at the window's start. */
export const WINDOW_LANES = USD_LANES + COUNT_LANES + 1;
export const PRICE_AGO = USD_LANES + COUNT_LANES;

/** Lengths of the windows in seconds. */
export const WINDOW_S = WINDOWS_8.map(w => WINDOW_MS[w] / 1000);
/** Length of the longest window, in seconds: older trades are in no figure. */
export const HORIZON_S = WINDOW_S.at(-1)!;

/**
 * The resolution of time by age. A bucket is merged into the next level's once the whole bucket is older than `untilS`
 * of the level before. A window therefore ends inside a bucket of at most `resolutionS`: see `read`.
 */
const LEVELS = [
	{resolutionS: 2, untilS: 60},
	{resolutionS: 10, untilS: 300},
	{resolutionS: 30, untilS: 900},
	{resolutionS: 120, untilS: 3600},
	{resolutionS: 600, untilS: 21_600},
	{resolutionS: 1800, untilS: HORIZON_S},
] as const;
const RESOLUTION_S = LEVELS.map(level => level.resolutionS);
const MERGE_AFTER_S = [0, ...LEVELS.slice(0, -1).map(level => level.untilS)];

/** Initial slots: columns that are never copied leave no holes, and untouched memory costs nothing. */
const FIRST_SLOTS = 1 << 17;
const SIZES = [1, 2, 3, 4, 6, 8, 16, 32, 64, 96, 128, 192];

/**
 * The trades of every row in buckets of time: fine for the last minute, coarser with age, at most 24 h 30 min back.
 * All sliding windows of a row are read from them, so that all windows agree with each other.
 * A row has at most 170 buckets; one that traded for a few minutes hours ago has one or two.
 */
export class Buckets {
	/** First second of each bucket. */
	start = new Uint32Array(0);
	level = new Uint8Array(0);
	/** The last price in the bucket. */
	close = new Float64Array(0);
	usd = new Float64Array(0);
	counts = new Uint32Array(0);

	readonly #segments = new Segments(SIZES);
	// By row: the offset of its buckets, oldest first.
	#offset = new Uint32Array(0);
	#sizeClass = new Uint8Array(0);
	#length = new Uint16Array(0);
	/** The price before the oldest bucket: the opening price, later that of the last bucket dropped. */
	#priceBefore = new Float64Array(0);
	readonly #sums = new Float64Array(USD_LANES + COUNT_LANES);
	readonly #dropped: (row: number, endS: number, price: number) => void;

	/** @param dropped called with each bucket past the horizon: its end and its last price */
	constructor(dropped: (row: number, endS: number, price: number) => void) {
		this.#dropped = dropped;
	}

	/** See Image. */
	pass(image: Image): void {
		this.#segments.pass(image);
		this.#columns((column, lanes) => image.column(column, this.#segments.top * lanes));
		this.#offset = image.column(this.#offset);
		this.#sizeClass = image.column(this.#sizeClass);
		this.#length = image.column(this.#length);
		this.#priceBefore = image.column(this.#priceBefore);
	}

	#columns(change: <T extends Column>(column: T, lanes: number) => T): void {
		this.start = change(this.start, 1);
		this.level = change(this.level, 1);
		this.close = change(this.close, 1);
		this.usd = change(this.usd, USD_LANES);
		this.counts = change(this.counts, COUNT_LANES);
	}

	/** Makes room for rows. */
	reserveRows(rows: number): void {
		this.#offset = grown(this.#offset, rows);
		this.#sizeClass = grown(this.#sizeClass, rows);
		this.#length = grown(this.#length, rows);
		this.#priceBefore = grown(this.#priceBefore, rows);
	}

	/** Leaves nothing free between the buckets of rows. */
	compact(isUsed: (row: number) => boolean): void {
		const rows = [...this.#offset.keys()].filter(isUsed);
		const runs = rows.map(row => ({offset: this.#offset[row]!, sizeClass: this.#sizeClass[row]!}));
		const moves = this.#segments.compact(runs);
		for (const [n, row] of rows.entries()) this.#offset[row] = moves[n]!.to;
		const slots = slotsFor(this.#segments.top);
		this.#columns((column, lanes) => moved(column, moves, slots, lanes));
	}

	/** Starts an empty row. */
	open(row: number, price: number): void {
		this.#sizeClass[row] = 0;
		this.#offset[row] = this.#take(0);
		this.#length[row] = 0;
		this.#priceBefore[row] = price;
	}

	/** Starts a row with a copy of another's buckets. */
	openCopy(row: number, from: number): void {
		const length = this.#length[from]!;
		const sizeClass = this.#segments.classFor(length);
		const offset = this.#take(sizeClass);
		this.#move(this.#offset[from]!, offset, length);
		this.#sizeClass[row] = sizeClass;
		this.#offset[row] = offset;
		this.#length[row] = length;
		this.#priceBefore[row] = this.#priceBefore[from]!;
	}

	/** Frees a row's buckets. */
	release(row: number): void {
		this.#segments.give(this.#offset[row]!, this.#sizeClass[row]!);
		this.#length[row] = 0;
	}

	/** The price before the oldest bucket: the opening price until a bucket has dropped past the horizon. */
	priceBefore(row: number): number {
		return this.#priceBefore[row]!;
	}

	/** Sets an opening price that was unknown so far. */
	setOpening(row: number, price: number): void {
		this.#priceBefore[row] = price;
	}

	/** How many buckets a row has. */
	length(row: number): number {
		return this.#length[row]!;
	}

	/** The index of the row's newest bucket, which holds `second`; a second later than all before opens a new one. */
	newest(row: number, second: number): number {
		const length = this.#length[row]!;
		const offset = this.#offset[row]!;
		const fine = RESOLUTION_S[0]!;
		const start = second - (second % fine);
		if (length > 0 && start < this.start[offset + length - 1]! + RESOLUTION_S[this.level[offset + length - 1]!]!) {
			return offset + length - 1;
		}
		if (length === this.#segments.size(this.#sizeClass[row]!)) {
			// Nothing was read for a while: merge aged buckets before taking more slots.
			if (this.#merge(row, second) > length * 0.75) this.#resize(row, this.#segments.classFor(length + 1));
			return this.newest(row, second);
		}
		const index = offset + length;
		this.start[index] = start;
		this.level[index] = 0;
		this.close[index] = length > 0 ? this.close[index - 1]! : this.#priceBefore[row]!;
		this.usd.fill(0, index * USD_LANES, (index + 1) * USD_LANES);
		this.counts.fill(0, index * COUNT_LANES, (index + 1) * COUNT_LANES);
		this.#length[row] = length + 1;
		return index;
	}

	/** The bucket of a second at which the row did trade; -1 when the second is past the horizon. */
	find(row: number, second: number): number {
		const offset = this.#offset[row]!;
		let low = 0;
		let high = this.#length[row]! - 1;
		if (high < 0 || second < this.start[offset]!) return -1;
		while (low < high) {
			const middle = (low + high + 1) >> 1;
			if (this.start[offset + middle]! <= second) low = middle;
			else high = middle - 1;
		}
		return offset + low;
	}

	/**
	 * Moves time on for a row and reads all its windows into `out`: WINDOW_LANES figures for each of WINDOWS_8. A trade
	 * never leaves a window early, and at most the `resolutionS` of its level and a second
	 * late; every window contains the shorter ones.
	 * @returns the second at which the figures change next if no trade comes; Infinity when they never do
	 */
	read(row: number, nowS: number, out: Float64Array): number {
		this.#merge(row, nowS);
		const offset = this.#offset[row]!;
		const sums = this.#sums.fill(0);
		let window = 0;
		let next = Number.POSITIVE_INFINITY;
		let endAfter = Number.POSITIVE_INFINITY;
		for (let index = offset + this.#length[row]! - 1; index >= offset; index--) {
			const end = this.start[index]! + RESOLUTION_S[this.level[index]!]!;
			while (end <= nowS - WINDOW_S[window]!) {
				this.#emit(out, window, this.close[index]!);
				// The oldest bucket still inside is the next to leave.
				next = Math.min(next, endAfter + WINDOW_S[window]!);
				window++;
				if (window === WINDOW_S.length) return next;
			}
			const usd = index * USD_LANES;
			for (let lane = 0; lane < USD_LANES; lane++) sums[lane]! += this.usd[usd + lane]!;
			const counts = index * COUNT_LANES;
			for (let lane = 0; lane < COUNT_LANES; lane++) sums[USD_LANES + lane]! += this.counts[counts + lane]!;
			endAfter = end;
		}
		for (; window < WINDOW_S.length; window++) {
			this.#emit(out, window, this.#priceBefore[row]!);
			next = Math.min(next, endAfter + WINDOW_S[window]!);
		}
		return next;
	}

	/** Calls back with the last price of each bucket, oldest first: the end second of the bucket and the price. */
	eachPrice(row: number, visit: (endS: number, price: number) => void): void {
		const offset = this.#offset[row]!;
		for (let index = offset; index < offset + this.#length[row]!; index++) {
			visit(this.start[index]! + RESOLUTION_S[this.level[index]!]!, this.close[index]!);
		}
	}

	/** Bytes of a bucket in all columns, for measurements. */
	bytesPerSlot(): number {
		return 4 + 1 + 8 + USD_LANES * 8 + COUNT_LANES * 4;
	}

	#emit(out: Float64Array, window: number, priceAgo: number): void {
		const at = window * WINDOW_LANES;
		const sums = this.#sums;
		for (let lane = 0; lane < PRICE_AGO; lane++) out[at + lane] = sums[lane]!;
		out[at + PRICE_AGO] = priceAgo;
	}

	/** Merges aged buckets, drops those past the horizon, and returns how many are left. */
	#merge(row: number, nowS: number): number {
		const offset = this.#offset[row]!;
		const length = this.#length[row]!;
		let kept = 0;
		for (let i = 0; i < length; i++) {
			const from = offset + i;
			let level = this.level[from]!;
			let start = this.start[from]!;
			while (level + 1 < LEVELS.length) {
				const coarse = RESOLUTION_S[level + 1]!;
				const cell = start - (start % coarse);
				if (cell + coarse > nowS - MERGE_AFTER_S[level + 1]!) break;
				start = cell;
				level++;
			}
			const last = offset + kept - 1;
			if (kept > 0 && this.level[last] === level && this.start[last] === start) {
				this.#add(from, last);
				continue;
			}
			const to = offset + kept;
			if (to !== from) this.#move(from, to, 1);
			this.start[to] = start;
			this.level[to] = level;
			kept++;
		}
		// Merged first and dropped then, so that what is left does not depend on how often this was called.
		const old = this.#dropOld(row, kept, nowS);
		if (old > 0) {
			kept -= old;
			this.#move(offset + old, offset, kept);
		}
		this.#length[row] = kept;
		if (kept < length) {
			const needed = this.#segments.classFor(kept + 1);
			// A busy row keeps its slots; a quiet one frees all that it does not need.
			const exact = this.#segments.classFor(kept);
			if (kept < 8 ? exact < this.#sizeClass[row]! : needed + 1 < this.#sizeClass[row]!)
				this.#resize(row, kept < 8 ? exact : needed);
		}
		return kept;
	}

	/** Gives away the oldest buckets that are past the horizon, and returns how many they are. */
	#dropOld(row: number, length: number, nowS: number): number {
		const offset = this.#offset[row]!;
		let old = 0;
		for (; old < length; old++) {
			const index = offset + old;
			const endS = this.start[index]! + RESOLUTION_S[this.level[index]!]!;
			if (endS > nowS - HORIZON_S) break;
			this.#priceBefore[row] = this.close[index]!;
			this.#dropped(row, endS, this.close[index]!);
		}
		return old;
	}

	#add(from: number, to: number): void {
		this.close[to] = this.close[from]!;
		for (let lane = 0; lane < USD_LANES; lane++) this.usd[to * USD_LANES + lane]! += this.usd[from * USD_LANES + lane]!;
		for (let lane = 0; lane < COUNT_LANES; lane++) {
			this.counts[to * COUNT_LANES + lane]! += this.counts[from * COUNT_LANES + lane]!;
		}
	}

	#resize(row: number, sizeClass: number): void {
		const from = this.#offset[row]!;
		const to = this.#take(sizeClass);
		this.#move(from, to, this.#length[row]!);
		this.#segments.give(from, this.#sizeClass[row]!);
		this.#offset[row] = to;
		this.#sizeClass[row] = sizeClass;
	}

	#move(from: number, to: number, length: number): void {
		this.start.copyWithin(to, from, from + length);
		this.level.copyWithin(to, from, from + length);
		this.close.copyWithin(to, from, from + length);
		this.usd.copyWithin(to * USD_LANES, from * USD_LANES, (from + length) * USD_LANES);
		this.counts.copyWithin(to * COUNT_LANES, from * COUNT_LANES, (from + length) * COUNT_LANES);
	}

	#take(sizeClass: number): number {
		const offset = this.#segments.take(sizeClass);
		if (this.#segments.top > this.start.length) {
			const slots = slotsFor(this.#segments.top);
			this.#columns((column, lanes) => grown(column, slots * lanes));
		}
		return offset;
	}
}

function slotsFor(top: number): number {
	return Math.max(FIRST_SLOTS, Math.ceil(top * 1.5));
}
