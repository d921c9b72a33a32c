import {isValidElement, type ReactElement, type ReactNode} from 'react';
import {fitTo, padStart, truncate} from '../../text.ts';
import type {Glyphs} from '../glyphs.ts';
import {Line, Text, useWidth} from '../live/lines.tsx';
import type {Tone} from '../theme.ts';
import {Padded} from './page.tsx';

/** One column of a table. */
export interface TableCell {
	readonly head: string;
	readonly width: number;
	readonly align: 'left' | 'right';
	/** The lowest goes first where there is too little room; without one it always stays. */
	readonly rank?: number;
	/** The text in the line of a key; parts of a line, where a text in one tone is not enough. */
	readonly text: (key: string) => CellText | ReactElement;
}

export interface CellText {
	readonly text: string;
	readonly tone: Tone;
}

/** Cells before the first column: the mark and a blank. */
const EDGE = 3;
/** Cells between two columns. */
export const GAP = 2;

/** Cells of the screen that a table takes, the gap behind its last column included. */
export function tableWidth(cells: readonly Pick<TableCell, 'width'>[]): number {
	return EDGE + cells.reduce((sum, cell) => sum + cell.width + GAP, 0);
}

/** The cells that fit, in their order; what is left over goes to the first one, up to `maxOfFirst` cells. */
export function fittingCells(cells: readonly TableCell[], width: number, maxOfFirst: number): readonly TableCell[] {
	let kept = cells;
	const leaving = cells.filter(({rank}) => rank !== undefined).toSorted((a, b) => a.rank! - b.rank!);
	for (const cell of leaving) {
		if (tableWidth(kept) <= width) break;
		kept = kept.filter(other => other !== cell);
	}
	const [first, ...rest] = kept;
	if (first === undefined) return [];
	const room = Math.max(width - tableWidth(kept), 0);
	return [{...first, width: Math.min(first.width + room, maxOfFirst)}, ...rest];
}

function aligned(text: string, {width, align}: TableCell): string {
	return align === 'left' ? fitTo(text, width) : padStart(truncate(text, width), width);
}

/** The headings above a table. */
export function TableHeadings({cells}: {readonly cells: readonly TableCell[]}): ReactNode {
	const text = cells.map(cell => aligned(cell.head, cell) + ' '.repeat(GAP)).join('');
	return (
		<Line>
			<Text tone="faint">{truncate(' '.repeat(EDGE) + text, useWidth())}</Text>
		</Line>
	);
}

/** The cells of one line. @param of the key of the line */
export function TableCells({cells, of}: {readonly cells: readonly TableCell[]; readonly of: string}): ReactNode {
	return [
		'  ',
		...cells.map(cell => {
			const shown = cell.text(of);
			if (isValidElement(shown)) {
				return (
					<Padded key={cell.head} width={cell.width + GAP}>
						{shown}
					</Padded>
				);
			}
			const {text, tone} = shown as CellText;
			return [
				<Text key={cell.head} tone={tone}>
					{aligned(text, cell)}
				</Text>,
				' '.repeat(GAP),
			];
		}),
	];
}

/** The arrow before the word that a list is sorted by. A letter in place of an arrow would be read as part of the word. */
export function sortMark({up, down, subscripts}: Glyphs, isReversed: boolean): string {
	return `${isReversed ? up : down}${subscripts === '' ? ' ' : ''}`;
}
