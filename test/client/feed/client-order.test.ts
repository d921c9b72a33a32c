import {expect, test} from 'vitest';
import {isOutOfOrder} from '../../../source/client/feed/client-order.ts';
import type {Entry} from '../../../source/contract/entry.ts';

/** Rows of a full view with these values. */
const rows = (caps: readonly (number | undefined)[]) =>
	caps.map((market_cap, i) => ({address: `0x${i}`, market_cap}) as Entry);
const falling = (count: number) => Array.from({length: count}, (_, i) => 1000 - i);
const DESC = {sortBy: 'market_cap', sortOrder: 'desc'} as const;

test.each([
	['the order of the request', falling(30), false],
	['the opposite one', falling(30).reverse(), true],
	['equal figures', Array.from({length: 30}, () => 5), false],
	['figures that moved after the service sorted', falling(30).map((cap, i) => cap + (i % 4) * 1.5), false],
	['every second half moved', [...falling(30).slice(15), ...falling(30).slice(0, 15)], true],
	['another order', falling(30).map((cap, i) => (i % 3) * 1000 + cap), true],
	['unknown figures last', [...falling(30), ...Array.from({length: 70}, () => undefined)], false],
	['unknown figures first', [...Array.from({length: 70}, () => undefined), ...falling(30)], false],
	['nine rows, of which nothing is certain', falling(9).reverse(), false],
	['ten rows', falling(10).reverse(), true],
	['ten rows, of which one has no figure', [...falling(9).reverse(), undefined], false],
	['no rows', [], false],
] as const)('%s', (_, caps, expected) => {
	expect(isOutOfOrder(rows(caps), DESC)).toBe(expected);
	expect(isOutOfOrder(rows([...caps].reverse()), {...DESC, sortOrder: 'asc'})).toBe(expected);
});

test('a service that sends any number of rows is judged by the first hundred', () => {
	const more = falling(20_000).reverse();
	expect(isOutOfOrder(rows([...falling(100), ...more]), DESC)).toBe(false);
	expect(isOutOfOrder(rows([...falling(20), ...more]), DESC)).toBe(true);
});

test('a request without a sort, or with one of the service alone, is in any order', () => {
	expect(isOutOfOrder(rows(falling(30).reverse()), {})).toBe(false);
	expect(isOutOfOrder(rows(falling(30).reverse()), {sortBy: 'hotness'})).toBe(false);
	expect(isOutOfOrder(rows(falling(30)), {sortBy: 'hotness', sortOrder: 'asc'})).toBe(false);
});
