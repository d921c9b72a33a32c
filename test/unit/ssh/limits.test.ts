import {describe, expect, test} from 'vitest';
import {networkOf} from '../../../source/ssh/addresses.ts';
import {Bucket, Gate} from '../../../source/ssh/limits.ts';

function clock() {
	let nowMs = 0;
	return {nowMs: () => nowMs, pass: (ms: number) => (nowMs += ms)};
}

describe('a bucket', () => {
	test.each([
		{taken: 9, isLeft: true},
		{taken: 10, isLeft: false},
		{taken: 11, isLeft: false},
	])('of ten has room after $taken: $isLeft', ({taken, isLeft}) => {
		const bucket = new Bucket({perSecond: 1, burst: 10}, clock().nowMs);
		for (let at = 0; at < taken; at++) bucket.take();
		expect(bucket.take()).toBe(isLeft);
	});

	test('fills with time, never over its brim, and a refused amount costs nothing', () => {
		const {nowMs, pass} = clock();
		const bucket = new Bucket({perSecond: 2, burst: 4}, nowMs);
		expect(bucket.take(5)).toBe(false);
		expect(bucket.take(4)).toBe(true);
		pass(499);
		expect(bucket.take()).toBe(false);
		pass(1);
		expect(bucket.take()).toBe(true);
		pass(60_000);
		expect(bucket.isFull).toBe(true);
		expect(bucket.take(4)).toBe(true);
		expect(bucket.take(1)).toBe(false);
	});
});

describe('the gate', () => {
	test('takes five at once from one address, then one a second; another address is not held back', () => {
		const {nowMs, pass} = clock();
		const gate = new Gate(nowMs);
		const enter = (address: string) => {
			const why = gate.enter(address);
			if (why === undefined) gate.left();
			return why;
		};
		expect(Array.from({length: 6}, () => enter('192.0.2.1'))).toEqual([...Array(5).fill(undefined), 'address-rate']);
		expect(enter('192.0.2.2')).toBeUndefined();
		pass(1000);
		expect(enter('192.0.2.1')).toBeUndefined();
		expect(enter('192.0.2.1')).toBe('address-rate');
	});

	test('takes twenty at once from all, then ten a second', () => {
		const {nowMs, pass} = clock();
		const gate = new Gate(nowMs);
		let address = 0;
		const enter = () => {
			const why = gate.enter(`192.0.2.${address++}`);
			if (why === undefined) gate.left();
			return why;
		};
		expect(Array.from({length: 20}, enter).every(why => why === undefined)).toBe(true);
		expect(enter()).toBe('rate');
		pass(100);
		expect(enter()).toBeUndefined();
	});

	test('never has more than thirty logins under way, and refuses every other newcomer from fifteen on', () => {
		const {nowMs, pass} = clock();
		const gate = new Gate(nowMs);
		const results: (string | undefined)[] = [];
		for (let at = 0; at < 60; at++) {
			pass(1000);
			results.push(gate.enter(`192.0.2.${at}`));
		}
		expect(results.slice(0, 15).every(why => why === undefined)).toBe(true);
		expect(results.filter(why => why === undefined).length).toBe(30);
		expect(results.at(-1)).toBe('logins');
		gate.left();
		gate.left();
		pass(1000);
		expect([gate.enter('198.51.100.1'), gate.enter('198.51.100.2')]).toContain(undefined);
	});
});

test.each([
	['192.0.2.7', '192.0.2.7'],
	['::ffff:192.0.2.7', '192.0.2.7'],
	['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
	['2001:db8:1:2::9', '2001:db8:1:2'],
	['2001:DB8:0001:2::9', '2001:db8:1:2'],
	['2001:db8::9', '2001:db8:0:0'],
	['::1', '0:0:0:0'],
	['fe80::1%eth0', 'fe80:0:0:0'],
])('%s counts as %s', (address, network) => {
	expect(networkOf(address)).toBe(network);
});
