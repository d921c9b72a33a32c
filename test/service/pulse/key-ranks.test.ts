import {expect, test} from 'vitest';
import {KeyRanks} from '../../../source/service/pulse/key-ranks.ts';
import {compareKeys} from '../../../source/service/pulse/top-rows.ts';
import {fc} from '../../helpers/properties.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';

const chain = fc.constantFrom('evm:5', 'evm:56', 'evm:8453', 'solana:solana', 'a:1');
const address = fc.oneof(
	fc.constantFrom('0x', '0xa', '0xab', 'é1', 'à2', '~x', ''),
	fc.string({unit: 'binary', maxLength: 8}),
);
const token = fc.record({chain_id: chain, address, created_at: fc.nat(3)});

test('ranks never contradict the order of the keys, also with new chains and reused rows', () => {
	fc.assert(
		fc.property(fc.array(token, {minLength: 1, maxLength: 12}), fc.array(token, {maxLength: 12}), (first, later) => {
			const market = new TinyMarket({capacity: 64});
			const ranks = new KeyRanks(market.table);
			const check = () => {
				const rank = ranks.bind();
				for (let a = 0; a < market.table.length; a++) {
					for (let b = 0; b < market.table.length; b++) {
						const byKey = compareKeys(market.table.key(a), market.table.key(b));
						const byRank = Math.sign(rank(a) - rank(b));
						if (byRank !== 0 && !Number.isNaN(byRank)) expect(byRank).toBe(byKey);
					}
				}
			};
			for (const row of first) market.add(row);
			check();
			for (const [i, row] of later.entries()) {
				// Another token in the row was created at another time.
				if (i < first.length) market.put(i, {...row, created_at: 10 + i});
				else market.add(row);
			}
			check();
			// By now the new chains have their indexes.
			check();
			const rank = ranks.bind();
			expect(market.rows.every((_, row) => !Number.isNaN(rank(row)))).toBe(true);
		}),
		{numRuns: 500},
	);
});
