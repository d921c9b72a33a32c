import {Cells, CellWriter, layOutRow} from './cells.ts';
import {type GlyphOptions, GlyphTable} from './glyphs.ts';
import {type Row, StyleTable} from './style.ts';

/** Size at which the tables of clusters and styles are replaced. */
const MAX_GLYPHS = 0x8000;
const MAX_STYLES = 0x2000;

/** The cells of a row: the numbers of glyph and style, cell by cell. Undefined when the row was drawn once. */
const CELLS = Symbol('cells');
interface DrawnRow extends Row {
	[CELLS]?: {readonly of: RowCells; readonly columns: number; readonly cells: readonly number[] | undefined};
}

/** Lays rows out as cells, in numbers for glyphs and styles that are the same for every row. */
export class RowCells {
	readonly glyphs: GlyphTable;
	readonly styles = new StyleTable();
	readonly #writer: CellWriter;
	readonly #isShared: boolean;

	/** @param isShared several screens draw the same rows: what is laid out for one is copied for the next */
	constructor(options: GlyphOptions = {}, isShared = false) {
		this.glyphs = new GlyphTable(options);
		this.#writer = new CellWriter(this.glyphs, new Cells(0, 0));
		this.#isShared = isShared;
	}

	/** New tables are due: too many clusters or styles have numbers. */
	get isFull(): boolean {
		return this.glyphs.size > MAX_GLYPHS || this.styles.size > MAX_STYLES;
	}

	/** Writes a row of spans into `columns` cells from a cell on, and blanks after it. */
	draw(row: Row, columns: number, into: Cells, x = 0, y = 0): void {
		// On the row itself: a map of rows costs the garbage collector more than the copy saves.
		const drawn = row as DrawnRow;
		const before = this.#isShared ? drawn[CELLS] : undefined;
		const isKnown = before?.of === this && before.columns === columns;
		const start = y * into.columns + x;
		if (isKnown && before.cells) {
			const {cells} = before;
			for (let at = 0; at < columns; at++) {
				into.glyphs[start + at] = cells[2 * at]!;
				into.styles[start + at] = cells[2 * at + 1]!;
			}
			return;
		}
		layOutRow(row, columns, this.#writer, into, this.styles, x, y);
		if (!this.#isShared) return;
		drawn[CELLS] = {of: this, columns, cells: isKnown ? cellsOf(into, start, columns) : undefined};
	}
}

function cellsOf({glyphs, styles}: Cells, start: number, columns: number): number[] {
	const cells: number[] = [];
	for (let at = start; at < start + columns; at++) cells.push(glyphs[at]!, styles[at]!);
	return cells;
}

const shared = new Map<string, RowCells>();

/** Returns the tables of all screens of the process that draw glyphs alike. Full tables give way to new ones. */
export function sharedRowCells(options: GlyphOptions): RowCells {
	const key = `${options.isAmbiguousWide} ${options.isAscii} ${options.hasClusters}`;
	let cells = shared.get(key);
	if (cells === undefined || cells.isFull) {
		cells = new RowCells(options, true);
		shared.set(key, cells);
	}
	return cells;
}
