import {expect, test} from 'vitest';
import type {Moment} from '../../../../source/monitor/rewind/moment.ts';
import {priceTrails} from '../../../../source/monitor/rewind/price-trail.ts';

/** Moments that have only prices, and how often they were asked for one. */
function pricedMoments(prices: readonly (number | undefined)[]) {
	let asked = 0;
	const moments = prices.map((price): Moment => {
		const priceOf = (key: string) => {
			asked++;
			return key === 'a' ? price : undefined;
		};
		return {priceOf} as Moment;
	});
	return {moments, asked: () => asked};
}

test.each([
	[[], undefined],
	[[1], undefined],
	[
		[1, 2],
		[1, 2],
	],
	[
		[1, undefined, 3],
		[1, 3],
	],
	[[undefined, 2], undefined],
])('of the prices %j a row shows %j: one point is no line, and what is not known is left out', (prices, shown) => {
	const {moments} = pricedMoments(prices);
	expect(priceTrails(() => moments)('a')).toEqual(shown);
});

test('ten minutes are 24 prices in even steps, the newest among them', () => {
	const {moments} = pricedMoments(Array.from({length: 120}, (_, at) => at));
	const trail = priceTrails(() => moments)('a')!;
	expect(trail).toHaveLength(24);
	expect(trail.at(-1)).toBe(119);
	expect(new Set(trail.slice(1).map((price, at) => price - trail[at]!))).toEqual(new Set([5]));
});

test('until there is a new moment the trail is the same array, and no moment is asked again', () => {
	const {moments, asked} = pricedMoments([1, 2, 3]);
	let now = moments;
	const trailOf = priceTrails(() => now);
	const first = trailOf('a');
	expect(trailOf('b')).toBeUndefined();
	const before = asked();
	expect(trailOf('a')).toBe(first);
	expect(trailOf('b')).toBeUndefined();
	expect(asked()).toBe(before);
	now = [...moments, ...pricedMoments([4]).moments];
	expect(trailOf('a')).toEqual([1, 2, 3, 4]);
});
