import {expect, test} from 'vitest';
import {
	ACTIVE_SLOT_MS,
	type FollowedPool,
	type FollowedToken,
	FollowedTokens,
} from '../../../../../source/service/follow/evm/followed-tokens.ts';
import type {Address} from '../../../../../source/service/follow/evm/venue.ts';

const SLOT_BLOCKS = 100;

function address(number: number): Address {
	return `0x${String(number).padStart(40, '0')}`;
}

function token(number: number, block: number, more: Partial<FollowedToken> = {}): FollowedToken {
	return {
		token: address(number),
		block,
		venue: null,
		launchpad: null,
		curve: null,
		creator: null,
		waiting: null,
		security: {},
		decimals: 18,
		symbol: `T${number}`,
		name: null,
		main: null,
		isGraduated: false,
		isQuote: false,
		...more,
	};
}

function pool(number: number, of: Address): FollowedPool {
	const quote = address(99);
	const place = {venue: 'uniswap-v2', factory: address(98), feePpm: 3000, hooks: null};
	return {pool: address(number), token: of, quote, isToken0: true, ...place, isOpen: true};
}

function tokens(): FollowedTokens {
	return new FollowedTokens(ACTIVE_SLOT_MS / SLOT_BLOCKS);
}

test('facts bring everything back', () => {
	const before = tokens();
	const curve = {address: address(50), quote: address(99), sale: '800'};
	before.putToken(token(1, 5, {curve, isQuote: true}));
	before.putPool(pool(11, address(1)));
	before.putCoin({address: address(60), symbol: 'C', name: 'Coin', decimals: 6});
	before.traded(address(1), 250);
	before.priced(address(1), 0.25);
	before.rooted(pool(11, address(1)), 2n ** 96n);
	before.holds(pool(11, address(1)), [7n, -3n]);
	before.saw(address(1), {buyTax: 5, sellTax: null, sellers: [address(7)]});
	const after = tokens();
	after.load(before.takeFacts(6));
	expect(after.tokens).toEqual(before.tokens);
	expect(after.pools).toEqual(before.pools);
	expect(after.coins).toEqual(before.coins);
	expect(after.poolsOf(address(1))).toEqual(before.poolsOf(address(1)));
	expect(after.priceOf(address(1))).toBe(0.25);
	expect(after.rootOf(address(11))).toBe(2n ** 96n);
	expect(after.seenOf(address(1))).toEqual({buyTax: 5, sellTax: null, sellers: [address(7)]});
	expect(after.holdingsOf(address(11))).toEqual([7n, -3n]);
	expect(after.isCurve(address(50))).toBe(true);
	expect(before.takeFacts(7)).toEqual([]);
});

test('after missed trades nothing is known of what curves hold, after a restart as well', () => {
	const before = tokens();
	before.putToken(token(1, 5));
	before.putPool(pool(11, address(1)));
	before.holds(pool(11, address(1)), [7n, 3n]);
	const kept = new Map(before.takeFacts(6).map(fact => [fact.key, fact]));
	before.forgetHoldings();
	for (const fact of before.takeFacts(7)) kept.set(fact.key, fact);
	const after = tokens();
	after.load([...kept.values()]);
	for (const state of [before, after]) expect(state.holdingsOf(address(11))).toBeUndefined();
});

test('tokens without a trade for longest are dropped, after a restart as well', () => {
	const before = tokens();
	for (const number of [1, 2, 3, 4]) before.putToken(token(number, number));
	before.putPool(pool(12, address(2)));
	before.traded(address(1), 3 * SLOT_BLOCKS);
	before.traded(address(3), 2 * SLOT_BLOCKS);
	const after = tokens();
	after.load(before.takeFacts(3 * SLOT_BLOCKS));
	for (const state of [before, after]) {
		expect(state.shrink(4)).toEqual([]);
		expect(state.shrink(2)).toEqual([address(2), address(4)]);
		expect([...state.tokens.keys()]).toEqual([address(1), address(3)]);
		expect(state.pools.size).toBe(0);
		expect(state.dropped).toBe(2);
	}
});

test('trades in one half hour are no reason to write', () => {
	const state = tokens();
	state.putToken(token(1, 1));
	state.traded(address(1), 1);
	state.takeFacts(1);
	state.traded(address(1), SLOT_BLOCKS - 1);
	expect(state.takeFacts(2)).toEqual([]);
	state.traded(address(1), SLOT_BLOCKS);
	expect(state.takeFacts(3)).toEqual([{key: `token:${address(1)}:active`, block: 3, value: '1'}]);
});

test('a dropped token leaves no facts behind', () => {
	const state = tokens();
	state.putToken(token(1, 1));
	state.putPool(pool(11, address(1)));
	state.putToken(token(2, 2));
	state.shrink(1);
	expect(state.takeFacts(2).map(({key}) => key)).toEqual([`token:${address(2)}`]);
});
