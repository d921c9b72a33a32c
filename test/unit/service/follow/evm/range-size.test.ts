import {expect, test} from 'vitest';
import {RangeSize} from '../../../../../source/service/follow/evm/range-size.ts';

function answer(size: RangeSize, times: number): void {
	for (let i = 0; i < times; i++) size.answered(size.blocks);
}

test('a range grows by half after ten good answers, to a limit', () => {
	const size = new RangeSize();
	answer(size, 9);
	expect(size.blocks).toBe(500);
	answer(size, 1);
	expect(size.blocks).toBe(750);
	answer(size, 1000);
	expect(size.blocks).toBe(10_000);
});

test('a refused range is halved, or as long as the node says', () => {
	const size = new RangeSize();
	size.refused(500);
	expect(size.blocks).toBe(250);
	size.refused(250, 10);
	expect(size.blocks).toBe(10);
	size.refused(10, 100);
	expect(size.blocks).toBe(5);
	for (let i = 0; i < 5; i++) size.refused(size.blocks);
	expect(size.blocks).toBe(1);
});

test('a size that was refused is tried again only after many good answers', () => {
	const size = new RangeSize();
	size.refused(500);
	answer(size, 10);
	expect(size.blocks).toBe(375);
	answer(size, 199);
	expect(size.blocks).toBe(375);
	answer(size, 1);
	expect(size.blocks).toBe(563);
});

test('short ranges at the head say nothing of how long they may be', () => {
	const size = new RangeSize();
	for (let i = 0; i < 100; i++) size.answered(1);
	expect(size.blocks).toBe(500);
});

test('too many addresses are halved, down to one', () => {
	const size = new RangeSize();
	size.tooManyAddresses(1000);
	expect(size.addresses).toBe(500);
	size.tooManyAddresses(1);
	expect(size.addresses).toBe(1);
});
