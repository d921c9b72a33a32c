import type {Row, Span} from '../../terminal/style.ts';
import {fitTo, padStart, truncate} from '../../text.ts';
import type {Tone} from '../theme.ts';
import {toned} from '../view-model.ts';
import type {ScreenCanvas} from './screen-rows.ts';

/** One column of a table of tokens. */
export interface TableCell {
	readonly head: string;
	readonly width: number;
	readonly align: 'left' | 'right';
	/** The lowest goes first where there is too little room; without one it always stays. */
	readonly rank?: number;
	/** The text in the line of a token. */
	readonly text: (key: string) => {readonly text: string; readonly tone: Tone};
}

/** Cells before the first column: the mark and a blank. */
const EDGE = 3;
/** Cells between two columns. */
export const GAP = 2;

/** Cells of the screen that a table takes, the gap behind its last column included. */
export function tableWidth(cells: readonly TableCell[]): number {
	return EDGE + cells.reduce((sum, cell) => sum + cell.width + GAP, 0);
}

/** The cells that fit, in their order; what is left over goes to the first one, up to `mostOfFirst` cells. */
export function fittingCells(cells: readonly TableCell[], width: number, mostOfFirst: number): readonly TableCell[] {
	let kept = cells;
	const leaving = cells.filter(({rank}) => rank !== undefined).toSorted((a, b) => a.rank! - b.rank!);
	for (const cell of leaving) {
		if (tableWidth(kept) <= width) break;
		kept = kept.filter(other => other !== cell);
	}
	const [first, ...rest] = kept;
	if (first === undefined) return [];
	const room = Math.max(width - tableWidth(kept), 0);
	return [{...first, width: Math.min(first.width + room, mostOfFirst)}, ...rest];
}

function aligned(text: string, {width, align}: TableCell): string {
	return align === 'left' ? fitTo(text, width) : padStart(truncate(text, width), width);
}

/** The headings above a table. */
export function tableHeader(cells: readonly TableCell[], canvas: ScreenCanvas): Row {
	const text = cells.map(cell => aligned(cell.head, cell) + ' '.repeat(GAP)).join('');
	return [toned(canvas, 'faint', truncate(' '.repeat(EDGE) + text, canvas.width))];
}

/** The line of one token. @param key of the token */
export function tableLine(cells: readonly TableCell[], key: string, canvas: ScreenCanvas): Row {
	return [
		{text: '  '},
		...cells.flatMap((cell): Span[] => {
			const {text, tone} = cell.text(key);
			return [toned(canvas, tone, aligned(text, cell)), {text: ' '.repeat(GAP)}];
		}),
	];
}

/** The tone of a change in percent. */
export function changeTone(percent: number | undefined): Tone {
	if (percent === undefined) return 'faint';
	return percent > 0 ? 'up' : percent < 0 ? 'down' : 'text';
}
