import {expect, test} from 'vitest';
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
