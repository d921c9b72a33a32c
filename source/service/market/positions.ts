import {geometricSizes, grown, Segments} from './segments.ts';

const SIZES = [1, 2, 3, 4, 5, 6, 7, 8, ...geometricSizes(10, 4_000_000, 1.35)];
/** Room to start with, see Buckets. */
const FIRST_SLOTS = 1 << 20;
/** Above this share of used slots a token's table moves to a longer run. */
const MAX_LOAD = 0.85;
const NONE = 255;

/** What a wallet is to a token; a set of bits, given by events and never taken back. */
export const ROLE = {dev: 1, sniper: 2, insider: 4, bundler: 8} as const;

/**
 * Who holds what of which token, and what they paid: one open-addressed table a token, all in shared columns.
 * Slot numbers are good until the next `ensure` or `prune` of the same token.
 */
export class Positions {
	/** Wallet id, 0 = empty slot. */
	wallet = new Uint32Array(0);
	balance = new Float64Array(0);
	bought = new Float32Array(0);
	boughtUSD = new Float32Array(0);
	sold = new Float32Array(0);
	soldUSD = new Float32Array(0);
	/** Unix seconds of the newest trade of each side, 0 = none. */
	lastBuyS = new Uint32Array(0);
	lastSellS = new Uint32Array(0);
	sinceS = new Uint32Array(0);
	buys = new Uint16Array(0);
	roles = new Uint8Array(0);

	readonly #segments = new Segments(SIZES);
	// By row.
	#offset = new Uint32Array(0);
	#sizeClass = new Uint8Array(0);
	#used = new Uint32Array(0);

	/** Makes room for rows. */
	reserveRows(rows: number): void {
		const before = this.#sizeClass.length;
		this.#offset = grown(this.#offset, rows);
		this.#sizeClass = grown(this.#sizeClass, rows);
		this.#sizeClass.fill(NONE, before);
		this.#used = grown(this.#used, rows);
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

	/** How many wallets the row's table has, those with nothing left included. */
	count(row: number): number {
		return this.#used[row]!;
	}

	/** The slot of a wallet, or -1. */
	find(row: number, wallet: number): number {
		const begin = this.begin(row);
		const size = this.end(row) - begin;
		if (size === 0) return -1;
		let at = home(wallet, size);
		// A table that was pruned may be full to the last slot.
		for (let steps = 0; steps < size; steps++) {
			const found = this.wallet[begin + at];
			if (found === wallet) return begin + at;
			if (found === 0) return -1;
			at = at + 1 === size ? 0 : at + 1;
		}
		return -1;
	}

	/** The slot of a wallet, made empty-handed if it has none. */
	ensure(row: number, wallet: number, nowS: number): number {
		const found = this.find(row, wallet);
		if (found >= 0) return found;
		const size = this.end(row) - this.begin(row);
		if (this.#used[row]! + 1 > size * MAX_LOAD) this.#resize(row, this.#used[row]! + 1);
		const slot = this.#insert(row, wallet);
		this.sinceS[slot] = nowS;
		return slot;
	}

	/**
	 * Forgets the wallets that `keep` refuses, and takes no more room than the rest needs.
	 * @param forgotten called with each wallet that went
	 */
	prune(row: number, keep: (slot: number) => boolean, forgotten: (wallet: number) => void): void {
		const begin = this.begin(row);
		const end = this.end(row);
		let kept = 0;
		for (let slot = begin; slot < end; slot++) {
			const wallet = this.wallet[slot]!;
			if (wallet === 0) continue;
			if (keep(slot)) {
				kept++;
				continue;
			}
			this.wallet[slot] = 0;
			forgotten(wallet);
		}
		if (kept === this.#used[row]) return;
		// Holes break the probe sequences, so what stays is put into a fresh run.
		this.#used[row] = kept;
		this.#resize(row, kept, true);
	}

	/** Forgets the whole table. */
	clear(row: number, forgotten: (wallet: number) => void): void {
		this.prune(row, () => false, forgotten);
	}

	/** What a slot takes in all columns, for measurements. */
	bytesPerSlot(): number {
		return 4 + 8 + 4 * 4 + 3 * 4 + 2 + 1;
	}

	#insert(row: number, wallet: number): number {
		const begin = this.begin(row);
		const size = this.end(row) - begin;
		let at = home(wallet, size);
		while (this.wallet[begin + at] !== 0) at = at + 1 === size ? 0 : at + 1;
		const slot = begin + at;
		this.wallet[slot] = wallet;
		this.balance[slot] = 0;
		this.bought[slot] = 0;
		this.boughtUSD[slot] = 0;
		this.sold[slot] = 0;
		this.soldUSD[slot] = 0;
		this.lastBuyS[slot] = 0;
		this.lastSellS[slot] = 0;
		this.buys[slot] = 0;
		this.roles[slot] = 0;
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
				if (wallet !== 0) this.#copy(slot, this.#insert(row, wallet));
			}
		}
		if (oldClass === NONE) return;
		this.wallet.fill(0, begin, end);
		this.#segments.give(begin, oldClass);
	}

	#copy(from: number, to: number): void {
		this.balance[to] = this.balance[from]!;
		this.bought[to] = this.bought[from]!;
		this.boughtUSD[to] = this.boughtUSD[from]!;
		this.sold[to] = this.sold[from]!;
		this.soldUSD[to] = this.soldUSD[from]!;
		this.lastBuyS[to] = this.lastBuyS[from]!;
		this.lastSellS[to] = this.lastSellS[from]!;
		this.sinceS[to] = this.sinceS[from]!;
		this.buys[to] = this.buys[from]!;
		this.roles[to] = this.roles[from]!;
	}

	#take(sizeClass: number): number {
		const offset = this.#segments.take(sizeClass);
		if (this.#segments.top > this.wallet.length) {
			const slots = Math.max(FIRST_SLOTS, Math.ceil(this.#segments.top * 1.4));
			this.wallet = grown(this.wallet, slots);
			this.balance = grown(this.balance, slots);
			this.bought = grown(this.bought, slots);
			this.boughtUSD = grown(this.boughtUSD, slots);
			this.sold = grown(this.sold, slots);
			this.soldUSD = grown(this.soldUSD, slots);
			this.lastBuyS = grown(this.lastBuyS, slots);
			this.lastSellS = grown(this.lastSellS, slots);
			this.sinceS = grown(this.sinceS, slots);
			this.buys = grown(this.buys, slots);
			this.roles = grown(this.roles, slots);
		}
		return offset;
	}
}

/** Where a wallet's search starts in a table of `size` slots. */
function home(wallet: number, size: number): number {
	return Math.floor((Math.imul(wallet, 0x9e3779b1) >>> 0) * (size / 4294967296));
}
