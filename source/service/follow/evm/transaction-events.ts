import type {MarketEvent, QuoteCoin, Security, TradeEvent} from '../../market/events.ts';
import {NATIVE} from './chains.ts';
import {Coins} from './coins.ts';
import type {FollowedPool, FollowedToken, FollowedTokens} from './followed-tokens.ts';
import {launchEvent, type Start} from './launch-event.ts';
import {followNew} from './new-tokens.ts';
import {seenFlags, seenInTrial, seenMore, taxOfTrade} from './observed-taxes.ts';
import {liquidityAmounts, priceOfReserves, priceOfRoot} from './pool-maths.ts';
import {openingOf, type PoolOpening} from './pool-opening.ts';
import type {Surroundings, Transaction} from './surroundings.ts';
import {isKeyless, mintedIn, TokenFlows} from './token-flows.ts';
import {toUnits} from './units.ts';
import type {Address, CurveTrade, Graduated, Hex, PoolLiquidity, PoolReserves, PoolSwap} from './venue.ts';
import type {OwnerLog, ReadLog, TransferLog, VenueLog} from './venue-reader.ts';
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
	readonly reserves: TradeEvent['reserves'] | undefined;
}

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
	/** What pools said they hold, until the swap comes that it belongs to. */
	readonly #reserves = new Map<Hex, PoolReserves>();
	readonly #graduating = new Set<Address>();
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
			if (read.kind === 'venue' && read.event.kind === 'token') this.#launchOnCurve(read.event.token);
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
		if (event.kind === 'graduated') this.#graduating.add(event.token);
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
		if (event.kind === 'swap') this.#swap(event, venue.feePpm);
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
		else this.#launchInPool(token, opening);
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
		const sold = curve.sale === null ? this.#flows.mintedTo(address, curve.address) : BigInt(curve.sale);
		this.#launch(token, curve.address, {
			pool: this.#coins.birthplace(token, pool),
			reserveToken: opening?.token ?? (sold > 0n ? sold : null),
			reserveQuote: opening?.quote ?? 0n,
			price: opening ? this.#openingPrice(token, opening) : null,
			minted: this.#flows.minted(address),
		});
		if (pool) this.#state.putPool({...pool, isOpen: true});
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
		const quoteDecimals = this.#coins.ofPool(pool).decimals;
		if (root !== undefined && root > 0n)
			return priceOfRoot(root, {isToken0: pool.isToken0, tokenDecimals: token.decimals, quoteDecimals});
		if (tokens === null || quote === null) return null;
		return priceOfReserves(toUnits(tokens, token.decimals), toUnits(quote, quoteDecimals));
	}

	/** A further pool of a launched token has coins: the one that it moves to, or one beside its main pool. */
	#open({pool, token: tokens, quote}: Pick<PoolOpening, 'pool' | 'token' | 'quote'>): void {
		const token = this.#state.tokens.get(pool.token);
		if (!token) return;
		const isOnCurve = token.curve !== null && token.main === token.curve.address;
		const leavesCurve = isOnCurve && (token.isGraduated || this.#graduating.has(token.token));
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

	/** What the trial of a token's new main pool showed. */
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
	#graduated({token: address, pool: key}: Graduated): void {
		const token = this.#state.tokens.get(address);
		if (!token?.curve || token.waiting || token.main !== token.curve.address) return;
		const pool = key === null ? undefined : this.#state.pools.get(key);
		if (pool?.isOpen) this.#open({pool, token: null, quote: null});
		else if (!token.isGraduated) this.#state.putToken({...token, isGraduated: true});
	}

	#swap(event: PoolSwap, venueFeePpm: number | null): void {
		const pool = this.#state.pools.get(event.pool);
		const token = pool && this.#launched(pool.token);
		if (!pool || !token) return;
		if (event.sqrtPriceX96 !== null && this.#state.rootOf(pool.pool) !== undefined)
			this.#state.rooted(pool, event.sqrtPriceX96);
		const [tokens, quotes] = pool.isToken0 ? [event.amount0, event.amount1] : [event.amount1, event.amount0];
		// A flash loan that was paid back in the same coin, or a swap of nothing: no trade, only other reserves.
		if (tokens === 0n || quotes === 0n || tokens > 0n === quotes > 0n) return;
		const synced = this.#reserves.get(pool.pool);
		this.#reserves.delete(pool.pool);
		const feePpm = event.feePpm ?? pool.feePpm ?? venueFeePpm;
		this.#trade({
			token,
			quote: this.#coins.ofPool(pool),
			pool: token.main === pool.pool ? null : pool.pool,
			place: isContract(pool.pool) ? pool.pool : null,
			wallet: null,
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
		const quote = this.#coins.ofCurve(token.curve);
		const {left, raised, fee} = event;
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
			reserves: isKnown ? {token: toUnits(left, token.decimals), quote: toUnits(raised, quote.decimals)} : undefined,
		});
	}

	#trade({token, quote, pool, side, reserves, ...trade}: Trade): void {
		const amountToken = toUnits(trade.tokens, token.decimals);
		const amountQuote = toUnits(trade.quotes, quote.decimals);
		const quoteUSD = this.#coins.usd(quote.address as Address, this.#transaction.timeMs);
		const valueUSD = quoteUSD === null ? null : amountQuote * quoteUSD;
		const wallet = trade.wallet ?? this.#walletOf(token.token, side, trade.tokens);
		this.#state.traded(token.token, this.#transaction.block);
		if (token.isQuote && pool === null) this.#state.priced(token.token, amountQuote / amountToken);
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
			...(reserves && {reserves}),
			tx: this.#transaction.hash,
			platform: null,
		});
		if (wallet !== null && wallet !== token.creator) this.#observe(token, side, trade.place, wallet);
	}

	/** What a trade shows of the token's taxes, and that it can be sold. */
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
		this.#events.push({type: 'reserves', ...this.#of(token.token), pool: poolKey, reserveToken, reserveQuote});
	}

	#reservesIn(pool: FollowedPool, {decimals}: FollowedToken, {reserve0, reserve1}: PoolReserves) {
		const [token, quote] = pool.isToken0 ? [reserve0, reserve1] : [reserve1, reserve0];
		return {token: toUnits(token, decimals), quote: toUnits(quote, this.#coins.ofPool(pool).decimals)};
	}

	#transfer({log, from, to, amount}: TransferLog, holder: (address: Address, token: Address) => Address | null): void {
		const token = this.#launched(log.address);
		if (!token || amount === 0n) return;
		// What was made up to the launch is in its supply.
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

/** A buy takes tokens out of the pool. */
function sideOf({isToken0}: FollowedPool, {amount0, amount1}: PoolSwap): 'buy' | 'sell' {
	return (isToken0 ? amount0 : amount1) < 0n ? 'buy' : 'sell';
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
