import {expect, test} from 'vitest';
import {type Candle, CandleSeries} from '../../../../source/monitor/candles/candle-series.ts';
import {tradedSinceLaunch} from '../../../../source/monitor/candles/collect-candles.ts';
import {entryOf} from '../../../helpers/entries.ts';

/** A whole multiple of all steps, Unix ms. */
const START = 1_800_000_000_000;
const figures = (candle: Candle | undefined) =>
	candle && [candle.open, candle.high, candle.low, candle.close, candle.volumeUSD];

test('prices of one step are its open, high, low and close; the next one opens where it closed', () => {
	const series = new CandleSeries();
	for (const [at, price, traded] of [
		[0, 10, 100],
		[1000, 14, 130],
		[2000, 9, 150],
		[3000, 12, 150],
		[5000, 13, 175],
	] as const) {
		series.add({price, tradedUSD: traded}, START + at);
	}
	const [first, second] = series.candles(5000, 2, START + 5000);
	expect(figures(first)).toEqual([10, 14, 9, 12, 50]);
	expect(figures(second)).toEqual([12, 13, 12, 13, 25]);
	expect(series.candles(1000, 6, START + 5000).map(candle => candle?.volumeUSD)).toEqual([0, 30, 20, 0, 0, 25]);
	expect(figures(series.candles(60_000, 1, START + 5000)[0])).toEqual([10, 14, 9, 13, 75]);
});

test('seconds without a change are flat while the token is watched, and a gap when it is not', () => {
	const series = new CandleSeries();
	series.add({price: 10, tradedUSD: 100}, START);
	for (let second = 1; second <= 3; second++) series.hold(START + second * 1000);
	// Nothing for twenty seconds: the connection was cut. What was traded in it belongs to no step.
	series.hold(START + 22_000);
	series.add({price: 20, tradedUSD: 900}, START + 23_000);
	series.add({price: 21, tradedUSD: 940}, START + 24_000);
	const seconds = series.candles(1000, 25, START + 24_000);
	expect(seconds.slice(0, 4).map(figures)).toEqual([
		[10, 10, 10, 10, 0],
		[10, 10, 10, 10, 0],
		[10, 10, 10, 10, 0],
		[10, 10, 10, 10, 0],
	]);
	expect(seconds.slice(4, 22)).toEqual(Array.from({length: 18}, () => undefined));
	expect(seconds.slice(22).map(figures)).toEqual([
		[10, 10, 10, 10, undefined],
		[10, 20, 10, 20, undefined],
		[20, 21, 20, 21, 40],
	]);
	// A longer step that was watched in part has no volume: it would be that of the part.
	const [minute] = series.candles(60_000, 1, START + 24_000);
	expect(minute).toMatchObject({open: 10, close: 21, isPartial: true, volumeUSD: undefined});
});

test('a step in whose middle watching begins is partial', () => {
	const series = new CandleSeries();
	series.add({price: 10, tradedUSD: 5}, START + 4000);
	series.add({price: 11, tradedUSD: 9}, START + 4500);
	const [partial] = series.candles(5000, 1, START + 4500);
	expect(partial).toMatchObject({isPartial: true, volumeUSD: undefined, high: 11});
	expect(series.startedAtMs).toBe(START + 4000);
});

test('volume is unknown without a sum since launch, and where that sum shrinks', () => {
	const series = new CandleSeries();
	series.add({price: 10, tradedUSD: undefined}, START);
	series.add({price: 11, tradedUSD: undefined}, START + 200);
	expect(series.candles(1000, 1, START)[0]?.volumeUSD).toBeUndefined();
	const corrected = new CandleSeries();
	corrected.add({price: 10, tradedUSD: 100}, START);
	corrected.add({price: 11, tradedUSD: 90}, START + 200);
	expect(corrected.candles(1000, 1, START)[0]?.volumeUSD).toBeUndefined();
});

test('steps that are long past are forgotten', () => {
	const series = new CandleSeries();
	for (let second = 0; second < 1000; second++) series.add({price: second + 1, tradedUSD: 0}, START + second * 1000);
	const candles = series.candles(1000, 400, START + 999_000);
	expect(candles.slice(0, 100)).toEqual(Array.from({length: 100}, () => undefined));
	expect(candles.at(-1)?.close).toBe(1000);
	expect(candles[100]?.close).toBe(701);
});

test('the day’s volume stands for all of it only while the token is younger than the day', () => {
	const token = entryOf('A', {created_at: START, volume_24h: 500});
	expect(tradedSinceLaunch(token, START + 3_600_000)).toBe(500);
	expect(tradedSinceLaunch(token, START + 24 * 3_600_000)).toBeUndefined();
	expect(tradedSinceLaunch(entryOf('A', {volume_24h: 500}), START)).toBeUndefined();
});

test.each([
	[4999, 30],
	[5000, 30],
	[5001, undefined],
])('a silence of %i ms: what was traded in it is %s', (silenceMs, volume) => {
	const series = new CandleSeries();
	series.add({price: 10, tradedUSD: 100}, START);
	series.add({price: 11, tradedUSD: 130}, START + silenceMs);
	const candles = series.candles(60_000, 1, START + silenceMs);
	expect(candles.map(candle => candle?.volumeUSD)).toEqual([volume]);
});

test.each([
	[1499, false],
	[1500, false],
	[1501, true],
])('watching that begins %i ms after the start of a step: partial %s', (afterMs, isPartial) => {
	const series = new CandleSeries();
	series.add({price: 10, tradedUSD: 100}, START + afterMs);
	expect(series.candles(5000, 1, START + afterMs)[0]?.isPartial).toBe(isPartial);
});

test('a sum that shrinks leaves the volume of its step unknown, one that stays leaves it 0', () => {
	const series = new CandleSeries();
	series.add({price: 10, tradedUSD: 100}, START);
	series.add({price: 10, tradedUSD: 100}, START + 1000);
	series.add({price: 10, tradedUSD: 99}, START + 2000);
	series.add({price: 10, tradedUSD: 119}, START + 3000);
	expect(series.candles(1000, 4, START + 3000).map(candle => candle?.volumeUSD)).toEqual([0, 0, undefined, 20]);
});

test('a price of a time before the last one is ignored, one of the same time counts', () => {
	const series = new CandleSeries();
	series.add({price: 10, tradedUSD: 100}, START + 100);
	series.add({price: 50, tradedUSD: 500}, START + 99);
	series.add({price: 12, tradedUSD: 110}, START + 100);
	expect(figures(series.candles(1000, 1, START + 100)[0])).toEqual([10, 12, 10, 12, 10]);
});

test('three hundred steps are kept: the oldest of them, and none before it', () => {
	const series = new CandleSeries();
	for (let second = 0; second < 310; second++)
		series.add({price: 1 + second, tradedUSD: second}, START + second * 1000);
	const kept = series.candles(1000, 310, START + 309_000);
	expect(kept.findIndex(candle => candle !== undefined)).toBe(10);
	expect(kept[10]?.close).toBe(11);
});
