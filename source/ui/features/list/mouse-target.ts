import type {FieldName} from '../../../contract/fields.ts';
import type {Window8} from '../../../contract/windows.ts';
import {rowFigure} from '../../../monitor/columns/row-fields.ts';
import type {MonitorState} from '../../../monitor/state.ts';
import type {ViewName} from '../../../monitor/views.ts';
import {layoutCells} from '../../cell-layout.ts';
import {type CellId, changeWindow} from '../../cell-specs.ts';
import type {Layout} from '../../layout.ts';

/** The target under the mouse. */
export type MouseTarget =
	/** A token's row; `index` counts all that the column shows, from its first. */
	| {readonly kind: 'row'; readonly view: ViewName; readonly index: number}
	/** The title of a column. */
	| {readonly kind: 'title'; readonly view: ViewName}
	/** The heading of a cell that a column can be sorted by. */
	| {readonly kind: 'heading'; readonly view: ViewName; readonly field: FieldName}
	| {readonly kind: 'detail'};

const HEADER_ROWS = 1;

/** The target at a cell of the screen, both counted from 0; undefined where nothing can be clicked. */
export function targetAt(layout: Layout, state: MonitorState, x: number, y: number): MouseTarget | undefined {
	const line = y - HEADER_ROWS;
	if (line < 0 || line >= layout.bodyHeight || layout.isTooSmall) return undefined;
	let left = 0;
	for (const {view, width} of layout.columns) {
		if (x >= left && x < left + width) return inColumn(layout, state, view, width, x - left, line);
		left += width + 1;
	}
	return layout.detail && x >= left ? {kind: 'detail'} : undefined;
}

function inColumn(
	layout: Layout,
	state: MonitorState,
	view: ViewName,
	width: number,
	x: number,
	line: number,
): MouseTarget {
	const column = state.columns[view];
	if (line === 0) return {kind: 'title', view};
	if (line >= layout.titleRows) {
		return {kind: 'row', view, index: column.top + Math.floor((line - layout.titleRows) / layout.lines)};
	}
	const field = sortFieldAt(layoutCells(view, width, layout.lines, column.fields)[line - 1] ?? [], x, column.window);
	return field === undefined ? {kind: 'title', view} : {kind: 'heading', view, field};
}

function sortFieldAt(cells: ReturnType<typeof layoutCells>[number], x: number, window: Window8): FieldName | undefined {
	let left = 0;
	for (const [at, {cell, width}] of cells.entries()) {
		if (at > 0 && cells[at - 1]!.cell.id !== 'mark') left += 1;
		if (x < left + width) return sortOf(cell.id, window);
		left += width;
	}
	return undefined;
}

/** The field that a click on a heading sorts by: a cell's main figure, or the figure that was chosen. */
function sortOf(id: string, window: Window8): FieldName | undefined {
	return Object.hasOwn(SORTS, id) ? SORTS[id as CellId]?.(window) : rowFigure(id)?.sortBy;
}

const SORTS: Readonly<Partial<Record<CellId, (window: Window8) => FieldName>>> = {
	since: () => 'bonded_at',
	age: () => 'created_at',
	mcap: () => 'market_cap',
	change: window => `price_change_${changeWindow(window)}`,
	volume: window => `volume_${window}`,
	liquidity: () => 'liquidity',
	holders: () => 'holders_count',
	trades: window => `trades_${window}`,
	bar: () => 'bonding_percentage',
	fees: () => 'total_fees_paid_usd',
};
