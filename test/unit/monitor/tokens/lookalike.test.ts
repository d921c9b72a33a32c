import {expect, test} from 'vitest';
import type {Entry} from '../../../../source/contract/entry.ts';
import {disguised, isMixed, skeleton} from '../../../../source/monitor/tokens/confusables.ts';
import {keepLookalikes, lookalikeIndex, lookalikeOf} from '../../../../source/monitor/tokens/lookalike.ts';
import {snapshotArrived} from '../../../../source/monitor/transitions/column.ts';
import {columnChanged} from '../../../../source/monitor/transitions/screen.ts';
import {entryOf} from '../../../helpers/entries.ts';
import {fc} from '../../../helpers/properties.ts';
import {startState} from '../../../helpers/start-state.ts';

const NOW = 1_700_000_000_000;
const token = (address: string, figures: Partial<Entry>, chain?: string): Entry =>
	entryOf(address, {created_at: NOW, market_cap: 5000, bonded: false, ...figures}, chain);
const judged = (entry: Entry, ...others: readonly Entry[]) => lookalikeOf(entry, lookalikeIndex([entry, ...others]));

test.each([
	['USDC', 'USD\u0421'],
	['PEPE', '\u0420\u0415\u0420\u0415'],
	['pepe', '$PEPE'],
	['Solana', 'S\u03bfl\u0430n\u0430'],
	['DOGE', 'D0GE'],
	['ape', '\uff21\uff30\uff25'],
	['bonk', '\u{1d401}\u{1d40e}\u{1d40d}\u{1d40a}'],
	['cafe', 'CAF\u00c9'],
])('%s and %s look the same', (a, b) => {
	expect(skeleton(b)).toBe(skeleton(a));
});

test.each([
	['PEPE', 'PEPA'],
	['SOL', 'SOI'],
	['猫', '犬'],
	['WIF', 'WIFE'],
])('%s and %s look different', (a, b) => {
	expect(skeleton(a)).not.toBe(skeleton(b));
});

test('a name of plain Latin letters is never called disguised', () => {
	fc.assert(
		fc.property(fc.string({unit: fc.constantFrom(...'abcXYZ019 $-_éñü')}), name => {
			expect(isMixed(name)).toBe(false);
		}),
	);
});

test('a word that is whole in its own script is not mixed, one foreign letter among Latin ones is', () => {
	expect(isMixed('Собака')).toBe(false);
	expect(isMixed('USD\u0421')).toBe(true);
	expect(disguised('USD\u0421')).toEqual(['\u0421']);
});

test('USDC with a Cyrillic letter is bad: the letter and the real address are named', () => {
	const fake = token('0x1111111111111111111111111111111111111111', {symbol: 'USD\u0421'}, 'evm:8453');
	expect(judged(fake)).toEqual({
		level: 'bad',
		reasons: [
			{kind: 'spelling', letters: ['\u0421'], script: 'Cyrillic'},
			{kind: 'known', symbol: 'USDC', address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'},
		],
	});
});

test('the real one is not its own lookalike, in any letter case of its address', () => {
	const real = token('0x833589FCD6EDB6E08F4C7C32D4F71B54BDA02913', {symbol: 'USDC'}, 'evm:8453');
	expect(judged(real)).toBeUndefined();
	expect(judged(token('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', {symbol: 'USDC'}))).toBeUndefined();
});

test.each([
	['evm:56', 'USDC', '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d'],
	['evm:42161', 'USDT', '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'],
	['evm:4663', 'WETH', '0x0Bd7D308f8E1639FAb988df18A8011f41EAcAD73'],
	['evm:10', 'USDC', '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85'],
])('the money of %s is known: the %s at %s imitates none, another names it', (chainId, symbol, address) => {
	expect(judged(token(address, {symbol}, chainId))).toBeUndefined();
	const fake = token('0x1111111111111111111111111111111111111111', {symbol}, chainId);
	expect(judged(fake)?.reasons).toEqual([{kind: 'known', symbol, address}]);
});

test('a launch with the plain symbol of known money is bad too', () => {
	expect(judged(token('aaa', {symbol: '$USDC'}))?.level).toBe('bad');
});

test('the later of two with one symbol points to the earlier, and the earlier to none', () => {
	const first = token('aaa', {symbol: 'PEPE', created_at: NOW - 60_000});
	const second = token('bbb', {symbol: '$pepe'});
	expect(judged(second, first)).toEqual({
		level: 'note',
		reasons: [{kind: 'copy', what: 'symbol', of: first, isOlder: true}],
	});
	expect(judged(first, second)).toBeUndefined();
});

test('a much larger one is a warning, even when it is younger', () => {
	const small = token('aaa', {symbol: 'PEPE', created_at: NOW - 60_000, market_cap: 4000});
	const large = token('bbb', {symbol: 'PEPE', market_cap: 400_000});
	expect(judged(small, large)).toMatchObject({level: 'warn', reasons: [{kind: 'copy', of: large, isOlder: false}]});
});

test('of several originals the largest is named', () => {
	const [a, b] = [
		token('aaa', {symbol: 'WIF', created_at: NOW - 1000, market_cap: 9000}),
		token('bbb', {symbol: 'WIF', created_at: NOW - 2000, market_cap: 30_000}),
	];
	expect(judged(token('ccc', {symbol: 'WIF'}), a, b)?.reasons).toMatchObject([{of: b}]);
});

test('the same address on another chain is the same project, not a copy', () => {
	const address = '0x2222222222222222222222222222222222222222';
	const first = token(address, {symbol: 'PEPE', created_at: NOW - 60_000}, 'evm:1');
	expect(judged(token(address, {symbol: 'PEPE'}, 'evm:8453'), first)).toBeUndefined();
});

test('an unknown market cap makes neither the larger one', () => {
	const unknown = entryOf('aaa', {symbol: 'PEPE'});
	expect(judged(unknown, token('bbb', {symbol: 'PEPE', market_cap: 1e9}))).toBeUndefined();
});

test('a Twitter account of an older token is reported, with any form of the link', () => {
	const first = token('aaa', {symbol: 'ONE', twitter: 'https://x.com/SomeDog', created_at: NOW - 5000});
	const second = token('bbb', {symbol: 'TWO', twitter: 'twitter.com/somedog?s=21'});
	expect(judged(second, first)).toEqual({level: 'note', reasons: [{kind: 'twitter', of: first}]});
});

test('two links to posts are no common account', () => {
	const first = token('aaa', {symbol: 'ONE', twitter: 'https://x.com/i/communities/1', created_at: NOW - 5000});
	expect(judged(token('bbb', {symbol: 'TWO', twitter: 'https://x.com/i/communities/2'}), first)).toBeUndefined();
});

test('an account that the service counts in a few other tokens is reported, one in many is marked', () => {
	const counted = (twitter_reuses_count: number) => judged(token('ccc', {symbol: 'THREE', twitter_reuses_count}));
	expect(counted(0)).toBeUndefined();
	expect(counted(2)).toEqual({level: 'info', reasons: [{kind: 'twitterReused', count: 2}]});
	expect(counted(40)?.level).toBe('note');
});

test.each(['SOL', 'WSOL', '$sol'])('a Solana token called %s imitates the coin, whose address is named', symbol => {
	expect(judged(token('aaa', {symbol}))?.reasons).toMatchObject([
		{kind: 'known', address: 'So11111111111111111111111111111111111111112'},
	]);
});

test('the symbol of money that a chain does not have is bad, without an address', () => {
	const fake = token('0x1111111111111111111111111111111111111111', {symbol: 'WBNB'}, 'evm:8453');
	expect(judged(fake)).toEqual({level: 'bad', reasons: [{kind: 'known', symbol: 'WBNB'}]});
});

test('a name of four letters is compared, a shorter one says too little', () => {
	const older = {created_at: NOW - 1000};
	const copies = (name: string) => judged(token('b', {name}), token('a', {name, ...older}))?.reasons;
	expect(copies('Wifs')).toMatchObject([{kind: 'copy', what: 'name'}]);
	expect(copies('Wif')).toBeUndefined();
});

test('of two with one symbol and one age neither is the copy', () => {
	const [first, second] = [token('aaa', {symbol: 'PEPE'}), token('bbb', {symbol: 'PEPE'})];
	expect(judged(first, second)).toBeUndefined();
	expect(judged(second, token('ccc', {symbol: 'PEPE', created_at: NOW - 1}))?.level).toBe('note');
	// Of unknown age it is neither older nor younger.
	const {created_at: _, ...ageless} = token('ddd', {symbol: 'PEPE'});
	expect(judged(first, ageless as Entry)).toBeUndefined();
	expect(judged(ageless as Entry, token('ccc', {symbol: 'PEPE', created_at: NOW - 1}))).toBeUndefined();
});

test.each([
	[{market_cap: 25_000}, {}, 'warn'],
	[{market_cap: 24_999}, {}, undefined],
	[{created_at: NOW - 1, bonded: true}, {}, 'warn'],
	[{created_at: NOW - 1, bonded: true}, {bonded: true}, 'note'],
	[{created_at: NOW + 1, bonded: true}, {}, undefined],
] as const)('beside one that has %j, a token with %j gets the mark %s', (other, own, level) => {
	expect(judged(token('b', {symbol: 'PEPE', ...own}), token('a', {symbol: 'PEPE', ...other}))?.level).toBe(level);
});

test.each([
	[4, 'info'],
	[5, 'note'],
])('an account of %i other tokens is %s', (twitter_reuses_count, level) => {
	expect(judged(token('c', {symbol: 'THREE', twitter_reuses_count}))?.level).toBe(level);
});

test.each(['https://x.com/home', 'https://twitter.com/search?q=dog', 'https://example.com/dog', 'x.com/dog/status/1'])(
	'%s is no account',
	twitter => {
		expect(judged(token('b', {symbol: 'B', twitter}), token('a', {symbol: 'A', twitter, created_at: NOW - 5}))).toBe(
			undefined,
		);
	},
);

test('a level is judged again when the names of the token change, and every five seconds', () => {
	const state = startState({nowMs: NOW});
	const old = token('a', {symbol: 'PEPE', created_at: NOW - 60_000});
	const at = (nowMs: number, ...entries: readonly Entry[]) =>
		columnChanged({...state, nowMs}, 'new', c => snapshotArrived(c, entries, nowMs));
	const begin = NOW - (NOW % 5000);
	const kept = keepLookalikes();
	const young = token('b', {symbol: 'PEPE'});
	expect(kept.level(at(begin, young), young)).toBeUndefined();
	expect(kept.level(at(begin, old, young), young)).toBeUndefined();
	expect(kept.level(at(begin, old, young), {...young, name: 'Pepe'})).toBe('note');
	expect(kept.level(at(begin, old, young), {...young, name: 'Pepe', symbol: 'DOG'})).toBeUndefined();
	expect(kept.level(at(begin + 4999, old, young), young)).toBe('note');
	const alone = keepLookalikes();
	expect(alone.level(at(begin, young), young)).toBeUndefined();
	expect(alone.level(at(begin + 4999, old, young), young)).toBeUndefined();
	expect(alone.level(at(begin + 5000, old, young), young)).toBe('note');
	// The index is that of one second, or of the tokens of that moment.
	const state1 = at(begin, old);
	expect(kept.index(state1)).toBe(kept.index({...state1, nowMs: begin + 999}));
	expect(kept.index({...state1, nowMs: begin + 1000})).not.toBe(kept.index(state1));
});
