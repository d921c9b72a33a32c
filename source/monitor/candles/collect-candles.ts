import type {Entry} from '../../contract/entry.ts';
import {WINDOW_MS} from '../../contract/windows.ts';
import {steadyNow} from '../../steady-clock.ts';
import type {Store} from '../../store.ts';
import {freshness} from '../select.ts';
import type {MonitorState} from '../state.ts';
import {VIEWS} from '../views.ts';
import {CandleSeries, type PricePoint} from './candle-series.ts';

/** How many tokens have candles, the last watched ones: 2 MB at most. */
const MAX_SERIES = 32;

/** Candles of the tokens that are watched: the pinned ones and the one in the detail pane. */
export interface CandleBook {
	/** @param key of the token @returns undefined when it was not watched lately */
	of(key: string): CandleSeries | undefined;
	stop(): void;
}

/**
 * Collects candles from the live entries in the state. A token counts as watched while its data is fresh, so a cut
 * connection, a pause and a token that left its column make a gap.
 */
export function collectCandles(store: Store<MonitorState>, nowMs: () => number = steadyNow): CandleBook {
	const series = new Map<string, {candles: CandleSeries; entry: Entry | undefined}>();
	let seen: MonitorState | undefined;

	function look(): void {
		const state = store.get();
		const before = seen;
		seen = state;
		const isSame =
			before?.columns === state.columns &&
			before.detail === state.detail &&
			before.pins === state.pins &&
			Math.floor(before.nowMs / 1000) === Math.floor(state.nowMs / 1000);
		if (isSame || !isLive(state)) return;
		const atMs = nowMs();
		const open = state.detail;
		const pinned = [...state.pins.keys()].flatMap(key => (key === open?.key ? [] : (liveEntry(state, key) ?? [])));
		// More than there is room for would take each other's place, round and round: those that were pinned last count.
		for (const entry of pinned.slice(open ? 1 - MAX_SERIES : -MAX_SERIES)) watch(entry.key, entry, atMs);
		if (open) watch(open.key, open.entry, atMs);
	}

	function watch(key: string, entry: Entry, atMs: number): void {
		let found = series.get(key);
		if (found === undefined) {
			found = {candles: new CandleSeries(), entry: undefined};
			if (series.size >= MAX_SERIES) series.delete(series.keys().next().value!);
		}
		// The last watched one is last in the map.
		series.delete(key);
		series.set(key, found);
		const point = found.entry === entry ? undefined : pricePointOf(entry, found.entry, atMs);
		if (point === undefined) {
			found.candles.hold(atMs);
			return;
		}
		found.entry = entry;
		found.candles.add(point, atMs);
	}

	const stop = store.subscribe(look);
	return {of: key => series.get(key)?.candles, stop};
}

/** Whether the state is live. */
function isLive({link, paused, service, columns, nowMs}: MonitorState): boolean {
	if (paused || (service.recording !== undefined && service.recording.phase !== 'playing')) return false;
	if (link?.phase !== 'live' && link?.phase !== 'polling') return false;
	return VIEWS.some(view => freshness(columns[view].dataAtMs, nowMs) === 'fresh');
}

function liveEntry({columns}: MonitorState, key: string): Entry | undefined {
	for (const view of VIEWS) {
		const row = columns[view].rows.get(key);
		if (row !== undefined && row.departed === undefined) return row.entry;
	}
	return undefined;
}

/** The price of an entry; undefined without one, and for an entry older than the last (look-ups and feed overtake each other). */
function pricePointOf(entry: Entry, before: Entry | undefined, atMs: number): PricePoint | undefined {
	const {latest_price: price, latest_trade_date: tradedAtMs} = entry;
	if (price === undefined || !(price > 0)) return undefined;
	if (tradedAtMs !== undefined && before !== undefined && tradedAtMs < (before.latest_trade_date ?? 0))
		return undefined;
	return {price, tradedUSD: tradedSinceLaunch(entry, atMs)};
}

/**
 * The volume since launch, US dollars. The API has no such figure; for a token younger than the longest window the sum
 * over that window is the same (an hour is left for clocks that differ).
 */
export function tradedSinceLaunch(
	{created_at: createdAtMs, volume_24h: volume}: Entry,
	nowMs: number,
): number | undefined {
	const isYoung = createdAtMs !== undefined && nowMs - createdAtMs < WINDOW_MS['24h'] - WINDOW_MS['1h'];
	return isYoung ? volume : undefined;
}
