import {EventEmitter} from 'node:events';
import type {DOMElement} from 'ink';
import type {GlyphOptions} from './glyphs.ts';
import type {Placement, Region} from './live-layer.ts';
import {enterSequence, leaveSequence, type Modes} from './modes.ts';
import {TerminalOutput, type TerminalStream} from './output.ts';
import {Pacer} from './pacer.ts';
import {Picture, type Position} from './picture.ts';
import type {ColorDepth} from './sgr.ts';

/*
 * LiveScreen: the one owner of the terminal.
 *
 * Why. Ink is right for saying what is where: boxes that come and go with a keypress. It is wrong for text that should be
 * there at once, or changes ten times a second: each frame it lays out and stringifies the whole screen, some 40 ms at
 * 200x60. So rows are drawn here, by hand, and the boxes they stand in stay Ink's. Two writers on one terminal would paint
 * over each other; therefore there is one writer, with one model of the terminal's content.
 *
 *        Ink's frame (a string) ---> Ink layer ---.
 *                                                  >-- composed --- Painter: shown vs. composed ---> one write
 *   rows() of each region (spans) -> live layer --'
 *
 * Ink layer     Ink is given this object as its `stdout`, with `debug: true`, and writes whole frames. A line that equals
 *               the one before is skipped, another is read into cells (ink-layer.ts).
 * Live layer    Regions are boxes that Ink leaves empty (<LiveRows>). Where they are is measured at flush, when Ink has laid
 *               out. Only invalidated regions are read (live-layer.ts).
 * Composition   Where Ink left a plain blank, the live cell shows. Whatever Ink drew covers it.
 * Flush         Once a turn of the event loop, after everything that this turn brought: changed rows are composed and
 *               compared with what the terminal shows, cell by cell (painter.ts). Nothing changed, nothing written.
 *
 * Consequences of the single model:
 * - No clip lists. A modal is rows in a later box: each cell belongs to the topmost of the boxes over it.
 * - A resize, a return from suspension, Ctrl+L: forget what is shown, paint everything.
 * - A slow terminal gets small pieces, each after it has taken the last one (output.ts) and confirmed what it has read
 *   (pacer.ts). Changes in the meantime stay in the layers, so the next piece is a diff to the newest state; nothing
 *   queues.
 * - Whatever text a row holds, only sequences that the painter makes reach the terminal: cells hold glyphs, and nothing that
 *   acts is a glyph (glyphs.ts).
 *
 * Requirements: everything that ticks (ages, clocks, rates) is a live region, since a React commit costs a few milliseconds
 * of Ink; state is batched before React sees it, since `debug` turns Ink's throttle off; `console` goes to a log, since only
 * the screen may write to the terminal; the text cursor is placed with `setCursor`.
 */

/** No piece of a frame is cut smaller than this. */
const MIN_PIECE = 1024;
/** A mode that Ink sets (cursor, bracketed paste): dropped, since the screen sets its own. */
const MODE_REQUEST = /^\x1B\[[?<>=][0-9;]*[A-Za-z]$/;

export interface LiveScreenOptions extends Modes, GlyphOptions {
	readonly stdout: TerminalStream;
	readonly depth: ColorDepth;
	/** The terminal knows hyperlinks (OSC 8); without it links are plain text. */
	readonly hasLinks?: boolean;
	/**
	 * Queries the terminal for how far it has read, so that a slow link is never seconds behind (pacer.ts). The responses
	 * arrive among the keys: the reader of keys passes them to `pacer`.
	 */
	readonly isPaced?: boolean;
	/** How long a terminal shows nothing of a frame in pieces while it waits for the last one, ms. */
	readonly frameHoldMs?: number;
	/** Other screens of the process draw the same rows: what is laid out for one serves all. */
	readonly isShared?: boolean;
	/** Schedules a flush at the end of the turn. */
	readonly schedule?: (flush: () => void) => void;
}

/** Counts of the screen, for the bench and the doctor. */
export interface ScreenCounters {
	/** Frames that Ink wrote. */
	readonly inkFrames: number;
	/** Flushes that changed the terminal. */
	readonly frames: number;
	/** Flushes that found nothing to change. */
	readonly idle: number;
	/** Flushes delayed because the terminal had not taken or confirmed the earlier output. */
	readonly delayed: number;
	readonly writes: number;
	readonly bytes: number;
}

interface ScreenEvents {
	/** The terminal has another size; Ink listens. */
	resize: [];
	/** The terminal closed, or a write to it failed (EPIPE, EIO). */
	hangup: [Error | undefined];
}

/** See the top of the file. In the eyes of Ink, a `stdout`. */
export class LiveScreen extends EventEmitter<ScreenEvents> {
	readonly isTTY = true;
	columns: number;
	rows: number;
	readonly #stdout: TerminalStream;
	/** Receives the responses of the terminal; undefined when the screen is not paced. */
	readonly pacer: Pacer | undefined;
	readonly #output: TerminalOutput;
	readonly #modes: Modes;
	readonly #schedule: (flush: () => void) => void;
	readonly #counts = {inkFrames: 0, frames: 0, idle: 0, delayed: 0};
	readonly #picture: Picture;
	#isActive = false;
	#isScheduled = false;
	#unsent: string[] = [];
	/** Changes wait: the terminal shows an older state, or parts of two. */
	#isBehind = true;
	readonly #untilWritten = new Set<() => void>();

	constructor({
		stdout,
		depth,
		isAmbiguousWide = false,
		isAscii = false,
		hasClusters = true,
		mouse,
		focus,
		ignoresUnknown,
		isPaced = false,
		frameHoldMs,
		hasLinks = false,
		isShared = false,
		schedule = setImmediate,
	}: LiveScreenOptions) {
		super();
		this.#stdout = stdout;
		this.#modes = {mouse: mouse ?? false, focus: focus ?? false, ignoresUnknown: ignoresUnknown ?? false};
		this.#schedule = schedule;
		this.#output = new TerminalOutput(stdout, {
			onDrained: () => this.#goOn(),
			onClosed: error => this.emit('hangup', error),
		});
		this.pacer = isPaced ? new Pacer(() => this.#goOn()) : undefined;
		this.columns = stdout.columns || 80;
		this.rows = stdout.rows || 24;
		this.#picture = new Picture(
			this.columns,
			this.rows,
			depth,
			{isAmbiguousWide, isAscii, hasClusters},
			{frameHoldMs, hasLinks, isShared},
		);
	}

	/** Takes the terminal: alternate screen, no cursor, and paints everything. Does nothing if it is taken already. */
	enter(): void {
		if (this.#isActive) return;
		this.#isActive = true;
		this.#stdout.on('resize', this.#resized);
		this.#measure();
		this.retake();
		this.#output.setBlocking(false);
	}

	/**
	 * Sets the modes of the terminal once more and paints everything (Ctrl+L): another terminal may show the program now, which never
	 * got the queries that wait for a response.
	 */
	retake(): void {
		if (!this.#isActive) return;
		this.#output.write(enterSequence(this.#modes) + (this.pacer?.begin() ?? ''));
		this.#picture.forget();
		this.#request();
	}

	/** Gives the terminal back as it was. Safe at any time, in an exit handler too; does nothing if it was given back. */
	restore(): void {
		if (!this.#isActive) return;
		this.#isActive = false;
		this.#stdout.off('resize', this.#resized);
		this.#output.writeLast(leaveSequence(this.#modes));
		this.#output.setBlocking(true);
	}

	/** Resolves when no response of the terminal is pending: only then may raw mode or the program end. */
	async quiet(): Promise<void> {
		await this.pacer?.quiet();
	}

	/**
	 * Resolves when the terminal shows what was drawn up to now, as far as it reports: all is written and every query has its
	 * response. On a slow link this is later than the drawing; an action on what the user must have seen waits for it.
	 */
	async shown(): Promise<void> {
		await this.written();
		const query = this.pacer?.ask() ?? '';
		if (query !== '') this.#output.write(query);
		await this.quiet();
	}

	/** Resolves when all frames drawn so far are written, whether or not the terminal has read them. */
	async written(): Promise<void> {
		this.flush();
		if (this.#isBehind) await new Promise<void>(resolve => this.#untilWritten.add(resolve));
	}

	/** Whether the screen owns the terminal now. */
	get isActive(): boolean {
		return this.#isActive;
	}

	/** Counts since the start. */
	get counters(): ScreenCounters {
		return {...this.#counts, writes: this.#output.writes, bytes: this.#output.bytes};
	}

	/**
	 * Takes what Ink writes: a whole frame, or an empty string with a callback for when all is written.
	 * @returns always true: the screen waits for the terminal, not Ink
	 */
	write(data: string, encodingOrCallback?: unknown, callback?: () => void): boolean {
		const written = typeof encodingOrCallback === 'function' ? (encodingOrCallback as () => void) : callback;
		if (data === '' && written !== undefined) {
			this.flush();
			setImmediate(written);
			return true;
		}
		if (!MODE_REQUEST.test(data)) {
			this.#counts.inkFrames++;
			this.#picture.drawFrame(data);
			this.#request();
		}
		if (written !== undefined) setImmediate(written);
		return true;
	}

	/** Adds a region of live rows in the place of a box of Ink's. <LiveRows> does this. */
	addRegion(node: DOMElement, region: Region): Placement {
		return this.#placed(this.#picture.live.add(node, region));
	}

	/**
	 * Marks the rows of a region as changed. They are read at the end of this turn.
	 * @returns whether a region of that id is mounted
	 */
	invalidate(id: string): boolean {
		const isKnown = this.#picture.live.invalidate(id);
		if (isKnown) this.#request();
		return isKnown;
	}

	/** Shows the text cursor on a cell, or hides it. */
	setCursor(cursor: Position | undefined): void {
		if (this.#picture.setCursor(cursor)) this.#request();
	}

	/** Sends something that is no picture (a bell, a clipboard) between two frames. It must leave cursor and style alone. */
	send(sequence: string): void {
		this.#unsent.push(sequence);
		this.#request();
	}

	/** Brings the terminal up to date now, instead of at the end of the turn. */
	flush(): void {
		this.#isScheduled = false;
		if (!this.#isActive || this.#output.isClosed) return;
		if (this.#room() <= 0) {
			this.#isBehind = true;
			this.#counts.delayed++;
			// The next flush needs a trigger: the terminal takes its output, or responds to this query.
			if (!this.#output.isBusy) this.#output.write(this.pacer?.wrote(0) ?? '');
			return;
		}
		for (const sequence of this.#unsent.splice(0)) this.#output.write(sequence);
		this.#picture.drawRows();
		let isChanged = false;
		this.#isBehind = true;
		for (let room = this.#room(); room > 0; room = this.#room()) {
			const piece = this.#picture.nextPiece(Math.max(room, MIN_PIECE));
			if (piece === '') {
				this.#isBehind = false;
				break;
			}
			isChanged = true;
			this.#output.write(piece + (this.pacer?.wrote(piece.length) ?? ''));
		}
		if (isChanged) this.#counts.frames++;
		else this.#counts.idle++;
		if (this.#isBehind) {
			// Room ran out with the last piece: whether there was more is known when there is room again.
			if (!this.#output.isBusy && this.#room() > 0) this.#request();
			return;
		}
		for (const resolve of this.#untilWritten) resolve();
		this.#untilWritten.clear();
	}

	/** Goes on with what was held back; what has changed since has its own turn. */
	#goOn(): void {
		if (this.#isBehind) this.flush();
	}

	/** How many bytes the terminal can do with now. */
	#room(): number {
		return Math.min(this.#output.room, this.pacer?.room ?? Number.POSITIVE_INFINITY);
	}

	#request(): void {
		if (this.#isScheduled || !this.#isActive) return;
		this.#isScheduled = true;
		this.#schedule(() => this.flush());
	}

	#placed(placement: Placement): Placement {
		this.#request();
		return {
			update: region => {
				placement.update(region);
				this.#request();
			},
			remove: () => {
				placement.remove();
				this.#request();
			},
		};
	}

	readonly #resized = (): void => {
		if (!this.#measure()) this.retake();
	};

	/** @returns whether the terminal has another size */
	#measure(): boolean {
		const {columns, rows} = this;
		this.columns = this.#stdout.columns || 80;
		this.rows = this.#stdout.rows || 24;
		if (this.columns === columns && this.rows === rows) return false;
		this.#picture.resize(this.columns, this.rows);
		this.#request();
		this.emit('resize');
		return true;
	}
}
