import type {Window8} from '../contract/windows.ts';
import {isRowCell} from '../monitor/row-fields.ts';
import type {Column, Row as TokenRow, ViewName} from '../monitor/state.ts';
import type {Span} from '../terminal/style.ts';
import {padEnd, padStart, truncate} from '../text.ts';
import {CELLS, type Cell, type CellContext, type CellId, figureCell} from './cells.ts';

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

/** What the rows of a column show, the figures that stay for longest first: what was chosen, or the usual. */
export function shownFields({view, fields}: Pick<Column, 'view' | 'fields'>): readonly string[] {
	return fields.length > 0 ? fields : KEEP_ONE_LINE[view].filter(id => !['mark', 'symbol', 'risks'].includes(id));
}

type Lines = readonly (readonly PlacedCell[])[];
const known = new Map<string, Lines>();
/** A few widths and choices at a time; a window that is dragged goes through many. */
const MOST_KNOWN = 100;

/**
 * Lines of cells for one row: one, or two when the rows are tall. The same question gives the same object.
 * @param fields what was chosen, in its order: as many as fit in the line, from the first on, and then in the second
 */
export function layoutCells(view: ViewName, width: number, lines: 1 | 2, fields: readonly string[] = []): Lines {
	const key = `${view} ${width} ${lines} ${fields.join()}`;
	const kept = known.get(key);
	if (kept) return kept;
	if (known.size >= MOST_KNOWN) known.clear();
	const laidOut = fields.length > 0 ? chosen(fields, width, lines) : usual(view, width, lines);
	known.set(key, laidOut);
	return laidOut;
}

function usual(view: ViewName, width: number, lines: 1 | 2): Lines {
	if (lines === 1) return [placed(KEEP_ONE_LINE[view], width)];
	return [placed(KEEP_FIRST_LINE, width), placed(KEEP_SECOND_LINE[view], width)];
}

/** Chosen cells stand in their order; what does not fit drops from the end. */
function chosen(fields: readonly string[], width: number, lines: 1 | 2): Lines {
	const cells = fields.flatMap(name => (isRowCell(name) ? BY_ID[name] : (figureCell(name) ?? [])));
	const first = fitting([BY_ID.mark, BY_ID.symbol, ...cells], width);
	if (lines === 1) return [first];
	return [first, fitting([BY_ID.mark, ...cells.slice(first.length - 2)], width)];
}

function fitting(cells: readonly Cell[], width: number): PlacedCell[] {
	const kept: {cell: Cell; width: number}[] = [];
	let left = width;
	for (const cell of cells) {
		const cost = cell.width + (kept.length === 0 || kept.at(-1)!.cell.id === 'mark' ? 0 : 1);
		if (cost > left) break;
		kept.push({cell, width: cell.width});
		left -= cost;
	}
	return widened(kept, left);
}

/** Room that is left over goes to the cells that can use it. */
function widened(cells: {cell: Cell; width: number}[], room: number): PlacedCell[] {
	let left = room;
	for (const id of ['symbol', 'name', 'bar']) {
		const placed = cells.find(({cell}) => cell.id === id);
		if (!placed) continue;
		const more = Math.min(left, (placed.cell.maxWidth ?? placed.width) - placed.width);
		placed.width += more;
		left -= more;
	}
	return cells;
}

function placed(keep: readonly CellId[], width: number): PlacedCell[] {
	const kept = new Set<CellId>();
	let left = width;
	for (const id of keep) {
		// Letters and figures of the risks say the same: the wide ones take the place of the narrow ones.
		const freed = id === 'risks' && kept.has('risk') ? BY_ID.risk.width + 1 : 0;
		const gap = kept.size === 0 || id === 'symbol' ? 0 : 1;
		const cost = BY_ID[id].width + gap - freed;
		if (cost > left) break;
		if (freed > 0) kept.delete('risk');
		kept.add(id);
		left -= cost;
	}
	return widened(
		CELLS.filter(({id}) => kept.has(id)).map(cell => ({cell, width: cell.width})),
		left,
	);
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
