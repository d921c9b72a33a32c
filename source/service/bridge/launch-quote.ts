import {formatUnits} from 'viem';
import type {Quote} from '../../contract/bridge.ts';
import {afterTax, quoteBuy} from '../chain/venue.ts';
import {plainDecimal} from '../market/wire-amounts.ts';
import {BRIDGED_DECIMALS, depositFor, type Fees, usdText} from './amounts.ts';
import {QuoteRefused} from './bridge-errors.ts';
import {boughtRaw, type Launch, type NotTraded, soldRaw} from './launch.ts';

/** Per cent: how far the price of a launch may well move until its buyer has signed. */
export const LAUNCH_SLIPPAGE = 10;

/** The largest part of a pool that one trade may move, in hundredths of a per cent: what the market's own trades keep to. */
const MAX_OF_POOL_BPS = 1200n;

/** A launch that takes more than this of a purchase or a later sale is not sold to anybody, in hundredths of a per cent. */
const MAX_TAX_BPS = 2500;

/** A pool that cannot take a purchase of this many dollars is too small to trade with. */
const MIN_BUY_USD = 2;

/** How far the market's clock may be behind before its prices are old: after a pause of the machine it catches up. */
const STALE_MS = 5000;

/** Figures of a launch in a quote, beside its amounts. */
export type LaunchFigures = Pick<
	Quote,
	'priceUSD' | 'priceImpact' | 'poolShare' | 'buyTax' | 'sellTax' | 'marketTimeMs'
>;

const NOT_TRADED = {
	unknown: 'The market does not have the token',
	migrating: 'The token is between its curve and its pool for some seconds: try again soon',
	rugged: 'The deployer of the token took the money of its pool',
	'price-unknown': 'The market has no price for the token',
	recording: 'This is a recording: nothing can be traded in it',
} as const;

/** Why a token is not traded now, in words. */
export function whyNotTraded(why: NotTraded['why']): string {
	return NOT_TRADED[why];
}

/**
 * Refuses a token that is no launch that can be traded.
 * @param elsewhere what is said of a token that the market does not have
 */
export function refuseNotTraded({why}: NotTraded, elsewhere: string): never {
	if (why === 'unknown') throw new QuoteRefused('no-route', elsewhere);
	throw new QuoteRefused(why, NOT_TRADED[why]);
}

/** Refuses what is wrong with a launch whatever the amount is. @throws QuoteRefused */
export function checkTradable({facts, token}: Launch, side: 'buy' | 'sell', nowMs: number): void {
	const {isHoneypot, buyTaxBps, sellTaxBps} = facts;
	if (nowMs - token.timeMs > STALE_MS) {
		throw new QuoteRefused('stale-market', 'The market is behind its clock, so its prices are old: try again soon');
	}
	if (isHoneypot) throw new QuoteRefused('honeypot', 'The token is a honeypot: it can be bought, but not sold');
	// Who holds a token may leave it at any tax, and at what is left of its pool.
	if (side === 'sell') return;
	if (token.isRugged) throw new QuoteRefused('rugged', NOT_TRADED.rugged);
	if (Math.max(buyTaxBps, sellTaxBps) > MAX_TAX_BPS) {
		const taxes = `${percent(buyTaxBps)} % of a purchase and ${percent(sellTaxBps)} % of a sale`;
		throw new QuoteRefused('taxed', `The token takes ${taxes}, more than ${percent(MAX_TAX_BPS)} %`);
	}
}

/** The result of a purchase. */
export interface LaunchBuy {
	/** Raw tokens that arrive, after the token's own tax. */
	readonly arrivesRaw: bigint;
	/** Its value at the pool's price before the trade, in raw USDC. */
	readonly valueRaw: bigint;
	readonly figures: LaunchFigures;
}

/**
 * A purchase from the pool's reserves.
 * @param usdRaw what the pool is paid: the deposit without the fees of the transfer
 * @throws QuoteRefused too-large-for-pool with the most that goes, pool-too-small, too-small
 */
export function quoteLaunchBuy(launch: Launch, usdRaw: bigint, fees: Fees): LaunchBuy {
	const {pool} = launch;
	const maxRaw = maxToPay(launch);
	if (maxRaw < BigInt(MIN_BUY_USD) * 10n ** BigInt(BRIDGED_DECIMALS)) {
		throw new QuoteRefused('pool-too-small', `The pool of the token cannot take ${MIN_BUY_USD} USD`);
	}
	if (usdRaw > maxRaw) {
		throw new QuoteRefused(
			'too-large-for-pool',
			`The amount is too large for the pool of the token: at most ${maxText(depositFor(maxRaw, fees))} USD goes`,
		);
	}
	const bought = quoteBuy(pool, usdRaw);
	const arrivesRaw = boughtRaw(launch, usdRaw);
	if (bought === undefined || arrivesRaw === undefined || arrivesRaw <= 0n) {
		throw new QuoteRefused('too-small', 'The amount buys nothing of the token');
	}
	return {
		arrivesRaw,
		valueRaw: (arrivesRaw * pool.usd) / pool.token,
		figures: figuresOf(launch, usdRaw - bought.fee, pool.usd),
	};
}

/** The result of a sale. */
export interface LaunchSale {
	/** The USDC that the pool pays. */
	readonly usdRaw: bigint;
	readonly figures: LaunchFigures;
}

/**
 * A sale to the pool's reserves.
 * @param tokensRaw what the seller sends, before the token's own tax
 * @throws QuoteRefused too-large-for-pool with the most that goes, too-small
 */
export function quoteLaunchSale(launch: Launch, tokensRaw: bigint): LaunchSale {
	const {pool, facts, token} = launch;
	const arrivesRaw = afterTax(tokensRaw, facts.sellTaxBps);
	const maxRaw = (pool.token * MAX_OF_POOL_BPS) / 10_000n;
	// Of an emptied pool there is nothing to wait for: all goes at once.
	if (arrivesRaw > maxRaw && !token.isRugged) {
		const most = formatUnits((maxRaw * 10_000n) / BigInt(10_000 - facts.sellTaxBps), facts.decimals);
		throw new QuoteRefused(
			'too-large-for-pool',
			`The amount is too large for the pool of the token: at most ${most} tokens go at once`,
		);
	}
	const usdRaw = soldRaw(launch, tokensRaw);
	if (usdRaw === undefined) throw new QuoteRefused('too-small', 'The pool pays nothing for the amount');
	return {usdRaw, figures: figuresOf(launch, arrivesRaw, pool.token)};
}

/** The most that the pool takes for one purchase, its fee included, in raw USDC. */
function maxToPay({pool}: Launch): bigint {
	const shareRaw = (pool.usd * MAX_OF_POOL_BPS) / 10_000n;
	// A curve has less left than its reserves say. One raw unit is rounding.
	const left = pool.left < pool.token ? pool.left : pool.token - 1n;
	const soldOutRaw = left <= 0n ? 0n : (pool.usd * left) / (pool.token - left) - 1n;
	const movedRaw = soldOutRaw < shareRaw ? soldOutRaw : shareRaw;
	return movedRaw <= 0n ? 0n : (movedRaw * BigInt(1_000_000 + pool.feePpm)) / 1_000_000n;
}

/**
 * @param addedRaw the amount that the trade adds to one side of the pool
 * @param reserveRaw the reserve of that side
 */
function figuresOf({token}: Launch, addedRaw: bigint, reserveRaw: bigint): LaunchFigures {
	const share = Number(addedRaw) / Number(reserveRaw);
	return {
		priceUSD: plainDecimal(token.reserveUSD / token.reserveToken),
		// In a constant product pool the average price is worse than the first by the growth of the pool.
		priceImpact: rounded((share / (1 + share)) * 100),
		poolShare: rounded(share * 100),
		...(token.buyTax !== undefined && {buyTax: rounded(token.buyTax * 100)}),
		...(token.sellTax !== undefined && {sellTax: rounded(token.sellTax * 100)}),
		marketTimeMs: token.timeMs,
	};
}

/** Dollars in whole cents, rounded down. */
function maxText(usdRaw: bigint): string {
	return usdText(usdRaw - (usdRaw % 10_000n));
}

function rounded(value: number): number {
	return Math.round(value * 1e4) / 1e4;
}

function percent(bps: number): number {
	return bps / 100;
}
