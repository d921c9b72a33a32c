import {expect, test} from 'vitest';
import {findEvmChain} from '../../../../../source/chains/evm-chains.ts';
import type {Log} from '../../../../../source/service/follow/evm/log.ts';
import {PoolPrices} from '../../../../../source/service/follow/evm/pool-prices.ts';
import {builtLog} from '../../../../helpers/built-log.ts';

const BASE = findEvmChain('base')!;
const ZORA = '0x1111111111166b7fe7bd91427724b487980afc69';
const ZORA_POOL = '0xedc625b74537ee3a10874f53d170e9c17a906b9c';
const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
const OTHER = '0x4444444444444444444444444444444444444444';

/** The root of a price of ZORA (18 decimals, first coin) in USDC (6 decimals). */
function root(price: number): bigint {
	return BigInt(Math.round(Math.sqrt(price * 1e-12) * 2 ** 96));
}

function swapAt(blockNumber: number, price: number, address: `0x${string}` = ZORA_POOL): Log {
	return builtLog(
		'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
		{sender: OTHER, recipient: OTHER, amount0: 1n, amount1: -1n, sqrtPriceX96: root(price), liquidity: 1n, tick: 1},
		{address, blockNumber},
	);
}

const timeOf = (block: number): number => block * 2000;

test('the last swap of a block counts, from the next second on', () => {
	const prices = new PoolPrices(BASE);
	const facts = prices.take([swapAt(10, 0.05), swapAt(10, 0.06), swapAt(12, 0.07)], timeOf);
	expect(facts.map(({key, block}) => [key, block])).toEqual([
		[`price:${ZORA}`, 10],
		[`price:${ZORA}`, 12],
	]);
	expect(prices.at(ZORA, 20_000)).toBeNull();
	expect(prices.at(ZORA, 22_000)).toMatchObject({in: USDC});
	expect(prices.at(ZORA, 22_000)?.price).toBeCloseTo(0.06, 9);
	expect(prices.at(ZORA, 24_000)?.price).toBeCloseTo(0.06, 9);
	expect(prices.at(ZORA, 26_000)?.price).toBeCloseTo(0.07, 9);
});

test('a pool that was silent for an hour says nothing, nor do other contracts and broken swaps', () => {
	const prices = new PoolPrices(BASE);
	const broken = {...swapAt(11, 9), data: '0x00' as const};
	expect(prices.take([swapAt(10, 0.05), swapAt(11, 9, OTHER), broken], timeOf)).toHaveLength(1);
	expect(prices.at(ZORA, 20_000 + 3_600_000)?.price).toBeCloseTo(0.05, 9);
	expect(prices.at(ZORA, 20_000 + 3_600_001)).toBeNull();
	expect(prices.at(USDC, 30_000)).toBeNull();
});

test('after a restart and after blocks were taken back it goes on from the stored price', () => {
	const prices = new PoolPrices(BASE);
	const [first, second] = prices.take([swapAt(10, 0.05), swapAt(12, 0.07)], timeOf);
	const again = new PoolPrices(BASE);
	again.load([second!]);
	expect(again.at(ZORA, 30_000)).toEqual(prices.at(ZORA, 30_000));
	prices.load([first!]);
	expect(prices.at(ZORA, 30_000)?.price).toBeCloseTo(0.05, 9);
	prices.load([]);
	expect(prices.at(ZORA, 30_000)).toBeNull();
});

test('a chain without such coins asks for no logs', () => {
	expect(new PoolPrices(BASE).parts).toHaveLength(1);
	expect(new PoolPrices(findEvmChain('bnb')!).parts).toEqual([]);
});
