import {expect, test} from 'vitest';
import {earlierNowMs, isPastUse, LIVE_MARGIN_MS, timeOfDay} from '../../../source/trading/live-signature.ts';

const DEADLINE_S = 1_800_000_000;

test.each([
	[-LIVE_MARGIN_MS, false],
	[0, false],
	[LIVE_MARGIN_MS - 1, false],
	[LIVE_MARGIN_MS, true],
	[LIVE_MARGIN_MS + 1, true],
])('%d ms after its deadline a signature is void: %s', (ms, isVoid) => {
	expect(isPastUse(DEADLINE_S, DEADLINE_S * 1000 + ms)).toBe(isVoid);
});

test('a block may be two minutes late', () => {
	expect(LIVE_MARGIN_MS).toBe(120_000);
});

test.each([
	['ahead', 3_600_000, 0],
	['as this machine', 0, 0],
	['behind', -5000, 0],
])('a service whose clock is %s makes no signature look older than this machine does', (_, skewMs, shiftMs) => {
	// `skewMs` is what the service's time is ahead; `nowMs` is the service's time.
	const machineMs = DEADLINE_S * 1000;
	expect(earlierNowMs({nowMs: () => machineMs + skewMs, skewMs})).toBe(machineMs + Math.min(skewMs, shiftMs));
});

test('a time of day is that of this machine, two digits each', () => {
	expect(timeOfDay(new Date(2026, 10, 9, 4, 5, 6).getTime() / 1000)).toBe('04:05:06');
	expect(timeOfDay(new Date(2026, 10, 9, 23, 59, 0).getTime() / 1000)).toBe('23:59:00');
});
