import type {Coins} from './coins.ts';
import type {FollowedPool, FollowedToken, FollowedTokens} from './followed-tokens.ts';
import {curvePrice, priceOfRoot} from './pool-maths.ts';
import {tokenOfPool} from './pool-token.ts';
import type {Surroundings, Transaction} from './surroundings.ts';
import {toUnits} from './units.ts';
import type {Address, CurveTerms, PoolMade, TokenMade} from './venue.ts';
import type {VenueLog} from './venue-reader.ts';

/** Default decimals of a launchpad's tokens. */
const USUAL_DECIMALS = 18;

/** Begins to follow what a transaction makes: tokens of launchpads, and pools. */
export function followNew({logs}: Transaction, around: Surroundings, coins: Coins): void {
	const venueLogs = logs.filter(read => read.kind === 'venue');
	const terms = new Map<Address, Terms>();
	for (const {event} of venueLogs) if (event.kind === 'curve-terms') noteTerms(terms, event);
	for (const read of venueLogs) if (read.event.kind === 'token') followToken(read.event, read, {around, coins, terms});
	for (const read of venueLogs) if (read.event.kind === 'pool') followPool(read.event, read, around, coins);
	for (const read of venueLogs) if (read.event.kind === 'token') followNamedPool(read.event, read, around, coins);
}

/** The tokens and the coin of a curve, where separate events say them. */
type Terms = Pick<CurveTerms, 'sale' | 'quote'>;

function noteTerms(terms: Map<Address, Terms>, {token, sale, quote}: CurveTerms): void {
	const before = terms.get(token);
	terms.set(token, {sale: sale ?? before?.sale ?? null, quote: quote ?? before?.quote ?? null});
}

function followToken(
	made: TokenMade,
	{log, venue}: VenueLog,
	{around, coins, terms}: {around: Surroundings; coins: Coins; terms: ReadonlyMap<Address, Terms>},
): void {
	if (around.state.tokens.has(made.token)) return;
	const facts = around.facts(made.token);
	const {curve, creator, supply, profile} = made;
	const said = terms.get(made.token);
	const sale = said?.sale ?? curve?.sale ?? facts?.launch?.sale ?? null;
	const quote = said?.quote ?? curve?.quote ?? facts?.launch?.quote ?? null;
	const {virtual, kept, launchpad: brand} = facts?.launch ?? {};
	around.state.putToken({
		...newToken(made.token, log.blockNumber),
		venue: venue.id,
		...(brand !== undefined && {brand}),
		launchpad: log.address,
		curve: curve && {
			address: curve.address,
			quote: quote && coins.wrapped(quote),
			sale: sale === null ? null : String(sale),
			...(curve.raise !== undefined && {raise: String(curve.raise)}),
			...(virtual !== undefined && {virtual: String(virtual)}),
			...(kept !== undefined && {kept: String(kept)}),
		},
		creator: creator ?? facts?.launch?.creator ?? null,
		waiting: {supply: supply === null ? null : String(supply), profile},
		decimals: facts?.decimals ?? made.decimals ?? USUAL_DECIMALS,
		symbol: made.symbol ?? facts?.symbol ?? null,
		name: made.name ?? facts?.name ?? null,
	});
}

/** A pool was made. It is followed when its token is followed, or new and paired with a quote coin. */
function followPool(made: PoolMade, {log, venue}: VenueLog, around: Surroundings, coins: Coins): void {
	const {state, chain} = around;
	if (state.pools.has(made.pool)) return;
	const [token0, token1] = [coins.wrapped(made.token0), coins.wrapped(made.token1)];
	const token = tokenOfPool(token0, token1, state, chain);
	if (token === undefined) return;
	// A token without a launchpad waits for coins in its pool.
	if (!state.tokens.has(token)) state.putToken(newToken(token, log.blockNumber));
	const isToken0 = token === token0;
	const pool: FollowedPool = {
		pool: made.pool,
		token,
		quote: isToken0 ? token1 : token0,
		isToken0,
		venue: venue.id,
		factory: log.address,
		feePpm: made.feePpm,
		hooks: made.hooks,
		...(made.isStable !== undefined && {isStable: made.isStable}),
		isOpen: false,
	};
	putPool(pool, around, coins);
	if (made.sqrtPriceX96 !== null && state.pools.has(made.pool)) state.rooted(pool, made.sqrtPriceX96);
}

/** The pool that a launchpad's event names, where no event of its own did. */
function followNamedPool(made: TokenMade, {log}: VenueLog, around: Surroundings, coins: Coins): void {
	if (!made.pool || around.state.pools.has(made.pool.pool)) return;
	const {pool, venue, quote, tokenIs} = made.pool;
	const place = {pool, venue, factory: log.address, feePpm: null, hooks: null, isOpen: false};
	putPool({...place, token: made.token, quote: coins.wrapped(quote), isToken0: tokenIs === 0}, around, coins);
}

/** Without its other coin nothing of a pool can be read. */
function putPool(pool: FollowedPool, {state}: Surroundings, coins: Coins): void {
	if (!coins.find(pool.quote)) return;
	state.putPool(pool);
	const quote = state.tokens.get(pool.quote);
	if (!quote || quote.isQuote) return;
	state.putToken({...quote, isQuote: true});
	const price = priceNow(quote, state, coins);
	if (price !== null) state.priced(quote.token, price);
}

/** The price of a token in its quote coin, where its main pool has one without a further trade. */
function priceNow(token: FollowedToken, state: FollowedTokens, coins: Coins): number | null {
	const pool = token.main === null ? undefined : state.pools.get(token.main);
	if (!pool) return null;
	const quoteDecimals = coins.ofPool(pool).decimals;
	const holdings = state.holdingsOf(pool.pool);
	if (holdings) {
		const [tokens, quotes] = pool.isToken0 ? holdings : holdings.toReversed();
		const held = {token: toUnits(tokens!, token.decimals), quote: toUnits(quotes!, quoteDecimals)};
		return curvePrice(token, held, quoteDecimals);
	}
	const root = state.rootOf(pool.pool);
	if (root === undefined) return null;
	return priceOfRoot(root, {isToken0: pool.isToken0, tokenDecimals: token.decimals, quoteDecimals});
}

function newToken(token: Address, block: number): FollowedToken {
	return {
		token,
		block,
		venue: null,
		launchpad: null,
		curve: null,
		creator: null,
		waiting: {supply: null, profile: {}},
		security: {},
		decimals: USUAL_DECIMALS,
		symbol: null,
		name: null,
		main: null,
		isGraduated: false,
		isQuote: false,
	};
}
