import {expect, test} from 'vitest';
import {pollMs} from '../../../../source/service/chain/receipt.ts';

/** How often a chain is asked for something that does not come within a time. */
function pollsWithin(kind: 'embedded' | 'external', lengthMs: number): number {
	let polls = 0;
	for (let waitedMs = 0; waitedMs < lengthMs; waitedMs += pollMs({kind}, waitedMs)) polls++;
	return polls;
}

test('a chain is first polled at its own pace, then at a twentieth of the wait, at last every 15 seconds', () => {
	expect([pollMs({kind: 'embedded'}), pollMs({kind: 'external'})]).toEqual([25, 1000]);
	expect([pollMs({kind: 'embedded'}, 10_000), pollMs({kind: 'external'}, 10_000)]).toEqual([500, 1000]);
	for (const kind of ['embedded', 'external'] as const) {
		expect(pollMs({kind}, 60_000)).toBe(3000);
		expect(pollMs({kind}, 300_000)).toBe(15_000);
		expect(pollMs({kind}, 86_400_000)).toBe(15_000);
	}
});

test('a real chain is polled 20 times in the first 20 seconds, and less than 6000 times in a day', () => {
	expect(pollsWithin('external', 20_000)).toBe(20);
	expect(pollsWithin('external', 86_400_000)).toBeLessThan(6000);
});
