import {describe, expect, test} from 'vitest';
import type {Entry} from '../../../source/contract/entry.ts';
import {taxPercent, taxText} from '../../../source/contract/security-flags.ts';
import type {TradeTarget} from '../../../source/contract/trade-target.ts';
import {isSameTarget, targetOf, whyNotTraded} from '../../../source/trading/trade/target.ts';
import {microDown, microUp} from '../../../source/trading/usd-amount.ts';

const NOW = 1_800_000_000_000;
const ADDRESS = '0x60000000000000000000000000000000000AbCdE';
const entry = (more: object = {}) =>
	({key: 'k', chain_id: 'evm:8453', address: ADDRESS, symbol: 'PEPE', name: 'Pepe', ...more}) as Entry;
const target = (more: object = {}, side: 'buy' | 'sell' = 'buy'): TradeTarget =>
	targetOf(entry(more), side, {atMs: NOW - 1000, isLive: true});

describe('a target', () => {
	test('is a copy that nothing changes', () => {
		const row = entry({latest_price: 2, bonded: false, security: {buyTax: '5', isMintable: true}});
		const copy = targetOf(row, 'buy', {atMs: NOW, isLive: true, marks: ['dev 20 %'], lookAlike: 'warn'});
		expect(copy).toEqual({
			side: 'buy',
			chainId: 'evm:8453',
			address: ADDRESS,
			symbol: 'PEPE',
			name: 'Pepe',
			phase: undefined,
			priceUSD: 2,
			isCurve: true,
			buyTax: 5,
			lookAlike: 'warn',
			marks: ['dev 20 %', 'can be minted'],
			atMs: NOW,
			isLive: true,
		});
		expect(() => Object.assign(copy, {address: '0x'})).toThrow();
		expect(() => (copy.marks as string[]).push('x')).toThrow();
	});

	test('of which nothing is reported has nothing but its identity, no zeros and no false', () => {
		const {side: _, ...members} = target({latest_price: Number.NaN});
		expect(Object.keys(members).toSorted()).toEqual(
			['chainId', 'address', 'symbol', 'name', 'phase', 'marks', 'atMs', 'isLive'].toSorted(),
		);
	});

	test('is the same by side, chain and address, whatever its symbol', () => {
		const same = target({symbol: 'OTHER', address: ADDRESS.toLowerCase()});
		expect(isSameTarget(target(), same)).toBe(true);
		for (const other of [target({}, 'sell'), target({chain_id: 'evm:56'}), target({address: `0x${'1'.repeat(40)}`})])
			expect(isSameTarget(target(), other)).toBe(false);
	});
});

test.each([
	['5', 5],
	['5%', 5],
	[' 5 % ', 5],
	['0', 0],
	['0.0', 0],
	['0.05', 5],
	['0.5', 50],
	['0.5%', 0.5],
	['1', 100],
	['1%', 1],
	['1.01', 1.01],
	['1.5', 1.5],
	['99', 99],
	['', undefined],
	[undefined, undefined],
	['-1', undefined],
	['1e-30', undefined],
	['NaN', undefined],
	['five', undefined],
	['9'.repeat(40), undefined],
])('a tax of %j is at most %j percent', (text, percent) => {
	expect(taxPercent(text)).toBe(percent);
});

test.each([0, 0.1, 0.5, 1, 1.1, 5, 12.5, 100])('a tax of %d percent of the own service is read as such', percent => {
	expect(taxPercent(taxText(percent))).toBe(percent);
});

describe('what cannot be traded', () => {
	const why = (token: TradeTarget, more: object = {}) => whyNotTraded(token, {nowMs: NOW, ...more});

	test('is nothing of a fresh row on a chain of the bridge', () => {
		expect(why(target())).toBeUndefined();
		expect(why(target({security: {isHoneypot: true}}, 'sell'))).toBeUndefined();
		expect(why(targetOf(entry(), 'buy', {atMs: NOW - 15_000, isLive: true}))).toBeUndefined();
	});

	test.each<[string, TradeTarget, object, string]>([
		[
			'on Solana',
			target({chain_id: 'solana:solana', address: 'So1'}),
			{},
			'Tokens of Solana cannot be bought: the bridge trades BASE, BSC, ARB, POL, RHC',
		],
		['on a chain without an executor', target({chain_id: 'evm:1'}, 'sell'), {}, 'Tokens of Ethereum cannot be sold'],
		['without an address', target({address: '0x12'}), {}, 'no address'],
		['a honeypot', target({security: {isHoneypot: true}}), {}, 'honeypot'],
		['read-only', target(), {isReadOnly: true}, 'Read-only'],
		['in a recording', target(), {isRecording: true}, 'recording'],
		['by an old row', targetOf(entry(), 'buy', {atMs: NOW - 15_001, isLive: true}), {}, '15 s old'],
		['by a feed that is not live', targetOf(entry(), 'buy', {atMs: NOW, isLive: false}), {}, 'not live'],
	])('%s is said in a line', (_, token, situation, words) => {
		expect(why(token, situation)).toContain(words);
		expect(why(token, situation)).not.toContain('\n');
	});
});

test('dollars of any decimals count as micro-dollars: what was paid up, what came down', () => {
	expect([microDown(24_450_000n, 6), microUp(24_450_000n, 6)]).toEqual([24_450_000n, 24_450_000n]);
	expect([microDown(1n, 18), microUp(1n, 18)]).toEqual([0n, 1n]);
	expect([microDown(5n * 10n ** 18n, 18), microUp(5n * 10n ** 18n, 18)]).toEqual([5_000_000n, 5_000_000n]);
	expect([microDown(7n, 2), microUp(7n, 2)]).toEqual([70_000n, 70_000n]);
});
