import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {createPolling} from '../../../source/monitor/polling.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('polls in its rhythm, waits longer after failures, and not at all after it was closed', async () => {
	let isFine = true;
	const atMs: number[] = [];
	const polling = createPolling({
		everyMs: () => 1000,
		longestMs: 5000,
		async poll() {
			atMs.push(Date.now());
			return isFine;
		},
	});
	polling.next(0);
	await vi.advanceTimersByTimeAsync(5000);
	expect(atMs).toEqual([]);

	polling.open();
	const startMs = Date.now();
	polling.next(0);
	await vi.advanceTimersByTimeAsync(2500);
	expect(atMs.map(ms => ms - startMs)).toEqual([0, 1000, 2000]);

	isFine = false;
	await vi.advanceTimersByTimeAsync(60_000);
	const waits = atMs.slice(4).map((ms, at) => ms - atMs[at + 3]!);
	expect(Math.min(...waits)).toBeGreaterThan(1000);
	expect(Math.max(...waits)).toBeLessThanOrEqual(5000);

	const count = atMs.length;
	const signal = polling.signal();
	polling.close();
	expect(signal?.aborted).toBe(true);
	await vi.advanceTimersByTimeAsync(60_000);
	expect(atMs.length).toBe(count);
});
