import type {ViewPage} from '../../client/lookups/page.ts';
import type {Entry} from '../../contract/entry.ts';
import type {Column, Row} from '../columns/column.ts';
import {sortedKeys} from '../columns/order.ts';
import {refreshed} from '../columns/shared-rows.ts';
import {headOf} from '../select.ts';
import {headShown, scrolledToCursor} from './column.ts';

/** The place of a page in its view. */
export interface PagePlace {
	/** Of its first row, from 1. */
	readonly from: number;
	/** Index of the first requested row, from 0: a few rows before the page are read again. */
	readonly offset: number;
	/** Newest launch that counts, Unix ms. */
	readonly until?: number;
}

/** More rows of a column were requested. */
export function pageRequested(column: Column, turning: 'down' | 'up'): Column {
	return {...column, turning};
}

/** The requested rows arrived or failed. */
export function pageSettled({turning: _, ...column}: Column): Column {
	return column;
}

/**
 * A page replaces the rows shown; the cursor goes to its nearest end.
 * @param entries the rows of the page that were not shown just before, at least one
 * @param elsewhere tokens shown in another column
 */
export function pageShown(
	column: Column,
	{from, offset, until}: PagePlace,
	{entries, size}: ViewPage,
	{
		turning,
		atMs,
		pageRows,
		elsewhere,
	}: {
		readonly turning: 'down' | 'up';
		readonly atMs: number;
		readonly pageRows: number;
		readonly elsewhere: ReadonlyMap<string, unknown>;
	},
): Column {
	const head = pageSettled(headOf(column));
	const rows = new Map(entries.map(entry => [entry.key, {entry} satisfies Row]));
	const order = head.isUnsorted ? sortedKeys(entries, {...head, pinned: new Set()}) : [...rows.keys()];
	const shown = order.filter(key => !elsewhere.has(key));
	const cursor = turning === 'down' ? shown[0] : shown.at(-1);
	const {cursor: _, ...rest} = pageSettled(column);
	const page: Column = {
		...rest,
		rows,
		order,
		frozen: true,
		leftOut: new Set(elsewhere.keys()),
		waiting: 0,
		top: 0,
		dataAtMs: atMs,
		changedAtMs: atMs,
		page: {from, end: offset + size, isLive: false, head, ...(until !== undefined && {until})},
		...(cursor !== undefined && {cursor}),
	};
	return scrolledToCursor(page, shown, pageRows);
}

/** The first rows of the view are shown again, with their cursor. */
export function headReached(column: Column): Column {
	return headShown(column);
}

/** Live figures of a page's rows arrived. Rows never enter or leave a page. */
export function pageRowsArrived(column: Column, entries: Iterable<Entry>, atMs: number): Column {
	const {page} = column;
	if (page === undefined) return column;
	const rows = new Map(column.rows);
	let hasLive = false;
	for (const entry of entries) {
		const row = rows.get(entry.key);
		if (row === undefined) continue;
		hasLive = true;
		rows.set(entry.key, refreshed(row, entry, atMs));
	}
	return hasLive ? {...column, rows, dataAtMs: atMs, changedAtMs: atMs, page: {...page, isLive: true}} : column;
}
