import type {ViewNews} from '../../client/feed-buffer.ts';
import type {Entry} from '../../contract/entry.ts';
import {isShutOut} from '../scope.ts';
import {findEntry} from '../select.ts';
import {elsewhereIn, shownKeys, standingIn} from '../shown-keys.ts';
import type {MonitorState, Passage, ViewName} from '../state.ts';
import {changesArrived, limitChanged, snapshotArrived} from './column.ts';
import {columnChanged, pinsSet} from './screen.ts';

/** The news of one beat arrived, for any number of views. */
export function newsArrived(state: MonitorState, news: ReadonlyMap<ViewName, ViewNews>): MonitorState {
	const passages = passagesIn(state, news);
	let next = {...state, nowMs: Math.max(state.nowMs, ...news.values().map(({atMs}) => atMs))};
	for (const [view, {snapshot, upserts, removed, atMs}] of news) {
		next = columnChanged(next, view, column => {
			// It came before the column was shut.
			if (isShutOut(column)) return column;
			const replaced = snapshot ? snapshotArrived(column, snapshot, atMs) : column;
			const changed = upserts.size > 0 || removed.size > 0;
			return changed ? changesArrived(replaced, [...upserts.values()], [...removed], atMs) : replaced;
		});
	}
	if (passages.length > 0)
		next = pinsFollowed({...next, passages: [...passages, ...next.passages].slice(0, 20)}, passages);
	return detailFollowed(roomFilled(movedNoted(next, news)), news);
}

/** How long a token that BONDING showed stays out of NEW, and how often the time is noted again, ms. */
const MOVED_MS = 15_000;
const NOTED_EVERY_MS = 5000;
const NONE_MOVED: MonitorState['moved'] = new Map();

/** At the end of BONDING tokens come and go with every trade: NEW must not take each of them back for a moment. */
function movedNoted(state: MonitorState, news: ReadonlyMap<ViewName, ViewNews>): MonitorState {
	const {nowMs, columns} = state;
	const before = news.get('bonding')?.snapshot ? NONE_MOVED : state.moved;
	let moved: Map<string, number> | undefined;
	for (const key of standingIn(state, 'bonding')) {
		if (!columns.new.rows.has(key) || nowMs - (before.get(key) ?? 0) < NOTED_EVERY_MS) continue;
		moved ??= new Map(before);
		moved.set(key, nowMs);
	}
	for (const [key, atMs] of before) {
		if (nowMs - atMs < MOVED_MS || moved?.has(key) === false) continue;
		if (moved?.get(key) === nowMs) continue;
		moved ??= new Map(before);
		moved.delete(key);
	}
	return moved === undefined && before === state.moved ? state : {...state, moved: moved ?? before};
}

/** The most rows that a view can have (spec 8). */
const MAX_LIMIT = 100;

/** What stands elsewhere leaves room: NEW asks for more, so that its screen is full. */
function roomFilled(state: MonitorState): MonitorState {
	return columnChanged(state, 'new', column => {
		const isFull = shownKeys(state, 'new').length >= state.pageRows;
		if (isFull || column.limit >= MAX_LIMIT || column.rows.size < column.limit) return column;
		return limitChanged(column, Math.min(column.limit + elsewhereIn(state, 'new').size + SPARE_ROWS, MAX_LIMIT));
	});
}
const SPARE_ROWS = 10;

const STAGE: Readonly<Record<ViewName, number>> = {new: 0, bonding: 1, bonded: 2};

/** Tokens that a later column has now and that an earlier column showed before. */
function passagesIn(state: MonitorState, news: ReadonlyMap<ViewName, ViewNews>): Passage[] {
	const bonded = news.get('bonded');
	if (!bonded || state.columns.bonded.rows.size === 0) return [];
	const found: Passage[] = [];
	for (const entry of [...(bonded.snapshot ?? []), ...bonded.upserts.values()]) {
		if (state.columns.bonded.rows.has(entry.key)) continue;
		const before = findEntry(state, entry.key);
		if (before === undefined || STAGE[before.view] >= STAGE.bonded) continue;
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

/** A pin goes with its token to the column where the token is now. */
function pinsFollowed(state: MonitorState, passages: readonly Passage[]): MonitorState {
	const moved = passages.filter(passage => state.pins.has(passage.key));
	if (moved.length === 0) return state;
	const pins = new Map(state.pins);
	for (const {key, to} of moved) pins.set(key, {...pins.get(key)!, view: to});
	return pinsSet(state, pins);
}

/** The open detail pane shows what the columns know now. */
function detailFollowed(state: MonitorState, news: ReadonlyMap<ViewName, ViewNews>): MonitorState {
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
	return Object.create(entry, {holders: {value: holders, enumerable: true}});
}
