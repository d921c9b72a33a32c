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
		isQuote: false,
	});
	const found = (rows: Findable[]) => bestMatches('pepe', rows).map(at => rows.find(({row}) => row === at)!.address);
	expect(found([token(0, '0xA'), token(1, '0xb'), token(2, '0xC')])).toEqual(['0xA', '0xb', '0xC']);
	expect(found([token(0, '0xC'), token(1, '0xA'), token(2, '0xb')])).toEqual(['0xA', '0xb', '0xC']);
});

test('a coin is found before launches that took its symbol, and by the symbol of what it wraps', () => {
	const row = (at: number, symbol: string, marketCap: number, isQuote = false): Findable => ({
		row: at,
		chainId: 'solana:solana',
		address: `a${at}`,
		symbol,
		name: symbol,
		marketCap,
		isQuote,
	});
	const launches = Array.from({length: 80}, (_, at) => row(at, 'SOL', 1e9 - at));
	expect(bestMatches('sol', [...launches, row(99, 'SOL', Number.NaN, true)])[0]).toBe(99);
	expect(bestMatches('sol', [...launches, row(99, 'WSOL', Number.NaN, true)])[0]).toBe(99);
	expect(bestMatches('sol', [row(1, 'SOLX', 5), row(99, 'SOLAR', 1, true)])[0]).toBe(1);
});
