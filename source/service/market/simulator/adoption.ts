import type {Chain, Launchpad} from '../chains.ts';
import type {MarketEvent} from '../events.ts';
import type {HeldToken} from '../held-token.ts';
import {blockAt, nativeUSD, poolFacts} from './chain-facts.ts';

/** Less than this part of a pool is rounding. */
const DUST_PART = 1e-9;

/** A wallet of the crowd that comes back with a held token, and its part of what the crowd has. */
export interface CrowdPart {
	readonly wallet: string;
	readonly weight: number;
}

/** The holding of a wallet of the crowd after the events. */
interface CrowdHolding {
	readonly wallet: string;
	readonly tokens: number;
	readonly paidUSD: number;
}

interface Adoption {
	/** Oldest first, none later than `nowMs`. */
	readonly events: readonly MarketEvent[];
	readonly holdings: readonly CrowdHolding[];
}

/**
 * The past of a held token, in short: its launch, the holders from outside, and the trades of the crowd as one buy a
 * wallet, so that supply, reserves and holders agree. Its figures of the windows before the restart are gone.
 */
export function adoption(
	held: HeldToken,
	pad: Launchpad,
	chain: Chain,
	parts: readonly CrowdPart[],
	nowMs: number,
): Adoption {
	const launchMs = Math.min(held.launchMs, nowMs);
	const endMs = Math.min(Math.max(held.bonded?.timeMs ?? held.atMs, launchMs), nowMs);
	const at = (timeMs: number) => ({
		timeMs,
		block: blockAt(chain, timeMs),
		chainId: held.chainId,
		token: held.address.toLowerCase(),
	});
	const {curve} = pad;
	const events: MarketEvent[] = [];
	const quoteUSD = nativeUSD(chain, launchMs);
	const openingPrice = curve ? curve.virtualQuote / curve.virtualToken : held.openingQuote / held.openingToken;
	events.push({
		...at(launchMs),
		type: 'launch',
		kind: 'token',
		symbol: held.symbol,
		name: held.name,
		decimals: pad.decimals,
		supply: held.isSupplyReported ? pad.supply : null,
		deployer: held.deployer,
		pool: poolFacts(chain, held.pool, pad),
		reserveToken: held.openingToken,
		reserveQuote: held.openingQuote,
		quoteUSD,
		priceUSD: openingPrice * quoteUSD,
		curveSale: curve?.sale ?? null,
		holdersReported: held.holdersReported,
		profile: held.profile,
	});

	const pool = poolBefore(held, pad);
	const sold = held.openingToken - pool.tokens;
	const paid = pool.quotes - held.openingQuote;
	// One price for all of it: by which way the crowd came here is forgotten.
	const price = paid / sold > 0 ? paid / sold : held.reserveQuote / held.reserveToken;
	const trade = (timeMs: number, wallet: string, tokens: number): void => {
		const usd = nativeUSD(chain, timeMs);
		const amountQuote = Math.abs(tokens) * price;
		events.push({
			...at(timeMs),
			type: 'trade',
			pool: null,
			wallet,
			side: tokens > 0 ? 'buy' : 'sell',
			amountToken: Math.abs(tokens),
			amountQuote,
			valueUSD: amountQuote * usd,
			feeUSD: amountQuote * usd * pad.fee,
			quoteUSD: usd,
			tx: null,
			platform: null,
		});
	};
	const buys = held.holders.map(({wallet, tokens, sinceMs}) => ({
		wallet,
		tokens,
		timeMs: Math.min(Math.max(sinceMs, launchMs), endMs),
	}));
	const rest = sold - buys.reduce((sum, {tokens}) => sum + tokens, 0);
	const byCrowd = Math.abs(rest) < held.openingToken * DUST_PART ? 0 : rest;
	const holdings: CrowdHolding[] = [];
	if (byCrowd > 0) {
		const weights = parts.reduce((sum, {weight}) => sum + weight, 0);
		for (const [n, {wallet, weight}] of parts.entries()) {
			const tokens = (byCrowd * weight) / weights;
			const timeMs = Math.floor(launchMs + ((endMs - launchMs) * (n + 1)) / (parts.length + 1));
			buys.push({wallet, tokens, timeMs});
			holdings.push({wallet, tokens, paidUSD: tokens * price * nativeUSD(chain, timeMs)});
		}
	}
	buys.sort((a, b) => a.timeMs - b.timeMs);
	for (const {timeMs, wallet, tokens} of buys) trade(timeMs, wallet, tokens);
	// The pool has more than it opened with: the deployer, who has the rest of the supply, sold it.
	if (byCrowd < 0) trade(endMs, held.deployer, byCrowd);

	if (held.bonded && pad.next) {
		events.push({
			...at(endMs),
			type: 'migrate',
			pool: poolFacts(chain, held.bonded.pool, pad.next),
			reserveToken: held.reserveToken,
			reserveQuote: held.reserveQuote,
			main: true,
		});
	} else if (held.isRugged) {
		const amountToken = held.reserveToken - pool.tokens;
		const amountQuote = held.reserveQuote - pool.quotes;
		events.push({...at(endMs), type: 'liquidity', pool: null, wallet: held.deployer, amountToken, amountQuote});
	}
	return {events, holdings};
}

/** The first pool as the holders left it: before the token left its curve, or its deployer took the money. */
function poolBefore(held: HeldToken, {curve, supply}: Launchpad): {tokens: number; quotes: number} {
	if (held.isRugged) {
		// All that is known is what the holders from outside took; what the crowd held is worth next to nothing.
		const bought = held.holders.reduce((sum, {tokens}) => sum + tokens, 0);
		const tokens = Math.max(held.openingToken - bought, held.openingToken * 0.1);
		return {tokens, quotes: (held.openingToken * held.openingQuote) / tokens};
	}
	if (!curve) return {tokens: held.reserveToken, quotes: held.reserveQuote};
	const {virtualToken, virtualQuote, sale} = curve;
	const left = held.bonded ? 0 : (held.left ?? 0);
	const quotes = held.bonded ? (virtualToken * virtualQuote) / (virtualToken - sale) : held.reserveQuote;
	return {tokens: supply - (sale - left), quotes: Math.max(quotes - virtualQuote, 0)};
}
