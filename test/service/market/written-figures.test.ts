import {expect, test} from 'vitest';
import {FIELDS} from '../../../source/contract/fields.ts';
import {createMarket} from '../../../source/service/market/create-market.ts';
import {Entries} from '../../../source/service/market/entries.ts';
import {ROW} from '../../../source/service/market/market.ts';
import type {NumericFieldName} from '../../../source/service/market/table.ts';

test('the figure that is filtered and sorted by is the one that is written, to the last digit', () => {
	const {engine, table} = createMarket({seed: 11, nowMs: () => Date.UTC(2026, 4, 5)});
	const entries = new Entries(engine);
	const rows = [...table.bits.keys()].filter(row => table.bits[row]! & ROW.live);
	expect(rows.length).toBeGreaterThan(50);
	const written = new Map(rows.map(row => [row, entries.asset(row, 0)]));
	const wrong = FIELDS.flatMap(({name, kind, asset}) => {
		const [spelling] = asset;
		if (spelling === undefined || kind === 'text' || kind === 'boolean' || kind === 'date') return [];
		const column = table.numbers(name as NumericFieldName);
		return rows.flatMap(row => {
			const figure = written.get(row)![spelling];
			const isSame = Number.isNaN(column[row]) ? !figure : figure === column[row];
			return isSame ? [] : [`${name} of ${row}: ${figure} is written, ${column[row]} is filtered by`];
		});
	});
	expect(wrong).toEqual([]);
});
