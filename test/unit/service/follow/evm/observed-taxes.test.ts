import {expect, test} from 'vitest';
import {
	NOTHING_SEEN,
	seenFlags,
	seenInTrial,
	seenMore,
	taxOfTrade,
} from '../../../../../source/service/follow/evm/observed-taxes.ts';
import type {Address} from '../../../../../source/service/follow/evm/venue.ts';
import {builtTransfer} from '../../../../helpers/built-log.ts';

const token: Address = `0x${'ee'.repeat(20)}`;
const POOL: Address = `0x${'aa'.repeat(20)}`;
const ROUTER: Address = `0x${'bb'.repeat(20)}`;
const ANN: Address = `0x${'01'.repeat(20)}`;

function wallet(number: number): Address {
	return `0x${String(number).padStart(40, '0')}`;
}

test('the tax of a buy is what leaves the pool and does not go to its one receiver', () => {
	const parts = [
		builtTransfer({token, from: POOL, to: ANN, amount: 950n}),
		builtTransfer({token, from: POOL, to: token, amount: 50n}),
	];
	expect(taxOfTrade('buy', POOL, parts)).toBe(5);
	expect(taxOfTrade('buy', POOL, parts.slice(0, 1))).toBe(0);
	expect(taxOfTrade('buy', POOL, [])).toBeUndefined();
});

test('the tax of a sale is what its sender gives beside what reaches the pool', () => {
	const parts = [
		builtTransfer({token, from: ANN, to: POOL, amount: 875n}),
		builtTransfer({token, from: ANN, to: token, amount: 125n}),
		builtTransfer({token, from: token, to: ROUTER, amount: 7n}),
	];
	expect(taxOfTrade('sell', POOL, parts)).toBe(12.5);
	expect(
		taxOfTrade('sell', POOL, [...parts, builtTransfer({token, from: ROUTER, to: POOL, amount: 1n})]),
	).toBeUndefined();
});

test('the highest tax counts, since some wallets are spared', () => {
	let seen = seenMore(NOTHING_SEEN, {side: 'buy', tax: 5, wallet: ANN});
	seen = seenMore(seen, {side: 'buy', tax: 0, wallet: ANN});
	expect(seenFlags(seen)).toEqual({buyTax: '5'});
	expect(seenMore(seen, {side: 'buy', tax: 4, wallet: ANN})).toBe(seen);
	expect(seenFlags(seenMore(seen, {side: 'buy', tax: 6, wallet: ANN}))).toEqual({buyTax: '6'});
});

test('a small tax is written as no fraction of 1 could be, and a trial may be the higher', () => {
	const small = seenMore(NOTHING_SEEN, {side: 'buy', tax: 0.3, wallet: ANN});
	expect(seenFlags(small)).toEqual({buyTax: '0.3%'});
	expect(seenFlags(seenInTrial(small, {buyTax: '0.5%', sellTax: '1%'}))).toEqual({buyTax: '0.5%', sellTax: '1%'});
	expect(seenFlags(seenInTrial(small, {buyTax: '0', sellTax: '0'}))).toEqual({buyTax: '0.3%', sellTax: '0'});
	expect(seenFlags(seenInTrial(small, {buyTax: '12.5'}))).toEqual({buyTax: '12.5'});
});

test('only five different sellers prove that a token can be sold', () => {
	let seen = NOTHING_SEEN;
	for (const number of [1, 2, 3, 4, 4, 4])
		seen = seenMore(seen, {side: 'sell', tax: undefined, wallet: wallet(number)});
	expect(seenFlags(seen)).toEqual({});
	expect(seenFlags(seenMore(seen, {side: 'sell', tax: undefined, wallet: wallet(5)}))).toEqual({isHoneypot: false});
});
