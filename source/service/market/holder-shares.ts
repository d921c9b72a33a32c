import type {Image} from './image.ts';
import {type Departed, type Positions, ROLE} from './positions.ts';
import {type Rows, SHARE_LANES, TALLY_LANES} from './rows.ts';
import {grown} from './segments.ts';

const TOPS = [10, 50, 100, 200] as const;
const MAX_COUNTED = 200;
/**
 * The kind of a wallet (fresh, smart, pro) changes without an event of the token: the shares of a row are at most this old.
 */
const STALE_S = 60;
/** The shares of a token (not its number of holders) may be a second old for each 500 wallets, ten seconds at most. */
const CROWD = 500;
const CROWD_WAIT_S = 10;

/** The kinds of wallets regardless of the token. */
interface Kinds {
	isPro(id: number): boolean;
	isSmart(id: number): boolean;
	isFresh(id: number, nowS: number): boolean;
}

/**
 * Adds up the holders of a token. A holder is a wallet with a balance; pools and burnt coins do not count. Percentages
 * are of the supply that is not burnt. Counts are of wallets that still hold; buys are of all wallets that ever held.
 */
export class HolderShares {
	readonly #rows: Rows;
	readonly #positions: Positions;
	readonly #departed: Departed;
	readonly #kinds: Kinds;
	readonly #isExact: boolean;
	#balances = new Float64Array(1024);
	// By row: when it was last added up, Unix seconds, and whether its holders have changed since.
	#addedUpS = new Uint32Array(0);
	#isOwed = new Uint8Array(0);

	/** @param isExact shares follow from the holders of now alone: they are added up with each change, and what wallets are is as of a set time */
	constructor(rows: Rows, positions: Positions, departed: Departed, kinds: Kinds, isExact: boolean) {
		this.#rows = rows;
		this.#positions = positions;
		this.#departed = departed;
		this.#kinds = kinds;
		this.#isExact = isExact;
	}

	reserveRows(rows: number): void {
		this.#addedUpS = grown(this.#addedUpS, rows);
		this.#isOwed = grown(this.#isOwed, rows);
	}

	/** See Image. */
	pass(image: Image): void {
		this.#addedUpS = image.column(this.#addedUpS);
		this.#isOwed = image.column(this.#isOwed);
	}

	clear(row: number): void {
		this.#addedUpS[row] = 0;
		this.#isOwed[row] = 0;
	}

	/**
	 * Adds up a row's holders if that is due.
	 * @param haveChanged whether an event touched the holders
	 * @returns the second at which the row is due: one that has passed means that the work was done, Infinity that none
	 *   is due
	 */
	settle(row: number, nowS: number, haveChanged: boolean): number {
		if (haveChanged) this.#isOwed[row] = 1;
		const ageS = nowS - this.#addedUpS[row]!;
		if (this.#isOwed[row] === 1) {
			const waitS = this.#isExact ? 0 : Math.min(CROWD_WAIT_S, Math.floor(this.#positions.count(row) / CROWD));
			if (ageS < waitS) return nowS - ageS + waitS;
		} else if (this.#isExact || ageS < STALE_S) {
			return Number.POSITIVE_INFINITY;
		}
		this.#isOwed[row] = 0;
		this.#addedUpS[row] = nowS;
		this.#addUp(row, nowS);
		return nowS;
	}

	#addUp(row: number, nowS: number): void {
		const {wallet, balance, roles, buys} = this.#positions;
		const kinds = this.#kinds;
		const share = this.#rows.share;
		const tally = this.#rows.tally;
		const s = row * SHARE_LANES;
		const t = row * TALLY_LANES;
		tally.fill(0, t, t + TALLY_LANES);
		let dev = 0;
		let insiders = 0;
		let bundlers = 0;
		let snipers = 0;
		let pro = 0;
		let fresh = 0;
		let smart = 0;
		let holders = 0;
		const end = this.#positions.end(row);
		for (let slot = this.#positions.begin(row); slot < end; slot++) {
			const id = wallet[slot]!;
			if (id === 0) continue;
			const held = balance[slot]!;
			const isPro = kinds.isPro(id);
			const isFresh = kinds.isFresh(id, nowS);
			const isSmart = kinds.isSmart(id);
			if (isPro) tally[t + 6]! += buys[slot]!;
			if (isFresh) tally[t + 7]! += buys[slot]!;
			if (isSmart) tally[t + 8]! += buys[slot]!;
			if (held <= 0) continue;
			if (holders === this.#balances.length) this.#lengthen();
			this.#balances[holders++] = held;
			const role = roles[slot]!;
			if (role !== 0) {
				if (role & ROLE.dev) dev += held;
				if (role & ROLE.insider) {
					insiders += held;
					tally[t]!++;
				}
				if (role & ROLE.bundler) {
					bundlers += held;
					tally[t + 1]!++;
				}
				if (role & ROLE.sniper) {
					snipers += held;
					tally[t + 2]!++;
				}
			}
			if (isPro) {
				pro += held;
				tally[t + 3]!++;
			}
			if (isFresh) {
				fresh += held;
				tally[t + 4]!++;
			}
			if (isSmart) {
				smart += held;
				tally[t + 5]!++;
			}
		}
		this.#addDeparted(row, nowS, t);
		const percent = 100 / (this.#rows.supply[row]! - this.#rows.burnt[row]!);
		this.#tops(holders, share, s, percent);
		share[s + 4] = dev * percent;
		share[s + 5] = insiders * percent;
		share[s + 6] = bundlers * percent;
		share[s + 7] = snipers * percent;
		share[s + 8] = pro * percent;
		share[s + 9] = fresh * percent;
		share[s + 10] = smart * percent;
	}

	/** Departed wallets hold nothing, but count among the buyers. */
	#addDeparted(row: number, nowS: number, t: number): void {
		const {wallet, buys} = this.#departed;
		const kinds = this.#kinds;
		const tally = this.#rows.tally;
		const end = this.#departed.end(row);
		for (let slot = this.#departed.begin(row); slot < end; slot++) {
			const id = wallet[slot]!;
			if (id === 0) continue;
			if (kinds.isPro(id)) tally[t + 6]! += buys[slot]!;
			if (kinds.isFresh(id, nowS)) tally[t + 7]! += buys[slot]!;
			if (kinds.isSmart(id)) tally[t + 8]! += buys[slot]!;
		}
	}

	#tops(holders: number, share: Float32Array, s: number, percent: number): void {
		const balances = this.#balances;
		if (holders > MAX_COUNTED) selectLargest(balances, holders, MAX_COUNTED);
		const top = balances.subarray(0, Math.min(holders, MAX_COUNTED)).sort();
		let sum = 0;
		let lane = 0;
		for (let n = 0; n < MAX_COUNTED && lane < TOPS.length; ) {
			const at = top.length - 1 - n;
			if (at >= 0) sum += top[at]!;
			n++;
			if (n === TOPS[lane]) share[s + lane++] = sum * percent;
		}
	}

	#lengthen(): void {
		const longer = new Float64Array(this.#balances.length * 2);
		longer.set(this.#balances);
		this.#balances = longer;
	}
}

/** Brings the `count` largest of the first `length` values to the front, in no order. */
function selectLargest(values: Float64Array, length: number, count: number): void {
	let low = 0;
	let high = length - 1;
	while (low < high) {
		const pivot = values[(low + high) >> 1]!;
		let i = low;
		let j = high;
		while (i <= j) {
			while (values[i]! > pivot) i++;
			while (values[j]! < pivot) j--;
			if (i > j) break;
			const swap = values[i]!;
			values[i++] = values[j]!;
			values[j--] = swap;
		}
		if (count - 1 <= j) high = j;
		else if (count - 1 >= i) low = i;
		else return;
	}
}
