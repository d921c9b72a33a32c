import type {DOMElement} from 'ink';
import {Cells} from './cells.ts';
import {BLANK, NONE, TAIL} from './glyphs.ts';
import {comparePaths, isSamePlace, type Place, placeOf} from './placement.ts';
import type {RowCells} from './row-cells.ts';
import type {Row} from './style.ts';

/** Rows that are drawn without React, from the top of a box downwards. */
export interface Region {
	/** The id for `invalidate`. Regions that share an id are invalidated together. */
	readonly id: string;
	/** How many rows there are; those that don't fit in the box are not drawn. */
	readonly count: number;
	/**
	 * The rows as they should be now; a missing one is blank. Called at flush, once the region was invalidated. A row that is the
	 * same object as before is not written again, so a region that keeps rows may invalidate freely.
	 */
	readonly rows: () => readonly Row[];
}

/** Takes a row of the screen, and the cells of that row that were written: from one to before another. */
type Changed = (y: number, from: number, to: number) => void;

/** A region in the layer. */
export interface Placement {
	/** Gives a region another count or function of rows; every row is redrawn. */
	update(region: Region): void;
	/** Removes the region from the layer. */
	remove(): void;
}

const BLANK_ROW: Row = [];

interface Entry {
	readonly node: DOMElement;
	region: Region;
	isDirty: boolean;
	/** The rows as they are in the cells. */
	drawn: Row[];
	/** No other region and no edge of the screen covers a part of it. */
	isWhole: boolean;
}

interface Placed {
	readonly entry: Entry;
	readonly place: Place;
}

/**
 * The layer of cells that regions draw into, below what Ink draws. Who draws where follows Ink's own order: a later box is
 * above an earlier one. So a modal hides the rows below it.
 */
export class LiveLayer {
	readonly #entries = new Set<Entry>();
	#cells = new Cells(0, 0);
	#rowCells!: RowCells;
	#line = new Cells(0, 1);
	/** For each cell, one more than the index in #placed of what is topmost there. */
	#owners = new Uint16Array(0);
	/** Undefined when all cells must be redrawn. */
	#placed: readonly Placed[] | undefined;
	#isStale = true;

	/** The cells that the regions have drawn. */
	get cells(): Cells {
		return this.#cells;
	}

	/** Starts over on a screen of this size, with the same regions. */
	begin(columns: number, rows: number, rowCells: RowCells): void {
		this.#cells = new Cells(columns, rows, NONE);
		this.#owners = new Uint16Array(columns * rows);
		this.#rowCells = rowCells;
		this.#placed = undefined;
		this.#isStale = true;
	}

	/** Adds a region in the place of one of Ink's boxes. */
	add(node: DOMElement, region: Region): Placement {
		const entry: Entry = {node, region, isDirty: true, drawn: [], isWhole: false};
		this.#entries.add(entry);
		this.#isStale = true;
		return {
			update: next => {
				if (next.count !== entry.region.count) this.#placed = undefined;
				entry.region = next;
				entry.isDirty = true;
				this.#isStale = true;
			},
			remove: () => {
				this.#entries.delete(entry);
				this.#isStale = true;
			},
		};
	}

	/** Says that rows have changed. @returns whether any region has that id */
	invalidate(id: string): boolean {
		let isKnown = false;
		for (const entry of this.#entries) {
			if (entry.region.id !== id) continue;
			isKnown = true;
			entry.isDirty = true;
		}
		return isKnown;
	}

	/** Marks the places as stale: Ink may have moved its boxes. */
	layoutChanged(): void {
		this.#isStale = true;
	}

	/**
	 * Brings the cells up to date.
	 * @param changed is called with each row of the screen whose cells were written
	 */
	paint(changed: Changed): void {
		if (this.#isStale) this.#place(changed);
		for (const [index, {entry, place}] of (this.#placed ?? []).entries()) {
			if (!entry.isDirty) continue;
			entry.isDirty = false;
			const rows = entry.region.rows();
			const first = Math.max(place.top, 0) - place.y;
			const end = Math.min(place.bottom - place.y, this.#cells.rows - place.y, entry.region.count);
			for (let at = first; at < end; at++) {
				const spans = rows[at] ?? BLANK_ROW;
				if (entry.drawn[at] === spans) continue;
				entry.drawn[at] = spans;
				this.#draw(spans, place, place.y + at, entry.isWhole ? undefined : index + 1);
				changed(place.y + at, Math.max(place.left, 0), Math.min(place.right, this.#cells.columns));
			}
		}
	}

	#place(changed: Changed): void {
		this.#isStale = false;
		const placed: Placed[] = [];
		for (const entry of this.#entries) {
			const place = placeOf(entry.node);
			if (place !== undefined) placed.push({entry, place});
		}
		placed.sort((a, b) => comparePaths(a.place.path, b.place.path));
		if (this.#placed !== undefined && isSameOrder(placed, this.#placed)) return;

		this.#placed = placed;
		this.#owners.fill(0);
		this.#cells.fillAll(NONE);
		for (const [index, {entry, place}] of placed.entries()) {
			entry.isDirty = true;
			entry.drawn = [];
			const left = Math.max(place.left, 0);
			const right = Math.min(place.right, this.#cells.columns);
			if (left >= right) continue;
			for (let y = Math.max(place.top, 0); y < Math.min(place.bottom, this.#cells.rows); y++) {
				const start = y * this.#cells.columns;
				this.#owners.fill(index + 1, start + left, start + right);
			}
		}
		for (const [index, {entry, place}] of placed.entries()) entry.isWhole = this.#isWhole(place, index + 1);
		for (let y = 0; y < this.#cells.rows; y++) changed(y, 0, this.#cells.columns);
	}

	#isWhole({x, width, left, right, top, bottom}: Place, owner: number): boolean {
		const {columns, rows} = this.#cells;
		if (left !== x || right !== x + width || left < 0 || right > columns) return false;
		for (let y = Math.max(top, 0); y < Math.min(bottom, rows); y++) {
			for (let cell = left; cell < right; cell++) if (this.#owners[y * columns + cell] !== owner) return false;
		}
		return true;
	}

	/**
	 * Writes a row into the cells that its region owns; a wide glyph of which one half is not its own is a blank.
	 * @param owner undefined when the region owns all cells of the row
	 */
	#draw(row: Row, place: Place, y: number, owner: number | undefined): void {
		if (owner === undefined) {
			this.#rowCells.draw(row, place.width, this.#cells, place.x, y);
			return;
		}
		if (this.#line.columns < place.width) this.#line = new Cells(place.width, 1);
		this.#rowCells.draw(row, place.width, this.#line);
		const {glyphs, styles} = this.#cells;
		const left = Math.max(place.left, 0);
		const right = Math.min(place.right, this.#cells.columns);
		const start = y * this.#cells.columns;
		let isHeadDrawn = false;
		for (let x = left; x < right; x++) {
			const at = start + x;
			if (this.#owners[at] !== owner) {
				isHeadDrawn = false;
				continue;
			}
			let glyph = this.#line.glyphs[x - place.x]!;
			if (glyph === TAIL) {
				if (!isHeadDrawn) glyph = BLANK;
			} else if (this.#line.glyphs[x - place.x + 1] === TAIL && x - place.x + 1 < place.width) {
				isHeadDrawn = x + 1 < right && this.#owners[at + 1] === owner;
				if (!isHeadDrawn) glyph = BLANK;
			}
			glyphs[at] = glyph;
			styles[at] = this.#line.styles[x - place.x]!;
		}
	}
}

function isSameOrder(a: readonly Placed[], b: readonly Placed[]): boolean {
	return (
		a.length === b.length &&
		a.every((placed, index) => placed.entry === b[index]!.entry && isSamePlace(placed.place, b[index]!.place))
	);
}
