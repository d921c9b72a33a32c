import {type Address, getAddress} from 'viem';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {findLaunch} from '../../../source/service/bridge/launch.ts';
import {Token} from '../../../source/service/chain/artifacts.generated.ts';
import {readPool} from '../../../source/service/chain/venue.ts';
import type {HeldToken} from '../../../source/service/market/held-token.ts';
import {balanceOf} from '../chain/practice.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';
import {fundedUser, openBench, quoteOf} from './bridge-client.ts';
import {
	addressOf,
	buy,
	curveLaunch,
	fundedBuyer,
	type LaunchBench,
	LaunchClock,
	openLaunchBench,
	poolLaunch,
	quoteBuy,
	quoteSell,
	sell,
} from './launches.ts';

const curve = curveLaunch();
const pool = poolLaunch();
const taxed = poolLaunch({buyTax: '5', sellTax: '10'});
const honeypot = curveLaunch({isHoneypot: true});
const dear = curveLaunch({sellTax: '26'});
const dry = poolLaunch({reserveToken: 1e9, reserveQuote: 0.004});
const rugged = poolLaunch({isRugged: true});
let bench: LaunchBench;

beforeAll(async () => {
	bench = await openLaunchBench(new LaunchClock([curve, pool, taxed, honeypot, dear, dry, rugged]));
});
afterAll(() => bench.close());

const held = (user: {address: Address}, launch: HeldToken) => balanceOf(bench.base, user.address, addressOf(launch));

/** The reserves of the market and of the chain, which must be one after each trade. */
async function reserves(launch: HeldToken) {
	const {token, usd} = await readPool(bench.base, addressOf(launch));
	const {reserveToken, reserveUSD, decimals} = bench.launches.found(launch);
	return {chain: [Number(token) / 10 ** decimals, Number(usd) / 1e6], market: [reserveToken, reserveUSD]};
}

async function expectOneMarket(launch: HeldToken): Promise<void> {
	const {chain, market} = await reserves(launch);
	for (const [i, amount] of chain.entries()) expect(Math.abs(amount / market[i]! - 1)).toBeLessThan(1e-9);
}

describe('a launch', () => {
	test('is bought and sold: the row moves, the buyer is a holder, the tape has the own transactions once', async () => {
		const {launches, arbitrum} = bench;
		const user = await fundedBuyer(bench);
		const [price, holders] = [launches.figure(curve, 'latest_price'), launches.figure(curve, 'holders_count')];

		const bought = await buy(bench, user, curve, '50');
		const tokens = await held(user, curve);
		expect(bought.row).toMatchObject({status: 'filled', amountInUsd: 50, amountOut: bought.quote.estimatedAmountOut});
		expect(Number(bought.row.amountOut)).toBeCloseTo(Number(tokens) / 1e18, 6);
		expect(launches.figure(curve, 'latest_price')).toBeGreaterThan(price);
		expect(launches.figure(curve, 'holders_count')).toBe(holders + 1);
		await expectOneMarket(curve);

		const sold = await sell(bench, user, curve, tokens);
		expect(sold.row).toMatchObject({status: 'filled', amountOut: sold.quote.estimatedAmountOut});
		expect(await held(user, curve)).toBe(0n);
		// 1000 USDC less what both ways cost: two fees of 1 % of the curve, and those of the bridge.
		const back = Number(await balanceOf(arbitrum, user.address)) / 1e6;
		expect(back).toBeCloseTo(950 + Number(sold.row.amountOut), 6);
		expect(back).toBeGreaterThan(998);
		expect(back).toBeLessThan(1000);
		expect(launches.figure(curve, 'holders_count')).toBe(holders);
		expect(launches.tape(curve).map(({side, wallet, tx, platform}) => ({side, wallet, tx, platform}))).toEqual([
			{side: 'buy', wallet: user.address, tx: bought.row.fillTxHash, platform: 'pulsetop'},
			{side: 'sell', wallet: user.address, tx: sold.row.depositTxHash, platform: 'pulsetop'},
		]);
		await expectOneMarket(curve);
	});

	test('with taxes: what arrives is what was promised, and the deployer has the taxes', async () => {
		const user = await fundedBuyer(bench);
		const {quote, row} = await buy(bench, user, taxed, '40');
		const tokens = await held(user, taxed);
		expect(quote).toMatchObject({buyTax: 5, sellTax: 10, recommendedSlippage: 10});
		expect(row.amountOut).toBe(quote.estimatedAmountOut);
		// 40 dollars less 1 % of the pool, 5 % of the token and the bridge's fees.
		expect(Number(quote.estimatedAmountOutUsd) / 40).toBeCloseTo(0.95 * 0.99, 1);
		expect(Number(tokens) / 1e18).toBeCloseTo(Number(row.amountOut), 4);
		const deployer = taxed.deployer as Address;
		const taxes = await balanceOf(bench.base, deployer, addressOf(taxed));
		expect(Number(taxes) / Number(tokens)).toBeCloseTo(5 / 95, 9);

		const sold = await sell(bench, user, taxed, tokens / 2n);
		expect(sold.row).toMatchObject({status: 'filled', amountOut: sold.quote.estimatedAmountOut});
		expect(await held(user, taxed)).toBe(tokens - tokens / 2n);
		await expectOneMarket(taxed);
	});

	test('says in a quote what it costs to move its price', async () => {
		const user = await fundedBuyer(bench);
		const quote = await quoteBuy(bench, user, pool, {amount: '500'});
		const {reserveToken, reserveUSD, timeMs} = bench.launches.found(pool);
		const share = Number(quote.poolShare) / 100;
		// 500 dollars less the pool's fee of 1 % and less than one dollar of the bridge's fees.
		expect(share * reserveUSD).toBeGreaterThan(499 / 1.01);
		expect(share * reserveUSD).toBeLessThan(500 / 1.01);
		expect(Number(quote.priceUSD)).toBeCloseTo(reserveUSD / reserveToken, 15);
		expect(Number(quote.priceImpact) / 100).toBeCloseTo(share / (1 + share), 5);
		expect(quote.marketTimeMs).toBe(timeMs);
		expect(Number(quote.minAmountOut)).toBeCloseTo(Number(quote.estimatedAmountOut) * 0.9, 3);
	});

	test('belongs to the venue as far as no wallet has it', async () => {
		const user = await fundedBuyer(bench);
		await buy(bench, user, pool, '10');
		const supply = await bench.base.client.readContract({
			abi: Token.abi,
			address: addressOf(pool),
			functionName: 'totalSupply',
		});
		const venue = await balanceOf(bench.base, bench.base.addresses.venue, addressOf(pool));
		expect(venue + (await held(user, pool))).toBe(supply);
	});
});

describe('a quote of a launch is refused', () => {
	const refusal = (check: string) => ({name: 'QuoteRefused', check});

	test.each([
		['a honeypot', 'honeypot', honeypot, '50'],
		['a token that takes more than a quarter of a sale', 'taxed', dear, '50'],
		['a pool with twelve dollars', 'pool-too-small', dry, '5'],
		['a pool whose money was taken', 'rugged', rugged, '50'],
	])('%s: %s', async (_, check, launch, amount) => {
		const user = await fundedBuyer(bench);
		await expect(quoteBuy(bench, user, launch, {amount})).rejects.toMatchObject({check});
		// Nothing was placed on the chain for it.
		expect(await bench.base.client.getCode({address: addressOf(launch)})).toBeUndefined();
	});

	test('too large for the pool: the most that goes is said, and goes', async () => {
		const user = await fundedBuyer(bench);
		const error = await quoteBuy(bench, user, pool, {amount: '5000'}).catch(e => e);
		expect(error).toMatchObject(refusal('too-large-for-pool'));
		const most = /at most (\d+(?:\.\d+)?) USD goes/.exec(error.message)![1]!;
		// Twelve per cent of its money.
		expect(Number(most)).toBeCloseTo(bench.launches.found(pool).reserveUSD * 0.12, -2);
		const quote = await quoteBuy(bench, user, pool, {amount: most});
		expect(quote.poolShare).toBeGreaterThan(11.99);
		const more = (Number(most) + 0.02).toFixed(2);
		await expect(quoteBuy(bench, user, pool, {amount: more})).rejects.toMatchObject(refusal('too-large-for-pool'));
	});

	test('too large a sale: the most that goes is said, and goes', async () => {
		const user = await fundedBuyer(bench);
		const tokens = BigInt(Math.floor(bench.launches.found(pool).reserveToken)) * 10n ** 18n;
		const error = await quoteSell(bench, user, pool, {amountRaw: tokens.toString()}).catch(e => e);
		expect(error).toMatchObject(refusal('too-large-for-pool'));
		const most = /at most (\S+) tokens go/.exec(error.message)![1]!;
		expect((await quoteSell(bench, user, pool, {amount: most})).poolShare).toBeCloseTo(12, 3);
	});

	test('a sale that the service would not send itself', async () => {
		const user = await fundedBuyer(bench);
		await expect(quoteSell(bench, user, pool, {amount: '5', gasless: false})).rejects.toMatchObject(
			refusal('gasless-only'),
		);
	});

	test('to and from the same chain, and from one launch into another', async () => {
		const user = await fundedBuyer(bench);
		const same = quoteSell(bench, user, pool, {amount: '5', destinationChainId: 'evm:8453'});
		await expect(same).rejects.toMatchObject(refusal('same-chain'));
		const more = {originChainId: 'evm:8453', originToken: pool.address, amount: '5'};
		await expect(quoteBuy(bench, user, curve, more)).rejects.toMatchObject(refusal('same-chain'));
	});

	test('a sale of what nobody has bought', async () => {
		const user = await fundedBuyer(bench);
		await expect(quoteSell(bench, user, honeypot, {amount: '5'})).rejects.toMatchObject(refusal('honeypot'));
		await expect(quoteSell(bench, user, dear, {amount: '900000'})).rejects.toMatchObject(refusal('would-revert'));
	});

	test('while the market is behind its clock', async () => {
		const user = await fundedBuyer(bench);
		bench.launches.nowMs += 6000;
		await expect(quoteBuy(bench, user, curve, {})).rejects.toMatchObject(refusal('stale-market'));
		bench.launches.pass(0);
		expect((await quoteBuy(bench, user, curve, {})).intentId).toBeDefined();
	});

	test('in a recording, whose tokens are not traded', async () => {
		const recorded = new TinyMarket();
		const address = `0x${'3f'.repeat(20)}`;
		recorded.add({address, chain_id: 'evm:42161', latest_price: 2, decimals: 6, symbol: 'OLD'});
		const replay = await openBench({market: recorded});
		const user = await fundedUser(replay);
		await expect(quoteOf(replay, user, {destinationToken: address})).rejects.toMatchObject(refusal('recording'));
		await replay.close();
	});
});

test('a real chain has no launches, whatever its market has', () => {
	const address = addressOf(curve);
	const {market} = bench.launches;
	expect(findLaunch(bench.base, address, market)).toMatchObject({address: getAddress(address)});
	expect(findLaunch({...bench.base, kind: 'external'}, address, market)).toEqual({why: 'unknown'});
});

test('the list of routes says that launches can be bridged', async () => {
	const routes = await bench.bridge.routes();
	expect(routes.map(({supportedTokens}) => supportedTokens)).toEqual(['USDC,DAI,market', 'USDC,DAI,market']);
});
