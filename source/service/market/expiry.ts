import type {Image} from './image.ts';
import {grown} from './segments.ts';

const SLOTS = 4096;
const NONE = -1;

/**
 * A timing wheel over rows: gives the rows that are due, in whole seconds. A row has one date at most; one further away
 * than the wheel is long (68 minutes) comes up early and is scheduled again.
 */
export class Expiry {
	#nowS: number;
	#first = new Int32Array(SLOTS).fill(NONE);
	// By row: neighbours in its slot, and the slot.
	#next = new Int32Array(0);
	#previous = new Int32Array(0);
	#slot = new Int32Array(0);

	constructor(nowS: number) {
		this.#nowS = nowS;
	}

	/** Makes room for rows. */
	reserveRows(rows: number): void {
		const before = this.#slot.length;
		this.#next = grown(this.#next, rows);
		this.#previous = grown(this.#previous, rows);
		this.#slot = grown(this.#slot, rows);
		this.#slot.fill(NONE, before);
	}

	/** See Image. */
	pass(image: Image): void {
		this.#nowS = image.value(this.#nowS);
		this.#first = image.column(this.#first);
		this.#next = image.column(this.#next);
		this.#previous = image.column(this.#previous);
		this.#slot = image.column(this.#slot);
	}

	/** Sets the date of a row, in place of any earlier one. */
	schedule(row: number, atS: number): void {
		const dueS = Math.min(Math.max(Math.ceil(atS), this.#nowS + 1), this.#nowS + SLOTS - 1);
		const slot = dueS % SLOTS;
		if (this.#slot[row] === slot) return;
		this.cancel(row);
		const first = this.#first[slot]!;
		this.#slot[row] = slot;
		this.#next[row] = first;
		this.#previous[row] = NONE;
		if (first !== NONE) this.#previous[first] = row;
		this.#first[slot] = row;
	}

	cancel(row: number): void {
		const slot = this.#slot[row]!;
		if (slot === NONE) return;
		const next = this.#next[row]!;
		const previous = this.#previous[row]!;
		if (next !== NONE) this.#previous[next] = previous;
		if (previous === NONE) this.#first[slot] = next;
		else this.#next[previous] = next;
		this.#slot[row] = NONE;
	}

	/** Moves time on and calls back with every row whose date has come; the row has no date then. */
	advance(nowS: number, due: (row: number) => void): void {
		// After a long pause every slot is visited once instead of once a second.
		if (nowS - this.#nowS > SLOTS) this.#nowS = nowS - SLOTS;
		while (this.#nowS < nowS) {
			this.#nowS++;
			const slot = this.#nowS % SLOTS;
			for (let row = this.#first[slot]!; row !== NONE; ) {
				const next = this.#next[row]!;
				this.#slot[row] = NONE;
				due(row);
				row = next;
			}
			this.#first[slot] = NONE;
		}
	}
}
