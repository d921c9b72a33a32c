import {expect, test} from 'vitest';
import {CallBudget} from '../../../../../source/rpc/evm/call-budget.ts';
import {Traffic} from '../../../../../source/rpc/traffic.ts';
import {fc} from '../../../../helpers/properties.ts';

/** Asks call by call as the budget allows for some time. @returns when each call was made */
function callsIn(budget: CallBudget, fromMs: number, forMs: number): number[] {
	const made: number[] = [];
	for (let nowMs = fromMs; nowMs < fromMs + forMs; ) {
		const waitMs = budget.take(1, nowMs);
		if (waitMs === 0) made.push(nowMs);
		nowMs += waitMs;
	}
	return made;
}

test('calls within the budget do not wait; more of them wait for room', () => {
	const budget = new CallBudget(0, 10);
	expect(budget.take(20, 0)).toBe(0);
	expect(budget.take(1, 500)).toBe(1500);
	expect(budget.take(1, 2000)).toBe(0);
	expect(budget.limit).toBeNull();
});

test('a node that answers a part of a batch is asked for as many calls a second as it answered', () => {
	const budget = new CallBudget(0, 20);
	budget.take(40, 0);
	expect(budget.complained({answered: 5, refused: 35}, 0)).toBe(1100);
	expect(budget.limit).toBe(5);
	expect(budget.take(1, 1099)).toBe(1);
	// One call, to see whether the node answers again; then as many as fit.
	expect(budget.atOnce).toBe(1);
	expect(budget.take(1, 1100)).toBe(0);
	budget.answered();
	expect(budget.atOnce).toBe(5);
	expect(budget.take(4, 1100)).toBe(0);
	expect(budget.take(5, 1100)).toBe(1100);
});

test('a batch that is refused whole halves the rate; a pause that goes on lowers it no further, and grows', () => {
	const budget = new CallBudget(0, 20);
	budget.take(40, 0);
	const holds = [0, 2000, 5000, 10_000].map(nowMs => budget.complained({answered: 0, refused: 40}, nowMs));
	expect(holds).toEqual([1100, 2200, 4400, 8800]);
	expect(budget.limit).toBe(20);
});

test('the rate and the wait that a node names are taken', () => {
	const budget = new CallBudget(0, 20);
	budget.take(40, 0);
	expect(budget.complained({answered: 0, refused: 40, perSecond: 12, waitMs: 30_000}, 0)).toBe(30_000);
	expect(budget.limit).toBe(12);
	expect(budget.take(1, 29_000)).toBe(1000);
});

test('one call in ten seconds is the least, and a rate above what is asked for is no limit', () => {
	const budget = new CallBudget(0, 20);
	for (let nowMs = 0; nowMs < 1000; nowMs++) {
		budget.answered();
		budget.complained({answered: 0, refused: 1}, nowMs);
	}
	expect(budget.limit).toBe(0.1);
});

test('what was refused is tried again after ten minutes at the earliest, then more and more rarely', () => {
	const budget = new CallBudget(0, 20);
	let refusals = 0;
	const DAY_MS = 86_400_000;
	for (let nowMs = 0; nowMs < DAY_MS; ) {
		const calls = Math.min(6, budget.atOnce);
		const waitMs = budget.take(calls, nowMs);
		nowMs += waitMs;
		if (waitMs > 0) continue;
		if (calls <= 5) budget.answered();
		else {
			refusals++;
			budget.complained({answered: 5, refused: calls - 5}, nowMs);
		}
	}
	expect(refusals).toBeGreaterThan(5);
	expect(refusals).toBeLessThan(25);
	expect(budget.limit).toBeGreaterThanOrEqual(5);
});

test('a rate grows back when the node takes more again, and is no limit any more at the end', () => {
	const budget = new CallBudget(0, 20);
	budget.take(40, 0);
	budget.complained({answered: 0, refused: 40}, 0);
	budget.answered();
	expect(callsIn(budget, 2000, 600_000).length).toBeGreaterThan(600 * 15);
	expect(callsIn(budget, 700_000, 60_000).length).toBeGreaterThan(60 * 15);
	expect(budget.limit === null || budget.limit >= 16).toBe(true);
});

test('a rate that is not used is not raised', () => {
	const budget = new CallBudget(0, 20);
	budget.take(40, 0);
	budget.complained({answered: 5, refused: 35}, 0);
	for (let nowMs = 2000; nowMs < 3_600_000; nowMs += 1000) budget.take(1, nowMs);
	expect(budget.limit).toBe(5);
});

test('what a node says is left is not exceeded, for a minute at most', () => {
	const budget = new CallBudget(0, 20);
	budget.count(2, 5000, 0);
	expect(budget.take(2, 0)).toBe(0);
	expect(budget.take(1, 0)).toBe(5000);
	expect(budget.take(1, 5000)).toBe(0);
	budget.count(0, 86_400_000, 6000);
	expect(budget.take(1, 6000)).toBe(60_000);
});

test('in no second are there more calls than the node was found to take', () => {
	const waits = fc.array(fc.record({calls: fc.integer({min: 1, max: 30}), pauseMs: fc.integer({min: 0, max: 3000})}));
	fc.assert(
		fc.property(fc.integer({min: 1, max: 19}), waits, (limit, requests) => {
			const budget = new CallBudget(0, 20);
			budget.take(40, 0);
			budget.complained({answered: limit, refused: 40 - limit}, 0);
			budget.answered();
			const made: number[] = [];
			let nowMs = 1100;
			for (const {calls, pauseMs} of requests) {
				nowMs = Math.min(nowMs + pauseMs, 14_000);
				const wanted = Math.min(calls, budget.atOnce);
				while (budget.take(wanted, nowMs) > 0 && nowMs < 14_000) nowMs++;
				if (nowMs >= 14_000) break;
				for (let i = 0; i < wanted; i++) made.push(nowMs);
			}
			for (const [i, atMs] of made.entries())
				expect(made.filter(other => other >= atMs && other < atMs + 1000).length, `${i}`).toBeLessThanOrEqual(limit);
		}),
	);
});

test('traffic is that of the last minute', () => {
	let nowMs = 0;
	const traffic = new Traffic(() => nowMs);
	traffic.count(3, 600);
	nowMs = 30_000;
	traffic.count(2, 600);
	expect(traffic.callsPerMinute).toBe(5);
	expect(traffic.bytesPerSecond).toBe(40);
	nowMs = 65_000;
	expect(traffic.callsPerMinute).toBe(2);
	expect(traffic.bytesPerSecond).toBe(10);
	nowMs = 200_000;
	expect(traffic.callsPerMinute).toBe(0);
});
