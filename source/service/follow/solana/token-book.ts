import type {SourceFact} from '../../market/event-source.ts';
import type {MarketEvent, PoolFacts, QuoteCoin} from '../../market/events.ts';
import type {LaunchLabState} from './accounts.ts';
import type {Transaction} from './transaction.ts';
import type {CurveTrade, Migrated, PoolLiquidity, PoolMade, PoolTrade, SolanaEvent, TokenMade} from './venue.ts';
import {SOL, STABLE_COINS} from './venues/coins.ts';
import {LAUNCH_LAB} from './venues/launch-lab.ts';
import {METEORA_DBC} from './venues/meteora-dbc.ts';
import {PUMP, PUMP_DECIMALS} from './venues/pump.ts';
import {PUMP_SWAP} from './venues/pump-swap.ts';

export const SOLANA_CHAIN = 'solana:solana';

/** A token that is followed: all that is needed to read its events again after a restart. Plain JSON. */
export interface FollowedToken {
	readonly mint: string;
	readonly venue: string;
	readonly curve: string;
	readonly symbol: string;
	readonly name: string;
	readonly decimals: number;
	/** Whole tokens. */
	readonly supply: number;
	/** Tokens that the curve sells; null when unknown. */
	readonly sale: number | null;
	readonly quote: QuoteCoin;
	/** The pool that it moved to. */
	pool: string | null;
	/** Further pools of it on PumpSwap. */
	readonly others: string[];
	/** All of the curve is sold, so a pool will come. */
	isFull: boolean;
	/** Price in quote coins of the curve or the main pool after its last trade; not stored. */
	price: number | null;
	/** Newest event, Unix ms; not stored. */
	tradedMs: number;
	/** Raw tokens that the curve still sells, or that the pool has; null when unknown. Not stored. */
	left: bigint | null;
	/** The slot that `left` is of; not stored. */
	changedSlot: number;
}

/** Fields that are not stored. */
type Passing = 'price' | 'tradedMs' | 'left' | 'changedSlot';

/** US dollars for a coin, null while unknown. */
export type NativeUSD = (timeMs: number) => number | null;

export interface BookResult {
	readonly events: readonly MarketEvent[];
	readonly facts: readonly SourceFact[];
}

/** Quotes of quotes of a token, at most. */
const MAX_HOPS = 3;
const STABLES: ReadonlyMap<string, QuoteCoin> = new Map(STABLE_COINS.map(coin => [coin.address, coin]));

/**
 * The tokens that are followed, and what their transactions mean for the market. Synchronous, and without a clock: the same
 * transactions and prices give the same events.
 */
export class TokenBook {
	readonly #tokens = new Map<string, FollowedToken>();
	/** Curves and pools of the tokens. */
	readonly #places = new Map<string, FollowedToken>();
	readonly #nativeUSD: NativeUSD;
	#events: MarketEvent[] = [];
	#facts: SourceFact[] = [];

	constructor(nativeUSD: NativeUSD) {
		this.#nativeUSD = nativeUSD;
	}

	get size(): number {
		return this.#tokens.size;
	}

	tokens(): IterableIterator<FollowedToken> {
		return this.#tokens.values();
	}

	token(mint: string): FollowedToken | undefined {
		return this.#tokens.get(mint);
	}

	/**
	 * Takes tokens back from the facts of an earlier run.
	 * @param timeMs when it ended
	 */
	restore(facts: readonly SourceFact[], timeMs: number): void {
		for (const {key, value} of facts) {
			if (!/^token:[^:]+$/.test(key)) continue;
			const stored = JSON.parse(value) as Omit<FollowedToken, Passing>;
			this.#follow({...stored, others: [...stored.others], price: null, tradedMs: timeMs, left: null, changedSlot: 0});
		}
	}

	/** Drops tokens: the ones without a trade for longest, down to a number. @returns their mints */
	dropIdle(most: number): readonly string[] {
		if (this.#tokens.size <= most) return [];
		// Some at once, since each search looks at all of them.
		const room = Math.ceil(most * 0.98);
		const idle = [...this.#tokens.values()].sort((a, b) => a.tradedMs - b.tradedMs);
		return idle.slice(0, this.#tokens.size - room).map(token => this.#drop(token));
	}

	/** Drops tokens without a trade since a time: the market has dropped them too. */
	dropBefore(timeMs: number): void {
		for (const token of [...this.#tokens.values()]) if (token.tradedMs < timeMs) this.#drop(token);
	}

	/** US dollars for one quote coin of a token at a time. */
	quoteUSD(quote: QuoteCoin, timeMs: number, hops = 0): number | null {
		if (quote.address === SOL.address) return this.#nativeUSD(timeMs);
		if (STABLES.has(quote.address)) return 1;
		const token = this.#tokens.get(quote.address);
		if (token === undefined || token.price === null || hops >= MAX_HOPS) return null;
		const inner = this.quoteUSD(token.quote, timeMs, hops + 1);
		return inner === null ? null : token.price * inner;
	}

	/**
	 * Events and facts of a transaction.
	 * @param slotMs the time of its slot, for events that have none
	 * @param curves accounts of new LaunchLab curves, by address: their events name no mint
	 */
	read(transaction: Transaction, slotMs: number, curves: ReadonlyMap<string, LaunchLabState> = new Map()): BookResult {
		this.#events = [];
		this.#facts = [];
		const at: At = {slot: transaction.slot, slotMs, tx: transaction.signature};
		const moved = new Map(
			transaction.events.flatMap(event => (event.kind === 'migrated' ? [[event.pool, event] as const] : [])),
		);
		for (const event of transaction.events) this.#take(event, at, curves, moved);
		return {events: this.#events, facts: this.#facts};
	}

	/** A token moved to a pool that was found otherwise than by an event. */
	moved(mint: string, to: MovedTo): BookResult {
		this.#events = [];
		this.#facts = [];
		const token = this.#tokens.get(mint);
		if (token && token.pool === null) {
			token.price = null;
			this.#move(token, to);
		}
		return {events: this.#events, facts: this.#facts};
	}

	/** Takes the raw amounts that the account of a curve or the vaults of a pool hold now. */
	holds(token: FollowedToken, {timeMs, slot, left, quote, isFull}: Holdings): BookResult {
		this.#events = [];
		this.#facts = [];
		// Traded unseen: its price is another.
		if (token.left !== left) token.price = null;
		leaves(token, left, slot);
		const reserves = {token: this.#curveReserve(token, left), quote: whole(quote, token.quote.decimals)};
		this.#events.push({
			type: 'reserves',
			...this.#of(token, timeMs, slot),
			pool: null,
			reserveToken: token.pool === null ? reserves.token : whole(left, token.decimals),
			reserveQuote: reserves.quote,
		});
		if (isFull && !token.isFull) {
			token.isFull = true;
			this.#store(token, slot);
		}
		return {events: this.#events, facts: this.#facts};
	}

	/** Takes the accounts of a token after a time that was not seen. */
	caughtUp({token, holds, moved}: Caught, at: {readonly timeMs: number; readonly slot: number}): BookResult {
		if (moved === undefined || token.pool !== null) return this.holds(token, {...holds, ...at});
		return this.moved(token.mint, {
			pool: moved.pool,
			venue: PUMP_SWAP,
			quote: token.quote,
			left: holds.left,
			reserveToken: whole(holds.left, token.decimals),
			reserveQuote: whole(holds.quote, token.quote.decimals),
			...at,
		});
	}

	/** After a time that was not seen: tokens whose accounts were not read have no price until they trade again. */
	forgetPrices(except: ReadonlySet<FollowedToken>): void {
		for (const token of this.#tokens.values()) if (!except.has(token)) token.price = null;
	}

	/** Nothing is known of a token between two times. */
	gap(
		token: FollowedToken,
		{fromMs, toMs}: {readonly fromMs: number; readonly toMs: number},
		slot: number,
	): BookResult {
		token.price = null;
		return {events: [{type: 'gap', ...this.#of(token, toMs, slot), fromMs}], facts: []};
	}

	#take(
		event: SolanaEvent,
		at: At,
		curves: ReadonlyMap<string, LaunchLabState>,
		moved: ReadonlyMap<string, Migrated>,
	): void {
		if (event.kind === 'token') this.#launch(event, at, curves.get(event.curve));
		else if (event.kind === 'curve-trade') this.#curveTrade(event, at);
		else if (event.kind === 'full') this.#full(event.mint, at.slot);
		else if (event.kind === 'migrated') this.#migrated(event, at);
		else if (event.kind === 'pool') this.#poolMade(event, at, moved.get(event.pool));
		else if (event.kind === 'pool-trade') this.#poolTrade(event, at);
		else this.#poolLiquidity(event, at);
	}

	#launch(event: TokenMade, at: At, account: LaunchLabState | undefined): void {
		const mint = event.mint ?? account?.mint;
		if (mint === undefined || this.#tokens.has(mint)) return;
		const venue = event.venue ?? (event.mint === null ? LAUNCH_LAB : PUMP);
		const isPump = venue.id === PUMP.id;
		const quote = this.#coin(event.quote ?? account?.quote ?? 'native', event.quoteDecimals ?? account?.quoteDecimals);
		const timeMs = timeOf(event.timeS, at);
		const token: FollowedToken = {
			mint,
			venue: venue.id,
			curve: event.curve,
			symbol: event.symbol,
			name: event.name,
			decimals: event.decimals,
			supply: whole(event.supply, event.decimals),
			sale: event.sale === null ? null : whole(event.sale, event.decimals),
			quote,
			pool: null,
			others: [],
			isFull: false,
			price: null,
			tradedMs: timeMs,
			left: event.sale,
			changedSlot: at.slot,
		};
		const virtualToken = event.virtualToken ?? account?.virtualToken ?? null;
		const virtualQuote = event.virtualQuote ?? account?.virtualQuote ?? null;
		if (virtualToken !== null && virtualQuote !== null && virtualToken > 0n) {
			token.price = whole(virtualQuote, quote.decimals) / whole(virtualToken, token.decimals);
		}
		this.#follow(token);
		this.#store(token, at.slot);
		const quoteUSD = this.quoteUSD(quote, timeMs);
		this.#events.push({
			type: 'launch',
			...this.#of(token, timeMs, at.slot),
			kind: 'token',
			symbol: event.symbol,
			name: event.name,
			decimals: event.decimals,
			supply: token.supply,
			deployer: event.creator,
			pool: poolFacts(event.curve, venue, quote),
			// A curve holds the whole supply at first: what it does not sell goes to the pool.
			reserveToken: token.supply,
			reserveQuote: 0,
			quoteUSD,
			priceUSD: quoteUSD === null || token.price === null ? null : token.price * quoteUSD,
			// Where the curve goes by quote coins, no more than this is sold, and trades say how far it is.
			curveSale: token.sale ?? (venue.id === METEORA_DBC.id ? token.supply : null),
			holdersReported: true,
			profile: {
				uri: event.uri === '' ? null : event.uri,
				...(event.isToken2022 !== null && {tokenType: event.isToken2022 ? '2022' : '2020'}),
				...(isPump && {
					launchFlags: {mayhem: event.isMayhem, cashback: event.isCashback, agent: null, og: null},
				}),
			},
		});
	}

	#curveTrade(event: CurveTrade, at: At): void {
		const token = event.mint !== null ? this.#tokens.get(event.mint) : this.#places.get(event.curve!);
		if (token === undefined || event.amountToken === 0n) return;
		const {beyond} = event;
		const timeMs = this.#traded(token, timeOf(event.timeS, at));
		const spot = event.price === null ? null : wholePrice(event.price, token);
		if (token.pool === null && spot !== null) token.price = spot;
		if (token.pool === null) leaves(token, beyond === null ? event.left : null, at.slot);
		const reserves =
			beyond !== null
				? {token: whole(beyond.token, token.decimals), quote: whole(beyond.quote, token.quote.decimals)}
				: event.left === null || event.raised === null
					? undefined
					: {token: this.#curveReserve(token, event.left), quote: whole(event.raised, token.quote.decimals)};
		this.#trade(token, at, {
			timeMs,
			pool: token.pool === null ? null : token.curve,
			wallet: event.wallet,
			side: event.side,
			amountToken: event.amountToken,
			amountQuote: event.amountQuote,
			fee: event.fee,
			spot,
			reserves,
			share: event.share,
		});
		if (event.left === 0n || event.share === 1) this.#full(token.mint, at.slot);
	}

	#full(mint: string, slot: number): void {
		const token = this.#tokens.get(mint);
		if (token === undefined || token.isFull) return;
		token.isFull = true;
		this.#store(token, slot);
	}

	#migrated(event: Migrated, at: At): void {
		const token = this.#tokens.get(event.mint);
		// Otherwise the event of the pool, in the same transaction, did it.
		if (token === undefined || token.pool !== null) return;
		this.#move(token, {
			pool: event.pool,
			venue: PUMP_SWAP,
			quote: token.quote,
			left: event.amountToken,
			reserveToken: whole(event.amountToken, token.decimals),
			reserveQuote: whole(event.amountQuote, token.quote.decimals),
			timeMs: timeOf(event.timeS, at),
			slot: at.slot,
		});
	}

	#poolMade(event: PoolMade, at: At, moved: Migrated | undefined): void {
		const token = this.#tokens.get(event.base);
		if (token === undefined || this.#places.has(event.pool)) return;
		const to: MovedTo = {
			pool: event.pool,
			venue: PUMP_SWAP,
			quote: this.#coin(event.quote, event.quoteDecimals),
			left: event.reserveBase,
			reserveToken: whole(event.reserveBase, event.baseDecimals),
			reserveQuote: whole(event.reserveQuote, event.quoteDecimals),
			timeMs: timeOf(event.timeS, at),
			slot: at.slot,
		};
		if (moved?.mint === token.mint && token.pool === null) {
			this.#move(token, to);
			return;
		}
		// A pool that was opened beside the main one; only with the same quote coin its trades have a price here.
		if (to.quote.address !== token.quote.address) return;
		token.others.push(event.pool);
		this.#places.set(event.pool, token);
		this.#store(token, at.slot);
		this.#events.push({...this.#arrival(token, to), main: false});
	}

	#move(token: FollowedToken, to: MovedTo): void {
		token.pool = to.pool;
		token.isFull = true;
		leaves(token, to.left, to.slot);
		this.#places.set(to.pool, token);
		this.#traded(token, to.timeMs);
		this.#store(token, to.slot);
		this.#events.push({...this.#arrival(token, to), main: true});
	}

	#arrival(token: FollowedToken, {pool, venue, quote, reserveToken, reserveQuote, timeMs, slot}: MovedTo) {
		return {
			type: 'migrate' as const,
			...this.#of(token, timeMs, slot),
			pool: poolFacts(pool, venue, quote),
			reserveToken,
			reserveQuote,
		};
	}

	#poolTrade(event: PoolTrade, at: At): void {
		const token = this.#places.get(event.pool);
		if (token === undefined || event.amountBase === 0n) return;
		const timeMs = this.#traded(token, timeOf(event.timeS, at));
		const spot = event.price === null ? null : wholePrice(event.price, token);
		if (spot !== null && event.pool === token.pool) token.price = spot;
		if (event.pool === token.pool) leaves(token, event.reserveBase, at.slot);
		this.#trade(token, at, {
			timeMs,
			pool: event.pool === token.pool ? null : event.pool,
			wallet: event.wallet,
			side: event.side,
			amountToken: event.amountBase,
			amountQuote: event.amountQuote,
			fee: event.fee,
			spot,
			reserves: {
				token: whole(event.reserveBase, token.decimals),
				quote: whole(event.reserveQuote, token.quote.decimals),
			},
		});
	}

	#poolLiquidity(event: PoolLiquidity, at: At): void {
		const token = this.#places.get(event.pool);
		if (token === undefined) return;
		if (event.pool === token.pool) {
			leaves(token, token.left === null ? null : token.left + event.amountBase, at.slot);
		}
		this.#events.push({
			type: 'liquidity',
			...this.#of(token, timeOf(event.timeS, at), at.slot),
			pool: event.pool === token.pool ? null : event.pool,
			wallet: event.wallet,
			amountToken: whole(event.amountBase, token.decimals),
			amountQuote: whole(event.amountQuote, token.quote.decimals),
		});
	}

	#trade(token: FollowedToken, at: At, trade: TradeFigures): void {
		const quoteUSD = this.quoteUSD(token.quote, trade.timeMs);
		const amountQuote = whole(trade.amountQuote, token.quote.decimals);
		const fee = trade.fee === null ? null : whole(trade.fee, token.quote.decimals);
		this.#events.push({
			type: 'trade',
			...this.#of(token, trade.timeMs, at.slot),
			pool: trade.pool,
			wallet: trade.wallet,
			side: trade.side,
			amountToken: whole(trade.amountToken, token.decimals),
			amountQuote,
			valueUSD: quoteUSD === null ? null : amountQuote * quoteUSD,
			feeUSD: quoteUSD === null || fee === null ? null : fee * quoteUSD,
			quoteUSD,
			...(trade.spot !== null && {spotQuote: trade.spot}),
			...(trade.reserves && {reserves: trade.reserves}),
			...(trade.share !== undefined && {curveShare: trade.share}),
			tx: at.tx,
			platform: null,
		});
	}

	/** Tokens in a curve: the tokens for sale, and the tokens kept for the pool. */
	#curveReserve(token: FollowedToken, left: bigint): number {
		return token.supply - (token.sale ?? 0) + whole(left, token.decimals);
	}

	#of(token: FollowedToken, timeMs: number, slot: number) {
		return {timeMs, chainId: SOLANA_CHAIN, token: token.mint, block: slot};
	}

	#traded(token: FollowedToken, timeMs: number): number {
		token.tradedMs = Math.max(token.tradedMs, timeMs);
		return timeMs;
	}

	#coin(mint: string | 'native', decimals: number | undefined): QuoteCoin {
		if (mint === 'native' || mint === SOL.address) return SOL;
		const stable = STABLES.get(mint);
		if (stable !== undefined) return stable;
		const token = this.#tokens.get(mint);
		if (token) return {address: mint, symbol: token.symbol, name: token.name, decimals: token.decimals};
		const short = `${mint.slice(0, 4)}…${mint.slice(-4)}`;
		return {address: mint, symbol: short, name: short, decimals: decimals ?? PUMP_DECIMALS};
	}

	#follow(token: FollowedToken): void {
		this.#tokens.set(token.mint, token);
		for (const place of placesOf(token)) this.#places.set(place, token);
	}

	#drop(token: FollowedToken): string {
		this.#tokens.delete(token.mint);
		for (const place of placesOf(token)) this.#places.delete(place);
		return token.mint;
	}

	#store(token: FollowedToken, slot: number): void {
		const {price: _price, tradedMs: _tradedMs, left: _left, changedSlot: _changedSlot, ...stored} = token;
		this.#facts.push({key: `token:${stored.mint}`, block: slot, value: JSON.stringify(stored)});
	}
}

interface At {
	readonly slot: number;
	readonly slotMs: number;
	readonly tx: string;
}

export interface MovedTo {
	readonly pool: string;
	readonly venue: {readonly id: string; readonly name: string; readonly program: string};
	readonly quote: QuoteCoin;
	/** Raw tokens; null when unknown. */
	readonly left: bigint | null;
	/** Whole coins; null when unknown. */
	readonly reserveToken: number | null;
	readonly reserveQuote: number | null;
	readonly timeMs: number;
	readonly slot: number;
}

/** A token after a gap. */
export interface Caught {
	readonly token: FollowedToken;
	/** The slot that its accounts are of. */
	readonly slot: number;
	/** The curve or the pool that is meant. */
	readonly place: string;
	/** Raw amounts of its curve or its pool. */
	readonly holds: Pick<Holdings, 'left' | 'quote' | 'isFull'>;
	/** Set when it moved to a pool meanwhile. */
	readonly moved: Pick<MovedTo, 'pool'> | undefined;
}

export interface Holdings {
	readonly timeMs: number;
	readonly slot: number;
	/** Raw tokens that a curve still sells, or that a pool has. */
	readonly left: bigint;
	readonly quote: bigint;
	readonly isFull: boolean;
}

interface TradeFigures {
	readonly timeMs: number;
	readonly pool: string | null;
	readonly wallet: string | null;
	readonly side: 'buy' | 'sell';
	readonly amountToken: bigint;
	readonly amountQuote: bigint;
	readonly fee: bigint | null;
	/** The price after it, quote coins for a token; null when it is not defined. */
	readonly spot: number | null;
	readonly reserves: {readonly token: number; readonly quote: number} | undefined;
	readonly share?: number | undefined;
}

function leaves(token: FollowedToken, left: bigint | null, slot: number): void {
	token.left = left;
	token.changedSlot = slot;
}

function placesOf(token: FollowedToken): readonly string[] {
	return [token.curve, ...(token.pool === null ? [] : [token.pool]), ...token.others];
}

function poolFacts(address: string, {id, name, program}: MovedTo['venue'], quote: QuoteCoin): PoolFacts {
	return {address, type: id, factory: program, exchange: {name, logo: ''}, quote};
}

function timeOf(timeS: number | null, {slotMs}: At): number {
	return timeS === null ? slotMs : timeS * 1000;
}

function whole(raw: bigint, decimals: number): number {
	return Number(raw) / 10 ** decimals;
}

/** A price of raw amounts in whole coins. */
function wholePrice(price: number, {decimals, quote}: FollowedToken): number {
	return price * 10 ** (decimals - quote.decimals);
}
