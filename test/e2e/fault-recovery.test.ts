import {describe, test} from 'vitest';
import type {FaultKind} from '../chaos/fault.ts';
import {openFaultyScreen} from '../helpers/faulty-screen.ts';
import {TRIED_FAULTS} from '../helpers/faulty-service.ts';
import {PATIENCE_MS} from '../helpers/patience.ts';

/* One screen gets the faults of its line one after another, and has to be right again after each. */
const SUFFERED: readonly (readonly FaultKind[])[] = [
	['latency', 'jitter', 'drip', 'stall', 'duplicate', 'reorder'],
	['cut', 'truncate', 'garbage', 'too-many-requests', 'unavailable'],
];
/** A minute by default: only its end would be waited for. */
const syncMs = 3_000;

describe.concurrent('soon after a fault the screen shows what the service says, row by row:', () => {
	test.for(SUFFERED)('%s, %s, %s, %s, %s', async (kinds, {expect}) => {
		const screen = await openFaultyScreen({syncMs});
		try {
			for (const kind of kinds) {
				await screen.suffer(TRIED_FAULTS[kind], 800);
				// It throws when that never comes; how soon is promised is measured by the benchmark of faults.
				await expect(screen.untilRight(PATIENCE_MS), kind).resolves.toBeGreaterThan(0);
			}
		} finally {
			await screen.close();
		}
	});

	test('a clock that jumped, and then a connection that fell silent', async ({expect}) => {
		const screen = await openFaultyScreen({syncMs});
		try {
			await screen.suffer(TRIED_FAULTS['clock-jump'], 800);
			await screen.suffer(TRIED_FAULTS['half-open'], 800);
			await expect(screen.untilRight(PATIENCE_MS)).resolves.toBeGreaterThan(0);
		} finally {
			await screen.close();
		}
	});
});
