import {describe, test} from 'vitest';
import {FAULTS, type FaultKind} from '../../source/chaos/fault.ts';
import {openFaultyFeed} from '../helpers/faulty-feed.ts';
import {TRIED_FAULTS} from '../helpers/faulty-service.ts';

/*
 * The client on the real service, through a proxy with faults. Waits that only a clock ends are shorter here, for the time
 * that this takes: of a silence, between two full views, between two askings for totals.
 */
const SHORTER = {silenceMs: 3_000, syncMs: 3_000, totalsEveryMs: 2_000};

describe.concurrent('soon after a fault the feed has told what the service says:', () => {
	test.for(Object.keys(FAULTS) as FaultKind[])('%s', {timeout: 40_000}, async (kind, {expect}) => {
		const feed = await openFaultyFeed(SHORTER);
		try {
			const {rightWithinMs} = FAULTS[kind];
			const tookMs = await feed.recovery(TRIED_FAULTS[kind], {sufferMs: 1_500, withinMs: rightWithinMs});
			expect(tookMs).toBeLessThanOrEqual(rightWithinMs);
		} finally {
			await feed.close();
		}
	});
});
