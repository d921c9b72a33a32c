import {grown} from './segments.ts';

/** The changes of a row; a set of bits. */
export const CHANGED = {figures: 1, holders: 2, texts: 4} as const;

/** Collects rows that must be refreshed, and rows whose entry has changed since the last `take`. */
export class ChangeLog {
	#what = new Uint8Array(0);
	#rows: number[] = [];
	#isMarked = new Uint8Array(0);
	#marked: number[] = [];

	reserveRows(rows: number): void {
		this.#what = grown(this.#what, rows);
		this.#isMarked = grown(this.#isMarked, rows);
	}

	touch(row: number, what: number): void {
		if (this.#what[row] === 0) this.#rows.push(row);
		this.#what[row]! |= what | CHANGED.figures;
	}

	/** Calls back with every touched row, also those touched meanwhile. */
	settle(refresh: (row: number, what: number) => void): void {
		const rows = this.#rows;
		for (let i = 0; i < rows.length; i++) {
			const row = rows[i]!;
			const what = this.#what[row]!;
			this.#what[row] = 0;
			refresh(row, what);
		}
		rows.length = 0;
	}

	/** Marks a row's entry as changed. */
	mark(row: number): void {
		if (this.#isMarked[row] === 1) return;
		this.#isMarked[row] = 1;
		this.#marked.push(row);
	}

	/** Rows marked since the last call, each once. */
	take(): readonly number[] {
		const marked = this.#marked;
		this.#marked = [];
		for (const row of marked) this.#isMarked[row] = 0;
		return marked;
	}
}
