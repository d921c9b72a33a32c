import {describe, expect, test} from 'vitest';
import {PANCAKESWAP_V3, UNISWAP_V3} from '../../../../../../source/service/follow/evm/venues/uniswap-v3.ts';
import {builtLog} from '../../../../../helpers/built-log.ts';
import {decoded} from '../../../../../helpers/decoded.ts';

const TOKEN_0 = '0x1111111111111111111111111111111111111111';
const TOKEN_1 = '0x2222222222222222222222222222222222222222';
const POOL = '0x3333333333333333333333333333333333333333';
const OWNER = '0x4444444444444444444444444444444444444444';
const SWAP =
	'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)';

describe('built logs of V3', () => {
	test('a pool has its fee', () => {
		const log = builtLog(
			'event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)',
			{token0: TOKEN_0, token1: TOKEN_1, fee: 10_000, tickSpacing: 200, pool: POOL},
		);
		expect(decoded(UNISWAP_V3, log)).toEqual({
			kind: 'pool',
			pool: POOL,
			token0: TOKEN_0,
			token1: TOKEN_1,
			feePpm: 10_000,
			hooks: null,
			sqrtPriceX96: null,
		});
	});

	test('a swap is from the side of the pool', () => {
		const args = {sender: OWNER, recipient: OWNER, amount0: -77n, amount1: 5n, sqrtPriceX96: 2n ** 96n, liquidity: 1n};
		const log = builtLog(SWAP, {...args, tick: -887272}, {address: POOL});
		const swap = {
			kind: 'swap',
			pool: POOL,
			amount0: -77n,
			amount1: 5n,
			feePpm: null,
			sqrtPriceX96: 2n ** 96n,
			liquidity: 1n,
		};
		expect(decoded(UNISWAP_V3, log)).toEqual(swap);
		const pancake = SWAP.replace(')', ', uint128 protocolFeesToken0, uint128 protocolFeesToken1)');
		const more = {tick: 1, protocolFeesToken0: 1n, protocolFeesToken1: 2n};
		expect(decoded(PANCAKESWAP_V3, builtLog(pancake, {...args, ...more}, {address: POOL}))).toEqual(swap);
	});

	test('Mint brings coins, Collect and CollectProtocol take them', () => {
		const position = {owner: OWNER, tickLower: -887220, tickUpper: -60};
		const mint = builtLog(
			'event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
			{...position, sender: OWNER, amount: 3n, amount0: 10n, amount1: 20n},
		);
		expect(decoded(UNISWAP_V3, mint)).toMatchObject({kind: 'liquidity', amounts: {amount0: 10n, amount1: 20n}});
		const collect = builtLog(
			'event Collect(address indexed owner, address recipient, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount0, uint128 amount1)',
			{...position, recipient: OWNER, amount0: 10n, amount1: 21n},
		);
		expect(decoded(UNISWAP_V3, collect)).toMatchObject({amounts: {amount0: -10n, amount1: -21n}});
		const protocol = builtLog(
			'event CollectProtocol(address indexed sender, address indexed recipient, uint128 amount0, uint128 amount1)',
			{sender: OWNER, recipient: OWNER, amount0: 0n, amount1: 4n},
		);
		expect(decoded(UNISWAP_V3, protocol)).toMatchObject({amounts: {amount0: -0n, amount1: -4n}});
	});

	test('bytes that are no such event are refused', () => {
		const log = builtLog(SWAP, {
			sender: OWNER,
			recipient: OWNER,
			amount0: 1n,
			amount1: 1n,
			sqrtPriceX96: 1n,
			liquidity: 1n,
			tick: 1,
		});
		const price = `${'0'.repeat(23)}1${'0'.repeat(40)}`;
		const wide = `0x${log.data.slice(2, 130)}${price}${log.data.slice(194)}` as const;
		expect(() => decoded(UNISWAP_V3, {...log, data: wide})).toThrow(
			expect.objectContaining({code: 'decode-failed', why: 'word 2 is no uint160'}),
		);
		expect(() => decoded(UNISWAP_V3, {...log, topics: log.topics.slice(0, 2)})).toThrow(
			expect.objectContaining({why: '2 topics came, 3 were expected'}),
		);
		expect(() => decoded(UNISWAP_V3, {...log, data: `0x${log.data.slice(2, -64)}`})).toThrow(
			expect.objectContaining({why: '128 bytes came, at least 160 in words of 32 were expected'}),
		);
	});
});
