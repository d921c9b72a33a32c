import type {Window8} from '../contract/windows.ts';
import type {Row as TokenRow, ViewName} from '../monitor/state.ts';
import type {Span} from '../terminal/style.ts';
import {padEnd, padStart, truncate} from '../text.ts';
import {CELLS, type Cell, type CellContext, type CellId} from './cells.ts';

/** A cell with the width it got. */
export interface PlacedCell {
	readonly cell: Cell;
	readonly width: number;
}

/**
 * Which cells stay, the first for longest, by the width of a column; the order on screen is that of CELLS.
 * The bar means nothing once a token has bonded, and a new column has one too: launches fill up within minutes.
 */
const KEEP_ONE_LINE: Readonly<Record<ViewName, readonly CellId[]>> = {
	new: [
		'mark',
		'symbol',
		'mcap',
		'age',
		'change',
		'risk',
		'bar',
		'holders',
		'volume',
		'trades',
		'name',
		'liquidity',
		'chain',
		'source',
		'socials',
		'risks',
		'fees',
	],
	bonding: [
		'mark',
		'symbol',
		'mcap',
		'age',
		'bar',
		'risk',
		'change',
		'volume',
		'holders',
		'trades',
		'name',
		'liquidity',
		'chain',
		'source',
		'socials',
		'risks',
		'fees',
	],
	bonded: [
		'mark',
		'symbol',
		'mcap',
		'age',
		'change',
		'risk',
		'volume',
		'liquidity',
		'holders',
		'trades',
		'name',
		'chain',
		'source',
		'socials',
		'risks',
		'fees',
	],
};
const KEEP_FIRST_LINE: readonly CellId[] = [
	'mark',
	'symbol',
	'mcap',
	'age',
	'change',
	'risk',
	'name',
	'source',
	'socials',
];
const KEEP_SECOND_LINE: Readonly<Record<ViewName, readonly CellId[]>> = {
	new: ['mark', 'bar', 'volume', 'trades', 'holders', 'liquidity', 'chain', 'fees', 'risks'],
	bonding: ['mark', 'bar', 'volume', 'trades', 'holders', 'liquidity', 'chain', 'fees', 'risks'],
	bonded: ['mark', 'chain', 'volume', 'trades', 'holders', 'liquidity', 'fees', 'risks', 'source'],
};
const BY_ID: Readonly<Record<CellId, Cell>> = Object.fromEntries(CELLS.map(cell => [cell.id, cell])) as Record<
	CellId,
	Cell
>;

/** Lines of cells for one row: one, or two when the rows are tall. */
export function layoutCells(view: ViewName, width: number, lines: 1 | 2): readonly (readonly PlacedCell[])[] {
	if (lines === 1) return [placed(KEEP_ONE_LINE[view], width)];
	return [placed(KEEP_FIRST_LINE, width), placed(KEEP_SECOND_LINE[view], width)];
}

function placed(keep: readonly CellId[], width: number): PlacedCell[] {
	const kept = new Map<CellId, number>();
	let left = width;
	for (const id of keep) {
		// Letters and figures of the risks say the same: the wide ones take the place of the narrow ones.
		const freed = id === 'risks' && kept.has('risk') ? BY_ID.risk.width + 1 : 0;
		const gap = kept.size === 0 || id === 'symbol' ? 0 : 1;
		const cost = BY_ID[id].width + gap - freed;
		if (cost > left) break;
		if (freed > 0) kept.delete('risk');
		kept.set(id, BY_ID[id].width);
		left -= cost;
	}
	for (const id of ['symbol', 'name', 'bar'] as const) {
		const had = kept.get(id);
		if (had === undefined) continue;
		const more = Math.min(left, (BY_ID[id].maxWidth ?? had) - had);
		kept.set(id, had + more);
		left -= more;
	}
	return CELLS.flatMap(cell => (kept.has(cell.id) ? [{cell, width: kept.get(cell.id)!}] : []));
}

/** The spans of one line of a row, gaps included. */
export function paintLine(cells: readonly PlacedCell[], row: TokenRow, context: CellContext): Span[] {
	const spans: Span[] = [];
	for (const [at, {cell, width}] of cells.entries()) {
		if (at > 0 && cells[at - 1]!.cell.id !== 'mark') spans.push({text: ' '});
		spans.push(...cell.paint(row, context, width));
	}
	return spans;
}

/** The headers above the cells, as one text. */
export function headerLine(cells: readonly PlacedCell[], window: Window8): string {
	return cells
		.map(({cell, width}, at) => {
			const text = truncate(cell.header(window), width);
			const gap = at > 0 && cells[at - 1]!.cell.id !== 'mark' ? ' ' : '';
			return gap + (cell.align === 'right' ? padStart(text, width) : padEnd(text, width));
		})
		.join('');
}
