import {describe, expect, test} from 'vitest';
import type {LogsOfTransaction} from '../../../../../source/service/follow/solana/log-stream.ts';
import {merge, SlotQueue} from '../../../../../source/service/follow/solana/slot-queue.ts';
import {fc} from '../../../../helpers/properties.ts';

const [A, B] = ['program-a', 'program-b'];

function logs(program: string, slot: number, signature: string, isFailed = false): LogsOfTransaction {
	return {program, slot, signature, isFailed, lines: []};
}

function closed(queue: SlotQueue, nowMs = 0): [number, string[]][] {
	return queue.takeClosed(nowMs).map(({slot, transactions}) => [slot, transactions.map(({signature}) => signature)]);
}

describe('orders of several subscriptions', () => {
	test('are joined where they have a transaction in common', () => {
		expect(
			merge([
				['trade', 'move'],
				['move', 'swap'],
			]),
		).toEqual(['trade', 'move', 'swap']);
		expect(
			merge([
				['move', 'swap'],
				['trade', 'move'],
			]),
		).toEqual(['trade', 'move', 'swap']);
	});

	test('keep every element once and every order, whatever is in common', () => {
		fc.assert(
			fc.property(fc.array(fc.subarray([1, 2, 3, 4, 5, 6, 7]), {minLength: 1, maxLength: 4}), lists => {
				const merged = merge(lists);
				expect([...merged].sort()).toEqual([...new Set(lists.flat())].sort());
				for (const list of lists) expect(merged.filter(item => list.includes(item))).toEqual(list);
			}),
		);
	});

	test('that contradict each other still give every element once', () => {
		expect(
			[
				...merge([
					[1, 2],
					[2, 1],
				]),
			].sort(),
		).toEqual([1, 2]);
	});
});

describe('slots', () => {
	test('close when two more were seen, in their order', () => {
		const queue = new SlotQueue([A, B], 10);
		queue.add(logs(A, 11, 'x'), 0);
		queue.add(logs(A, 10, 'y'), 0);
		queue.add(logs(B, 12, 'z'), 0);
		expect(closed(queue)).toEqual([[10, ['y']]]);
		queue.add(logs(B, 13, 'failed', true), 0);
		expect(closed(queue)).toEqual([[11, ['x']]]);
	});

	test('close after a silence, when the chain has nothing more', () => {
		const queue = new SlotQueue([A], 10);
		queue.add(logs(A, 10, 'x'), 0);
		expect(closed(queue, 1999)).toEqual([]);
		expect(closed(queue, 2000)).toEqual([[10, ['x']]]);
	});

	test('take a transaction of two programs once, and one that comes again never', () => {
		const queue = new SlotQueue([A, B], 10);
		for (const program of [B, A, A]) queue.add(logs(program, 10, 'x'), 0);
		queue.add(logs(A, 12, 'y'), 0);
		expect(closed(queue)).toEqual([[10, ['x']]]);
		queue.add(logs(B, 10, 'x'), 0);
		queue.add(logs(A, 14, 'z'), 0);
		expect(closed(queue)).toEqual([[12, ['y']]]);
	});

	test('that were not seen whole do not count; what comes late counts in the next one', () => {
		const queue = new SlotQueue([A], 10);
		queue.add(logs(A, 9, 'old'), 0);
		queue.add(logs(A, 10, 'x'), 0);
		queue.add(logs(A, 12, 'y'), 0);
		expect(closed(queue)).toEqual([[10, ['x']]]);
		queue.add(logs(A, 10, 'late'), 0);
		expect(queue.late).toBe(1);
		expect(closed(queue, 2000)).toEqual([
			[11, ['late']],
			[12, ['y']],
		]);
	});
});
