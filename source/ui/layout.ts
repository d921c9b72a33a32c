import {DEFAULT_VIEWS} from '../monitor/columns/shown-views.ts';
import type {Density} from '../monitor/state.ts';
import type {ViewName} from '../monitor/views.ts';
import {type RowLines, showsAll} from './cell-layout.ts';

/** Below this the screen says only that it is too small; a mode can need more. */
export const MIN_SIZE = {columns: 20, rows: 6} as const;
/** A narrower column hides its most important figures, so fewer columns are shown instead. */
const MIN_COLUMN_WIDTH = 39;
/** From this width on the detail pane stands beside the columns. */
const SIDE_DETAIL_FROM = 100;
/**
 * Least number of tokens on screen for rows of 2 and of 3 lines. Rows become taller while fields are left out and that many
 * tokens still fit.
 */
const MIN_TOKENS = {2: 12, 3: 24} as const;

const HEADER_ROWS = 1;
const FOOTER_ROWS = 1;

export interface ColumnPlace {
	readonly view: ViewName;
	readonly width: number;
}

export interface Layout {
	readonly isTooSmall: boolean;
	/** From left to right, one blank rule between neighbours. Empty when the detail pane covers everything. */
	readonly columns: readonly ColumnPlace[];
	/** Lines of one token. */
	readonly lines: RowLines;
	/** How many tokens a column shows. */
	readonly pageRows: number;
	/** Above a column's rows: its title, and the names of its cells for each line of a token. */
	readonly titleRows: number;
	/** Screen rows of the token area, and of columns with their titles. */
	readonly rowsHeight: number;
	readonly bodyHeight: number;
	readonly detail?: {readonly width: number; readonly isFull: boolean};
	/** Rows at the bottom: hints, or a line being typed and what belongs to it. */
	readonly footerRows: number;
}

export interface LayoutInput {
	readonly size: {readonly columns: number; readonly rows: number};
	readonly focus: ViewName;
	/** The columns that were chosen, from left to right; the default ones when omitted. */
	readonly views?: readonly ViewName[] | undefined;
	readonly isDetailOpen: boolean;
	readonly density: Density;
	/** The cells of a column's rows, where they were chosen. */
	readonly fields?: Readonly<Partial<Record<ViewName, readonly string[]>>>;
	/** Extra rows that a line being typed needs at the bottom. */
	readonly promptRows: number;
	/** The least size that the mode on top needs. */
	readonly minSize?: LayoutInput['size'] | undefined;
	/** The first column that was shown before: the columns stay where they are while the focused one is among them. */
	readonly before?: ViewName | undefined;
}

/** Where everything goes: pure, so that any size can be tested. */
export function layoutScreen(input: LayoutInput): Layout {
	const {size, focus, isDetailOpen, promptRows, before, minSize, views = DEFAULT_VIEWS} = input;
	const footerRows = FOOTER_ROWS + promptRows;
	const bodyHeight = Math.max(size.rows - HEADER_ROWS - footerRows, 1);
	const isSide = isDetailOpen && size.columns >= SIDE_DETAIL_FROM;
	const detailWidth = isSide ? sideWidth(size.columns) : size.columns;
	const room = isSide ? size.columns - detailWidth - 1 : size.columns;
	const columns = isDetailOpen && !isSide ? [] : columnsIn(room, views, focus, before ?? views[0]!);
	const lines = linesOf(input, columns);
	const titleRows = 1 + lines;
	const rowsHeight = Math.max(bodyHeight - titleRows, 1);
	return {
		isTooSmall: isTooSmall(size, minSize),
		columns,
		lines,
		pageRows: Math.max(Math.floor(rowsHeight / lines), 1),
		titleRows,
		rowsHeight,
		bodyHeight,
		footerRows,
		...(isDetailOpen && {detail: {width: detailWidth, isFull: !isSide}}),
	};
}

/** Whether the screen is too small for its top window, and says only that. */
export function isTooSmall({columns, rows}: LayoutInput['size'], least: LayoutInput['size'] = MIN_SIZE): boolean {
	return columns < least.columns || rows < least.rows;
}

/**
 * How tall rows are: as chosen, else as tall as it takes to leave nothing out, while enough tokens have room. A line being typed
 * and a notice don't count: every row of the list would change its height when one comes, and again when it goes.
 */
function linesOf({size, density, fields = {}}: LayoutInput, columns: readonly ColumnPlace[]): RowLines {
	if (density !== 'auto') return LINES[density];
	const bodyHeight = size.rows - HEADER_ROWS - FOOTER_ROWS;
	const isWhole = (lines: RowLines): boolean =>
		columns.every(({view, width}) => showsAll(view, width, lines, fields[view]));
	const hasRoom = (lines: 2 | 3): boolean => bodyHeight - 1 - lines >= MIN_TOKENS[lines] * lines;
	if (isWhole(1) || !hasRoom(2)) return 1;
	return isWhole(2) || !hasRoom(3) ? 2 : 3;
}
const LINES = {one: 1, two: 2, three: 3} as const;

function sideWidth(columns: number): number {
	return Math.min(Math.max(Math.floor(columns * 0.4), 58), 76);
}

/** The least width of a screen, in cells, that shows `count` columns at a time. */
export function widthOf(count: number): number {
	return count * (MIN_COLUMN_WIDTH + 1) - 1;
}

/** How many columns a screen shows at a time. @param width cells, without the detail pane */
export function columnsAtATime(width: number): number {
	return Math.max(Math.floor((width + 1) / (MIN_COLUMN_WIDTH + 1)), 1);
}

/** As many columns as have room, the focused one among them, shared out to the last cell. */
function columnsIn(room: number, views: readonly ViewName[], focus: ViewName, before: ViewName): ColumnPlace[] {
	const fitting = Math.min(columnsAtATime(room), views.length);
	const at = Math.max(views.indexOf(focus), 0);
	const first = Math.min(Math.max(views.indexOf(before), at - fitting + 1, 0), at, views.length - fitting);
	const shown = views.slice(first, first + fitting);
	const usable = room - (shown.length - 1);
	return shown.map((view, i) => ({
		view,
		width: Math.floor(usable / shown.length) + (i < usable % shown.length ? 1 : 0),
	}));
}
