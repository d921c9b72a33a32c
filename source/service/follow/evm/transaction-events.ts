import type {MarketEvent, PoolFacts, QuoteCoin, TradeEvent} from '../../market/events.ts';
import {type EvmChain, NATIVE} from './chains.ts';
import type {FollowedPool, FollowedToken, FollowedTokens} from './followed-tokens.ts';
import {liquidityAmounts, priceOfReserves, priceOfRoot} from './pool-maths.ts';
import {openingOf, type PoolOpening} from './pool-opening.ts';
import {tokenOfPool} from './pool-token.ts';
import type {TokenFacts} from './token-facts.ts';
import {toUnits} from './units.ts';
import type {
	Address,
	CurveTerms,
	CurveTrade,
	Graduated,
	Hex,
	PoolLiquidity,
	PoolMade,
	PoolReserves,
	PoolSwap,
	TokenMade,
} from './venue.ts';
import type {ReadLog, TransferLog, VenueLog, VenueReader} from './venue-reader.ts';
import {type NetFlows, netFlows, walletOfTrade} from './wallet-of-trade.ts';

/** The logs of one transaction, in their order. */
export interface Transaction {
	readonly block: number;
	readonly timeMs: number;
	readonly hash: Hex;
	readonly logs: readonly ReadLog[];
}

/** What the meaning of a transaction depends on, besides its logs. */
export interface Surroundings {
	readonly chain: EvmChain;
	readonly reader: VenueReader;
	/** Changed by the transaction. */
	readonly state: FollowedTokens;
	/** What calls said of tokens that are launched here. */
	facts(token: Address): TokenFacts | undefined;
	/** What calls said of coins that price a pool here and are no quote coins of the chain. */
	coin(address: Address): QuoteCoin | undefined;
	/** US dollars of a quote coin of the chain. */
	usd(coin: Address, timeMs: number): number | null;
}

/** Stands for the coin of a curve that could not be found out. */
const UNKNOWN_COIN: QuoteCoin = {address: NATIVE, symbol: '?', name: 'unknown coin', decimals: 18};
const USUAL_DECIMALS = 18;
const DEAD: Address = '0x000000000000000000000000000000000000dead';
/** Coins that price coins that price a token: further ones are not followed. */
const MOST_HOPS = 3;

/** The market's events of one transaction. Changes the state of the followed tokens. */
export function transactionEvents(transaction: Transaction, around: Surroundings): readonly MarketEvent[] {
	return new Reading(transaction, around).run();
}

class Reading {
	readonly #transaction: Transaction;
	readonly #around: Surroundings;
	readonly #state: FollowedTokens;
	readonly #events: MarketEvent[] = [];
	/** Places of the logs of each pool. */
	readonly #poolLogs = new Map<Hex, number[]>();
	readonly #transfers = new Map<Address, TransferLog[]>();
	readonly #flows = new Map<Address, NetFlows>();
	readonly #tradeCounts = new Map<string, number>();
	/** Openings of further pools, by the place of the log before which they count. */
	readonly #openings = new Map<number, PoolOpening[]>();
	/** Logs whose effect an opening has already. */
	readonly #done = new Set<number>();
	/** What pools said they hold, until the swap comes that it belongs to. */
	readonly #reserves = new Map<Hex, PoolReserves>();
	/** What curves sell, and for what, where events of their own say it. */
	readonly #terms = new Map<Address, Pick<CurveTerms, 'sale' | 'quote'>>();
	readonly #graduating = new Set<Address>();
	/** Launched by this transaction: what it mints of them is their first supply. */
	readonly #born = new Set<Address>();

	constructor(transaction: Transaction, around: Surroundings) {
		this.#transaction = transaction;
		this.#around = around;
		this.#state = around.state;
	}

	run(): readonly MarketEvent[] {
		const {logs} = this.#transaction;
		const venueLogs = logs.filter(read => read.kind === 'venue');
		for (const {event} of venueLogs) if (event.kind === 'curve-terms') this.#noteTerms(event);
		for (const read of venueLogs) if (read.event.kind === 'token') this.#meet(read.event, read);
		for (const read of venueLogs) if (read.event.kind === 'pool') this.#addPool(read.event, read);
		for (const read of venueLogs) if (read.event.kind === 'token') this.#addNamedPool(read.event, read);
		for (const [index, read] of logs.entries()) this.#sort(read, index);
		for (const read of logs) {
			if (read.kind === 'venue' && read.event.kind === 'token') this.#launchOnCurve(read.event.token);
		}
		for (const pool of this.#poolLogs.keys()) this.#findOpening(pool);
		for (const [index, read] of logs.entries()) this.#read(read, index);
		for (const opening of this.#openings.get(logs.length) ?? []) this.#open(opening);
		for (const [pool, reserves] of this.#reserves) this.#noteReserves(pool, reserves);
		return this.#events;
	}

	#sort(read: ReadLog, index: number): void {
		if (read.kind === 'transfer') {
			append(this.#transfers, read.log.address, read);
			return;
		}
		const {event} = read;
		if (event.kind === 'swap' || event.kind === 'reserves' || event.kind === 'liquidity')
			append(this.#poolLogs, event.pool, index);
		if (event.kind === 'swap') this.#countSwap(event);
		if (event.kind === 'curve-trade') this.#countTrade(event.token, event.side);
		if (event.kind === 'graduated') this.#graduating.add(event.token);
	}

	#countSwap(event: PoolSwap): void {
		const pool = this.#state.pools.get(event.pool);
		if (pool) this.#countTrade(pool.token, sideOf(pool, event));
	}

	#countTrade(token: Address, side: string): void {
		const key = token + side;
		this.#tradeCounts.set(key, (this.#tradeCounts.get(key) ?? 0) + 1);
	}

	#read(read: ReadLog, index: number): void {
		for (const opening of this.#openings.get(index) ?? []) this.#open(opening);
		if (read.kind === 'transfer') this.#transfer(read);
		else if (!this.#done.has(index)) this.#venueEvent(read);
	}

	#venueEvent({event, venue}: VenueLog): void {
		if (event.kind === 'swap') this.#swap(event, venue.feePpm);
		else if (event.kind === 'reserves') this.#reserves.set(event.pool, event);
		else if (event.kind === 'liquidity') this.#liquidity(event);
		else if (event.kind === 'curve-trade') this.#curveTrade(event);
		else if (event.kind === 'graduated') this.#graduated(event);
	}

	#noteTerms({token, sale, quote}: CurveTerms): void {
		const before = this.#terms.get(token);
		this.#terms.set(token, {sale: sale ?? before?.sale ?? null, quote: quote ?? before?.quote ?? null});
	}

	/** A launchpad made a token: from here on it is followed. */
	#meet(made: TokenMade, {log, venue}: VenueLog): void {
		if (this.#state.tokens.has(made.token)) return;
		const facts = this.#around.facts(made.token);
		this.#state.putToken({
			token: made.token,
			block: log.blockNumber,
			venue: venue.id,
			curve: made.curve && this.#curveOf(made.token, made.curve, facts),
			waiting: {creator: made.creator, supply: textOf(made.supply), profile: made.profile},
			decimals: facts?.decimals ?? made.decimals ?? USUAL_DECIMALS,
			symbol: made.symbol ?? facts?.symbol ?? null,
			name: made.name ?? facts?.name ?? null,
			main: null,
			isGraduated: false,
			isQuote: false,
		});
	}

	/** The pool that a launchpad's event names, where no event of its own did. */
	#addNamedPool(made: TokenMade, {log}: VenueLog): void {
		if (!made.pool || this.#state.pools.has(made.pool.pool)) return;
		const {pool, venue, quote, tokenIs} = made.pool;
		const isToken0 = tokenIs === undefined ? BigInt(made.token) < BigInt(quote) : tokenIs === 0;
		this.#putPool({
			pool,
			token: made.token,
			quote: this.#wrapped(quote),
			isToken0,
			venue,
			factory: log.address,
			feePpm: null,
			hooks: null,
			isOpen: false,
		});
	}

	#curveOf(
		token: Address,
		curve: NonNullable<TokenMade['curve']>,
		facts: TokenFacts | undefined,
	): FollowedToken['curve'] {
		const terms = this.#terms.get(token);
		const quote = terms?.quote ?? curve.quote ?? facts?.curve?.quote ?? null;
		const sale = terms?.sale ?? curve.sale ?? facts?.curve?.sale ?? null;
		return {address: curve.address, quote: quote && this.#wrapped(quote), sale: textOf(sale)};
	}

	/** A pool was made: followed when it is one of a followed token, or of a new one against a quote coin. */
	#addPool(made: PoolMade, {log, venue}: VenueLog): void {
		if (this.#state.pools.has(made.pool)) return;
		const [token0, token1] = [this.#wrapped(made.token0), this.#wrapped(made.token1)];
		const token = tokenOfPool(token0, token1, this.#state, this.#around.chain);
		if (token === undefined) return;
		const isToken0 = token === token0;
		const quote = isToken0 ? token1 : token0;
		if (!this.#state.tokens.has(token)) this.#meetByHand(token, log.blockNumber);
		const {pool, feePpm, hooks} = made;
		this.#putPool({pool, token, quote, isToken0, venue: venue.id, factory: log.address, feePpm, hooks, isOpen: false});
		const followed = this.#state.pools.get(pool);
		if (made.sqrtPriceX96 !== null && followed) this.#state.rooted(followed, made.sqrtPriceX96);
	}

	#putPool(pool: FollowedPool): void {
		if (!this.#coin(pool.quote)) return;
		this.#state.putPool(pool);
		const quote = this.#state.tokens.get(pool.quote);
		if (quote && !quote.isQuote) this.#state.putToken({...quote, isQuote: true});
	}

	/** A token without a launchpad: it waits for coins in its pool. */
	#meetByHand(token: Address, block: number): void {
		this.#state.putToken({
			token,
			block,
			venue: null,
			curve: null,
			waiting: {creator: null, supply: null, profile: {}},
			decimals: USUAL_DECIMALS,
			symbol: null,
			name: null,
			main: null,
			isGraduated: false,
			isQuote: false,
		});
	}

	#findOpening(key: Hex): void {
		const pool = this.#state.pools.get(key);
		const opening = pool && this.#openingOf(pool);
		if (!opening) return;
		const token = this.#state.tokens.get(pool.token)!;
		if (!token.waiting) append(this.#openings, opening.before, opening);
		else this.#launch(token, opening);
	}

	/** What a pool opens with here. Its logs are not read again. */
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
		// A curve that is a contract of its own says what it opens with; of a shared one it is what it sells.
		const opening = pool && this.#openingOf(pool);
		const sold = bigOf(curve.sale) ?? this.#mints(address).get(curve.address) ?? bigOf(token.waiting.supply);
		this.#writeLaunch(token, {
			main: curve.address,
			pool: this.#curveFacts(token.venue!, curve.address, curve.quote),
			reserveToken: opening?.token ?? sold,
			reserveQuote: opening?.quote ?? 0n,
			priceQuote: opening ? this.#openingPrice(token, opening) : null,
		});
		if (pool) this.#state.putPool({...pool, isOpen: true});
	}

	#launch(token: FollowedToken, opening: PoolOpening): void {
		const facts = this.#around.facts(token.token);
		const {pool} = opening;
		// What does not say its decimals is no token.
		if (token.venue === null && (facts?.decimals ?? null) === null) return;
		const known =
			token.venue === null ? {...token, decimals: facts!.decimals!, symbol: facts!.symbol, name: facts!.name} : token;
		this.#state.putPool({...pool, isOpen: true});
		this.#writeLaunch(known, {
			main: pool.pool,
			pool: this.#poolFacts(pool),
			reserveToken: opening.token,
			reserveQuote: opening.quote,
			priceQuote: this.#openingPrice(known, opening),
		});
	}

	#writeLaunch(
		token: FollowedToken,
		at: {
			main: Hex;
			pool: PoolFacts;
			reserveToken: bigint | null;
			reserveQuote: bigint | null;
			priceQuote: number | null;
		},
	): void {
		const facts = this.#around.facts(token.token);
		const waiting = token.waiting!;
		const minted = sum(this.#mints(token.token).values());
		const isOwnLaunch = token.venue !== null;
		const supply = isOwnLaunch && minted > 0n ? minted : (bigOf(waiting.supply) ?? facts?.supply ?? null);
		const quoteUSD = this.#usd(at.pool.quote.address as Address);
		this.#born.add(token.token);
		this.#state.putToken({...token, main: at.main, waiting: null});
		this.#events.push({
			type: 'launch',
			kind: 'token',
			...this.#of(token.token),
			symbol: token.symbol,
			name: token.name,
			decimals: token.decimals,
			supply: supply === null ? null : toUnits(supply, token.decimals),
			deployer: waiting.creator ?? facts?.sender ?? null,
			pool: at.pool,
			reserveToken: at.reserveToken === null ? null : toUnits(at.reserveToken, token.decimals),
			reserveQuote: at.reserveQuote === null ? null : toUnits(at.reserveQuote, at.pool.quote.decimals),
			quoteUSD,
			priceUSD: at.priceQuote === null || quoteUSD === null ? null : at.priceQuote * quoteUSD,
			balances: 'transfers',
			curveSale: token.curve?.sale ? toUnits(BigInt(token.curve.sale), token.decimals) : null,
			holdersReported: minted > 0n && minted === (isOwnLaunch ? minted : facts?.supply),
			profile: {...waiting.profile, security: facts?.security ?? null},
		});
	}

	#openingPrice(token: FollowedToken, {pool, token: tokens, quote, root}: PoolOpening): number | null {
		const quoteDecimals = this.#coin(pool.quote)!.decimals;
		if (root !== undefined && root > 0n)
			return priceOfRoot(root, {isToken0: pool.isToken0, tokenDecimals: token.decimals, quoteDecimals});
		if (tokens === null || quote === null) return null;
		return priceOfReserves(toUnits(tokens, token.decimals), toUnits(quote, quoteDecimals));
	}

	/** A further pool of a launched token has coins: the one that it moves to, or one beside its main pool. */
	#open({pool, token: tokens, quote}: PoolOpening): void {
		const token = this.#state.tokens.get(pool.token);
		if (!token) return;
		const leavesCurve =
			token.curve !== null &&
			token.main === token.curve.address &&
			(token.isGraduated || this.#graduating.has(token.token));
		this.#state.putPool({...pool, isOpen: true});
		if (leavesCurve) this.#state.putToken({...token, main: pool.pool, isGraduated: true});
		this.#events.push({
			type: 'migrate',
			...this.#of(pool.token),
			pool: this.#poolFacts(pool),
			reserveToken: tokens === null ? null : toUnits(tokens, token.decimals),
			reserveQuote: quote === null ? null : toUnits(quote, this.#coin(pool.quote)!.decimals),
			main: leavesCurve,
		});
	}

	/** The token left its curve. Where no pool was opened in this transaction, the next one that opens is its main pool. */
	#graduated({token: address, pool: key}: Graduated): void {
		const token = this.#state.tokens.get(address);
		if (!token?.curve || token.waiting || token.main !== token.curve.address) return;
		const pool = key === null ? undefined : this.#state.pools.get(key);
		if (pool?.isOpen) this.#open({pool, token: null, quote: null, root: undefined, before: 0, logs: []});
		else if (!token.isGraduated) this.#state.putToken({...token, isGraduated: true});
	}

	#swap(event: PoolSwap, venueFeePpm: number | null): void {
		const pool = this.#state.pools.get(event.pool);
		const token = pool && this.#launched(pool.token);
		if (!pool || !token) return;
		if (event.sqrtPriceX96 !== null && this.#state.rootOf(pool.pool) !== undefined)
			this.#state.rooted(pool, event.sqrtPriceX96);
		const tokens = pool.isToken0 ? event.amount0 : event.amount1;
		const quotes = pool.isToken0 ? event.amount1 : event.amount0;
		// A flash loan that was paid back in the same coin, or a swap of nothing: no trade, only other reserves.
		if (tokens === 0n || quotes === 0n || tokens > 0n === quotes > 0n) return;
		const synced = this.#reserves.get(pool.pool);
		this.#reserves.delete(pool.pool);
		const feePpm = event.feePpm ?? pool.feePpm ?? venueFeePpm;
		this.#trade({
			token,
			quote: this.#coin(pool.quote)!,
			pool: token.main === pool.pool ? null : pool.pool,
			wallet: undefined,
			side: sideOf(pool, event),
			tokens: abs(tokens),
			quotes: abs(quotes),
			feePart: feePpm === null ? null : feePpm / 1e6,
			reserves: synced && this.#reservesIn(pool, token, synced),
		});
	}

	#curveTrade(event: CurveTrade): void {
		const token = this.#launched(event.token);
		if (!token?.curve || event.amountToken === 0n) return;
		const quote = this.#curveCoin(token.curve.quote);
		const {left, raised, fee} = event;
		this.#trade({
			token,
			quote,
			pool: token.main === token.curve.address ? null : token.curve.address,
			wallet: event.wallet ?? undefined,
			side: event.side,
			tokens: event.amountToken,
			quotes: event.amountQuote,
			feePart: fee === null || event.amountQuote === 0n ? null : Number(fee) / Number(event.amountQuote),
			reserves:
				left === null || raised === null
					? undefined
					: {token: toUnits(left, token.decimals), quote: toUnits(raised, quote.decimals)},
		});
	}

	#trade(trade: {
		token: FollowedToken;
		quote: QuoteCoin;
		pool: Hex | null;
		wallet: Address | undefined;
		side: 'buy' | 'sell';
		tokens: bigint;
		quotes: bigint;
		feePart: number | null;
		reserves: TradeEvent['reserves'] | undefined;
	}): void {
		const {token, quote, pool, side, reserves} = trade;
		const amountToken = toUnits(trade.tokens, token.decimals);
		const amountQuote = toUnits(trade.quotes, quote.decimals);
		const quoteUSD = this.#usd(quote.address as Address);
		const valueUSD = quoteUSD === null ? null : amountQuote * quoteUSD;
		this.#state.traded(token.token, this.#transaction.block);
		if (token.isQuote && pool === null) this.#state.priced(token.token, amountQuote / amountToken);
		this.#events.push({
			type: 'trade',
			...this.#of(token.token),
			pool,
			wallet: trade.wallet ?? this.#walletOf(token.token, side, trade.tokens),
			side,
			amountToken,
			amountQuote,
			valueUSD,
			feeUSD: valueUSD === null || trade.feePart === null ? null : valueUSD * trade.feePart,
			quoteUSD,
			...(reserves && {reserves}),
			tx: this.#transaction.hash,
			platform: null,
		});
	}

	#walletOf(token: Address, side: 'buy' | 'sell', amountToken: bigint): Address | null {
		const isOnly = this.#tradeCounts.get(token + side) === 1;
		return walletOfTrade({side, amountToken, isOnly}, this.#flowsOf(token), address =>
			this.#isNoHolder(address, token),
		);
	}

	/** Liquidity of pools that do not say what they hold: where `reserves` come, they say it. */
	#liquidity(event: PoolLiquidity): void {
		const pool = this.#state.pools.get(event.pool);
		const token = pool && this.#launched(pool.token);
		if (!pool || !token || this.#reserves.has(pool.pool)) return;
		const amounts = liquidityAmounts(event, this.#state.rootOf(pool.pool));
		if (!amounts || (amounts.amount0 === 0n && amounts.amount1 === 0n)) return;
		const [tokens, quotes] = pool.isToken0 ? [amounts.amount0, amounts.amount1] : [amounts.amount1, amounts.amount0];
		this.#events.push({
			type: 'liquidity',
			...this.#of(token.token),
			pool: token.main === pool.pool ? null : pool.pool,
			wallet: event.provider,
			amountToken: toUnits(tokens, token.decimals),
			amountQuote: toUnits(quotes, this.#coin(pool.quote)!.decimals),
		});
	}

	#noteReserves(key: Hex, reserves: PoolReserves): void {
		const pool = this.#state.pools.get(key);
		const token = pool && this.#launched(pool.token);
		if (!pool?.isOpen || !token) return;
		const {token: reserveToken, quote: reserveQuote} = this.#reservesIn(pool, token, reserves);
		const poolKey = token.main === pool.pool ? null : pool.pool;
		this.#events.push({type: 'reserves', ...this.#of(token.token), pool: poolKey, reserveToken, reserveQuote});
	}

	#reservesIn(pool: FollowedPool, {decimals}: FollowedToken, {reserve0, reserve1}: PoolReserves) {
		const [token, quote] = pool.isToken0 ? [reserve0, reserve1] : [reserve1, reserve0];
		return {token: toUnits(token, decimals), quote: toUnits(quote, this.#coin(pool.quote)!.decimals)};
	}

	#transfer({log, from, to, amount}: TransferLog): void {
		const token = this.#launched(log.address);
		if (!token || amount === 0n) return;
		const sender = this.#holder(from, log.address);
		const receiver = this.#holder(to, log.address);
		const isBirth = from === NATIVE && this.#born.has(log.address);
		if (sender === receiver || (isBirth && receiver === null)) return;
		this.#events.push({
			type: 'transfer',
			...this.#of(log.address),
			from: isBirth ? null : sender,
			to: receiver,
			amountToken: toUnits(amount, token.decimals),
		});
	}

	/** Null for an address that holds tokens for others, or that only passes them on in this transaction. */
	#holder(address: Address, token: Address): Address | null {
		if (address === NATIVE || address === DEAD) return address;
		return this.#isNoHolder(address, token) || this.#flowsOf(token).get(address) === 0n ? null : address;
	}

	#isNoHolder(address: Address, token: Address): boolean {
		return (
			address === token ||
			address === NATIVE ||
			address === DEAD ||
			this.#state.pools.has(address) ||
			this.#state.isCurve(address) ||
			this.#around.reader.contracts.has(address)
		);
	}

	#flowsOf(token: Address): NetFlows {
		const known = this.#flows.get(token);
		if (known) return known;
		const flows = netFlows(this.#transfers.get(token) ?? []);
		this.#flows.set(token, flows);
		return flows;
	}

	/** Who got new tokens in this transaction, raw. */
	#mints(token: Address): ReadonlyMap<Address, bigint> {
		const mints = new Map<Address, bigint>();
		for (const {from, to, amount} of this.#transfers.get(token) ?? [])
			if (from === NATIVE && to !== NATIVE) mints.set(to, (mints.get(to) ?? 0n) + amount);
		return mints;
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

	/** US dollars of a coin: of a quote coin, or of a followed token by its own price. */
	#usd(coin: Address, hops = MOST_HOPS): number | null {
		if (this.#around.chain.quotes.some(({address}) => address === coin))
			return this.#around.usd(coin, this.#transaction.timeMs);
		const price = this.#state.priceOf(coin);
		const quote = this.#quoteOf(coin);
		if (price === undefined || quote === undefined || hops === 0) return null;
		const usd = this.#usd(quote, hops - 1);
		return usd === null ? null : price * usd;
	}

	/** The coin that a followed token's main pool prices it in. */
	#quoteOf(address: Address): Address | undefined {
		const token = this.#state.tokens.get(address);
		if (token?.main === undefined || token.main === null) return undefined;
		if (token.curve?.address === token.main) return token.curve.quote ?? undefined;
		return this.#state.pools.get(token.main)?.quote;
	}

	#coin(address: Address): QuoteCoin | undefined {
		const coin = this.#around.chain.quotes.find(quote => quote.address === address) ?? this.#state.coins.get(address);
		if (coin) return {address, symbol: coin.symbol, name: coin.name, decimals: coin.decimals};
		const token = this.#state.tokens.get(address);
		if (token) return {address, symbol: token.symbol ?? '?', name: token.name ?? '?', decimals: token.decimals};
		const asked = this.#around.coin(address);
		if (asked) this.#state.putCoin(asked);
		return asked;
	}

	#curveCoin(quote: Address | null): QuoteCoin {
		return (quote && this.#coin(quote)) ?? UNKNOWN_COIN;
	}

	#poolFacts(pool: FollowedPool): PoolFacts {
		const venue = this.#around.reader.venue(pool.venue);
		return {
			address: pool.pool,
			type: venue?.poolType ?? pool.venue,
			factory: pool.factory,
			exchange: venue ? {name: venue.name, logo: ''} : null,
			quote: this.#coin(pool.quote)!,
		};
	}

	#curveFacts(venueId: string, address: Address, quote: Address | null): PoolFacts {
		const venue = this.#around.reader.venue(venueId);
		return {
			address,
			type: venue?.poolType ?? venueId,
			factory: address,
			exchange: venue ? {name: venue.name, logo: ''} : null,
			quote: this.#curveCoin(quote),
		};
	}

	#wrapped(coin: Address | 'native'): Address {
		return coin === 'native' || coin === NATIVE ? this.#around.chain.native.wrapped : coin;
	}
}

/** A buy takes tokens out of the pool. */
function sideOf({isToken0}: FollowedPool, {amount0, amount1}: PoolSwap): 'buy' | 'sell' {
	return (isToken0 ? amount0 : amount1) < 0n ? 'buy' : 'sell';
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
	const list = lists.get(key);
	if (list) list.push(value);
	else lists.set(key, [value]);
}

function sum(amounts: Iterable<bigint>): bigint {
	let total = 0n;
	for (const amount of amounts) total += amount;
	return total;
}

function abs(amount: bigint): bigint {
	return amount < 0n ? -amount : amount;
}

function textOf(amount: bigint | null): string | null {
	return amount === null ? null : String(amount);
}

function bigOf(text: string | null): bigint | null {
	return text === null ? null : BigInt(text);
}
