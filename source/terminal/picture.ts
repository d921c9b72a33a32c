import {Cells, CellWriter} from './cells.ts';
import {composeRow} from './compose.ts';
import type {GlyphOptions} from './glyphs.ts';
import {InkLayer} from './ink-layer.ts';
import {LiveLayer} from './live-layer.ts';
import {FRAME_BEGIN, FRAME_END} from './modes.ts';
import {Painter} from './painter.ts';
import {RowCells, sharedRowCells} from './row-cells.ts';
import {type ColorDepth, SgrEncoder} from './sgr.ts';

/** A piece this short arrives at once and needs no marks, bytes. */
const UNMARKED = 128;
/** How long the marks of a frame hold its pieces back, ms. */
const FRAME_HOLD_MS = 250;
const HIDE_CURSOR = '\x1B[?25l';
const SHOW_CURSOR = '\x1B[?25h';

/** A cell of the screen, from 0. */
export interface Position {
	readonly x: number;
	readonly y: number;
}

/** The picture (both layers and the text cursor), and the bytes that bring it to the terminal. */
export class Picture {
	readonly live = new LiveLayer();
	readonly #depth: ColorDepth;
	readonly #frameHoldMs: number;
	readonly #glyphOptions: GlyphOptions;
	#columns = 0;
	#rows = 0;
	#rowCells!: RowCells;
	#ink!: InkLayer;
	#composed!: Cells;
	#painter!: Painter;
	/** The cells of each row that are to be composed: from one to before another, equal where there are none; how many rows have some. */
	#dirtyFrom!: Uint16Array;
	#dirtyTo!: Uint16Array;
	#dirtyCount = 0;
	/** Row at which the next piece begins, so that under pressure every row has its turn. */
	#nextRow = 0;
	#frame = '';
	#cursor: Position | undefined;
	#isCursorShown = false;
	#mustClear = true;
	/** When the first piece of an unfinished frame was made. A resize keeps the frame open: without its end the terminal would show nothing more. */
	#openSinceMs: number | undefined;

	readonly #hasLinks: boolean;
	readonly #isShared: boolean;

	/**
	 * @param frameHoldMs how long the marks of a frame keep its pieces from being shown
	 * @param hasLinks the terminal knows hyperlinks (OSC 8)
	 * @param isShared other screens of the process draw the same rows
	 */
	constructor(
		columns: number,
		rows: number,
		depth: ColorDepth,
		glyphOptions: GlyphOptions = {},
		{
			frameHoldMs = FRAME_HOLD_MS,
			hasLinks = false,
			isShared = false,
		}: {frameHoldMs?: number | undefined; hasLinks?: boolean; isShared?: boolean} = {},
	) {
		this.#isShared = isShared;
		this.#frameHoldMs = frameHoldMs;
		this.#depth = depth;
		this.#hasLinks = hasLinks;
		this.#glyphOptions = glyphOptions;
		this.resize(columns, rows);
	}

	/** Starts over on a screen of this size, with the same regions, frame and cursor. */
	resize(columns: number, rows: number): void {
		this.#columns = columns;
		this.#rows = rows;
		this.#rowCells = this.#isShared ? sharedRowCells(this.#glyphOptions) : new RowCells(this.#glyphOptions);
		const {glyphs, styles} = this.#rowCells;
		this.#composed = new Cells(columns, rows);
		this.#painter = new Painter(columns, rows, glyphs, new SgrEncoder(styles, this.#depth, this.#hasLinks));
		this.#ink = new InkLayer(columns, rows, styles, new CellWriter(glyphs, this.#composed));
		this.live.begin(columns, rows, this.#rowCells);
		this.#dirtyFrom = new Uint16Array(rows);
		this.#dirtyTo = new Uint16Array(rows);
		this.#dirtyCount = 0;
		this.#nextRow = 0;
		this.#ink.update(this.#frame, this.#markRow);
		this.forget();
	}

	/** Forgets the terminal's content: the next pieces paint everything. */
	forget(): void {
		this.#mustClear = true;
		this.#isCursorShown = false;
		this.#dirtyFrom.fill(0);
		this.#dirtyTo.fill(this.#columns);
		this.#dirtyCount = this.#rows;
	}

	/** Takes a whole frame of Ink's. */
	drawFrame(frame: string): void {
		this.#frame = frame;
		this.#ink.update(frame, this.#markRow);
		this.live.layoutChanged();
	}

	/** Puts the text cursor on a cell, or hides it. @returns whether it was elsewhere */
	setCursor(cursor: Position | undefined): boolean {
		const isMoved = cursor?.x !== this.#cursor?.x || cursor?.y !== this.#cursor?.y;
		this.#cursor = cursor;
		return isMoved;
	}

	/** Asks for the live rows that changed. */
	drawRows(): void {
		if (this.#rowCells.isFull) this.resize(this.#columns, this.#rows);
		this.live.paint(this.#markRow);
	}

	/** The bytes for changed rows, about `size` of them; empty when nothing changed. */
	nextPiece(size: number): string {
		if (this.#mustClear) this.#painter.clear();
		this.#mustClear = false;
		let painted = this.#painter.take();
		for (let count = this.#rows; this.#dirtyCount > 0 && count > 0 && painted.length < size; count--) {
			const y = this.#nextRow;
			this.#nextRow = (y + 1) % this.#rows;
			const [from, to] = [this.#dirtyFrom[y]!, this.#dirtyTo[y]!];
			if (from === to) continue;
			this.#dirtyFrom[y] = this.#dirtyTo[y] = 0;
			this.#dirtyCount--;
			composeRow(y, this.#ink.isBlank(y) ? undefined : this.#ink.cells, this.live.cells, this.#composed, from, to);
			this.#painter.paintRow(y, this.#composed, from, to);
			painted += this.#painter.take();
		}
		return this.#marked(this.#withCursor(painted));
	}

	/**
	 * Puts a frame between its marks, also a frame in several pieces: the terminal shows nothing before the last piece, so that no
	 * window is ever seen half old and half new. On a link so slow that the pieces take longer than a moment each piece shows at once.
	 */
	#marked(piece: string): string {
		const isWhole = this.#dirtyCount === 0;
		if (this.#openSinceMs === undefined) {
			if (isWhole) return piece.length <= UNMARKED ? piece : FRAME_BEGIN + piece + FRAME_END;
			this.#openSinceMs = performance.now();
			return FRAME_BEGIN + piece;
		}
		if (!isWhole && performance.now() - this.#openSinceMs < this.#frameHoldMs) return piece;
		this.#openSinceMs = undefined;
		return piece + FRAME_END;
	}

	/** Keeps the text cursor from dancing over the picture while that is drawn, and puts it back where it belongs. */
	#withCursor(painted: string): string {
		let piece = painted;
		if (this.#isCursorShown && (painted !== '' || this.#cursor === undefined)) {
			piece = HIDE_CURSOR + piece;
			this.#isCursorShown = false;
		}
		if (this.#cursor === undefined) return piece;
		this.#painter.moveTo(Math.min(this.#cursor.x, this.#columns - 1), Math.min(this.#cursor.y, this.#rows - 1));
		piece += this.#painter.take();
		if (!this.#isCursorShown) piece += SHOW_CURSOR;
		this.#isCursorShown = true;
		return piece;
	}

	readonly #markRow = (y: number, from = 0, to = this.#columns): void => {
		const isClean = this.#dirtyFrom[y] === this.#dirtyTo[y];
		if (isClean) this.#dirtyCount++;
		this.#dirtyFrom[y] = isClean ? from : Math.min(this.#dirtyFrom[y]!, from);
		this.#dirtyTo[y] = isClean ? to : Math.max(this.#dirtyTo[y]!, to);
	};
}
