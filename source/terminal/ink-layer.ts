import {Cells, type CellWriter} from './cells.ts';
import {
	BOLD,
	DEFAULT_COLOR,
	DIM,
	INVERSE,
	ITALIC,
	type Look,
	PLAIN,
	STRIKETHROUGH,
	type StyleTable,
	TRUE_COLOR,
	UNDERLINE,
} from './style.ts';

/**
 * The frames that Ink writes, as cells. Ink gives lines of text with SGR sequences (and, for links, OSC 8), without the
 * blanks at their ends; every other sequence is dropped here. A line equal to the one before it is not read again.
 */
export class InkLayer {
	readonly cells: Cells;
	readonly #styles: StyleTable;
	readonly #writer: CellWriter;
	readonly #steps = new Map<string, number>();
	#lines: readonly string[] = [];

	constructor(columns: number, rows: number, styles: StyleTable, writer: CellWriter) {
		this.cells = new Cells(columns, rows);
		this.#styles = styles;
		this.#writer = writer;
	}

	/**
	 * Takes a whole frame.
	 * @param changed is called with each row that differs from the frame before
	 */
	update(frame: string, changed: (y: number) => void): void {
		const lines = frame.split('\n');
		for (let y = 0; y < this.cells.rows; y++) {
			const line = lines[y] ?? '';
			if (line === (this.#lines[y] ?? '')) continue;
			this.#readLine(line, y);
			changed(y);
		}
		this.#lines = lines;
	}

	/** Nothing is drawn in a row. */
	isBlank(y: number): boolean {
		return (this.#lines[y] ?? '') === '';
	}

	#readLine(line: string, y: number): void {
		this.#writer.start(this.cells, y);
		let style = PLAIN;
		let at = 0;
		for (const {index, 0: sequence, 1: sgr} of line.matchAll(SEQUENCE)) {
			if (index > at) this.#writer.write(line.slice(at, index), style);
			if (sgr !== undefined) style = this.#step(style, sgr);
			at = index + sequence.length;
		}
		if (at < line.length) this.#writer.write(line.slice(at), style);
		this.#writer.finish();
	}

	#step(style: number, parameters: string): number {
		const key = `${style};${parameters}`;
		let next = this.#steps.get(key);
		if (next === undefined) {
			next = this.#styles.internLook(applySgr(this.#styles.look(style), parameters));
			if (this.#steps.size >= MAX_STEPS) this.#steps.clear();
			this.#steps.set(key, next);
		}
		return next;
	}
}

const MAX_STEPS = 0x4000;

/** SGR with its parameters captured; and whatever else begins with ESC, up to its end. */
const SEQUENCE = /\x1B\[([0-9;]*)m|\x1B\[[0-?]*[ -/]*[@-~]|\x1B[\]PX^_][^\x07\x1B]*(?:\x07|\x1B\\)?|\x1B[ -/]*[0-~]?/g;

const SET: Readonly<Record<number, number>> = {1: BOLD, 2: DIM, 3: ITALIC, 4: UNDERLINE, 7: INVERSE, 9: STRIKETHROUGH};
const CLEARED: Readonly<Record<number, number>> = {
	22: BOLD | DIM,
	23: ITALIC,
	24: UNDERLINE,
	27: INVERSE,
	29: STRIKETHROUGH,
};

/** The look after an SGR sequence. Parameters that we can't show (blink, fonts, underline colours) change nothing. */
function applySgr(look: Look, text: string): Look {
	let {foreground, background, attributes} = look;
	const parameters = text.split(';').map(Number);
	for (let at = 0; at < parameters.length; at++) {
		const code = parameters[at]!;
		if (code === 0) {
			foreground = background = DEFAULT_COLOR;
			attributes = 0;
		} else if (code in SET) attributes |= SET[code]!;
		else if (code in CLEARED) attributes &= ~CLEARED[code]!;
		else if (code === 38 || code === 48 || code === 58) {
			const isPalette = parameters[at + 1] === 5;
			const color = isPalette ? parameters[at + 2] : trueColor(parameters.slice(at + 2, at + 5));
			if (code === 38) foreground = color ?? foreground;
			if (code === 48) background = color ?? background;
			at += isPalette ? 2 : 4;
		} else if (code === 39) foreground = DEFAULT_COLOR;
		else if (code === 49) background = DEFAULT_COLOR;
		else if (code >= 30 && code < 38) foreground = code - 30;
		else if (code >= 40 && code < 48) background = code - 40;
		else if (code >= 90 && code < 98) foreground = code - 90 + 8;
		else if (code >= 100 && code < 108) background = code - 100 + 8;
	}
	return {foreground, background, attributes};
}

function trueColor([red = 0, green = 0, blue = 0]: readonly number[]): number {
	return TRUE_COLOR | ((red & 0xff) << 16) | ((green & 0xff) << 8) | (blue & 0xff);
}
