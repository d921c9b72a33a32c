import {expect, test} from 'vitest';
import {EVM_CHAINS} from '../../../../../source/chains/evm-chains.ts';
import {quoteLaunches} from '../../../../../source/service/follow/evm/quote-launches.ts';
import {Engine} from '../../../../../source/service/market/engine.ts';
import {ROW} from '../../../../../source/service/market/market.ts';

test('the quote coins of every chain are tokens of the market from the start, and stay', () => {
	const engine = new Engine(Date.UTC(2026, 0, 1));
	for (const chain of EVM_CHAINS) for (const launch of quoteLaunches(chain)) engine.apply(launch);
	engine.advance(Date.UTC(2026, 0, 3));
	expect(engine.ignored).toBe(0);
	for (const {id, quotes} of EVM_CHAINS) {
		for (const {address, symbol, decimals} of quotes) {
			const row = engine.rowOf(`${id}|${address}`)!;
			expect(engine.bits[row]! & ROW.quote).toBeGreaterThan(0);
			expect(engine.listing(row).token).toMatchObject({symbol, decimals});
		}
	}
});
