import {expect, test} from 'vitest';
import {createSteadyClock} from '../../source/steady-clock.ts';
import {fc} from '../helpers/properties.ts';

const START_MS = Date.UTC(2026, 0, 1);

/** A clock over a wall clock and a monotonic one that the test moves. */
function world() {
	let wallMs = START_MS;
	let monotonicMs = 5000;
	const clock = createSteadyClock(
		() => wallMs,
		() => monotonicMs,
	);
	return {
		clock,
		pass(ms: number): number {
			wallMs += ms;
			monotonicMs += ms;
			return clock.now();
		},
		set(byMs: number): void {
			wallMs += byMs;
		},
		wall: () => wallMs,
	};
}

test('it is the wall clock, until that is set back: then time goes on as it passes', () => {
	const {clock, pass, set, wall} = world();
	expect(clock.now()).toBe(START_MS);
	expect(pass(1500)).toBe(START_MS + 1500);
	set(-3_600_000);
	expect(pass(40)).toBe(START_MS + 1540);
	expect(pass(1000)).toBe(START_MS + 2540);
	expect(clock.now() - clock.aheadMs).toBe(wall());
});

test('a machine that slept is as much older afterwards, though its monotonic clock stood still', () => {
	const {clock, pass, set} = world();
	clock.now();
	set(8 * 3_600_000);
	expect(pass(10)).toBe(START_MS + 8 * 3_600_000 + 10);
	// The time of a wrong clock stays in ages: they are too long, never too short.
	set(-8 * 3_600_000);
	expect(pass(10)).toBe(START_MS + 8 * 3_600_000 + 20);
});

test('it never goes back, and never slower than time passes', () => {
	const step = fc.record({ms: fc.integer({min: 0, max: 5000}), set: fc.integer({min: -1e9, max: 1e9})});
	fc.assert(
		fc.property(fc.array(step, {maxLength: 50}), steps => {
			const {clock, pass, set, wall} = world();
			let before = clock.now();
			for (const {ms, set: byMs} of steps) {
				set(byMs);
				const now = pass(ms);
				// A clock that is set back by less than what passed since the last look is not noticed.
				expect(now - before).toBeGreaterThanOrEqual(byMs < 0 ? Math.max(0, ms + byMs) : ms);
				expect(now - clock.aheadMs).toBe(wall());
				before = now;
			}
		}),
	);
});
