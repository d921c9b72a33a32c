import {expect, test} from 'vitest';
import {killRounds} from '../../torture/kill-rounds.ts';

test('killed at random while money moves and webhooks are delivered, nothing is lost and nothing happens twice', async () => {
	const seed = Date.now() % 1_000_000;
	const {violations, serviceKills, journalRecords} = await killRounds({rounds: 2, seed, awaitsUnclear: false});
	expect(violations, `seed ${seed}`).toEqual([]);
	expect(serviceKills).toBeGreaterThanOrEqual(2);
	expect(journalRecords).toBeGreaterThan(0);
});
