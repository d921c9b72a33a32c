import type {Address} from 'viem';
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import {marketTokens} from '../../../source/service/bridge/market-tokens.ts';
import {Token} from '../../../source/service/chain/artifacts.generated.ts';
import {placeToken} from '../../../source/service/chain/practice-token.ts';
import {balanceOf} from '../chain/practice.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';
import {type Bench, bodyOf, fundedUser, openBench, quoteOf} from './bridge-client.ts';

const market = new TinyMarket();
const tokenAddress = (n: number): Address => `0x${n.toString(16).padStart(2, '0').repeat(20)}`;
let bench: Bench;
let made = 0x50;

beforeAll(async () => {
	bench = await openBench({tokens: marketTokens(market)});
});
afterAll(() => bench.close());

function listed({price = 0.000_025, decimals = 18, name = 'Frog Coin', symbol = 'FROG', chain = 'evm:42161'} = {}) {
	const address = tokenAddress(++made);
	const row = market.add({address, chain_id: chain, latest_price: price, decimals, name, symbol});
	return {address, row};
}

const read = (address: Address, functionName: 'name' | 'symbol' | 'decimals' | 'owner' | 'totalSupply') =>
	bench.arbitrum.client.readContract({abi: Token.abi, address, functionName});

test("a transfer arrives in a token of the market, as many as its price says, and wallets can read the token's name", async () => {
	const {address} = listed();
	const user = await fundedUser(bench);
	const quote = await quoteOf(bench, user, {destinationToken: address});
	expect(quote.recommendedSlippage).toBeGreaterThan(1);
	expect(Number(quote.estimatedAmountOut)).toBeCloseTo(Number(quote.estimatedAmountOutUsd) / 0.000_025, 3);
	expect([await read(address, 'name'), await read(address, 'symbol'), await read(address, 'decimals')]).toEqual([
		'Frog Coin',
		'FROG',
		18,
	]);
	await bench.bridge.execute(await bodyOf(bench, user, quote));
	const row = await bench.bridge.wait(quote.intentId);
	expect(row).toMatchObject({status: 'filled', amountOut: quote.estimatedAmountOut});
	expect(Number(await balanceOf(bench.arbitrum, user.address, address)) / 1e18).toBeCloseTo(Number(row.amountOut), 6);
});

test('a token that is not loaded yet is found: the history of the market is loaded for it, once', () => {
	const loading = new TinyMarket();
	const address = tokenAddress(++made);
	let isFilled = false;
	const fill = vi.fn(() => {
		isFilled = true;
		loading.add({address, chain_id: 'evm:42161', latest_price: 2, decimals: 6, symbol: 'LATE'});
	});
	const market = {
		table: loading.table,
		fill,
		get isFilled() {
			return isFilled;
		},
	};
	const tokens = marketTokens(market);
	expect(tokens.find('evm:42161', address)).toMatchObject({symbol: 'LATE', priceUSD: 2});
	expect(tokens.find('evm:42161', tokenAddress(0xff))).toBeUndefined();
	expect(fill).toHaveBeenCalledTimes(1);
});

test('a price that moved too far before the deposit refunds the money', async () => {
	const {address, row} = listed({price: 2});
	const user = await fundedUser(bench);
	const quote = await quoteOf(bench, user, {destinationToken: address, slippage: 5});
	market.change(row, {latest_price: 3});
	await bench.bridge.execute(await bodyOf(bench, user, quote));
	const end = await bench.bridge.wait(quote.intentId);
	expect(end).toMatchObject({
		status: 'refunded',
		failureReason: expect.stringContaining('less than the promised minimum'),
	});
	expect(await balanceOf(bench.arbitrum, user.address, address)).toBe(0n);
});

test('a token that the market has forgotten until the deposit gives the money back', async () => {
	const {address, row} = listed();
	const user = await fundedUser(bench);
	const quote = await quoteOf(bench, user, {destinationToken: address});
	market.free(row);
	await bench.bridge.execute(await bodyOf(bench, user, quote));
	expect((await bench.bridge.wait(quote.intentId)).status).toBe('refunded');
});

test.each([
	['of another chain', {chain: 'evm:8453'}],
	['without a price', {price: Number.NaN}],
	['that is worth nothing', {price: 0}],
])('a token %s is no destination', async (_, fields) => {
	const {address} = listed(fields);
	const quote = quoteOf(bench, await fundedUser(bench), {destinationToken: address});
	await expect(quote).rejects.toMatchObject({check: 'no-route'});
});

test('a token of the market is no origin', async () => {
	const {address} = listed({chain: 'evm:8453'});
	const quote = quoteOf(bench, await fundedUser(bench), {originToken: address});
	await expect(quote).rejects.toMatchObject({check: 'no-route'});
});

test.each([
	['', ''],
	['x'.repeat(31), 'x'.repeat(31)],
	['x'.repeat(40), 'x'.repeat(31)],
	['🐸'.repeat(9), '🐸'.repeat(7)],
	['\u001b[31mred', '\u001b[31mred'],
])('a token keeps its exact name, up to 31 bytes: %j', async (name, kept) => {
	const address = tokenAddress(++made);
	await placeToken(bench.arbitrum, address, {name, symbol: 'S', decimals: 9});
	expect([await read(address, 'name'), await read(address, 'decimals')]).toEqual([kept, 9]);
	expect(await read(address, 'owner')).toBe(bench.arbitrum.accounts.faucet.address);
	expect(await balanceOf(bench.arbitrum, bench.arbitrum.accounts.solver.address, address)).toBe(
		await read(address, 'totalSupply'),
	);
	const allowance = {
		abi: Token.abi,
		address,
		functionName: 'allowance',
		args: [bench.arbitrum.accounts.solver.address, bench.arbitrum.addresses.bridge],
	} as const;
	expect(await bench.arbitrum.client.readContract(allowance)).toBe(2n ** 256n - 1n);
});

test('what stands at an address is never replaced', async () => {
	const {usdc, bridge} = bench.arbitrum.addresses;
	const before = await bench.arbitrum.client.getCode({address: bridge});
	await placeToken(bench.arbitrum, bridge, {name: 'n', symbol: 's', decimals: 1});
	await placeToken(bench.arbitrum, usdc, {name: 'n', symbol: 's', decimals: 1});
	expect(await bench.arbitrum.client.getCode({address: bridge})).toBe(before);
	expect(await read(usdc, 'symbol')).toBe('USDC');
});
