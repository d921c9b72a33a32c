import type {Window8} from '../contract/windows.ts';
import type {Column} from '../monitor/columns/column.ts';
import {isRowCell} from '../monitor/columns/row-fields.ts';
import type {ViewName} from '../monitor/views.ts';
import {padEnd, padStart, truncate} from '../text.ts';
import {CELLS, type CellId, type CellSpec, figureCell} from './cell-specs.ts';

/** A cell with the width it got. */
export interface PlacedCell {
	readonly cell: CellSpec;
	readonly width: number;
}

/** Lines of one token: how dense the rows are. */
export type RowLines = 1 | 2 | 3;

/** The figures that come first in every column: at the least width of a column all of them are there. */
const HEAD: Readonly<Record<ViewName, readonly CellId[]>> = {
	new: ['mark', 'symbol', 'chain', 'mcap', 'age', 'change', 'risk'],
	bonding: ['mark', 'symbol', 'chain', 'mcap', 'age', 'change', 'risk'],
	bonded: ['mark', 'symbol', 'chain', 'mcap', 'since', 'change', 'risk'],
	trending: ['mark', 'symbol', 'chain', 'mcap', 'age', 'change', 'risk'],
};
/** The bar means nothing once all tokens of a column have bonded, their age little before that. */
const OWN: Readonly<Record<ViewName, readonly CellId[]>> = {
	new: ['bar'],
	bonding: ['bar'],
	bonded: [],
	trending: ['bar'],
};
const TAIL: Readonly<Record<ViewName, readonly CellId[]>> = {new: [], bonding: [], bonded: ['age'], trending: []};

/**
 * The cells that stay as a column gets narrower, the first for longest, for each line of a row; the order on screen is that
 * of CELLS. Each line drops from its end, so a wider line never shows less.
 */
function keepLists(view: ViewName, lines: RowLines): readonly (readonly CellId[])[] {
	const [head, own, tail] = [HEAD[view], OWN[view], TAIL[view]];
	if (lines === 1) {
		const rest = ['volume', 'holders', 'trades', 'liquidity', 'source', 'socials', 'fees'] as const;
		return [[...head, ...own, 'name', ...rest, ...tail, 'trail', 'risks']];
	}
	if (lines === 2) {
		const figures = ['volume', 'trades', 'holders', 'liquidity', 'fees', 'socials', 'source'] as const;
		return [
			[...head, 'name', 'risks'],
			['mark', ...own, ...figures, ...tail],
		];
	}
	return [
		head,
		['mark', ...own, 'volume', 'trades', 'holders', ...tail],
		['mark', 'name', 'liquidity', 'fees', 'socials', 'source'],
	];
}

const BY_ID: Readonly<Record<CellId, CellSpec>> = Object.fromEntries(CELLS.map(cell => [cell.id, cell])) as Record<
	CellId,
	CellSpec
>;

/** The fields of a column, the ones that stay for longest first: the chosen fields, or the default ones. */
export function shownFields({view, fields}: Pick<Column, 'view' | 'fields'>): readonly string[] {
	if (fields.length > 0) return fields;
	return keepLists(view, 1)[0]!.filter(id => !['mark', 'symbol', 'chain', 'risks'].includes(id));
}

type Lines = readonly (readonly PlacedCell[])[];
const known = new Map<string, Lines>();
/** A screen uses a few widths and choices at a time; a terminal window that is resized goes through many. */
const MAX_KNOWN = 2000;

/**
 * Lines of cells for one row, cached: the same arguments give the same object.
 * @param lines 1 to 3: how tall the rows are
 * @param fields the chosen fields, in their order: as many as fit in the first line, from the first on, and then in the next
 */
export function layoutCells(view: ViewName, width: number, lines: RowLines, fields: readonly string[] = []): Lines {
	const key = `${view} ${width} ${lines} ${fields.join()}`;
	const kept = known.get(key);
	if (kept) return kept;
	if (known.size >= MAX_KNOWN) known.clear();
	const laidOut = fields.length > 0 ? chosenLines(fields, width, lines) : defaultLines(view, width, lines);
	known.set(key, laidOut);
	return laidOut;
}

/** Whether rows of `lines` lines show all fields. */
export function showsAll(view: ViewName, width: number, lines: RowLines, fields: readonly string[] = []): boolean {
	const placed = layoutCells(view, width, lines, fields).flat();
	if (fields.length > 0) {
		return fields.every(name => placed.some(({cell}) => cell.id === name));
	}
	// A third line is not worth the single risks: the worst one is there at every width.
	const needed = keepLists(view, lines).map(keep => keep.findLast(id => lines === 1 || id !== 'risks'));
	return needed.every(id => placed.some(({cell}) => cell.id === id));
}

function defaultLines(view: ViewName, width: number, lines: RowLines): Lines {
	const keep = keepLists(view, lines);
	const kept = keep.map(ids => fittingIds(ids, width));
	const all = kept.map(ids => placed(ids, width));
	const isWhole = lines === 2 && kept[1]!.size === keep[1]!.length;
	return isWhole ? [all[0]!, withTrail(all[1]!, width)] : all;
}

/** Chosen cells stand in their order behind the symbol and its chain; what does not fit drops from the end. */
function chosenLines(fields: readonly string[], width: number, lines: RowLines): Lines {
	let rest: readonly CellSpec[] = fields.flatMap(name => (isRowCell(name) ? BY_ID[name] : (figureCell(name) ?? [])));
	const chain = fields.includes('chain') ? [] : [BY_ID.chain];
	return Array.from({length: lines}, (_, at) => {
		const heads = at === 0 ? [BY_ID.mark, BY_ID.symbol, ...chain] : [BY_ID.mark];
		const line = fitting([...heads, ...rest], width);
		rest = rest.slice(Math.max(line.length - heads.length, 0));
		return line;
	});
}

function fitting(cells: readonly CellSpec[], width: number): PlacedCell[] {
	const kept: {cell: CellSpec; width: number}[] = [];
	let left = width;
	for (const cell of cells) {
		const cost = cell.width + (kept.length === 0 || kept.at(-1)!.cell.id === 'mark' ? 0 : 1);
		if (cost > left) break;
		kept.push({cell, width: cell.width});
		left -= cost;
	}
	return widened(kept, left);
}

/** The cells that get spare room, and up to how many cells, in this order. */
const WIDENED: readonly (readonly [id: CellId, upTo: number])[] = [
	['symbol', 8],
	['risk', 7],
	['symbol', 9],
	['since', 6],
	['name', 16],
	['chain', 5],
	['source', 17],
	['trail', 12],
	['symbol', 12],
	['name', 40],
];

function widened(cells: {cell: CellSpec; width: number}[], room: number): PlacedCell[] {
	let left = room;
	for (const [id, upTo] of WIDENED) {
		if (left <= 0) break;
		const placed = cells.find(({cell}) => cell.id === id);
		if (!placed) continue;
		const more = Math.min(left, Math.max(upTo - placed.width, 0));
		placed.width += more;
		left -= more;
	}
	return cells;
}

/** The cells, and behind them the line of the price in the room that they leave. */
function withTrail(cells: PlacedCell[], width: number): PlacedCell[] {
	const {trail} = BY_ID;
	const room = width - usedBy(cells) - 1;
	return room < trail.width ? cells : [...cells, {cell: trail, width: Math.min(room, trail.maxWidth!)}];
}

/** Cells of a line with the gaps between them. */
function usedBy(cells: readonly PlacedCell[]): number {
	return cells.reduce((sum, {width}, at) => sum + width + (at > 1 ? 1 : 0), 0);
}

/** The first of these cells that fit side by side. */
function fittingIds(keep: readonly CellId[], width: number): Set<CellId> {
	const kept = new Set<CellId>();
	let left = width;
	for (const id of keep) {
		const gap = kept.size === 0 || id === keep[1] ? 0 : 1;
		const cost = BY_ID[id].width + gap;
		if (cost > left) break;
		kept.add(id);
		left -= cost;
	}
	return kept;
}

/** Cells in the order of the screen, with the room that is left over shared out. */
function placed(kept: ReadonlySet<CellId>, width: number): PlacedCell[] {
	const cells = CELLS.filter(({id}) => kept.has(id)).map(cell => ({cell, width: cell.width}));
	return widened(cells, width - usedBy(cells));
}

/** The headers above the cells, as one text. */
export function headerLine(cells: readonly PlacedCell[], window: Window8): string {
	return cells
		.map(({cell, width}, at) => {
			const text = truncate(cell.header(window, width), width);
			const gap = at > 0 && cells[at - 1]!.cell.id !== 'mark' ? ' ' : '';
			return gap + (cell.align === 'right' ? padStart(text, width) : padEnd(text, width));
		})
		.join('');
}
