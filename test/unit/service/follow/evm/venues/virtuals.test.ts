import {encodeAbiParameters, encodeFunctionData, parseAbi, parseAbiParameters} from 'viem/utils';
import {describe, expect, test} from 'vitest';
import type {TokenMade} from '../../../../../../source/service/follow/evm/venue.ts';
import {VIRTUALS} from '../../../../../../source/service/follow/evm/venues/virtuals.ts';
import {builtLog} from '../../../../../helpers/built-log.ts';
import {decoded} from '../../../../../helpers/decoded.ts';

const TOKEN = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
const PAIR = '0x2222222222222222222222222222222222222222';
const VIRTUAL = '0x0b3e328455c4059eeb9e3f84b5543f74e24e7e1b';

describe('built logs of Virtuals', () => {
	test('a launch has a pair that is its curve, with the token as the first coin', () => {
		const log = builtLog('event Launched(address indexed token, address indexed pair, uint256 count)', {
			token: TOKEN,
			pair: PAIR,
			count: 12n,
		});
		expect(decoded(VIRTUALS, log)).toMatchObject({
			kind: 'token',
			token: TOKEN,
			supply: 10n ** 27n,
			curve: {address: PAIR, quote: VIRTUAL, sale: null},
			pool: {venue: 'virtuals', pool: PAIR, quote: VIRTUAL, tokenIs: 0},
		});
	});

	test('a pair opens with reserves, and a swap has both directions of each coin side by side', () => {
		const mint = builtLog('event Mint(uint256 reserve0, uint256 reserve1)', {reserve0: 8n, reserve1: 3n});
		expect(decoded(VIRTUALS, mint)).toMatchObject({kind: 'reserves', reserve0: 8n, reserve1: 3n});
		const swap = builtLog(
			'event Swap(uint256 amount0In, uint256 amount0Out, uint256 amount1In, uint256 amount1Out)',
			{amount0In: 0n, amount0Out: 40n, amount1In: 9n, amount1Out: 0n},
			{address: PAIR},
		);
		expect(decoded(VIRTUALS, swap)).toMatchObject({kind: 'swap', pool: PAIR, amount0: -40n, amount1: 9n});
	});

	test('a graduation', () => {
		const log = builtLog('event Graduated(address indexed token, address agentToken)', {
			token: TOKEN,
			agentToken: PAIR,
		});
		expect(decoded(VIRTUALS, log)).toMatchObject({kind: 'graduated', token: TOKEN, pool: null});
	});

	test('what is sold is the supply without the threshold', () => {
		const {calls, read} = VIRTUALS.launchFacts!;
		const abi = parseAbi(['function gradThreshold() view returns (uint256)']);
		expect(calls({} as TokenMade, 8453)[0]!.data).toBe(encodeFunctionData({abi}));
		const answer = (threshold: bigint) => encodeAbiParameters(parseAbiParameters('uint256'), [threshold]);
		expect(read([answer(125n * 10n ** 24n)])).toEqual({sale: 875n * 10n ** 24n, quote: VIRTUAL});
		expect(read([answer(2n ** 256n - 1n)])).toEqual({sale: null, quote: VIRTUAL});
	});
});
