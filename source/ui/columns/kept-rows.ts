import type {ReactElement} from 'react';
import type {Row} from '../../monitor/columns/column.ts';
import type {ViewName} from '../../monitor/views.ts';

/** The element of a row, and until when the row shows the same, local Unix ms. */
export interface KeptRow {
	readonly row: Row;
	readonly element: ReactElement;
	readonly isStriped: boolean;
	/** The column that shows the token now, where that is another one. */
	readonly other: ViewName | undefined;
	readonly trail: readonly number[] | undefined;
	readonly fromMs: number;
	readonly untilMs: number;
}

/**
 * Returns the kept rows of a column by key: ten times a second most rows show what they showed.
 * @param around what all rows of the column are drawn from: when a part is another one, no row is kept
 */
export type KeptRows = (view: ViewName, around: readonly unknown[]) => Map<string, KeptRow>;

/** Rows that went are dropped with all others, which are made again. */
const MAX_ROWS = 500;

/** Creates the kept rows of one screen. */
export function keepRows(): KeptRows {
	const columns = new Map<ViewName, {readonly around: readonly unknown[]; readonly rows: Map<string, KeptRow>}>();
	return (view, around) => {
		const before = columns.get(view);
		if (before?.around.every((part, at) => part === around[at]) && before.rows.size < MAX_ROWS) return before.rows;
		const rows = new Map<string, KeptRow>();
		columns.set(view, {around, rows});
		return rows;
	};
}
