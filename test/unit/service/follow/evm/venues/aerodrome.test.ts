import {describe, expect, test} from 'vitest';
import {AERODROME, SLIPSTREAM} from '../../../../../../source/service/follow/evm/venues/aerodrome.ts';
import {builtLog} from '../../../../../helpers/built-log.ts';
import {decoded} from '../../../../../helpers/decoded.ts';

const TOKEN_0 = '0x1111111111111111111111111111111111111111';
const TOKEN_1 = '0x2222222222222222222222222222222222222222';
const POOL = '0x3333333333333333333333333333333333333333';
const SENDER = '0x4444444444444444444444444444444444444444';
const MADE = {
	kind: 'pool',
	pool: POOL,
	token0: TOKEN_0,
	token1: TOKEN_1,
	feePpm: null,
	hooks: null,
	sqrtPriceX96: null,
};

describe('built logs of Aerodrome', () => {
	test('a pool has no fee that is known, and says its formula', () => {
		for (const isStable of [false, true]) {
			const log = builtLog(
				'event PoolCreated(address indexed token0, address indexed token1, bool indexed stable, address pool, uint256 count)',
				{token0: TOKEN_0, token1: TOKEN_1, stable: isStable, pool: POOL, count: 1n},
			);
			expect(decoded(AERODROME, log)).toEqual({...MADE, isStable});
		}
		const ranged = builtLog(
			'event PoolCreated(address indexed token0, address indexed token1, int24 indexed tickSpacing, address pool)',
			{token0: TOKEN_0, token1: TOKEN_1, tickSpacing: 200, pool: POOL},
		);
		expect(decoded(SLIPSTREAM, ranged)).toEqual(MADE);
	});

	test('swaps, reserves and liquidity of a pool', () => {
		const swap = builtLog(
			'event Swap(address indexed sender, address indexed to, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out)',
			{sender: SENDER, to: SENDER, amount0In: 0n, amount1In: 9n, amount0Out: 4n, amount1Out: 0n},
			{address: POOL},
		);
		expect(decoded(AERODROME, swap)).toMatchObject({kind: 'swap', pool: POOL, amount0: -4n, amount1: 9n});
		const sync = builtLog('event Sync(uint256 reserve0, uint256 reserve1)', {reserve0: 2n ** 120n, reserve1: 1n});
		expect(decoded(AERODROME, sync)).toMatchObject({kind: 'reserves', reserve0: 2n ** 120n, reserve1: 1n});
		const amounts = {sender: SENDER, to: SENDER, amount0: 6n, amount1: 7n};
		const mint = builtLog('event Mint(address indexed sender, uint256 amount0, uint256 amount1)', amounts);
		expect(decoded(AERODROME, mint)).toMatchObject({amounts: {amount0: 6n, amount1: 7n}});
		const burn = builtLog(
			'event Burn(address indexed sender, address indexed to, uint256 amount0, uint256 amount1)',
			amounts,
		);
		expect(decoded(AERODROME, burn)).toMatchObject({amounts: {amount0: -6n, amount1: -7n}});
	});

	test('a swap of Slipstream is one of V3, and the gauge takes fees out', () => {
		const swap = builtLog(
			'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
			{sender: SENDER, recipient: SENDER, amount0: 3n, amount1: -2n, sqrtPriceX96: 1n, liquidity: 1n, tick: 1},
		);
		expect(decoded(SLIPSTREAM, swap)).toMatchObject({amount0: 3n, amount1: -2n, sqrtPriceX96: 1n});
		const fees = builtLog('event CollectFees(address indexed recipient, uint128 amount0, uint128 amount1)', {
			recipient: SENDER,
			amount0: 1n,
			amount1: 2n,
		});
		expect(decoded(SLIPSTREAM, fees)).toMatchObject({kind: 'liquidity', amounts: {amount0: -1n, amount1: -2n}});
	});
});
