import {expect, test} from 'vitest';
import {bestMatches, type Findable} from '../../../source/service/market/find.ts';

test('tokens that match equally well are found in one order, whatever rows they are in', () => {
	const token = (row: number, address: string): Findable => ({
		row,
		chainId: 'evm:8453',
		address,
		symbol: 'PEPE',
		name: 'Pepe',
		marketCap: Number.NaN,
	});
	const found = (rows: Findable[]) => bestMatches('pepe', rows).map(at => rows.find(({row}) => row === at)!.address);
	expect(found([token(0, '0xA'), token(1, '0xb'), token(2, '0xC')])).toEqual(['0xA', '0xb', '0xC']);
	expect(found([token(0, '0xC'), token(1, '0xA'), token(2, '0xb')])).toEqual(['0xA', '0xb', '0xC']);
});
