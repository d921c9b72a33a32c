import headless, {type IBufferCell, type Terminal as TerminalType} from '@xterm/headless';

const {Terminal} = headless;

/** One cell of a screen. A colour is `#rrggbb`, a palette number, or undefined for the terminal's own. */
export interface Cell {
	readonly text: string;
	/** 2 for the first half of a wide character, 0 for its second. */
	readonly width: number;
	readonly color: string | number | undefined;
	readonly background: string | number | undefined;
	readonly bold: boolean;
	readonly dim: boolean;
	readonly italic: boolean;
	readonly underline: boolean;
	readonly inverse: boolean;
	readonly strikethrough: boolean;
}

/** A terminal without a window: bytes go in, cells can be read. */
export interface Screen {
	readonly columns: number;
	readonly rows: number;
	/** Draws the bytes; the promise ends when they are on the screen. */
	write(data: string | Uint8Array): Promise<void>;
	resize(columns: number, rows: number): void;
	/** The visible rows, each without the blanks at its end. */
	text(): string;
	row(y: number): string;
	cellAt(x: number, y: number): Cell;
	/** Whether the alternate screen is shown. */
	isAlternate(): boolean;
	readonly cursor: {readonly x: number; readonly y: number};
	/** Modes that a program must leave as it found them. */
	modes(): {
		readonly bracketedPaste: boolean;
		readonly mouse: string;
		readonly focusEvents: boolean;
		readonly cursorHidden: boolean;
	};
	/** Between the marks of a synchronized update: what is drawn is a part of a frame, which a terminal doesn't show. */
	readonly isUpdating: boolean;
	/** The terminal's responses to queries in the bytes (device attributes, cursor position). */
	onAnswer(listener: (response: string) => void): void;
	dispose(): void;
}

/** Opens a screen of a size. */
export function openScreen({columns, rows}: {columns: number; rows: number}): Screen {
	const terminal = new Terminal({cols: columns, rows, allowProposedApi: true, scrollback: 1000});
	const buffer = () => terminal.buffer.active;
	const lineAt = (y: number) => {
		const line = buffer().getLine(buffer().baseY + y);
		if (line === undefined) throw new RangeError(`the screen has ${terminal.rows} rows; there is no row ${y}`);
		return line;
	};
	const row = (y: number) => lineAt(y).translateToString(true);
	let cursorHidden = false;
	terminal.parser.registerCsiHandler(
		{prefix: '?', final: 'h'},
		seen(25, () => (cursorHidden = false)),
	);
	terminal.parser.registerCsiHandler(
		{prefix: '?', final: 'l'},
		seen(25, () => (cursorHidden = true)),
	);
	return {
		get columns() {
			return terminal.cols;
		},
		get rows() {
			return terminal.rows;
		},
		write: data => new Promise(resolve => terminal.write(data, resolve)),
		resize: (to, by) => terminal.resize(to, by),
		text: () => Array.from({length: terminal.rows}, (_, y) => row(y)).join('\n'),
		row,
		cellAt: (x, y) => {
			const cell = lineAt(y).getCell(x);
			if (cell === undefined) throw new RangeError(`the screen has ${terminal.cols} columns; there is no column ${x}`);
			return readCell(cell);
		},
		isAlternate: () => buffer().type === 'alternate',
		get cursor() {
			return {x: buffer().cursorX, y: buffer().cursorY};
		},
		modes: () => ({
			bracketedPaste: terminal.modes.bracketedPasteMode,
			mouse: terminal.modes.mouseTrackingMode,
			focusEvents: terminal.modes.sendFocusMode,
			cursorHidden,
		}),
		get isUpdating() {
			return terminal.modes.synchronizedOutputMode;
		},
		onAnswer: listener => void terminal.onData(listener),
		dispose: () => terminal.dispose(),
	};
}

/** A handler that only reads, and leaves the sequence to the terminal. */
function seen(mode: number, then: () => void) {
	return (params: Parameters<Parameters<TerminalType['parser']['registerCsiHandler']>[1]>[0]) => {
		if (params.includes(mode)) then();
		return false;
	};
}

function readCell(cell: IBufferCell): Cell {
	return {
		text: cell.getChars(),
		width: cell.getWidth(),
		color: colorOf(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor()),
		background: colorOf(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor()),
		bold: cell.isBold() !== 0,
		dim: cell.isDim() !== 0,
		italic: cell.isItalic() !== 0,
		underline: cell.isUnderline() !== 0,
		inverse: cell.isInverse() !== 0,
		strikethrough: cell.isStrikethrough() !== 0,
	};
}

function colorOf(isRgb: boolean, isPalette: boolean, value: number): string | number | undefined {
	if (isRgb) return `#${value.toString(16).padStart(6, '0')}`;
	return isPalette ? value : undefined;
}
