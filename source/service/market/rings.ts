import type {Image} from './image.ts';
import {grown} from './segments.ts';

/** Rows in rings: each is linked to the next one of its kind, in four bytes and without a list. A row alone is a ring of one. */
export class Rings {
	#next = new Uint32Array(0);

	/** Makes room for rows. */
	reserveRows(rows: number): void {
		this.#next = grown(this.#next, rows);
	}

	/** See Image. */
	pass(image: Image): void {
		this.#next = image.column(this.#next);
	}

	/** Makes a row a ring of one. The row must not be in a ring. */
	start(row: number): void {
		this.#next[row] = row;
	}

	/** Puts a row into the ring of `member`. The row must not be in a ring. */
	join(row: number, member: number): void {
		this.#next[row] = this.#next[member]!;
		this.#next[member] = row;
	}

	/**
	 * Takes a row out of its ring.
	 * @returns one of the rows that stay; undefined when the row was alone
	 */
	leave(row: number): number | undefined {
		const next = this.#next[row]!;
		if (next === row) return undefined;
		let before = next;
		while (this.#next[before] !== row) before = this.#next[before]!;
		this.#next[before] = next;
		return next;
	}

	/** All rows of a ring, beginning with `row`. */
	*of(row: number): Generator<number> {
		let at = row;
		do {
			yield at;
			at = this.#next[at]!;
		} while (at !== row);
	}
}
