import {describe, test} from 'vitest';
import {FAULTS, type FaultKind} from '../../chaos/fault.ts';
import {openFaultyFeed} from '../../helpers/faulty-feed.ts';
import {TRIED_FAULTS} from '../../helpers/faulty-service.ts';
import {PATIENCE_MS} from '../../helpers/patience.ts';

/*
 * The client on the real service, through a proxy with faults. Waits that only a clock ends are shorter here, for the time
 * that this takes: of a silence, between two full views, between two askings for totals.
 */
const SHORTER = {silenceMs: 3_000, syncMs: 3_000, totalsEveryMs: 2_000};

describe.concurrent('soon after a fault the feed has the state of the service:', () => {
	test.for(Object.keys(FAULTS) as FaultKind[])('%s', async (kind, {expect}) => {
		const feed = await openFaultyFeed(SHORTER);
		try {
			// It throws when that never comes; how soon is promised is measured by the benchmark of faults.
			const recovery = feed.recovery(TRIED_FAULTS[kind], {sufferMs: 1_500, withinMs: PATIENCE_MS});
			await expect(recovery).resolves.toBeGreaterThan(0);
		} finally {
			await feed.close();
		}
	});
});
