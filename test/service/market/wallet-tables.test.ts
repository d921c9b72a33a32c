import {expect, test} from 'vitest';
import {Departed, Positions} from '../../../source/service/market/positions.ts';
import {fc} from '../../helpers/properties.ts';

const STEPS = fc.array(
	fc.record({
		what: fc.constantFrom('place', 'place', 'place', 'remove', 'prune'),
		row: fc.integer({min: 0, max: 1}),
		wallet: fc.integer({min: 1, max: 40}),
	}),
	{maxLength: 300},
);

test('the tables of rows equal maps after any placing, removing and pruning', () => {
	fc.assert(
		fc.property(STEPS, steps => {
			const tables = new Departed();
			tables.reserveRows(2);
			const maps = [new Map<number, number>(), new Map<number, number>()];
			for (const [index, {what, row, wallet}] of steps.entries()) {
				const map = maps[row]!;
				if (what === 'place') {
					const slot = tables.place(row, wallet);
					tables.lastBuyS[slot] = index;
					map.set(wallet, index);
				} else if (what === 'remove') {
					const slot = tables.find(row, wallet);
					expect(slot >= 0).toBe(map.delete(wallet));
					if (slot >= 0) tables.remove(row, slot);
				} else {
					const forgotten: number[] = [];
					tables.prune(
						row,
						slot => tables.wallet[slot]! % 3 !== 0,
						slot => forgotten.push(tables.wallet[slot]!),
					);
					const gone = [...map.keys()].filter(key => key % 3 === 0);
					for (const key of gone) map.delete(key);
					expect(forgotten.sort()).toEqual(gone.sort());
				}
				for (const [at, wanted] of maps.entries()) {
					expect(tables.count(at)).toBe(wanted.size);
					for (const [key, value] of wanted) expect(tables.lastBuyS[tables.find(at, key)]).toBe(value);
				}
			}
			for (let wallet = 1; wallet <= 40; wallet++) {
				expect(tables.find(0, wallet) >= 0).toBe(maps[0]!.has(wallet));
			}
		}),
		{numRuns: 100},
	);
});

test('a slot that is used again knows nothing of the wallet before', () => {
	const positions = new Positions();
	positions.reserveRows(1);
	const slot = positions.place(0, 1);
	positions.balance[slot] = positions.bought[slot] = positions.buys[slot] = positions.sinceS[slot] = 7;
	positions.remove(0, slot);
	const again = positions.place(0, 2);
	expect([positions.balance[again], positions.bought[again], positions.buys[again], positions.sinceS[again]]).toEqual([
		0, 0, 0, 0,
	]);
});
