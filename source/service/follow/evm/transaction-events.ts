import {NATIVE} from '../../../chains/evm-chains.ts';
import type {MarketEvent, QuoteCoin, Security, TradeEvent} from '../../market/events.ts';
import {Coins} from './coins.ts';
import type {FollowedCurve, FollowedPool, FollowedToken, FollowedTokens, PoolHoldings} from './followed-tokens.ts';
import {launchEvent, type Start} from './launch-event.ts';
import {followNew} from './new-tokens.ts';
import {seenFlags, seenInTrial, seenMore, taxOfTrade} from './observed-taxes.ts';
import {
	curvePrice,
	liquidityAmounts,
	priceInStablePool,
	priceOfRatio,
	priceOfReserves,
	priceOfRoot,
} from './pool-maths.ts';
import {openingOf, type PoolOpening} from './pool-opening.ts';
import type {Surroundings, Transaction} from './surroundings.ts';
import {isKeyless, mintedIn, TokenFlows} from './token-flows.ts';
import {toUnits} from './units.ts';
import type {
	Address,
	CurveOpened,
	CurveTrade,
	Graduated,
	Hex,
	PoolLiquidity,
	PoolReserves,
	PoolSwap,
	TokenMade,
	Venue,
	VenueEvent,
} from './venue.ts';
import type {OwnerLog, ReadLog, TransferLog, VenueLog} from './venue-reader.ts';
import {AERODROME} from './venues/aerodrome.ts';
import {walletOfTrade} from './wallet-of-trade.ts';

/** The market's events of one transaction. Changes the state of the followed tokens. */
export function transactionEvents(transaction: Transaction, around: Surroundings): readonly MarketEvent[] {
	return new Reading(transaction, around).run();
}

/** A trade, wherever it was made. Amounts are raw. */
interface Trade {
	readonly token: FollowedToken;
	readonly quote: QuoteCoin;
	/** Null: the main one. */
	readonly pool: Hex | null;
	/** The contract that tokens come from and go to; null for one that holds other pools, too. */
	readonly place: Address | null;
	readonly wallet: Address | null;
	readonly side: 'buy' | 'sell';
	readonly tokens: bigint;
	readonly quotes: bigint;
	readonly feePart: number | null;
	/** The price after it, quote coins for a token in whole units; null when it is unknown. */
	readonly spot: number | null;
	readonly reserves: TradeEvent['reserves'] | undefined;
	/** How much of its curve is done, where that goes by what was paid. */
	readonly share?: number | undefined;
}

/** The amounts that entered a pool (positive) or left it, raw. */
type Moved = Pick<PoolSwap, 'amount0' | 'amount1'>;

class Reading {
	readonly #transaction: Transaction;
	readonly #around: Surroundings;
	readonly #state: FollowedTokens;
	readonly #coins: Coins;
	readonly #flows: TokenFlows;
	readonly #events: MarketEvent[] = [];
	/** Places of the logs of each pool. */
	readonly #poolLogs = new Map<Hex, number[]>();
	readonly #tradeCounts = new Map<string, number>();
	/** Openings of further pools, by the place of the log before which they count. */
	readonly #openings = new Map<number, PoolOpening[]>();
	/** Logs whose effect an opening has already. */
	readonly #done = new Set<number>();
	/** Reserves that pools reported, until the swap that they belong to. */
	readonly #reserves = new Map<Hex, PoolReserves>();
	readonly #graduating = new Map<Address, Graduated>();
	/** Launched by this transaction: what it mints of them is their first supply. */
	readonly #born = new Set<Address>();

	constructor(transaction: Transaction, around: Surroundings) {
		this.#transaction = transaction;
		this.#around = around;
		this.#state = around.state;
		this.#coins = new Coins(around);
		this.#flows = new TokenFlows(transaction.logs, around);
	}

	run(): readonly MarketEvent[] {
		const {logs} = this.#transaction;
		followNew(this.#transaction, this.#around, this.#coins);
		for (const [index, read] of logs.entries()) this.#sort(read, index);
		for (const read of logs) {
			if (read.kind === 'venue' && isLaunch(read.event)) this.#launchOnCurve(read.event.token);
		}
		for (const pool of this.#poolLogs.keys()) this.#findOpening(pool);
		for (const [index, read] of logs.entries()) this.#read(read, index);
		for (const opening of this.#openings.get(logs.length) ?? []) this.#open(opening);
		for (const [pool, reserves] of this.#reserves) this.#noteReserves(pool, reserves);
		return this.#events;
	}

	#sort(read: ReadLog, index: number): void {
		if (read.kind !== 'venue') return;
		const {event} = read;
		if (event.kind === 'swap' || event.kind === 'reserves' || event.kind === 'liquidity')
			append(this.#poolLogs, event.pool, index);
		if (event.kind === 'swap') this.#countSwap(event);
		if (event.kind === 'curve-trade') this.#countTrade(event.token, event.side);
		if (event.kind === 'graduated') this.#graduating.set(event.token, event);
	}

	#countSwap(event: PoolSwap): void {
		const pool = this.#state.pools.get(event.pool);
		if (pool) this.#countTrade(pool.token, sideOf(pool, event));
	}

	#countTrade(token: Address, side: 'buy' | 'sell'): void {
		this.#tradeCounts.set(token + side, this.#countOf(token, side) + 1);
	}

	#countOf(token: Address, side: 'buy' | 'sell'): number {
		return this.#tradeCounts.get(token + side) ?? 0;
	}

	#read(read: ReadLog, index: number): void {
		for (const opening of this.#openings.get(index) ?? []) this.#open(opening);
		if (read.kind === 'owner') this.#newOwner(read);
		else if (read.kind === 'transfer') this.#transfer(read, (address, token) => this.#flows.holder(address, token));
		else if (!this.#done.has(index)) this.#venueEvent(read);
	}

	#venueEvent({event, venue}: VenueLog): void {
		if (event.kind === 'swap') this.#swap(event, venue);
		else if (event.kind === 'reserves') this.#reserves.set(event.pool, event);
		else if (event.kind === 'liquidity') this.#liquidity(event);
		else if (event.kind === 'curve-trade') this.#curveTrade(event);
		else if (event.kind === 'graduated') this.#graduated(event);
	}

	#findOpening(key: Hex): void {
		const pool = this.#state.pools.get(key);
		const opening = pool && this.#openingOf(pool);
		if (!opening) return;
		const token = this.#state.tokens.get(pool.token)!;
		if (!token.waiting) append(this.#openings, opening.before, opening);
		else if (token.curve) this.#fillCurve(token.curve, opening);
		else this.#launchInPool(token, opening);
	}

	/** The curve of a token that is launched later has its coins. */
	#fillCurve({address}: FollowedCurve, {pool, token, quote}: PoolOpening): void {
		if (pool.pool !== address || token === null || quote === null) return;
		this.#state.holds(pool, pool.isToken0 ? [token, quote] : [quote, token]);
	}

	/** The opening of a pool in this transaction. Its logs are not read again. */
	#openingOf(pool: FollowedPool): PoolOpening | undefined {
		const indices = this.#poolLogs.get(pool.pool);
		if (pool.isOpen || !indices) return undefined;
		const opening = openingOf(pool, indices, this.#transaction.logs, this.#state.rootOf(pool.pool));
		for (const index of opening?.logs ?? []) this.#done.add(index);
		return opening;
	}

	#launchOnCurve(address: Address): void {
		const token = this.#state.tokens.get(address);
		if (!token?.waiting || !token.curve) return;
		const {curve} = token;
		const pool = this.#state.pools.get(curve.address);
		// A curve with its own contract says what it opens with. A curve in a shared contract opens with the tokens that it sells.
		const opening = pool && this.#openingOf(pool);
		const before = pool && this.#state.holdingsOf(pool.pool);
		const minted = this.#flows.mintedTo(address, curve.address);
		const [held, paid] = before && !pool.isToken0 ? [before[1], before[0]] : (before ?? [minted, 0n]);
		const [tokens, quotes] = [opening?.token ?? held, opening?.quote ?? paid];
		const sold = pool || curve.sale === null ? tokens : BigInt(curve.sale);
		const holdings: PoolHoldings = pool?.isToken0 ? [tokens, quotes] : [quotes, tokens];
		this.#launch(token, curve.address, {
			pool: this.#coins.birthplace(token, pool),
			reserveToken: sold > 0n ? sold : null,
			reserveQuote: quotes,
			price: pool ? this.#curvePrice(pool, token, this.#unitsOf(pool, token, holdings)) : null,
			minted: this.#flows.minted(address),
		});
		if (!pool) return;
		this.#state.putPool({...pool, isOpen: true});
		// The opening of a curve includes its virtual coins, unless the curve names them separately.
		const isKnown = tokens > 0n && (quotes > 0n || curve.raise !== undefined);
		if (isKnown && this.#around.reader.venue(pool.venue)?.countsReserves) this.#state.holds(pool, holdings);
	}

	#launchInPool(token: FollowedToken, opening: PoolOpening): void {
		const known = token.venue === null ? this.#asked(token) : token;
		if (!known) {
			this.#state.discard(token.token);
			return;
		}
		const {pool} = opening;
		const history = this.#historyOf(known);
		this.#state.putPool({...pool, isOpen: true});
		this.#launch(known, pool.pool, {
			pool: known.venue === null ? this.#coins.poolFacts(pool) : this.#coins.birthplace(known, pool),
			reserveToken: opening.token,
			reserveQuote: opening.quote,
			price: this.#openingPrice(known, opening),
			minted: this.#flows.minted(token.token) + mintedIn(history),
		});
		const holderThen = (address: Address, ofToken: Address): Address | null => this.#flows.holderOnce(address, ofToken);
		for (const transfer of history) this.#transfer(transfer, holderThen);
	}

	/** A token without a launchpad, with what it says of itself; undefined when it says no decimals: then it is no token. */
	#asked(token: FollowedToken): FollowedToken | undefined {
		const facts = this.#around.facts(token.token);
		if (!facts || facts.decimals === null) return undefined;
		const {decimals, symbol, name, sender: creator} = facts;
		return {...token, decimals, symbol, name, creator};
	}

	/** Transfers before the transaction that opened the first pool of a token without a launchpad. */
	#historyOf({token, venue}: FollowedToken): readonly TransferLog[] {
		if (venue !== null) return [];
		const {block, hash, logs} = this.#transaction;
		const first = logs[0]!.log.logIndex;
		const isBefore = ({log}: TransferLog): boolean =>
			log.transactionHash !== hash && (log.blockNumber < block || log.logIndex < first);
		return (this.#around.history(token) ?? []).filter(isBefore);
	}

	#launch(token: FollowedToken, main: Hex, start: Omit<Start, 'timeMs' | 'chainId' | 'block' | 'quoteUSD'>): void {
		const {block, timeMs} = this.#transaction;
		const facts = this.#around.facts(token.token);
		const tried = this.#around.trial(main) ?? this.#around.trial(token.token) ?? {};
		const known = {...token, security: {...facts?.security, ...tried}};
		const quoteUSD = this.#coins.usd(start.pool.quote.address as Address, timeMs);
		this.#born.add(token.token);
		this.#events.push(launchEvent(known, facts, {...start, timeMs, chainId: this.#around.chain.id, block, quoteUSD}));
		this.#state.putToken({...known, main, waiting: null});
		this.#noteTaxes(token.token, tried);
	}

	#openingPrice(token: FollowedToken, {pool, token: tokens, quote, root}: PoolOpening): number | null {
		if (root !== undefined && root > 0n) return this.#priceOfRoot(pool, token, root);
		if (tokens === null || quote === null) return null;
		const {decimals} = this.#coins.ofPool(pool);
		return priceIn(pool, {token: toUnits(tokens, token.decimals), quote: toUnits(quote, decimals)});
	}

	/** A further pool of a launched token has coins: the pool of its graduation, or one beside its main pool. */
	#open({pool, token: tokens, quote}: Pick<PoolOpening, 'pool' | 'token' | 'quote'>): void {
		const token = this.#state.tokens.get(pool.token);
		if (!token) return;
		const isOnCurve = token.curve !== null && token.main === token.curve.address;
		const graduated = this.#graduating.get(token.token);
		const isItsPool = graduated?.hooks === undefined || graduated.hooks === pool.hooks;
		const leavesCurve = isOnCurve && (token.isGraduated || (graduated !== undefined && isItsPool));
		this.#state.putPool({...pool, isOpen: true});
		if (leavesCurve) this.#state.putToken({...token, main: pool.pool, isGraduated: true});
		this.#events.push({
			type: 'migrate',
			...this.#of(pool.token),
			pool: this.#coins.poolFacts(pool),
			reserveToken: tokens === null ? null : toUnits(tokens, token.decimals),
			reserveQuote: quote === null ? null : toUnits(quote, this.#coins.ofPool(pool).decimals),
			main: leavesCurve,
		});
		if (leavesCurve && !pool.isOpen) this.#tried(pool);
	}

	/** Notes the result of the trial of a token's new main pool. */
	#tried({pool, token: address}: FollowedPool): void {
		const tried = this.#around.trial(pool);
		const token = this.#state.tokens.get(address);
		if (!tried || !token || Object.keys(tried).length === 0) return;
		const security = {...token.security, ...tried};
		this.#state.putToken({...token, security});
		this.#noteTaxes(address, tried);
		this.#writeSecurity(address, {...security, ...seenFlags(this.#state.seenOf(address))});
	}

	/** Taxes of a trial count like those of trades: the highest is shown. */
	#noteTaxes(token: Address, tried: Security): void {
		const before = this.#state.seenOf(token);
		const seen = seenInTrial(before, tried);
		if (seen !== before) this.#state.saw(token, seen);
	}

	/** The token left its curve. Where no pool was opened in this transaction, the next one that opens is its main pool. */
	#graduated({token: address, pool: key, hooks}: Graduated): void {
		const token = this.#state.tokens.get(address);
		if (!token?.curve || token.waiting || token.main !== token.curve.address) return;
		const pool = key === null ? undefined : this.#state.pools.get(key);
		if (pool?.isOpen) this.#open({pool, token: null, quote: null});
		else if (!token.isGraduated && hooks === undefined) this.#state.putToken({...token, isGraduated: true});
	}

	#swap(event: PoolSwap, venue: Venue): void {
		const pool = this.#state.pools.get(event.pool);
		const token = pool && this.#launched(pool.token);
		if (!pool || !token) return;
		if (event.sqrtPriceX96 !== null && this.#state.rootOf(pool.pool) !== undefined)
			this.#state.rooted(pool, event.sqrtPriceX96);
		const [tokens, quotes] = pool.isToken0 ? [event.amount0, event.amount1] : [event.amount1, event.amount0];
		// A flash loan that was paid back in the same coin, or a swap of nothing: no trade, only other reserves.
		if (tokens === 0n || quotes === 0n || tokens > 0n === quotes > 0n) return;
		const synced = venue.countsReserves ? this.#counted(pool, event) : this.#reserves.get(pool.pool);
		this.#reserves.delete(pool.pool);
		const reserves = synced && this.#reservesIn(pool, token, synced);
		const feePpm = event.feePpm ?? pool.feePpm ?? venue.feePpm;
		this.#trade({
			token,
			quote: this.#coins.ofPool(pool),
			pool: token.main === pool.pool ? null : pool.pool,
			place: isContract(pool.pool) ? pool.pool : null,
			wallet: event.wallet ?? null,
			side: sideOf(pool, event),
			tokens: abs(tokens),
			quotes: abs(quotes),
			feePart: feePpm === null ? null : feePpm / 1e6,
			spot: this.#priceAfter(pool, token, event, reserves),
			reserves,
			share: reserves && this.#curveShare(pool, token, reserves.quote),
		});
	}

	/** The price of a pool after a swap, whole quote coins for a whole token; null when the swap does not say it. */
	#priceAfter(
		pool: FollowedPool,
		token: FollowedToken,
		{sqrtPriceX96: root, liquidity}: PoolSwap,
		reserves: TradeEvent['reserves'] | undefined,
	): number | null {
		if (root !== null) return liquidity === 0n ? null : this.#priceOfRoot(pool, token, root);
		if (!reserves) return null;
		return token.curve?.address === pool.pool ? this.#curvePrice(pool, token, reserves) : priceIn(pool, reserves);
	}

	#curvePrice(pool: FollowedPool, token: FollowedToken, reserves: NonNullable<TradeEvent['reserves']>): number | null {
		return curvePrice(token, reserves, this.#coins.ofPool(pool).decimals);
	}

	/** How much of a curve is done, where it goes by whole quote coins that came in. */
	#curveShare(pool: FollowedPool, {curve}: FollowedToken, quotes: number): number | undefined {
		if (curve?.address !== pool.pool || curve.raise === undefined) return undefined;
		const raise = toUnits(BigInt(curve.raise), this.#coins.ofPool(pool).decimals);
		return raise > 0 ? Math.max(0, quotes) / raise : undefined;
	}

	#priceOfRoot(pool: FollowedPool, {decimals: tokenDecimals}: FollowedToken, root: bigint): number | null {
		const {decimals: quoteDecimals} = this.#coins.ofPool(pool);
		return priceOfRoot(root, {isToken0: pool.isToken0, tokenDecimals, quoteDecimals});
	}

	/** The reserves of a pool whose events say amounts only; undefined when it was not seen from its opening on. */
	#counted(pool: FollowedPool, {amount0, amount1}: Moved): PoolReserves | undefined {
		const before = this.#state.holdingsOf(pool.pool);
		if (!before) return undefined;
		const [reserve0, reserve1] = [before[0] + amount0, before[1] + amount1];
		this.#state.holds(pool, [reserve0, reserve1]);
		return {kind: 'reserves', pool: pool.pool, reserve0, reserve1};
	}

	#curveTrade(event: CurveTrade): void {
		const token = this.#launched(event.token);
		if (!token?.curve || event.amountToken === 0n) return;
		const quote = this.#coins.ofCurve(token.curve);
		const {left, raised, fee, spot} = event;
		const isKnown = left !== null && raised !== null;
		this.#trade({
			token,
			quote,
			pool: token.main === token.curve.address ? null : token.curve.address,
			place: null,
			wallet: event.wallet,
			side: event.side,
			tokens: event.amountToken,
			quotes: event.amountQuote,
			feePart: fee === null || event.amountQuote === 0n ? null : Number(fee) / Number(event.amountQuote),
			spot: spot && priceOfRatio(spot, token.decimals, quote.decimals),
			reserves: isKnown ? {token: toUnits(left, token.decimals), quote: toUnits(raised, quote.decimals)} : undefined,
		});
	}

	#trade({token, quote, pool, side, reserves, share, ...trade}: Trade): void {
		// Absurd amounts and decimals give none.
		const spot = trade.spot !== null && trade.spot > 0 && Number.isFinite(trade.spot) ? trade.spot : null;
		const amountToken = toUnits(trade.tokens, token.decimals);
		const amountQuote = toUnits(trade.quotes, quote.decimals);
		const quoteUSD = this.#coins.usd(quote.address as Address, this.#transaction.timeMs);
		const valueUSD = quoteUSD === null ? null : amountQuote * quoteUSD;
		const wallet = trade.wallet ?? this.#walletOf(token.token, side, trade.tokens);
		this.#state.traded(token.token, this.#transaction.block);
		if (token.isQuote && pool === null) this.#state.priced(token.token, spot ?? amountQuote / amountToken);
		this.#events.push({
			type: 'trade',
			...this.#of(token.token),
			pool,
			wallet,
			side,
			amountToken,
			amountQuote,
			valueUSD,
			feeUSD: valueUSD === null || trade.feePart === null ? null : valueUSD * trade.feePart,
			quoteUSD,
			...(spot !== null && {spotQuote: spot}),
			...(reserves && {reserves}),
			...(share !== undefined && {curveShare: share}),
			tx: this.#transaction.hash,
			platform: null,
		});
		if (wallet !== null && wallet !== token.creator) this.#observe(token, side, trade.place, wallet);
	}

	/** Notes the taxes that a trade shows, and that the token can be sold. */
	#observe(token: FollowedToken, side: 'buy' | 'sell', place: Address | null, wallet: Address): void {
		const isOnly = this.#countOf(token.token, 'buy') + this.#countOf(token.token, 'sell') === 1;
		const tax = isOnly && place ? taxOfTrade(side, place, this.#flows.transfersOf(token.token)) : undefined;
		const before = this.#state.seenOf(token.token);
		const seen = seenMore(before, {side, tax, wallet});
		if (seen === before) return;
		this.#state.saw(token.token, seen);
		const flags = seenFlags(seen);
		if (JSON.stringify(flags) === JSON.stringify(seenFlags(before))) return;
		this.#writeSecurity(token.token, {...token.security, ...flags});
	}

	/** Owners renounce a token by transferring it to an address without a key. */
	#newOwner({log, owner}: OwnerLog): void {
		const token = this.#launched(log.address);
		const renounced = isKeyless(owner);
		if (!token || token.security['renounced'] === renounced || this.#born.has(log.address)) return;
		// Who could mint is gone; others may be able to.
		const {isMintable: _, ...others} = token.security;
		const security = {...(renounced ? others : token.security), renounced};
		this.#state.putToken({...token, security});
		this.#writeSecurity(token.token, {...security, ...seenFlags(this.#state.seenOf(token.token))});
	}

	#writeSecurity(token: Address, security: Security): void {
		const {timeMs} = this.#transaction;
		this.#events.push({type: 'profile', timeMs, chainId: this.#around.chain.id, token, profile: {security}});
	}

	#walletOf(token: Address, side: 'buy' | 'sell', amountToken: bigint): Address | null {
		const isOnly = this.#countOf(token, side) === 1;
		const isNoHolder = (address: Address): boolean => this.#flows.isNoHolder(address, token);
		return walletOfTrade({side, amountToken, isOnly}, this.#flows.of(token), isNoHolder);
	}

	/** Liquidity of pools that do not say what they hold: where `reserves` come, they say it. */
	#liquidity(event: PoolLiquidity): void {
		const pool = this.#state.pools.get(event.pool);
		const token = pool && this.#launched(pool.token);
		if (!pool || !token || this.#reserves.has(pool.pool)) return;
		const amounts = liquidityAmounts(event, this.#state.rootOf(pool.pool));
		if (!amounts || (amounts.amount0 === 0n && amounts.amount1 === 0n)) return;
		const [tokens, quotes] = pool.isToken0 ? [amounts.amount0, amounts.amount1] : [amounts.amount1, amounts.amount0];
		this.#counted(pool, amounts);
		this.#events.push({
			type: 'liquidity',
			...this.#of(token.token),
			pool: token.main === pool.pool ? null : pool.pool,
			wallet: event.provider,
			amountToken: toUnits(tokens, token.decimals),
			amountQuote: toUnits(quotes, this.#coins.ofPool(pool).decimals),
		});
	}

	#noteReserves(key: Hex, reserves: PoolReserves): void {
		const pool = this.#state.pools.get(key);
		const token = pool && this.#launched(pool.token);
		if (!pool?.isOpen || !token) return;
		const {token: reserveToken, quote: reserveQuote} = this.#reservesIn(pool, token, reserves);
		const poolKey = token.main === pool.pool ? null : pool.pool;
		if (this.#state.holdingsOf(key)) this.#state.holds(pool, [reserves.reserve0, reserves.reserve1]);
		this.#events.push({type: 'reserves', ...this.#of(token.token), pool: poolKey, reserveToken, reserveQuote});
	}

	#reservesIn(pool: FollowedPool, token: FollowedToken, {reserve0, reserve1}: PoolReserves) {
		return this.#unitsOf(pool, token, [reserve0, reserve1]);
	}

	#unitsOf(pool: FollowedPool, {decimals}: FollowedToken, [amount0, amount1]: PoolHoldings) {
		const [token, quote] = pool.isToken0 ? [amount0, amount1] : [amount1, amount0];
		return {token: toUnits(token, decimals), quote: toUnits(quote, this.#coins.ofPool(pool).decimals)};
	}

	#transfer({log, from, to, amount}: TransferLog, holder: (address: Address, token: Address) => Address | null): void {
		const token = this.#launched(log.address);
		if (!token || amount === 0n) return;
		// Tokens that were minted up to the launch are in its supply.
		const sender = from === NATIVE && this.#born.has(log.address) ? null : holder(from, log.address);
		const receiver = holder(to, log.address);
		if (sender === receiver) return;
		this.#events.push({
			type: 'transfer',
			...this.#of(log.address),
			from: sender,
			to: receiver,
			amountToken: toUnits(amount, token.decimals),
		});
	}

	/** The token, when the market knows it. */
	#launched(address: Address): FollowedToken | undefined {
		const token = this.#state.tokens.get(address);
		return token?.waiting === null ? token : undefined;
	}

	#of(token: Address) {
		const {block, timeMs} = this.#transaction;
		return {timeMs, chainId: this.#around.chain.id, token, block};
	}
}

/** Whether a token of a curve is launched by an event. */
function isLaunch(event: VenueEvent): event is TokenMade | CurveOpened {
	return event.kind === 'curve-opened' || (event.kind === 'token' && !event.isPlanned);
}

/** A buy takes tokens out of the pool. */
function sideOf({isToken0}: FollowedPool, {amount0, amount1}: PoolSwap): 'buy' | 'sell' {
	return (isToken0 ? amount0 : amount1) < 0n ? 'buy' : 'sell';
}

/** The price in a pool by what it holds, whole units; null for an empty side, and where the pool's formula is unknown. */
function priceIn({venue, isStable}: FollowedPool, {token, quote}: {token: number; quote: number}): number | null {
	// A pool of two formulas that was followed before its formula was kept.
	if (venue === AERODROME.id && isStable === undefined) return null;
	return isStable ? priceInStablePool(token, quote) : priceOfReserves(token, quote);
}

/** Whether a pool is a contract of its own, and no id in a manager. */
function isContract(pool: Hex): pool is Address {
	return pool.length === 42;
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
	const list = lists.get(key);
	if (list) list.push(value);
	else lists.set(key, [value]);
}

function abs(amount: bigint): bigint {
	return amount < 0n ? -amount : amount;
}
