import {describe, expect, test} from 'vitest';
import {BASE58} from '../../../source/address.ts';
import {Random} from '../../../source/service/market/simulator/random.ts';
import {TextIndex} from '../../../source/service/market/text-index.ts';
import {fc} from '../../helpers/properties.ts';

const ROWS = 9000;
const STEPS = fc.array(
	fc.record({
		what: fc.constantFrom('add', 'add', 'add', 'remove'),
		row: fc.integer({min: 0, max: ROWS - 1}),
		// Few texts: rows that share one are distinguished by the caller.
		text: fc.integer({min: 0, max: 400}).map(n => `0x${(n * 7919).toString(16)}`),
	}),
	{maxLength: 600},
);

test('an index finds the same as a map after any additions and removals', () => {
	fc.assert(
		fc.property(STEPS, steps => {
			const index = new TextIndex();
			index.reserveRows(ROWS);
			const texts = new Map<number, string>();
			for (const {what, row, text} of steps) {
				if (what === 'remove') {
					expect(index.remove(row)).toBe(texts.delete(row));
				} else if (!texts.has(row)) {
					index.add(text, row);
					texts.set(row, text);
				}
				for (const [known, own] of [...texts].slice(-5)) {
					expect(index.find(own, candidate => candidate === known)).toBe(known);
				}
				const found = index.find(text, candidate => texts.get(candidate) === text);
				expect(found === undefined).toBe(![...texts.values()].includes(text));
			}
		}),
	);
});

test('an index that has grown and emptied holds nothing and finds nothing', () => {
	const index = new TextIndex();
	index.reserveRows(20_000);
	for (let row = 0; row < 20_000; row++) index.add(`token ${row}`, row);
	for (let row = 0; row < 20_000; row++) expect(index.find(`token ${row}`, candidate => candidate === row)).toBe(row);
	for (let row = 0; row < 20_000; row++) expect(index.remove(row)).toBe(true);
	for (let row = 0; row < 20_000; row += 100) expect(index.find(`token ${row}`, () => true)).toBeUndefined();
});

describe('addresses share few hashes', () => {
	const random = new Random(1);
	const digits = (count: number, of: string) => Array.from({length: count}, () => random.pick([...of])).join('');
	const hex = (count: number) => digits(count, '0123456789abcdef');
	test.each<[string, (n: number) => string]>([
		['random', () => `0x${hex(40)}`],
		['numbers behind zeros', n => `0x${n.toString(16).padStart(40, '0')}`],
		['a start and an ending of choice', () => `0x00000000${hex(24)}77777777`],
		['on Solana, with the ending of a launchpad', () => `${digits(40, BASE58)}pump`],
		['pools by their id', () => `0x${hex(64)}`],
	])('%s', (_, addressOf) => {
		const COUNT = 20_000;
		const index = new TextIndex();
		index.reserveRows(COUNT);
		const addresses = Array.from({length: COUNT}, (_, n) => addressOf(n));
		for (const [row, address] of addresses.entries()) index.add(address, row);
		let compared = 0;
		for (const [row, address] of addresses.entries())
			index.find(address, candidate => {
				compared++;
				return candidate === row;
			});
		// Each is compared with itself, and hardly any with another.
		expect(compared).toBeGreaterThanOrEqual(COUNT);
		expect(compared).toBeLessThan(COUNT * 1.01);
	});
});
