import {type Address, formatUnits, getAddress} from 'viem';
import {entryKey} from '../../contract/entry.ts';
import type {Chain} from '../chain/chain-set.ts';
import {afterTax, NO_CURVE, quoteBuy, quoteSell, type VenuePool, type VenueTokenFacts} from '../chain/venue.ts';
import type {Market} from '../market/market.ts';
import {isUntradable, type OutsideToken, type Untradable} from '../market/outside.ts';
import {BRIDGED_DECIMALS} from './amounts.ts';

/** A token of the market, in the raw units of its chain. */
export interface Launch {
	readonly key: string;
	readonly address: Address;
	readonly pool: VenuePool;
	/** The facts of its contract on a practice chain, which takes no tax where none is reported. */
	readonly facts: VenueTokenFacts;
	/** The same token in the figures of the market. */
	readonly token: OutsideToken;
}

/** Why a token is no launch that can be traded now. */
export interface NotTraded {
	readonly why: Untradable['why'] | 'recording';
}

/** The part of the market that the bridge trades with. */
export type LaunchMarket = Pick<Market, 'outside' | 'table'>;

/** The launch at an address of a practice chain, as it is now. Other chains have no launches. */
export function findLaunch(
	{info, kind}: Pick<Chain, 'info' | 'kind'>,
	address: Address,
	market: LaunchMarket | undefined,
): Launch | NotTraded {
	if (kind !== 'embedded' || market === undefined) return {why: 'unknown'};
	const key = launchKey({info}, address);
	if (market.outside === undefined) return {why: market.table.rowOf(key) === undefined ? 'unknown' : 'recording'};
	const found = market.outside.find(key);
	return isUntradable(found) ? found : launchOf(found);
}

/** The market's name of a launch. */
export function launchKey({info}: Pick<Chain, 'info'>, address: Address): string {
	return entryKey(info.key, address);
}

export function isNotTraded(found: object): found is NotTraded {
	return 'why' in found;
}

/** A token of the market in raw units. */
export function launchOf(token: OutsideToken): Launch {
	const {decimals, deployer, name, supply, symbol} = token;
	return {
		key: token.key,
		address: getAddress(token.address),
		pool: {
			token: toRaw(token.reserveToken, decimals),
			usd: toRaw(token.reserveUSD, BRIDGED_DECIMALS),
			left: token.left === Number.POSITIVE_INFINITY ? NO_CURVE : toRaw(token.left, decimals),
			feePpm: Math.round(token.fee * 1e6),
		},
		facts: {
			name,
			symbol,
			decimals,
			supplyRaw: toRaw(supply, decimals),
			buyTaxBps: toBps(token.buyTax),
			sellTaxBps: toBps(token.sellTax),
			isHoneypot: token.isHoneypot === true,
			taxTo: getAddress(deployer),
		},
		token,
	};
}

/** Raw tokens that arrive when the pool is paid this much USDC; undefined when the pool cannot sell that many tokens. */
export function boughtRaw({facts, pool}: Launch, usdRaw: bigint): bigint | undefined {
	const bought = quoteBuy(pool, usdRaw);
	return bought && afterTax(bought.tokensOut, facts.buyTaxBps);
}

/** The USDC that the pool pays when this many tokens are sent; undefined when that is nothing. */
export function soldRaw({facts, pool}: Launch, tokensRaw: bigint): bigint | undefined {
	return quoteSell(pool, afterTax(tokensRaw, facts.sellTaxBps))?.usdOut;
}

/** A number of whole units in raw units, to the unit: whole parts are exact at any number of decimals. */
function toRaw(amount: number, decimals: number): bigint {
	const whole = Math.trunc(amount);
	return BigInt(whole) * 10n ** BigInt(decimals) + BigInt(Math.round((amount - whole) * 10 ** decimals));
}

/** Raw units as the nearest number of whole ones. */
export function fromRaw(raw: bigint, decimals: number): number {
	return Number(formatUnits(raw, decimals));
}

function toBps(part: number | undefined): number {
	return Math.round(Math.min(Math.max(part ?? 0, 0), 1) * 10_000);
}
