import type {ViewChanges} from '../../client/feed/feed-buffer.ts';
import type {Entry} from '../../contract/entry.ts';
import {isFollowed} from '../columns/followed-views.ts';
import {isExcluded} from '../columns/scope.ts';
import {elsewhereIn, isWellAlong, shownKeys, standingIn} from '../columns/shown-keys.ts';
import {findEntry, headOf} from '../select.ts';
import type {MonitorState, Promotion, ViewName} from '../state.ts';
import {changesArrived, limitChanged, snapshotArrived} from './column.ts';
import {pageRowsArrived} from './page.ts';
import {columnChanged, firstRowsChanged, pinsSet} from './screen.ts';

/** The news of one beat arrived, for any number of views. */
export function viewChangesArrived(state: MonitorState, news: ReadonlyMap<ViewName, ViewChanges>): MonitorState {
	const promotions = promotionsIn(state, news);
	let next = {...state, nowMs: Math.max(state.nowMs, ...news.values().map(({atMs}) => atMs))};
	for (const [view, {snapshot, upserts, removed, atMs}] of news) {
		next = firstRowsChanged(next, view, column => {
			// It came before the column was shut, or left out.
			if (isExcluded(column) || !isFollowed(state, view)) return column;
			const replaced = snapshot ? snapshotArrived(column, snapshot, atMs) : column;
			const changed = upserts.size > 0 || removed.size > 0;
			return changed ? changesArrived(replaced, [...upserts.values()], [...removed], atMs) : replaced;
		});
	}
	if (promotions.length > 0)
		next = pinsFollowed({...next, promotions: [...promotions, ...next.promotions].slice(0, 20)}, promotions);
	return detailFollowed(roomFilled(movedNoted(next)), news);
}

/** Live figures came for the rows of a page. */
export function pageChangesArrived(state: MonitorState, news: ReadonlyMap<ViewName, ViewChanges>): MonitorState {
	const arrived = [...news].reduce(
		(next, [view, {snapshot = [], upserts, atMs}]) =>
			columnChanged(next, view, c => pageRowsArrived(c, [...snapshot, ...upserts.values()], atMs)),
		state,
	);
	return detailFollowed(arrived, news);
}

/** How long a token that was well along its curve stays in BONDING, and how often the time is noted again, ms. */
const MOVED_MS = 15_000;
const NOTED_EVERY_MS = 5000;

/** Around the share from which BONDING takes a token it goes up and down with every trade: not each moves it to and fro. */
function movedNoted(state: MonitorState): MonitorState {
	const {nowMs, columns, moved: before} = state;
	let moved: Map<string, number> | undefined;
	for (const key of standingIn(state, 'bonding')) {
		if (!columns.new.rows.has(key) || !isWellAlong(columns.bonding.rows.get(key)!.entry)) continue;
		if (nowMs - (before.get(key) ?? 0) < NOTED_EVERY_MS) continue;
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

/** The most rows that a view can have (spec 8). */
const MAX_LIMIT = 100;

/** What stands elsewhere leaves room: a column asks for more, so that its screen is full. */
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
function promotionsIn(state: MonitorState, news: ReadonlyMap<ViewName, ViewChanges>): Promotion[] {
	const bonded = news.get('bonded');
	const {rows} = headOf(state.columns.bonded);
	if (!bonded || rows.size === 0) return [];
	const found: Promotion[] = [];
	for (const entry of [...(bonded.snapshot ?? []), ...bonded.upserts.values()]) {
		if (rows.has(entry.key)) continue;
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

/** A pin goes with its token to the column where the token is now; one in TRENDING, which is no phase, stays. */
function pinsFollowed(state: MonitorState, promotions: readonly Promotion[]): MonitorState {
	const moved = promotions.filter(({key}) => (state.pins.get(key)?.view ?? 'trending') !== 'trending');
	if (moved.length === 0) return state;
	const pins = new Map(state.pins);
	for (const {key, to} of moved) pins.set(key, {...pins.get(key)!, view: to});
	return pinsSet(state, pins);
}

/** The open detail pane shows what the columns know now. */
function detailFollowed(state: MonitorState, news: ReadonlyMap<ViewName, ViewChanges>): MonitorState {
	const {detail} = state;
	if (!detail) return state;
	for (const {upserts, snapshot, atMs} of news.values()) {
		const entry = upserts.get(detail.key) ?? snapshot?.find(candidate => candidate.key === detail.key);
		if (entry) return {...state, detail: {...detail, entry: detailed(entry, detail.entry), entryAtMs: atMs}};
	}
	return state;
}

/**
 * The newer entry, with the holders that were looked up before where it has none: a live feed entry leaves the list out or
 * sends it empty, which means "not reported" (contract gaps 2.1), not "nobody holds it".
 */
export function detailed(entry: Entry, {holders}: Entry): Entry {
	const isReported = entry.holders !== undefined && entry.holders.length > 0;
	if (isReported || holders === undefined || holders.length === 0) return entry;
	return {...entry, holders};
}
