import type {ViewChange} from '../../client/feed/feed-buffer.ts';
import type {Entry} from '../../contract/entry.ts';
import type {Column, Row} from './column.ts';
import {sortedKeys} from './order.ts';

/*
 * A hundred screens of one process show the same few views, and take each change of a view as the same object. The rows after
 * a change and their order are made once for all of them. A screen that came later has rows of its own until the next change, after
 * which its entries are those of the others.
 */

export type Rows = ReadonlyMap<string, Row>;

interface Step {
	readonly before: Rows;
	readonly removed: readonly string[];
	readonly after: Rows;
}
/** The rows after a change, by its list of entries. */
const steps = new WeakMap<readonly Entry[], Step[]>();
/** Screens with pins, and those that came when the view had more rows, have others. */
const MAX_STEPS = 8;

/** The rows of a view after a change. @param atMs when the change arrived, for the marks of moved prices */
export function rowsAfter(before: Rows, {upserts, removed}: ViewChange, atMs: number): Rows {
	const known = steps.get(upserts) ?? [];
	const same = known.find(step => step.before === before && step.removed === removed);
	if (same) return same.after;
	const after = copied(before);
	for (const key of removed) after.delete(key);
	for (const entry of upserts) after.set(entry.key, refreshed(after.get(entry.key), entry, atMs));
	const equal = known.find(step => hasSameEntries(step.after, after));
	if (equal) return equal.after;
	if (known.length < MAX_STEPS) steps.set(upserts, [...known, {before, removed, after}]);
	return after;
}

function copied(rows: Rows): Map<string, Row> {
	const copy = new Map<string, Row>();
	// An iterator would make an object for each row, five times a second on each screen.
	rows.forEach((row, key) => void copy.set(key, row));
	return copy;
}

function hasSameEntries(a: Rows, b: Rows): boolean {
	if (a.size !== b.size) return false;
	for (const [key, {entry}] of a) if (b.get(key)?.entry !== entry) return false;
	return true;
}

/** A row with a newer entry. */
export function refreshed(row: Row | undefined, entry: Entry, atMs: number): Row {
	if (row === undefined) return {entry};
	const [before, after] = [row.entry.latest_price, entry.latest_price];
	const moved = before !== undefined && after !== undefined && before !== after;
	const move = moved ? {up: after > before, atMs} : row.move;
	return move ? {entry, move} : {entry};
}

type Sorting = Pick<Column, 'sortBy' | 'sortOrder' | 'pinned'>;

const orders = new WeakMap<Rows, Sorting & {readonly order: readonly string[]}>();

/** The keys of rows in the order of a column. */
export function orderOf(rows: Rows, {sortBy, sortOrder, pinned}: Sorting): readonly string[] {
	const known = orders.get(rows);
	const isSame = known?.sortBy === sortBy && known.sortOrder === sortOrder;
	if (isSame && (known.pinned === pinned || known.pinned.size + pinned.size === 0)) return known.order;
	const order = sortedKeys(
		rows.values().map(row => row.entry),
		{sortBy, sortOrder, pinned},
	);
	orders.set(rows, {sortBy, sortOrder, pinned, order});
	return order;
}

const firsts = new WeakMap<Rows, {readonly order: readonly string[]; readonly room: number; readonly rows: Rows}>();

/** The first rows in the order of a column: the stream adds rows at the end, beyond its limit. */
export function firstRows(rows: Rows, column: Sorting & Pick<Column, 'limit'>): Rows {
	if (rows.size <= column.limit) return rows;
	const room = column.limit + column.pinned.size;
	const order = orderOf(rows, column);
	const known = firsts.get(rows);
	if (known?.order === order && known.room === room) return known.rows;
	const first = copied(rows);
	for (const key of order.slice(room)) first.delete(key);
	firsts.set(rows, {order, room, rows: first});
	return first;
}

/** The rows without the departed ones that a column keeps beside them. */
const present = new WeakMap<Rows, Rows>();

/** The rows that the view has now. */
export function presentIn(rows: Rows): Rows {
	const known = present.get(rows);
	if (known) return known;
	const isPresent = ({departed}: Row): boolean => departed === undefined;
	const now = rows.values().every(isPresent) ? rows : new Map([...rows].filter(([, row]) => isPresent(row)));
	present.set(rows, now);
	return now;
}

/** Rows of a view with departed ones, which its column keeps for now. */
export function withDeparted(rows: Rows, departed: Rows): Rows {
	if (departed.size === 0) return rows;
	const all = copied(rows);
	for (const [key, row] of departed) all.set(key, row);
	present.set(all, rows);
	return all;
}
