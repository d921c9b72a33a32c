import {memo, type ReactNode} from 'react';
import type {Color, Style} from '../../terminal/style.ts';
import {cellWidth, fitTo, truncate} from '../../text.ts';
import type {PlacedCell} from '../cell-layout.ts';
import {Line, measured, sharedLines, Text, useDisplay, useWidth} from '../live/lines.tsx';
import {dimmed} from '../old-data.ts';
import type {Theme} from '../theme.ts';
import {cellOf} from './cells.tsx';
import type {ShownToken} from './shown-token.ts';

export interface TokenRowProps extends ShownToken {
	/** For each line of the row. */
	readonly cells: readonly (readonly PlacedCell[])[];
	/** The background: of the cursor, of what is new, of every other token. */
	readonly band: Color | undefined;
	/** The column's data is old. */
	readonly isOld: boolean;
}

/** The lines of one token, which all screens of the process share. */
export const TokenRow = memo(sharedLines(ShownTokenRow, ({entry}) => entry));

function ShownTokenRow(props: TokenRowProps): ReactNode {
	const {cells, band, isOld, departed} = props;
	const width = useWidth();
	const {theme} = useDisplay();
	const reason = departed === undefined ? undefined : reasonPlace(cells, departed, width);
	const quiet = reason && quieted(theme);
	const restyle = isOld && quiet ? (style?: Style) => dimmed(quiet(style)) : isOld ? dimmed : quiet;
	return cells.map((line, at) => {
		// The mark belongs to the first line; below it stands the cursor alone, and nothing is struck through.
		const token: ShownToken = at === 0 ? props : {...props, departed: undefined, isLower: true};
		return (
			// biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
			<Line key={at} band={band} restyle={restyle}>
				{reason?.line === at ? (
					<CellsWithText cells={line} token={token} text={departed!} from={reason.from} />
				) : (
					<Cells cells={line} token={token} />
				)}
			</Line>
		);
	});
}

interface CellsProps {
	readonly cells: readonly PlacedCell[];
	readonly token: ShownToken;
}

/** Cells side by side, a blank between them. */
export function Cells({cells, token}: CellsProps): ReactNode {
	return cells.map(({cell: {id}, width}, at) => {
		const Cell = cellOf(id);
		const isApart = at > 0 && cells[at - 1]!.cell.id !== 'mark';
		return [isApart && ' ', <Cell key={id} id={id} token={token} width={width} />];
	});
}

/**
 * Cells with a text in place of some of them; the others stay where they are.
 * @param from index of the first cell that gives way
 * A text in place of the last cells may use the rest of the line.
 */
function CellsWithText({
	cells,
	token,
	text,
	from,
}: CellsProps & {readonly text: string; readonly from: number}): ReactNode {
	const display = useDisplay();
	const width = useWidth();
	const before = measured(
		<>
			<Cells cells={cells.slice(0, from)} token={token} />
			{from > 1 && ' '}
		</>,
		display,
		width,
	);
	const needed = cellWidth(text);
	let room = 0;
	let to = from;
	while (to < cells.length && room < needed) room += cells[to]!.width + (to++ > from ? 1 : 0);
	const isLast = to === cells.length;
	return (
		<>
			{before.part}
			<Text tone="dim">{isLast ? truncate(text, Math.max(width - before.width, 0)) : fitTo(text, room)}</Text>
			{!isLast && ' '}
			{!isLast && <Cells cells={cells.slice(to)} token={token} />}
		</>
	);
}

/** Makes the last figures of a departed token faint. */
function quieted({tones: {faint, dim, accent}}: Theme): (style?: Style) => Style {
	return style => (style === dim || style === accent || style?.strikethrough ? style : faint);
}

/** Where the reason of a departure stands: the line, and the first cell that gives way to it. */
function reasonPlace(
	cells: readonly (readonly PlacedCell[])[],
	reason: string,
	width: number,
): {line: number; from: number} {
	for (const [line, placed] of cells.entries()) {
		const from = placed.findIndex(({cell, width}) => cell.id === 'name' && width >= cellWidth(reason));
		if (from >= 0) return {line, from};
	}
	// From the right: what stands there is the first to go where there is little room, too.
	const line = cells.length - 1;
	const last = cells[line]!;
	const least = line === 0 ? Math.max(last.findIndex(({cell}) => cell.id === 'mcap') + 1, 3) : 1;
	let from = last.length;
	while (from > least && width - startOf(last, from) < cellWidth(reason)) from--;
	return {line, from};
}

/** The cell at which a text in place of the n-th cell begins. */
function startOf(cells: readonly PlacedCell[], at: number): number {
	return cells.slice(0, at).reduce((sum, cell, i) => sum + cell.width + (i > 1 ? 1 : 0), at > 1 ? 1 : 0);
}
