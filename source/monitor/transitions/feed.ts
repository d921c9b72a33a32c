import type {ViewChanges} from '../../client/feed/feed-buffer.ts';
import type {Entry} from '../../contract/entry.ts';
import {isFollowed} from '../columns/followed-views.ts';
import {isExcluded} from '../columns/scope.ts';
import {elsewhereIn, isWellAlong, shownKeys} from '../columns/shown-keys.ts';
import {findEntry, headOf} from '../select.ts';
import type {MonitorState, Promotion} from '../state.ts';
import type {ViewName} from '../views.ts';
import {limitChanged, MAX_LIMIT, viewArrived} from './column.ts';
import {pageRowsArrived} from './page.ts';
import {columnChanged, firstRowsChanged, pinsSet} from './screen.ts';

/** The changes of one tick arrived. @param changes by view, any number of views */
export function viewChangesArrived(state: MonitorState, changes: ReadonlyMap<ViewName, ViewChanges>): MonitorState {
	const promotions = promotionsIn(state, changes);
	let next = {...state, nowMs: Math.max(state.nowMs, ...changes.values().map(({atMs}) => atMs))};
	for (const [view, arrived] of changes) {
		next = firstRowsChanged(next, view, column => {
			// Sent before the column was excluded or no longer followed.
			if (isExcluded(column) || !isFollowed(state, view)) return column;
			return viewArrived(column, arrived);
		});
	}
	if (promotions.length > 0)
		next = pinsFollowed({...next, promotions: [...promotions, ...next.promotions].slice(0, 20)}, promotions);
	return detailFollowed(roomFilled(movedNoted(next)), changes);
}

/** Live figures for the rows of pages arrived. @param changes by column */
export function pageChangesArrived(state: MonitorState, changes: ReadonlyMap<ViewName, ViewChanges>): MonitorState {
	const arrived = [...changes].reduce(
		(next, [view, arrived]) => columnChanged(next, view, c => pageRowsArrived(c, entriesIn(arrived), arrived.atMs)),
		state,
	);
	return detailFollowed(arrived, changes);
}

/** How long a token past the border of BONDING stays there after it falls back, and how often its time is updated, ms. */
const MOVED_MS = 15_000;
const NOTED_EVERY_MS = 5000;

/** Every trade moves a token across the border of BONDING and back: it stays in BONDING for a while instead. */
function movedNoted(state: MonitorState): MonitorState {
	const {nowMs, columns, moved: before} = state;
	let moved: Map<string, number> | undefined;
	const elsewhere = elsewhereIn(state, 'bonding');
	for (const key of shownKeys(state, 'bonding')) {
		if (!columns.new.rows.has(key) || nowMs - (before.get(key) ?? 0) < NOTED_EVERY_MS) continue;
		const {entry, departed} = columns.bonding.rows.get(key)!;
		if (departed || elsewhere.has(key) || !isWellAlong(entry)) continue;
		moved ??= new Map(before);
		moved.set(key, nowMs);
	}
	for (const [key, atMs] of before) {
		if (nowMs - atMs < MOVED_MS || moved?.get(key) === nowMs) continue;
		moved ??= new Map(before);
		moved.delete(key);
	}
	return moved === undefined ? state : {...state, moved};
}

/** Requests more rows for a column whose tokens are shown elsewhere, so that it fills the screen. */
function roomFilled(state: MonitorState): MonitorState {
	return state.shownViews.reduce(
		(next, view) =>
			columnChanged(next, view, column => {
				const others = elsewhereIn(state, view).size;
				const isFull = others === 0 || shownKeys(state, view).length >= state.pageRows;
				if (column.page || isFull || column.limit >= MAX_LIMIT || column.rows.size < column.limit) return column;
				return limitChanged(column, Math.min(column.limit + others + SPARE_ROWS, MAX_LIMIT));
			}),
		state,
	);
}
const SPARE_ROWS = 10;

/** Tokens that a later column has now and that an earlier column showed before. */
function promotionsIn(state: MonitorState, changes: ReadonlyMap<ViewName, ViewChanges>): Promotion[] {
	const bonded = changes.get('bonded');
	const {rows} = headOf(state.columns.bonded);
	if (!bonded || rows.size === 0) return [];
	const found: Promotion[] = [];
	for (const entry of entriesIn(bonded)) {
		if (rows.has(entry.key) || found.some(({key}) => key === entry.key)) continue;
		const before = findEntry(state, entry.key);
		if (before?.view !== 'new' && before?.view !== 'bonding') continue;
		found.push({
			key: entry.key,
			symbol: entry.symbol ?? entry.address,
			from: before.view,
			to: 'bonded',
			atMs: bonded.atMs,
		});
	}
	return found;
}

/** Moves the pins of promoted tokens to their new column; a pin in TRENDING, which is no phase, stays. */
function pinsFollowed(state: MonitorState, promotions: readonly Promotion[]): MonitorState {
	const moved = promotions.filter(({key}) => (state.pins.get(key)?.view ?? 'trending') !== 'trending');
	if (moved.length === 0) return state;
	const pins = new Map(state.pins);
	for (const {key, to} of moved) pins.set(key, {...pins.get(key)!, view: to});
	return pinsSet(state, pins);
}

/** The open detail pane gets the newest entry. */
function detailFollowed(state: MonitorState, changes: ReadonlyMap<ViewName, ViewChanges>): MonitorState {
	const {detail} = state;
	if (!detail) return state;
	for (const arrived of changes.values()) {
		const entry = entriesIn(arrived).findLast(({key}) => key === detail.key);
		if (entry) return {...state, detail: {...detail, entry: detailed(entry, detail.entry), entryAtMs: arrived.atMs}};
	}
	return state;
}

/**
 * The newer entry, with the holders of the older one when it has none: a live entry leaves the list out or sends it empty,
 * which means "not reported" (contract gaps 2.1), not "no holders".
 */
export function detailed(entry: Entry, {holders}: Entry): Entry {
	const isReported = entry.holders !== undefined && entry.holders.length > 0;
	if (isReported || holders === undefined || holders.length === 0) return entry;
	return {...entry, holders};
}

/** All entries that arrived, the oldest first: of a token perhaps several. */
function entriesIn({snapshot = [], changes}: ViewChanges): readonly Entry[] {
	return [...snapshot, ...changes.flatMap(({upserts}) => upserts)];
}
