import type {Window7, Window8} from '../contract/windows.ts';
import {type RowCell, rowFigure} from '../monitor/columns/row-fields.ts';
import {RISKS} from '../monitor/tokens/risk.ts';

/** One cell of a token's row: its heading and its room. The component that draws it is in cells.tsx. */
export interface CellSpec {
	/** A cell of the program, or the word of a figure. */
	readonly id: CellId | (string & {});
	/** The heading above the cell. @param width cells of the cell */
	header(window: Window8, width: number): string;
	/** Cells on screen; flexible cells grow up to `maxWidth`. */
	readonly width: number;
	readonly maxWidth?: number;
	readonly align: 'left' | 'right';
	/** The cell shows the age of a date, so its text changes with time alone. */
	readonly isSince?: boolean;
}

export type CellId = 'mark' | 'symbol' | RowCell;

/** Change over a window; the API has none for 15 minutes, the next shorter one stands in. */
export function changeWindow(window: Window8): Window7 {
	return window === '15min' ? '5min' : window;
}

/** `5min` => `5m`: as the filter line writes it. */
export function shortWindow(window: Window8): string {
	return window.replace('min', 'm');
}

/** Heads of the risk figures, in the order of RISKS: each stands above four cells. */
const RISK_HEADS = {dev: 'DEV', top10: 'TOP', snipers: 'SNI', insiders: 'INS', bundlers: 'BUN'} as const;
const RISKS_HEADING = RISKS.map(risk => `${RISK_HEADS[risk]} `).join('');

/** Every cell, in screen order. */
export const CELLS: readonly (CellSpec & {readonly id: CellId})[] = [
	{id: 'mark', header: () => '', width: 2, align: 'left'},
	{id: 'symbol', header: () => 'SYMBOL', width: 7, maxWidth: 12, align: 'left'},
	{id: 'chain', header: () => 'ON', width: 3, maxWidth: 5, align: 'left'},
	{id: 'name', header: () => 'NAME', width: 8, maxWidth: 40, align: 'left'},
	{id: 'since', header: (_, width) => (width < 6 ? 'BOND' : 'BONDED'), width: 4, maxWidth: 6, align: 'right'},
	{id: 'age', header: () => 'AGE', width: 4, align: 'right'},
	{id: 'mcap', header: () => 'MCAP', width: 6, align: 'right'},
	{
		id: 'change',
		// The title of the column has the window, unless another one stands in.
		header: window => (changeWindow(window) === window ? 'CHG' : `CHG ${shortWindow(changeWindow(window))}`),
		width: 6,
		align: 'right',
	},
	{id: 'volume', header: () => 'VOL', width: 6, align: 'right'},
	{id: 'liquidity', header: () => 'LIQ', width: 5, align: 'right'},
	{id: 'holders', header: () => 'HOLD', width: 5, align: 'right'},
	{id: 'trades', header: () => 'BUY/SELL', width: 9, align: 'right'},
	{id: 'bar', header: () => 'FULL', width: 10, align: 'left'},
	{id: 'risk', header: () => 'RISK', width: 6, maxWidth: 7, align: 'left'},
	{id: 'risks', header: () => RISKS_HEADING, width: RISKS_HEADING.length, align: 'left'},
	{id: 'authority', header: () => 'MF', width: 2, align: 'left'},
	{id: 'source', header: () => 'LAUNCHPAD', width: 9, maxWidth: 17, align: 'left'},
	{id: 'socials', header: () => 'WEB', width: 3, align: 'left'},
	{id: 'fees', header: () => 'FEES', width: 5, align: 'right'},
	{id: 'trail', header: (_, width) => (width < 9 ? 'PRICE' : 'PRICE 10m'), width: 6, maxWidth: 12, align: 'left'},
];

/** Cells of figures, by their word: each is made once. */
const figureCells = new Map<string, CellSpec>();
/** Width of a figure, and the maximum width of its heading. */
const FIGURE_WIDTH = 6;
const HEADING_WIDTH = 9;
const PRICE_WIDTH = 10;

/** Whether a field is a price: it has more digits than other figures. */
export function isPriceField(field: string): boolean {
	return /^(latest_price|price_\w+_ago|ath|atl)$/.test(field);
}

/** The cell of any figure of the filter language: `buyers5m`, `top10`, `lasttrade`. */
export function figureCell(name: string): CellSpec | undefined {
	const known = figureCells.get(name);
	const word = known ? undefined : rowFigure(name);
	if (!word) return known;
	const heading = name.toUpperCase();
	const least = isPriceField(word.field) ? PRICE_WIDTH : FIGURE_WIDTH;
	const width = Math.max(least, Math.min(heading.length, HEADING_WIDTH));
	const cell: CellSpec = {id: name, header: () => heading, width, align: 'right', isSince: word.kind === 'date'};
	figureCells.set(name, cell);
	return cell;
}
