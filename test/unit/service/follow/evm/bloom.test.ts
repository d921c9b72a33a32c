import {expect, test} from 'vitest';
import {bloomSays} from '../../../../../source/service/follow/evm/bloom.ts';
import {PlayedChain} from '../../../../helpers/played-chain.ts';

const hex = (byte: number, bytes: number): `0x${string}` => `0x${byte.toString(16).padStart(2, '0').repeat(bytes)}`;
const [POOL, TOKEN, OTHER] = [hex(0xa1, 20), hex(0xb2, 20), hex(0xc3, 20)];
const [SWAP, TRANSFER, ID] = [hex(1, 32), hex(2, 32), hex(3, 32)];

const bloomOf = (...logs: {address: `0x${string}`; topics: `0x${string}`[]}[]) => new PlayedChain().mine(logs).bloom;

// Block 4,927,656 of Ethereum, a bloom with the logs of one token transfer, is not at hand: the bits are those of the yellow paper,
// as test/helpers/played-chain.ts sets them, and the anvil test compares them with a node's.
test('a bloom promises a log of its address with its topic', () => {
	const bloom = bloomOf({address: POOL, topics: [SWAP, ID]});
	expect(bloomSays(bloom, {addresses: [TOKEN, POOL], topics: [SWAP]})).toBe(true);
	expect(bloomSays(bloom, {addresses: [POOL], topics: []})).toBe(true);
	expect(bloomSays(bloom, {addresses: [POOL], topics: [SWAP], second: [ID]})).toBe(true);
});

test('a bloom denies what is not in it', () => {
	const bloom = bloomOf({address: POOL, topics: [SWAP]});
	expect(bloomSays(bloom, {addresses: [TOKEN], topics: [SWAP]})).toBe(false);
	expect(bloomSays(bloom, {addresses: [POOL], topics: [TRANSFER]})).toBe(false);
	expect(bloomSays(bloom, {addresses: [POOL], topics: [SWAP], second: [ID]})).toBe(false);
});

test('an address and a topic of two logs promise nothing to a filter by parts', () => {
	const bloom = bloomOf({address: POOL, topics: [TRANSFER]}, {address: OTHER, topics: [SWAP]});
	const parts = [
		{addresses: [POOL], topics: [ID]},
		{addresses: [TOKEN], topics: [TRANSFER]},
	];
	expect(bloomSays(bloom, {addresses: [POOL, TOKEN], topics: [ID, TRANSFER], parts})).toBe(false);
});

test('an empty bloom and a full one are no statement', () => {
	expect(bloomSays(hex(0, 256), {addresses: [POOL], topics: [SWAP]})).toBeUndefined();
	expect(bloomSays(hex(0xff, 256), {addresses: [POOL], topics: [SWAP]})).toBeUndefined();
	const busy = bloomOf(
		...Array.from({length: 500}, (_, i) => ({
			address: hex(i % 251, 20),
			topics: [`0x${i.toString(16).padStart(64, '7')}` as const],
		})),
		{address: POOL, topics: [SWAP]},
	);
	expect(bloomSays(busy, {addresses: [POOL], topics: [SWAP]})).toBeUndefined();
});
