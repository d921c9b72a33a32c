import type {LaunchEvent, PoolFacts} from '../../market/events.ts';
import type {FollowedToken} from './followed-tokens.ts';
import type {TokenFacts} from './token-facts.ts';
import {toUnits} from './units.ts';

/** Where and with what a token starts to be traded. */
export interface Start {
	readonly timeMs: number;
	readonly chainId: string;
	readonly block: number;
	readonly pool: PoolFacts;
	/** Raw; null when unknown. */
	readonly reserveToken: bigint | null;
	readonly reserveQuote: bigint | null;
	/** In quote coins. */
	readonly price: number | null;
	readonly quoteUSD: number | null;
	/** Raw tokens that transfers up to the launch made. */
	readonly minted: bigint;
}

/**
 * The launch of a token. The supply is the amount minted in the launch, where all of the minting was seen: always for a launchpad,
 * and for a pool made by hand when the amount equals the supply that the token reports.
 */
export function launchEvent(token: FollowedToken, facts: TokenFacts | undefined, start: Start): LaunchEvent {
	const {timeMs, chainId, block, pool, reserveToken, reserveQuote, price, quoteUSD, minted} = start;
	const said = token.waiting?.supply ?? null;
	const supply = token.venue !== null && minted > 0n ? minted : said === null ? (facts?.supply ?? null) : BigInt(said);
	return {
		type: 'launch',
		kind: 'token',
		timeMs,
		chainId,
		token: token.token,
		block,
		symbol: token.symbol,
		name: token.name,
		decimals: token.decimals,
		supply: unitsOf(supply, token.decimals),
		deployer: token.creator,
		pool,
		reserveToken: unitsOf(reserveToken, token.decimals),
		reserveQuote: unitsOf(reserveQuote, pool.quote.decimals),
		quoteUSD,
		priceUSD: price === null || quoteUSD === null ? null : price * quoteUSD,
		balances: 'transfers',
		...(token.curve === null && {isBonded: true as const}),
		curveSale: unitsOf(saleOf(token, reserveToken), token.decimals),
		holdersReported: minted > 0n && minted === supply,
		profile: {...token.waiting?.profile, security: token.security},
	};
}

/**
 * Raw tokens that a curve sells; null when unknown, or without a curve. One of the constant product that graduates at an amount keeps the
 * tokens that its price needs then. Where that is not known, progress goes by the amount alone, and all that it has stands for its sale.
 */
function saleOf({curve}: FollowedToken, held: bigint | null): bigint | null {
	if (curve?.sale) return BigInt(curve.sale);
	if (curve?.kept && held !== null) return held > BigInt(curve.kept) ? held - BigInt(curve.kept) : null;
	if (!curve?.raise || held === null) return null;
	const [raise, virtual] = [BigInt(curve.raise), BigInt(curve.virtual ?? 0)];
	return raise + virtual === 0n ? null : held - (held * virtual) / (virtual + raise);
}

function unitsOf(raw: bigint | null, decimals: number): number | null {
	return raw === null ? null : toUnits(raw, decimals);
}
