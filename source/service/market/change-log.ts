import {grown} from './segments.ts';

/** What about a row has changed; a set of bits. */
export const CHANGED = {figures: 1, holders: 2, texts: 4} as const;

/** Which rows have to be brought up to date, and which have been since somebody last asked. */
export class ChangeLog {
	#what = new Uint8Array(0);
	#rows: number[] = [];
	#isTold = new Uint8Array(0);
	#told: number[] = [];

	reserveRows(rows: number): void {
		this.#what = grown(this.#what, rows);
		this.#isTold = grown(this.#isTold, rows);
	}

	touch(row: number, what: number): void {
		if (this.#what[row] === 0) this.#rows.push(row);
		this.#what[row]! |= what | CHANGED.figures;
	}

	/** Calls back with every touched row, those that get touched meanwhile included. */
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

	/** Notes that a row's entry is not what it was. */
	tell(row: number): void {
		if (this.#isTold[row] === 1) return;
		this.#isTold[row] = 1;
		this.#told.push(row);
	}

	/** Rows told of since the last call, each once. */
	take(): readonly number[] {
		const told = this.#told;
		this.#told = [];
		for (const row of told) this.#isTold[row] = 0;
		return told;
	}
}
