import {expect, test} from 'vitest';
import {CallBudget} from '../../../../../source/service/follow/evm/call-budget.ts';
import {Traffic} from '../../../../../source/service/follow/evm/traffic.ts';

test('calls within the budget do not wait; more of them wait for their turn', () => {
	const budget = new CallBudget(0, 10);
	expect(budget.take(20, 0)).toBe(0);
	expect(budget.take(1, 0)).toBe(100);
	expect(budget.take(10, 0)).toBe(1100);
	expect(budget.take(1, 1100)).toBe(100);
});

test('a complaint halves the rate, down to a limit, and quiet times raise it again', () => {
	const budget = new CallBudget(0, 20);
	budget.lower(0);
	expect(budget.perSecond).toBe(10);
	for (let i = 0; i < 20; i++) budget.lower(0);
	expect(budget.perSecond).toBe(0.5);
	let nowMs = 0;
	for (; nowMs < 900_000; nowMs += 30_000) budget.take(0, nowMs);
	expect(budget.perSecond).toBe(20);
});

test('a clock that goes back brings no calls', () => {
	const budget = new CallBudget(10_000, 10);
	budget.take(20, 10_000);
	expect(budget.take(1, 0)).toBe(100);
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
