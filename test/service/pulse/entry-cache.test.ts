import {expect, test} from 'vitest';
import {EntryCache} from '../../../source/service/pulse/entry-cache.ts';
import {TinyLog} from '../helpers/tiny-log.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';

function marketOf(rows: number): TinyMarket {
	const market = new TinyMarket();
	for (let n = 0; n < rows; n++) market.add({address: `0x${n}`, symbol: `S${n}`, market_cap: 1000});
	return market;
}

/** The memory that some bytes keep alive. */
const memoryOf = (entries: readonly Buffer[]): number =>
	[...new Set(entries.map(entry => entry.buffer))].reduce((sum, memory) => sum + memory.byteLength, 0);

test('an entry is built once for each version of its row, and equals the current row', () => {
	const market = marketOf(2);
	const entries = new EntryCache(market);
	const first = entries.json(1, 'asset');
	expect(entries.json(1, 'asset')).toBe(first);
	expect(JSON.parse(first.toString())).toMatchObject({symbol: 'S1', marketCap: 1000});
	for (const change of [{market_cap: 2}, {symbol: 'Ünï🚀'.repeat(200)}, {symbol: null, market_cap: null}]) {
		market.change(1, change);
		expect(entries.json(1, 'asset').toString()).toBe(JSON.stringify(market.assetEntry(1)));
	}
});

test("a token's details belong to the position of a replica: its holders trade other tokens, too", () => {
	const log = new TinyLog();
	const market = new TinyMarket({log});
	const row = market.add({address: '0x1'});
	const entries = new EntryCache(market);
	const tags = () => JSON.parse(entries.json(row, 'asset', true).toString()).holders_list[0].tags;
	market.holders.set(row, [{tags: []}]);
	expect(tags()).toEqual([]);
	market.holders.set(row, [{tags: ['proTrader']}]);
	expect(tags()).toEqual([]);
	log.head++;
	expect(tags()).toEqual(['proTrader']);
});

test('entries keep no memory but their own, however often their rows change', () => {
	const market = marketOf(50);
	const entries = new EntryCache(market);
	const everything = () => market.rows.map((_, row) => entries.json(row, 'asset'));
	const all = everything();
	expect(memoryOf(all)).toBeLessThan(all.reduce((sum, entry) => sum + entry.length, 0) * 1.2);
	for (let round = 0; round < 20; round++) {
		for (const row of market.rows.keys()) market.change(row, {market_cap: 1000 + round * 77});
		everything();
	}
	expect(memoryOf([...all, ...everything()])).toBe(memoryOf(all));
});

test('what was used longest ago goes when there is too much', () => {
	const market = marketOf(30);
	const bytes = new EntryCache(market).json(0, 'asset').buffer.byteLength;
	const entries = new EntryCache(market, {maxBytes: bytes * 10});
	const first = entries.json(0, 'asset');
	const second = entries.json(1, 'asset');
	for (let row = 2; row < 30; row++) {
		entries.json(row, 'asset');
		entries.json(0, 'asset');
	}
	expect(entries.json(0, 'asset')).toBe(first);
	expect(entries.json(1, 'asset')).not.toBe(second);
});
