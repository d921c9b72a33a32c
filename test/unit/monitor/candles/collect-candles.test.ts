import {expect, test} from 'vitest';
import {collectCandles, tradedSinceLaunch} from '../../../../source/monitor/candles/collect-candles.ts';
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

test.each<readonly [string, Partial<MonitorState>]>([
	['the feed is paused', {paused: true}],
	['the connection is down', {link: {phase: 'offline'} as NonNullable<MonitorState['link']>}],
	[
		'a recording stands still',
		{service: {label: 'a recording', embedded: false, recording: {phase: 'paused'} as never}},
	],
])('while %s there are no candles', (_, state) => {
	const {store, book, arrive, pass} = openMonitor();
	const opened = token('O', 2);
	store.apply(s => ({...s, ...state}));
	arrive([opened]);
	store.apply(s => detailOpened(s, opened));
	pass(3);
	expect(book.of(opened.key)).toBeUndefined();
});

test.each<readonly [string, Partial<MonitorState>]>([
	['a recording plays', {service: {label: 'a recording', embedded: false, recording: {phase: 'playing'} as never}}],
	['the service is polled', {link: {phase: 'polling'} as NonNullable<MonitorState['link']>}],
])('while %s there are candles', (_, state) => {
	const {store, arrive, pass, closes} = openMonitor();
	const opened = token('O', 2);
	store.apply(s => ({...s, ...state}));
	arrive([opened]);
	store.apply(s => detailOpened(s, opened));
	pass(1);
	expect(closes(opened.key, 1)).toEqual([2]);
});

test.each([[undefined], [0], [-1]])('a price of %s makes no candle', price => {
	const {store, arrive, pass, closes} = openMonitor();
	const {latest_price: _, ...rest} = token('O', 2);
	const opened = price === undefined ? rest : {...rest, latest_price: price};
	arrive([opened]);
	store.apply(s => detailOpened(s, opened));
	pass(2);
	expect(closes(opened.key, 3)).toEqual([undefined, undefined, undefined]);
});

test('a pinned token that left its column has no candles any more', () => {
	const {store, arrive, pass, closes} = openMonitor();
	const [pinned, other] = [token('P', 1), token('X', 3)];
	arrive([pinned, other]);
	store.apply(s => pinToggled(s, pinned, 'new', s.nowMs));
	pass(1);
	store.apply(s =>
		columnChanged(s, 'new', c => {
			const row = c.rows.get(pinned.key)!;
			return {...c, rows: new Map(c.rows).set(pinned.key, {...row, departed: 'filter'} as never)};
		}),
	);
	pass(2);
	expect(closes(pinned.key, 3)).toEqual([1, undefined, undefined]);
});

test('the last 32 watched tokens have candles', () => {
	const {store, book, arrive, pass, closes} = openMonitor();
	const tokens = Array.from({length: 33}, (_, at) => token(`T${at}`, 1));
	arrive(tokens);
	for (const one of tokens.slice(0, 32)) store.apply(s => pinToggled(s, one, 'new', s.nowMs));
	pass(1);
	const has = () => tokens.map(({key}) => book.of(key) !== undefined);
	expect(has()).toEqual([...Array.from({length: 32}, () => true), false]);
	store.apply(s => detailOpened(s, tokens[32]!));
	pass(2);
	expect(has()).toEqual([false, ...Array.from({length: 32}, () => true)]);
	expect(closes(tokens[31]!.key, 4)).toEqual([1, 1, 1, 1]);
	expect(closes(tokens[32]!.key, 3)).toEqual([1, 1, 1]);
});

test.each([
	[22.99, 7],
	[23, undefined],
])('%f hours after its launch the volume of 24 hours is all that was traded: %s', (hours, volume) => {
	expect(tradedSinceLaunch(entryOf('T', {created_at: START, volume_24h: 7}), START + hours * 3_600_000)).toBe(volume);
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
