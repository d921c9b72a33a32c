import {expect, test} from 'vitest';
import {collectCandles} from '../../../../source/monitor/candles/collect-candles.ts';
import {initialState} from '../../../../source/monitor/initial-state.ts';
import type {MonitorState} from '../../../../source/monitor/state.ts';
import {changesArrived, freshened, snapshotArrived} from '../../../../source/monitor/transitions/column.ts';
import {
	columnChanged,
	detailClosed,
	detailOpened,
	pinToggled,
	ticked,
} from '../../../../source/monitor/transitions/screen.ts';
import {createStore} from '../../../../source/store.ts';
import {entryOf} from '../../../helpers/entries.ts';

const START = 1_800_000_000_000;
const token = (name: string, price: number, volume = 0) =>
	entryOf(name, {latest_price: price, created_at: START - 60_000, volume_24h: volume});

function openMonitor() {
	let nowMs = START;
	const state: MonitorState = {
		...initialState({
			size: {columns: 100, rows: 24},
			nowMs,
			service: {label: 'a service', embedded: false},
			theme: 'dark',
		}),
		link: {phase: 'live'} as NonNullable<MonitorState['link']>,
	};
	const store = createStore(state);
	const book = collectCandles(store, () => nowMs);
	const arrive = (entries: readonly ReturnType<typeof token>[]) =>
		store.apply(s =>
			columnChanged({...s, nowMs}, 'new', c =>
				c.rows.size === 0 ? snapshotArrived(c, entries, nowMs) : changesArrived(c, entries, [], nowMs),
			),
		);
	/** Seconds pass; while the link is up the column stays up to date. */
	const pass = (seconds: number, isUp = true) => {
		for (let second = 0; second < seconds; second++) {
			nowMs += 1000;
			store.apply(s => {
				const later = ticked(s, nowMs);
				return isUp ? columnChanged(later, 'new', c => freshened(c, nowMs)) : later;
			});
		}
	};
	const closes = (key: string, count: number) =>
		book
			.of(key)
			?.candles(1000, count, nowMs)
			.map(candle => candle?.close);
	return {store, book, arrive, pass, closes};
}

test('candles are built of pinned tokens and of the opened one, and of no other', () => {
	const {store, book, arrive, pass, closes} = openMonitor();
	const [pinned, opened, other] = [token('P', 1), token('O', 2), token('X', 3)];
	arrive([pinned, opened, other]);
	store.apply(s => detailOpened(pinToggled(s, pinned, 'new', s.nowMs), opened));
	pass(1);
	arrive([token('P', 1.5, 30), token('X', 9)]);
	pass(1);
	expect(closes(pinned.key, 3)).toEqual([1, 1.5, 1.5]);
	expect(closes(opened.key, 3)).toEqual([2, 2, 2]);
	expect(book.of(other.key)).toBeUndefined();
	expect(
		book
			.of(pinned.key)!
			.candles(1000, 2, START + 2000)
			.map(candle => candle?.volumeUSD),
	).toEqual([30, 0]);
});

test('while the pane is closed or the service is silent there is a gap', () => {
	const {store, arrive, pass, closes} = openMonitor();
	const opened = token('O', 2);
	arrive([opened]);
	store.apply(s => detailOpened(s, opened));
	pass(2);
	store.apply(detailClosed);
	pass(8);
	store.apply(s => detailOpened(s, opened));
	pass(1);
	expect(closes(opened.key, 12)).toEqual([2, 2, 2, ...Array.from({length: 7}, () => undefined), 2, 2]);
	pass(30, false);
	pass(1);
	const after = closes(opened.key, 20)!;
	expect(after.at(-1)).toBe(2);
	expect(after.slice(0, 19)).toEqual(Array.from({length: 19}, () => undefined));
});

test('an entry that comes late, with an older trade, changes nothing', () => {
	const {store, arrive, pass, closes} = openMonitor();
	const newer = {...token('O', 2), latest_trade_date: START};
	arrive([newer]);
	store.apply(s => detailOpened(s, newer));
	store.apply(s => ({...s, detail: {...s.detail!, entry: {...token('O', 1), latest_trade_date: START - 500}}}));
	pass(1);
	expect(closes(newer.key, 1)).toEqual([2]);
});
