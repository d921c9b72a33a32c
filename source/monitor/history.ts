import type {Entry} from '../contract/entry.ts';
import type {FieldName} from '../contract/fields.ts';
import type {Window8} from '../contract/windows.ts';
import type {Store} from '../store.ts';
import {RISK_FIELDS} from './risk.ts';
import type {Column, MonitorState, Row, ViewName} from './state.ts';

/** What the columns held at a moment. */
export interface Moment {
	/** Local Unix ms. */
	readonly atMs: number;
	readonly skewMs: number;
	readonly columns: MonitorState['columns'];
}

/**
 * How far apart moments are, and how many are kept: ten minutes. A moment keeps of each token what a row shows, a tenth of
 * its entry (measured: 1.9 MB a moment with whole entries); rows that did not change are shared between moments.
 */
export const MOMENT_EVERY_MS = 5000;
const MOST_MOMENTS = 120;

/** Remembers what the columns held, for looking back. */
export interface History {
	/** The oldest first. */
	moments(): readonly Moment[];
	stop(): void;
}

/** @param everyMs how far apart moments are */
export function keepHistory(store: Store<MonitorState>, {everyMs = MOMENT_EVERY_MS} = {}): History {
	let moments: readonly Moment[] = [];
	let seen: MonitorState['columns'] | undefined;
	const timer = setInterval(() => {
		const {columns, skewMs} = store.get();
		if (seen === columns) return;
		seen = columns;
		const kept = {new: slim(columns.new), bonding: slim(columns.bonding), bonded: slim(columns.bonded)};
		moments = [...moments, {atMs: Date.now(), skewMs, columns: kept}].slice(-MOST_MOMENTS);
	}, everyMs);
	timer.unref();
	return {moments: () => moments, stop: () => clearInterval(timer)};
}

/** The column with rows that hold no more than is shown. */
function slim(column: Column): Column {
	return {...column, rows: new Map(Array.from(column.rows, ([key, row]) => [key, slimRow(row, column.window)]))};
}

function slimRow(row: Row, window: Window8): Row {
	const known = SLIM.get(row);
	if (known?.window === window) return known.row;
	const {entry} = row;
	const kept: Record<string, unknown> = {key: entry.key, chain_id: entry.chain_id, address: entry.address};
	for (const name of [...SHOWN, ...windowed(window)]) if (entry[name] !== undefined) kept[name] = entry[name];
	const slimmed = {...row, entry: kept as unknown as Entry};
	SLIM.set(row, {window, row: slimmed});
	return slimmed;
}
const SLIM = new WeakMap<Row, {readonly window: Window8; readonly row: Row}>();

/** What rows, their risk marks and their warnings are made from. */
const SHOWN: readonly FieldName[] = [
	'symbol',
	'name',
	'created_at',
	'market_cap',
	'liquidity',
	'holders_count',
	'bonding_percentage',
	'bonded',
	'source',
	'type',
	'twitter',
	'website',
	'telegram',
	'twitter_reuses_count',
	'total_fees_paid_usd',
	...Object.values(RISK_FIELDS),
];

/** The API has no change over 15 minutes: rows show that over 5. */
function windowed(window: Window8): readonly FieldName[] {
	const change = window === '15min' ? '5min' : window;
	return [`price_change_${change}`, `volume_${window}`, `buys_${window}`, `sells_${window}`];
}

/**
 * The state as it was at a moment, for drawing alone: columns without cursor and from their top, the clock of that time.
 * What belongs to the present (connection, notices, windows) stays.
 */
export function rewoundTo(state: MonitorState, {columns, atMs, skewMs}: Moment): MonitorState {
	const still = (view: ViewName): Column => {
		const {cursor: _, ...column} = columns[view];
		return {...column, top: 0};
	};
	return {
		...state,
		nowMs: atMs,
		skewMs,
		columns: {new: still('new'), bonding: still('bonding'), bonded: still('bonded')},
		passages: state.passages.filter(passage => passage.atMs <= atMs),
	};
}
