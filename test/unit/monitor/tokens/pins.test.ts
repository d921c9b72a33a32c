import {expect, test} from 'vitest';
import {changeSincePin, pinLines, pinOf, readPinLine} from '../../../../source/monitor/tokens/pins.ts';
import {entryOf} from '../../../helpers/entries.ts';

test('a pin keeps symbol and price of its moment, and what was unknown then stays unknown', () => {
	const entry = entryOf('a', {symbol: 'PEPE', latest_price: 0.5});
	expect(pinOf(entry, 'new', 7)).toEqual({view: 'new', symbol: 'PEPE', price: 0.5, atMs: 7});
	expect(pinOf(entryOf('a'), 'bonded', 7)).toEqual({view: 'bonded', atMs: 7});
});

test.each([
	[2, 3, 50],
	[2, 1, -50],
	[2, 2, 0],
	[2, 0, -100],
	[2, undefined, undefined],
	[undefined, 2, undefined],
	[0, 2, undefined],
	[-1, 2, undefined],
])('from a price of %s to %s the change is %s %', (then, now, percent) => {
	expect(changeSincePin({view: 'new', ...(then !== undefined && {price: then})}, now)).toBe(percent);
});

const PINS = new Map([
	['evm:56|0xab', {view: 'new', symbol: 'PEPE', price: 1.5e-9, atMs: 1_800_000_000_000}],
	['solana:solana|a', {view: 'bonded', price: 0}],
	['solana:solana|b', {view: 'trending', atMs: 0}],
	['solana:solana|c', {view: 'bonding', symbol: 'X'}],
] as const);

test('pins are read back as they were written', () => {
	expect(pinLines(PINS)[0]).toEqual(['evm:56|0xab', 'new', 'PEPE', '1.5e-9', '1800000000000']);
	expect(pinLines(PINS)[3]).toEqual(['solana:solana|c', 'bonding', 'X', '', '']);
	expect(new Map(pinLines(PINS).map(line => readPinLine(line)!))).toEqual(PINS);
});

test.each([
	[
		['k', 'new'],
		['k', {view: 'new'}],
	],
	[
		['k', 'new', 'S', 'many', '-5'],
		['k', {view: 'new', symbol: 'S'}],
	],
	[
		['k', 'new', '', 'Infinity', 'NaN'],
		['k', {view: 'new'}],
	],
	[['k', 'old'], undefined],
	[['k'], undefined],
	[[], undefined],
	[['k', 'new', 5], undefined],
	['k,new', undefined],
	[null, undefined],
])('the line %j of a file is %j', (line, pin) => {
	expect(readPinLine(line)).toEqual(pin);
});
