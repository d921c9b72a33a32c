import {describe, expect, test} from 'vitest';
import {UNISWAP_V4} from '../../../../../../source/service/follow/evm/venues/uniswap-v4.ts';
import {builtLog} from '../../../../../helpers/built-log.ts';
import {decoded} from '../../../../../helpers/decoded.ts';

const NATIVE = '0x0000000000000000000000000000000000000000';
const TOKEN = '0x2222222222222222222222222222222222222222';
const HOOKS = '0x3333333333333333333333333333333333330888';
const SENDER = '0x4444444444444444444444444444444444444444';
const ID = `0x${'5c'.repeat(32)}`;
const INITIALIZE =
	'event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)';
const POOL = {id: ID, currency0: NATIVE, currency1: TOKEN, tickSpacing: 60, sqrtPriceX96: 3n * 2n ** 96n, tick: 21973};

describe('built logs of V4', () => {
	test('a pool with the native coin, a fixed fee and no hooks', () => {
		expect(decoded(UNISWAP_V4, builtLog(INITIALIZE, {...POOL, fee: 10_000, hooks: NATIVE}))).toEqual({
			kind: 'pool',
			pool: ID,
			token0: NATIVE,
			token1: TOKEN,
			feePpm: 10_000,
			hooks: null,
			sqrtPriceX96: 3n * 2n ** 96n,
		});
	});

	test('a pool whose hooks set the fee has no fee', () => {
		const log = builtLog(INITIALIZE, {...POOL, fee: 0x80_0000, hooks: HOOKS});
		expect(decoded(UNISWAP_V4, log)).toMatchObject({feePpm: null, hooks: HOOKS});
	});

	test('what the caller pays is negative in the log and positive for the pool', () => {
		const log = builtLog(
			'event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee)',
			{
				id: ID,
				sender: SENDER,
				amount0: -(10n ** 18n),
				amount1: 5n,
				sqrtPriceX96: 2n ** 96n,
				liquidity: 1n,
				tick: -5,
				fee: 3000,
			},
		);
		expect(decoded(UNISWAP_V4, log)).toEqual({
			kind: 'swap',
			pool: ID,
			amount0: 10n ** 18n,
			amount1: -5n,
			feePpm: 3000,
			sqrtPriceX96: 2n ** 96n,
			liquidity: 1n,
		});
	});

	test('liquidity comes as a range; collected fees alone are no event', () => {
		const modified = (liquidityDelta: bigint) =>
			builtLog(
				'event ModifyLiquidity(bytes32 indexed id, address indexed sender, int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt)',
				{id: ID, sender: SENDER, tickLower: -887_220, tickUpper: 887_220, liquidityDelta, salt: ID},
			);
		expect(decoded(UNISWAP_V4, modified(-77n))).toEqual({
			kind: 'liquidity',
			pool: ID,
			provider: null,
			amounts: null,
			ticks: {lower: -887_220, upper: 887_220, liquidity: -77n},
		});
		expect(decoded(UNISWAP_V4, modified(0n))).toBeUndefined();
	});
});
