import {graphemes} from '../text.ts';
import {BLANK, type GlyphTable, TAIL} from './glyphs.ts';
import {PLAIN, type Row, type StyleTable} from './style.ts';

/**
 * Cells of a screen, or of one line, row after row: in each a glyph's number and a style's number. A two-cell glyph is
 * followed by a TAIL of the same style.
 */
export class Cells {
	readonly columns: number;
	readonly rows: number;
	readonly glyphs: Uint32Array;
	readonly styles: Uint32Array;

	constructor(columns: number, rows: number, glyph: number = BLANK) {
		this.columns = columns;
		this.rows = rows;
		this.glyphs = new Uint32Array(columns * rows).fill(glyph);
		this.styles = new Uint32Array(columns * rows);
	}

	/** Makes cells of one row the same glyph, plain. */
	fill(glyph: number, y: number, from = 0, to: number = this.columns): void {
		const start = y * this.columns;
		this.glyphs.fill(glyph, start + from, start + to);
		this.styles.fill(PLAIN, start + from, start + to);
	}

	fillAll(glyph: number): void {
		this.glyphs.fill(glyph);
		this.styles.fill(PLAIN);
	}
}

/** Writes clusters into one row of cells from left to right, and stops at its end. */
export class CellWriter {
	readonly #glyphs: GlyphTable;
	#cells: Cells;
	#at = 0;
	#end = 0;

	constructor(glyphs: GlyphTable, cells: Cells) {
		this.#glyphs = glyphs;
		this.#cells = cells;
	}

	/** Goes to a cell of a row, to write so many columns from there on. */
	start(cells: Cells, y: number, columns: number = cells.columns, x = 0): void {
		this.#cells = cells;
		this.#at = y * cells.columns + x;
		this.#end = this.#at + Math.min(columns, cells.columns - x);
	}

	/** @param style id of the style table */
	write(text: string, style: number): void {
		const {glyphs, styles} = this.#cells;
		if (this.#at >= this.#end) return;
		for (let index = 0; index < text.length; index++) {
			const code = text.charCodeAt(index);
			if (code < 0x20 || code > 0x7e) {
				// The last character written may be the base of what follows: take it back and go on by clusters.
				const from = Math.max(index - 1, 0);
				this.#at -= index - from;
				this.#writeClusters(text.slice(from), style);
				return;
			}
			if (this.#at >= this.#end) return;
			glyphs[this.#at] = code;
			styles[this.#at] = style;
			this.#at++;
		}
	}

	/** Fills the rest of the row with blanks of one style. */
	finish(style: number = PLAIN): void {
		this.#cells.glyphs.fill(BLANK, this.#at, this.#end);
		this.#cells.styles.fill(style, this.#at, this.#end);
		this.#at = this.#end;
	}

	#writeClusters(text: string, style: number): void {
		const {glyphs, styles} = this.#cells;
		for (const cluster of graphemes(text)) {
			const id = this.#glyphs.intern(cluster);
			const width = this.#glyphs.width(id);
			if (width === 0) continue;
			if (this.#at >= this.#end) return;
			// Half of a wide glyph is a blank.
			const fits = this.#at + width <= this.#end;
			glyphs[this.#at] = fits ? id : BLANK;
			styles[this.#at] = style;
			this.#at++;
			if (width === 2 && fits) {
				glyphs[this.#at] = TAIL;
				styles[this.#at] = style;
				this.#at++;
			}
		}
	}
}

/** Writes a row of spans into `columns` cells from a cell on, the first one if not given, and blanks after it. */
export function layOutRow(
	row: Row,
	columns: number,
	writer: CellWriter,
	cells: Cells,
	styles: StyleTable,
	x = 0,
	y = 0,
): void {
	writer.start(cells, y, columns, x);
	for (const {text, style} of row) writer.write(text, styles.intern(style));
	writer.finish();
}
