import type {ReactElement} from 'react';
import type {Row} from '../../monitor/columns/column.ts';
import type {ViewName} from '../../monitor/views.ts';
import type {ShownToken} from './shown-token.ts';

/** A row as it was drawn. */
export interface DrawnRow {
	readonly row: Row;
	readonly element: ReactElement;
	readonly isStriped: boolean;
	/** The column that shows the token now, where the order is frozen and that is another one. */
	readonly other: ViewName | undefined;
	readonly trail: ShownToken['trail'];
	readonly alike: ShownToken['alike'];
	/** Until when the row shows the same, local Unix ms. */
	readonly untilMs: number;
}

/** The rows of a column as they were drawn: ten times a second most of them show what they showed. */
export interface DrawnRows {
	/** What all rows are drawn from: when a part is another one, no row is kept. */
	readonly around: readonly unknown[];
	readonly rows: readonly DrawnRow[];
	/** From when until when all rows show the same, local Unix ms. */
	readonly fromMs: number;
	readonly untilMs: number;
}

interface Drawing extends Pick<DrawnRows, 'around'> {
	readonly rows: readonly Row[];
	readonly nowMs: number;
	/** The rows that this screen drew last. */
	readonly last: DrawnRows | undefined;
	/** Whether a drawn row is the n-th row here, and shows the same. */
	readonly isSame: (drawn: DrawnRow, at: number) => boolean;
	readonly draw: (row: Row, at: number) => DrawnRow;
}

/** Rows of all screens, those drawn last first: a hundred screens of one process show the same columns. */
let recent: readonly DrawnRows[] = [];
/** Columns and cursors that many screens have in common. */
const MAX_RECENT = 24;

/** The rows of a column. What a screen drew serves all that show the same, and rows that changed nothing are kept. */
export function drawRows({around, rows, nowMs, last, isSame, draw}: Drawing): DrawnRows {
	const isAround = (one: DrawnRows): boolean =>
		one.fromMs <= nowMs && one.around.every((part, at) => part === around[at]);
	const known = recent.find(
		one => one.rows.length === rows.length && nowMs < one.untilMs && isAround(one) && one.rows.every(isSame),
	);
	if (known) return known;
	const before = new Map(last && isAround(last) ? last.rows.map(drawn => [drawn.row, drawn]) : []);
	const drawn = rows.map((row, at) => {
		const kept = before.get(row);
		return kept && nowMs < kept.untilMs && isSame(kept, at) ? kept : draw(row, at);
	});
	const made = {around, rows: drawn, fromMs: nowMs, untilMs: Math.min(...drawn.map(({untilMs}) => untilMs))};
	recent = [made, ...recent.slice(0, MAX_RECENT - 1)];
	return made;
}
