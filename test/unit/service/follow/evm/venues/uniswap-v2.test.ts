import {describe, expect, test} from 'vitest';
import {PANCAKESWAP_V2, UNISWAP_V2} from '../../../../../../source/service/follow/evm/venues/uniswap-v2.ts';
import {builtLog} from '../../../../../helpers/built-log.ts';
import {decoded} from '../../../../../helpers/decoded.ts';

const TOKEN_0 = '0x1111111111111111111111111111111111111111';
const TOKEN_1 = '0x2222222222222222222222222222222222222222';
const PAIR = '0x3333333333333333333333333333333333333333';
const SENDER = '0x4444444444444444444444444444444444444444';
const SWAP =
	'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)';

describe('built logs of V2', () => {
	test('a pair has its coins and the fee of its exchange', () => {
		const log = builtLog(
			'event PairCreated(address indexed token0, address indexed token1, address pair, uint256 count)',
			{token0: TOKEN_0, token1: TOKEN_1, pair: PAIR, count: 12n},
		);
		const pool = {kind: 'pool', pool: PAIR, token0: TOKEN_0, token1: TOKEN_1, hooks: null, sqrtPriceX96: null};
		expect(decoded(UNISWAP_V2, log)).toEqual({...pool, feePpm: 3000});
		expect(decoded(PANCAKESWAP_V2, log)).toEqual({...pool, feePpm: 2500});
	});

	test('what entered is positive, what left is negative', () => {
		const args = {sender: SENDER, amount0In: 500n, amount1In: 0n, amount0Out: 0n, amount1Out: 2n ** 200n, to: SENDER};
		expect(decoded(UNISWAP_V2, builtLog(SWAP, args, {address: PAIR}))).toMatchObject({
			kind: 'swap',
			pool: PAIR,
			amount0: 500n,
			amount1: -(2n ** 200n),
		});
	});

	test('a coin that enters and leaves in one swap counts by its difference', () => {
		const args = {sender: SENDER, amount0In: 500n, amount1In: 30n, amount0Out: 20n, amount1Out: 90n, to: SENDER};
		expect(decoded(UNISWAP_V2, builtLog(SWAP, args))).toMatchObject({amount0: 480n, amount1: -60n});
	});

	test('Sync has the reserves', () => {
		const log = builtLog('event Sync(uint112 reserve0, uint112 reserve1)', {reserve0: 2n ** 112n - 1n, reserve1: 0n});
		expect(decoded(UNISWAP_V2, log)).toMatchObject({kind: 'reserves', reserve0: 2n ** 112n - 1n, reserve1: 0n});
	});

	test('Mint puts coins in, Burn takes them out, by an unknown provider', () => {
		const amounts = {sender: SENDER, amount0: 7n, amount1: 9n};
		const mint = builtLog('event Mint(address indexed sender, uint256 amount0, uint256 amount1)', amounts);
		expect(decoded(UNISWAP_V2, mint)).toMatchObject({provider: null, amounts: {amount0: 7n, amount1: 9n}});
		const burn = builtLog('event Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to)', {
			...amounts,
			to: SENDER,
		});
		expect(decoded(UNISWAP_V2, burn)).toMatchObject({provider: null, amounts: {amount0: -7n, amount1: -9n}});
	});
});
