import {expect, test} from 'vitest';
import {killRounds} from '../../torture/kill-rounds.ts';
import {tradeRounds} from '../../torture/trade-rounds.ts';

test('killed at random while money moves and webhooks are delivered, nothing is lost and nothing happens twice', async () => {
	const seed = Date.now() % 1_000_000;
	const {violations, serviceKills, journalRecords} = await killRounds({rounds: 2, seed, awaitsUnclear: false});
	expect(violations, `seed ${seed}`).toEqual([]);
	expect(serviceKills).toBeGreaterThanOrEqual(2);
	expect(journalRecords).toBeGreaterThan(0);
});

test('killed at random while launches are bought and sold, chain, book and market agree on what wallets hold', async () => {
	const seed = Date.now() % 1_000_000;
	const {violations, kills} = await tradeRounds({rounds: 1, seed});
	expect(violations, `seed ${seed}`).toEqual([]);
	expect(kills).toBeGreaterThanOrEqual(1);
});
