import type {Column, Image} from './image.ts';
import {geometricSizes, grown, moved, Segments} from './segments.ts';

const SIZES = [1, 2, 3, 4, 5, 6, 7, 8, ...geometricSizes(10, 4_000_000, 1.35)];
/** Above this share of used slots a row's table moves to a longer run. */
const MAX_LOAD = 0.85;
const NONE = 255;

/** Gives the column that takes the place of one. */
export type ColumnChange = <T extends Column>(column: T) => T;

/**
 * One open-addressed table of wallets a row, all in shared columns: a slot is an index into them. Subclasses add
 * columns. Slot numbers are valid until the next `place`, `remove` or `prune` of the same row.
 */
export abstract class WalletTables {
	/** Wallet id, 0 = empty slot. */
	wallet = new Uint32Array(0);

	readonly #firstSlots: number;
	readonly #segments = new Segments(SIZES);
	// By row.
	#offset = new Uint32Array(0);
	#sizeClass = new Uint8Array(0);
	#used = new Uint32Array(0);

	/** @param firstSlots initial slots, see Buckets */
	constructor(firstSlots: number) {
		this.#firstSlots = firstSlots;
	}

	/** Changes all columns but `wallet`. */
	protected abstract changeColumns(change: ColumnChange): void;
	/** Resets a slot to unknown. */
	protected abstract reset(slot: number): void;
	/** Copies all columns but `wallet`. */
	protected abstract copy(from: number, to: number): void;

	/** See Image. */
	pass(image: Image): void {
		this.#segments.pass(image);
		const {top} = this.#segments;
		this.wallet = image.column(this.wallet, top);
		this.changeColumns(column => image.column(column, top));
		this.#offset = image.column(this.#offset);
		this.#sizeClass = image.column(this.#sizeClass);
		this.#used = image.column(this.#used);
	}

	/** Makes room for rows. */
	reserveRows(rows: number): void {
		const before = this.#sizeClass.length;
		this.#offset = grown(this.#offset, rows);
		this.#sizeClass = grown(this.#sizeClass, rows);
		this.#sizeClass.fill(NONE, before);
		this.#used = grown(this.#used, rows);
	}

	/** Leaves nothing free between the tables of rows. */
	compact(): void {
		const rows = [...this.#sizeClass.keys()].filter(row => this.#sizeClass[row] !== NONE);
		const runs = rows.map(row => ({offset: this.#offset[row]!, sizeClass: this.#sizeClass[row]!}));
		const moves = this.#segments.compact(runs);
		for (const [n, row] of rows.entries()) this.#offset[row] = moves[n]!.to;
		const slots = this.#slotsFor(this.#segments.top);
		this.wallet = moved(this.wallet, moves, slots);
		this.changeColumns(column => moved(column, moves, slots));
	}

	/** First slot of the row's table. */
	begin(row: number): number {
		return this.#offset[row]!;
	}

	/** One past the last slot of the row's table; slots with wallet 0 between the two are empty. */
	end(row: number): number {
		const sizeClass = this.#sizeClass[row]!;
		return sizeClass === NONE ? this.#offset[row]! : this.#offset[row]! + this.#segments.size(sizeClass);
	}

	/** How many wallets the row's table has. */
	count(row: number): number {
		return this.#used[row]!;
	}

	/** The slot of a wallet, or -1. */
	find(row: number, wallet: number): number {
		const begin = this.begin(row);
		const size = this.end(row) - begin;
		if (size === 0) return -1;
		let at = home(wallet, size);
		// A pruned table may be full to the last slot.
		for (let steps = 0; steps < size; steps++) {
			const found = this.wallet[begin + at];
			if (found === wallet) return begin + at;
			if (found === 0) return -1;
			at = at + 1 === size ? 0 : at + 1;
		}
		return -1;
	}

	/** The slot of a wallet; a new, reset one for a wallet without a slot. */
	place(row: number, wallet: number): number {
		const found = this.find(row, wallet);
		if (found >= 0) return found;
		const size = this.end(row) - this.begin(row);
		if (this.#used[row]! + 1 > size * MAX_LOAD) this.#resize(row, this.#used[row]! + 1);
		return this.#insert(row, wallet);
	}

	/** Forgets the wallet of a slot. */
	remove(row: number, slot: number): void {
		const begin = this.begin(row);
		const size = this.end(row) - begin;
		const next = (at: number): number => (at + 1 === size ? 0 : at + 1);
		const distance = (from: number, to: number): number => (to >= from ? to - from : to - from + size);
		// A later wallet that may move into the hole does, so that no search ends too early.
		let hole = slot - begin;
		let at = next(hole);
		for (let steps = 1; steps < size; steps++) {
			const wallet = this.wallet[begin + at]!;
			if (wallet === 0) break;
			if (distance(home(wallet, size), at) >= distance(hole, at)) {
				this.wallet[begin + hole] = wallet;
				this.copy(begin + at, begin + hole);
				hole = at;
			}
			at = next(at);
		}
		this.wallet[begin + hole] = 0;
		this.#used[row]!--;
	}

	/**
	 * Forgets the wallets that `keep` refuses, and shrinks the table to the rest.
	 * @param forgotten called with the slot of each forgotten wallet before it is cleared
	 */
	prune(row: number, keep: (slot: number) => boolean, forgotten: (slot: number) => void): void {
		const begin = this.begin(row);
		const end = this.end(row);
		let kept = 0;
		for (let slot = begin; slot < end; slot++) {
			if (this.wallet[slot] === 0) continue;
			if (keep(slot)) {
				kept++;
				continue;
			}
			forgotten(slot);
			this.wallet[slot] = 0;
		}
		if (kept === this.#used[row]) return;
		// Holes break the probe sequences, so the remaining wallets are put into a fresh run.
		this.#used[row] = kept;
		this.#resize(row, kept, true);
	}

	/** Forgets the whole table. */
	clear(row: number, forgotten: (slot: number) => void): void {
		this.prune(row, () => false, forgotten);
	}

	#insert(row: number, wallet: number): number {
		const begin = this.begin(row);
		const size = this.end(row) - begin;
		let at = home(wallet, size);
		while (this.wallet[begin + at] !== 0) at = at + 1 === size ? 0 : at + 1;
		const slot = begin + at;
		this.wallet[slot] = wallet;
		this.reset(slot);
		this.#used[row]!++;
		return slot;
	}

	#resize(row: number, count: number, isFinal = false): void {
		const oldClass = this.#sizeClass[row]!;
		const begin = this.begin(row);
		const end = this.end(row);
		this.#used[row] = 0;
		if (count === 0) {
			this.#sizeClass[row] = NONE;
		} else {
			const sizeClass = this.#segments.classFor(isFinal ? count : Math.ceil(count / MAX_LOAD));
			this.#offset[row] = this.#take(sizeClass);
			this.#sizeClass[row] = sizeClass;
			for (let slot = begin; slot < end; slot++) {
				const wallet = this.wallet[slot]!;
				if (wallet !== 0) this.copy(slot, this.#insert(row, wallet));
			}
		}
		if (oldClass === NONE) return;
		this.wallet.fill(0, begin, end);
		this.#segments.give(begin, oldClass);
	}

	#slotsFor(top: number): number {
		return Math.max(this.#firstSlots, Math.ceil(top * 1.4));
	}

	#take(sizeClass: number): number {
		const offset = this.#segments.take(sizeClass);
		if (this.#segments.top > this.wallet.length) {
			const slots = this.#slotsFor(this.#segments.top);
			this.wallet = grown(this.wallet, slots);
			this.changeColumns(column => grown(column, slots));
		}
		return offset;
	}
}

/** Where a wallet's search starts in a table of `size` slots. */
function home(wallet: number, size: number): number {
	return Math.floor((Math.imul(wallet, 0x9e3779b1) >>> 0) * (size / 4294967296));
}
