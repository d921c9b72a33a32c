import {expect, test} from 'vitest';
import {assertChecksum, chainNamed, placeOf} from '../../../../source/commands/trading/place.ts';
import {explain} from '../../../../source/errors.ts';

const ADDRESS = `0x${'1'.repeat(40)}`;

const failure = (work: () => unknown): string => {
	try {
		work();
	} catch (error) {
		const {code, what, why} = explain(error);
		return `${code}: ${what}. ${why}`;
	}
	return expect.fail('it was accepted');
};

test.each([
	['base', {chainId: 'evm:8453'}],
	['BASE', {chainId: 'evm:8453'}],
	['evm:8453', {chainId: 'evm:8453'}],
	['base:usdc', {chainId: 'evm:8453', token: 'usdc'}],
	['evm:1:native', {chainId: 'evm:1', token: 'native'}],
	[`evm:8453:${ADDRESS}`, {chainId: 'evm:8453', token: ADDRESS}],
])('%s is a place', (text, place) => {
	expect(placeOf(text, 'from')).toEqual(place);
});

test.each(['', ':', 'base:', 'evm:0', 'evm:08453', 'evm:', ':usdc', '8453', ADDRESS])('%j is no place', text => {
	expect(failure(() => placeOf(text, 'from'))).toMatch(
		/^usage: The value of --from can't be used\. Write a chain and a/,
	);
});

test('a misspelt chain is named with the nearest, for a flag and for an operand', () => {
	expect(failure(() => placeOf('bsae:usdc', 'to'))).toBe(
		'usage: The value of --to can\'t be used. The nearest chain is "base".',
	);
	expect(failure(() => placeOf('bsae:usdc', 'token', 'CHAIN:TOKEN'))).toBe(
		'usage: This is no CHAIN:TOKEN. The nearest chain is "base".',
	);
});

test('an address with a wrong checksum is refused: a letter of it was mistyped', () => {
	const right = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
	for (const address of [right, right.toLowerCase(), `0x${right.slice(2).toUpperCase()}`, 'usdc', 'native'])
		expect(() => assertChecksum(address, 'no')).not.toThrow();
	expect(failure(() => assertChecksum(right.replace('51812dc3A', '51812dC3A'), 'This is no CHAIN:TOKEN'))).toBe(
		'usage: This is no CHAIN:TOKEN. The checksum of the address is wrong: a letter was mistyped, or the case of one changed.',
	);
});

test('--chain takes a chain alone', () => {
	expect(['base', 'evm:137'].map(chainNamed)).toEqual(['evm:8453', 'evm:137']);
	expect(failure(() => chainNamed('base:usdc'))).toMatch(/^usage: The value of --chain can't be used\. /);
	expect(failure(() => chainNamed('12'))).toMatch(/\. Write a chain: base, .*, or its number as evm:8453\.$/);
	expect(failure(() => chainNamed('bsae'))).toContain('The nearest chain is "base".');
});
