import {Cells} from './cells.ts';
import {cursorMove, NOWHERE} from './cursor-moves.ts';
import {BLANK, type GlyphTable, TAIL, UNKNOWN} from './glyphs.ts';
import type {SgrEncoder} from './sgr.ts';
import {PLAIN} from './style.ts';

/** From this many cells on it is shorter to erase the rest of a line than to write blanks. */
const ERASE_FROM = 4;
/** Up to this many unchanged cells are written again rather than skipped: `CSI n C` takes four bytes. */
const REWRITE_UP_TO = 3;
const LAST_ASCII = 0x7e;

/**
 * Knows what the terminal shows, and gives the bytes that turn it into the next picture, with the shortest cursor moves and
 * style changes. The terminal's pen and cursor are tracked from frame to frame.
 *
 * Terminals disagree on the width of many clusters (joined emoji, flags, presented characters): the
 * painter blanks the cells of such a cluster before it writes the cluster, writes the cells again that some terminal may have
 * drawn over, and makes the next move absolute. So a wrong width spoils only that cluster.
 */
export class Painter {
	readonly #glyphs: GlyphTable;
	readonly #sgr: SgrEncoder;
	readonly #shown: Cells;
	#x = NOWHERE;
	#y = NOWHERE;
	#pen = PLAIN;
	#out = '';

	constructor(columns: number, rows: number, glyphs: GlyphTable, sgr: SgrEncoder) {
		this.#glyphs = glyphs;
		this.#sgr = sgr;
		this.#shown = new Cells(columns, rows, UNKNOWN);
	}

	/** Clears the terminal's visible screen. */
	clear(): void {
		this.#out += '\x1B[m\x1B[H\x1B[J';
		this.#shown.fillAll(BLANK);
		this.#pen = PLAIN;
		this.#x = 0;
		this.#y = 0;
	}

	/** Gives the bytes made since the last call. */
	take(): string {
		const out = this.#out;
		this.#out = '';
		return out;
	}

	/** Puts the cursor on a cell. */
	moveTo(x: number, y: number): void {
		this.#out += cursorMove(this.#x, this.#y, x, y);
		this.#x = x;
		this.#y = y;
	}

	/**
	 * Makes row `y` of the terminal equal to row `y` of `next`.
	 * @param from the first cell of the row that may be another than before; `to` the one after the last
	 */
	paintRow(y: number, next: Cells, from = 0, to: number = next.columns): void {
		const {glyphs, styles} = next;
		const shown = this.#shown;
		const start = y * shown.columns;
		const end = start + shown.columns;
		let until = start + to;
		let first = start + from;
		while (first < until && this.#isShown(first, next)) first++;
		if (first === until) return;
		// From here to the end of the line only plain blanks follow.
		let blankFrom = end;
		while (blankFrom > first && glyphs[blankFrom - 1] === BLANK && styles[blankFrom - 1] === PLAIN) blankFrom--;

		for (let at = first; at < until; at++) {
			if (this.#isShown(at, next)) continue;
			if (at >= blankFrom && this.#eraseFrom(at, start, y, next)) return;
			const glyph = glyphs[at]!;
			shown.glyphs[at] = glyph;
			shown.styles[at] = styles[at]!;
			// The second cell of a glyph was drawn together with the first.
			if (glyph === TAIL) continue;
			// Behind the last of the changed cells stand those that a disputed glyph spoiled.
			until = Math.max(until, this.#draw(at, start, y, next));
		}
		// Whatever is written next, by another program too, is no part of the link.
		if (this.#sgr.isLink(this.#pen)) this.#setPen(PLAIN);
	}

	#isShown(at: number, {glyphs, styles}: Cells): boolean {
		return this.#shown.glyphs[at] === glyphs[at] && this.#shown.styles[at] === styles[at];
	}

	/** Draws the glyph of a cell. @returns the cell behind those that may be spoiled */
	#draw(at: number, start: number, y: number, next: Cells): number {
		const glyph = next.glyphs[at]!;
		this.#reach(at, start, y, next);
		if (glyph <= LAST_ASCII) {
			this.#put(String.fromCharCode(glyph), 1);
			return at;
		}
		const text = this.#glyphs.text(glyph);
		const width = this.#glyphs.width(glyph);
		const spoiled = this.#glyphs.reach(glyph);
		if (!this.#glyphs.isDisputed(glyph)) {
			this.#put(text, width);
			return at;
		}
		if (width === 2) {
			this.#put('  ', 2);
			this.moveTo(at - start, y);
		}
		this.#out += text;
		this.#x = NOWHERE;
		const spoiledTo = Math.min(at + spoiled, start + this.#shown.columns);
		this.#shown.glyphs.fill(UNKNOWN, at + width, spoiledTo);
		return spoiledTo;
	}

	#put(text: string, width: number): void {
		this.#out += text;
		this.#x += width;
		// On the last column terminals differ on where the cursor is now.
		if (this.#x >= this.#shown.columns) this.#x = NOWHERE;
	}

	/** Brings the cursor to a cell and the pen to its style. */
	#reach(at: number, start: number, y: number, {glyphs, styles}: Cells): void {
		const style = styles[at]!;
		const x = at - start;
		const gap = x - this.#x;
		if (y === this.#y && this.#x !== NOWHERE && gap > 0 && gap <= REWRITE_UP_TO) {
			let isAscii = true;
			let isPen = true;
			let isNext = true;
			for (let cell = at - gap; cell < at; cell++) {
				const glyph = glyphs[cell]!;
				isAscii &&= glyph >= BLANK && glyph <= LAST_ASCII;
				isPen &&= styles[cell] === this.#pen;
				isNext &&= styles[cell] === style;
			}
			if (isAscii && (isPen || isNext)) {
				if (!isPen) this.#setPen(style);
				for (let cell = at - gap; cell < at; cell++) this.#put(String.fromCharCode(glyphs[cell]!), 1);
				this.#setPen(style);
				return;
			}
		}
		this.moveTo(x, y);
		this.#setPen(style);
	}

	#setPen(style: number): void {
		this.#out += this.#sgr.change(this.#pen, style);
		this.#pen = style;
	}

	/** Erases the line from a cell on, if that is shorter than writing the blanks that are not there yet. */
	#eraseFrom(at: number, start: number, y: number, next: Cells): boolean {
		const end = start + this.#shown.columns;
		let missing = 0;
		for (let cell = at; cell < end && missing < ERASE_FROM; cell++) {
			if (!this.#isShown(cell, next)) missing++;
		}
		if (missing < ERASE_FROM) return false;
		this.#reach(at, start, y, next);
		this.#out += '\x1B[K';
		this.#shown.fill(BLANK, y, at - start);
		return true;
	}
}
