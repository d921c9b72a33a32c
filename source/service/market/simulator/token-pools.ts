import {type Chain, findChain, type Launchpad} from '../chains.ts';
import type {Profile} from '../events.ts';
import type {HeldToken} from '../held-token.ts';
import type {ChainPool, OutsideTrade} from '../outside.ts';
import {addressOn, evmHash, transactionOn} from './addresses.ts';
import {adoption, type CrowdPart} from './adoption.ts';
import type {Agenda} from './agenda.ts';
import {blockAt, nativeUSD, poolFacts} from './chain-facts.ts';
import {HolderBook, type Holding} from './holder-book.ts';
import type {Naming} from './names.ts';
import {OutsideHolders} from './outside-holders.ts';
import {outsideEvents} from './outside-trade.ts';
import {Random} from './random.ts';
import {Reserves} from './reserves.ts';
import type {TokenContext} from './token-context.ts';

/** Between the last sale of a curve and the opening of the ordinary pool. */
const MIGRATION_MS = 4000;
/** The largest part of a pool that one trade of the crowd moves. */
export const MAX_OF_POOL = 0.12;
/** A curve with less than this part of its sale left is sold out: a chain cannot sell a fraction of its smallest unit. */
const SOLD_OUT_PART = 1e-9;

const BURN_SOLANA = '1nc1nerator11111111111111111111111111111111';
const BURN_EVM = '0x000000000000000000000000000000000000dEaD';
/** Kinds of the pools that holders open. */
const SECOND_SOLANA = {
	type: 'meteora-dyn2',
	factory: 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG',
	exchange: {name: 'Meteora', logo: 'https://assets.pulsetop.invalid/exchange/meteora.png'},
};
const SECOND_EVM = {
	type: 'uniswap-v4',
	factory: '0x498581fF718922c3f8e6A244956aF099B2652b2b',
	exchange: {name: 'Uniswap V4', logo: 'https://assets.pulsetop.invalid/exchange/uniswap-v4.png'},
};

/** The facts of a held token that its pools have. */
export type HeldPools = Pick<
	HeldToken,
	| 'launchpad'
	| 'deployer'
	| 'pool'
	| 'openingToken'
	| 'openingQuote'
	| 'bonded'
	| 'isRugged'
	| 'reserveToken'
	| 'reserveQuote'
	| 'left'
	| 'quoteUSD'
	| 'holders'
	| 'epoch'
>;

/** Null: the main pool. */
interface PoolOfTrade {
	readonly address: string | null;
	readonly reserves: Reserves;
}

/**
 * One token with its pools and its holders: what is done with it changes the reserves and becomes an event. When it is
 * done, and by whom, is up to the process.
 */
export class TokenPools {
	/** The holders in the crowd. */
	readonly book = new HolderBook();
	/** In lower case on EVM chains; empty before the launch. */
	address = '';
	deployer = '';
	isCurve = false;
	/** The deployer has taken the pool's money. */
	isRugged = false;
	/** The wallets from outside; undefined before the first trade of one. */
	outside: OutsideHolders | undefined;
	readonly #context: TokenContext;
	readonly #pad: Launchpad;
	readonly #chain: Chain;
	readonly #random: Random;
	readonly #agenda: Agenda;
	readonly #index: number;
	/** For addresses in place of those that are taken. */
	#spare: Random | undefined;
	#pool = '';
	#opening = {tokens: 0, quotes: 0};
	#bonded: HeldToken['bonded'] = null;
	#reserves = new Reserves(0, 0);
	/** A further pool that a holder opened beside the main one. */
	#second: {readonly address: string; readonly reserves: Reserves} | undefined;

	/** @param index the token's number */
	constructor(context: TokenContext, pad: Launchpad, index: number, random: Random, agenda: Agenda) {
		this.#context = context;
		this.#pad = pad;
		this.#chain = findChain(pad.chainId)!;
		this.#random = random;
		this.#agenda = agenda;
		this.#index = index;
	}

	get chain(): Chain {
		return this.#chain;
	}

	get supply(): number {
		return this.#pad.supply;
	}

	/** Part of a trade's value. */
	get fee(): number {
		return this.isCurve ? this.#pad.fee : this.#pad.nextFee;
	}

	/** The curve is sold, and the pool is not open yet. */
	get isMigrating(): boolean {
		return this.isCurve && this.#reserves.isClosed;
	}

	/** Those of the main pool. */
	get reserves(): Readonly<Reserves> {
		return this.#reserves;
	}

	/** US dollars for one quote coin. */
	quoteUSD(timeMs: number): number {
		return nativeUSD(this.#chain, timeMs);
	}

	/** Gives the token and its first pool their addresses. */
	drawAddresses(): void {
		const {chainId, vanity, type} = this.#pad;
		const random = this.#random;
		const ending = random.chance(0.97) ? vanity : '';
		this.address = this.#free(addressOn(chainId, random, ending), spare => addressOn(chainId, spare, ending));
		this.#pool = type === 'uniswap-v4' ? this.#free(evmHash(random), evmHash) : this.#freeAddress();
	}

	/** Opens the first pool. */
	launch(timeMs: number, deployer: string, names: Naming, profile: () => Profile): void {
		const random = this.#random;
		const {curve, supply, decimals} = this.#pad;
		const usd = this.quoteUSD(timeMs);
		this.deployer = deployer;
		// Straight into a pool: money for all of the supply, or nearly.
		const quotes = curve ? 0 : random.skewed(4000, 0.8) / usd;
		this.isCurve = curve !== null;
		this.#reserves = curve
			? new Reserves(curve.virtualToken, curve.virtualQuote, curve.sale)
			: new Reserves(supply * random.pick([1, 1, 0.95, 0.8]), quotes);
		const tokens = curve ? supply : this.#reserves.tokens;
		this.#opening = {tokens, quotes};
		if (supply > tokens) this.book.add(deployer, supply - tokens, 0, random);
		this.#context.emit({
			type: 'launch',
			...this.#at(timeMs),
			kind: 'token',
			symbol: names.symbol,
			name: names.name,
			decimals,
			supply: random.chance(0.99) ? supply : null,
			deployer,
			pool: poolFacts(this.#chain, this.#pool, this.#pad),
			reserveToken: tokens,
			reserveQuote: quotes,
			quoteUSD: usd,
			priceUSD: this.#reserves.price * usd,
			curveSale: curve ? curve.sale : null,
			holdersReported: random.chance(0.985),
			profile: profile(),
		});
	}

	/** Goes on with a token of an earlier run: its past in short. @param crowd wallets that hold it besides */
	goOn(timeMs: number, held: HeldToken, crowd: readonly CrowdPart[]): void {
		this.address = held.address.toLowerCase();
		this.deployer = held.deployer;
		this.isCurve = held.left !== null;
		this.isRugged = held.isRugged;
		this.outside = new OutsideHolders(held.holders, held.epoch);
		this.#pool = held.pool;
		this.#opening = {tokens: held.openingToken, quotes: held.openingQuote};
		this.#bonded = held.bonded;
		this.#reserves = new Reserves(held.reserveToken, held.reserveQuote, held.left ?? undefined);
		const {events, holdings} = adoption(held, this.#pad, this.#chain, crowd, timeMs);
		for (const event of events) this.#context.emit(event);
		for (const {wallet, tokens, paidUSD} of holdings) this.book.add(wallet, tokens, paidUSD, this.#random);
		// It was closed for the seconds of a migration, and the restart took longer.
		if (this.isMigrating) this.#graduate(timeMs);
	}

	/** A wallet of the crowd buys for quote coins, as far as the pool allows. */
	buy(timeMs: number, wallet: string, quote: number): void {
		const pool = this.#poolFor('buy');
		const bought = pool.reserves.buy(Math.min(quote, pool.reserves.quotes * MAX_OF_POOL));
		if (!bought) return;
		this.book.add(wallet, bought.tokens, bought.quotes * this.quoteUSD(timeMs), this.#random);
		this.#trade(timeMs, pool, wallet, 'buy', bought);
		this.#closeIfSold(timeMs);
	}

	/** A holder in the crowd sells tokens, as far as the pool allows. */
	sell(timeMs: number, holding: Holding, amount: number): void {
		const pool = this.#poolFor('sell');
		const sold = pool.reserves.sell(Math.min(amount, pool.reserves.tokens * MAX_OF_POOL));
		if (!sold) return;
		this.book.take(holding, sold.tokens);
		this.#trade(timeMs, pool, holding.wallet, 'sell', sold);
	}

	/** A holder gives tokens away. */
	give(timeMs: number, holding: Holding, to: string, amountToken: number): void {
		this.#context.emit({type: 'transfer', ...this.#at(timeMs), from: holding.wallet, to, amountToken});
		this.book.take(holding, amountToken);
	}

	/** The deployer burns all of the own tokens. */
	burn(timeMs: number): void {
		const from = this.book.find(this.deployer);
		if (from) this.give(timeMs, from, this.#chain.id.startsWith('evm:') ? BURN_EVM : BURN_SOLANA, from.balance);
	}

	/** The deployer takes nearly all of the pool. */
	rug(timeMs: number): void {
		const {tokens, quotes} = this.#reserves;
		const part = 0.97;
		const amounts = {amountToken: -tokens * part, amountQuote: -quotes * part};
		this.#context.emit({type: 'liquidity', ...this.#at(timeMs), pool: null, wallet: this.deployer, ...amounts});
		this.#reserves = new Reserves(tokens * (1 - part), quotes * (1 - part));
		this.isRugged = true;
	}

	/** Gives the reserves a worth that a chain can have: a whole number of micro-dollars. */
	roundReserves(quoteUSD: number): void {
		this.#reserves.quotes = Math.round(this.#reserves.quotes * quoteUSD * 1e6) / 1e6 / quoteUSD;
	}

	/** Takes over the reserves of a chain. */
	reconcile(timeMs: number, quoteUSD: number, {reserveToken, reserveUSD, left}: ChainPool): void {
		this.outside ??= new OutsideHolders();
		this.#reserves = new Reserves(reserveToken, reserveUSD / quoteUSD, this.isCurve ? left : undefined);
		this.#closeIfSold(timeMs);
	}

	/**
	 * Applies a trade of a wallet from outside with the main pool.
	 * @param quoteUSD as it was when the reserves were copied to the chain
	 */
	settle(timeMs: number, quoteUSD: number, trade: OutsideTrade): void {
		this.outside ??= new OutsideHolders();
		const {side, wallet, poolTokens, traderTokens, usd} = trade;
		const sign = side === 'buy' ? 1 : -1;
		const wasClosed = this.#reserves.isClosed;
		this.#reserves.move(-sign * poolTokens, (sign * usd) / quoteUSD);
		this.outside.epoch++;
		this.outside.add(wallet, sign * traderTokens, timeMs);
		const prices = {quoteUSD, spotQuote: this.#reserves.price};
		for (const event of outsideEvents(trade, this.#at(timeMs), prices, this.deployer)) this.#context.emit(event);
		// A trade that is settled late does not open the curve again.
		if (wasClosed) this.#reserves.left = 0;
		else this.#closeIfSold(timeMs);
	}

	/** The facts of the pools that a later run needs, besides the feed. */
	heldPools(timeMs: number): HeldPools {
		const {tokens, quotes, left} = this.#reserves;
		return {
			launchpad: this.#pad.type,
			deployer: this.deployer,
			pool: this.#pool,
			openingToken: this.#opening.tokens,
			openingQuote: this.#opening.quotes,
			bonded: this.#bonded,
			isRugged: this.isRugged,
			reserveToken: tokens,
			reserveQuote: quotes,
			left: this.isCurve ? Math.max(left, 0) : null,
			quoteUSD: this.quoteUSD(timeMs),
			holders: this.outside?.list() ?? [],
			epoch: this.outside?.epoch ?? 0,
		};
	}

	/** The pool for a trade: the one with the better price. */
	#poolFor(side: 'buy' | 'sell'): PoolOfTrade {
		const main = {address: null, reserves: this.#reserves};
		const second = this.#second;
		if (!second || this.#random.chance(0.7)) return main;
		const isCheaper = second.reserves.price < main.reserves.price;
		return isCheaper === (side === 'buy') ? second : main;
	}

	#trade(
		timeMs: number,
		pool: PoolOfTrade,
		wallet: string,
		side: 'buy' | 'sell',
		{tokens: amountToken, quotes: amountQuote}: Pick<Reserves, 'tokens' | 'quotes'>,
	): void {
		const quoteUSD = this.quoteUSD(timeMs);
		const valueUSD = amountQuote * quoteUSD;
		this.#context.emit({
			type: 'trade',
			timeMs,
			block: blockAt(this.#chain, timeMs),
			chainId: this.#chain.id,
			token: this.address,
			pool: pool.address,
			wallet,
			side,
			amountToken,
			amountQuote,
			valueUSD,
			feeUSD: valueUSD * this.fee,
			quoteUSD,
			spotQuote: pool.reserves.price,
			// Transactions before the service started cannot be looked up, so they have no name.
			tx: timeMs >= this.#context.startMs ? transactionOn(this.#chain.id, this.#random) : null,
			platform: this.#context.crowd.platformOf(wallet),
		});
	}

	#closeIfSold(timeMs: number): void {
		const {curve} = this.#pad;
		if (!this.isCurve || !curve || this.#reserves.left > curve.sale * SOLD_OUT_PART) return;
		this.#reserves.left = 0;
		this.#agenda.schedule(timeMs + MIGRATION_MS, runMs => this.#graduate(runMs));
	}

	/** The curve is sold: its money and the tokens set aside open an ordinary pool. */
	#graduate(timeMs: number): void {
		const {curve, next, supply} = this.#pad;
		if (!curve || !next || !this.isCurve) return;
		this.isCurve = false;
		this.#reserves = new Reserves(supply - curve.sale, this.#reserves.quotes - curve.virtualQuote);
		this.#bonded = {pool: this.#freeAddress(), timeMs};
		this.#context.emit({
			type: 'migrate',
			...this.#at(timeMs),
			pool: poolFacts(this.#chain, this.#bonded.pool, next),
			reserveToken: this.#reserves.tokens,
			reserveQuote: this.#reserves.quotes,
			main: true,
		});
		if (!this.#random.chance(0.2)) return;
		const atMs = Math.ceil(timeMs + this.#random.skewed(600_000, 0.8));
		this.#agenda.schedule(atMs, runMs => this.#openSecond(runMs));
	}

	/** A holder opens a pool of another kind with the own tokens. */
	#openSecond(timeMs: number): void {
		const owner = this.book.any(this.#random);
		if (!owner || this.#second) return;
		const amountToken = Math.min(owner.balance, this.#reserves.tokens * 0.3);
		const amountQuote = amountToken * this.#reserves.price;
		const address = this.#freeAddress();
		const kind = this.#chain.id.startsWith('evm:') ? SECOND_EVM : SECOND_SOLANA;
		const pool = poolFacts(this.#chain, address, kind);
		this.#context.emit({type: 'migrate', ...this.#at(timeMs), pool, reserveToken: 0, reserveQuote: 0, main: false});
		this.#context.emit({
			type: 'liquidity',
			...this.#at(timeMs),
			pool: address,
			wallet: owner.wallet,
			amountToken,
			amountQuote,
		});
		this.book.take(owner, amountToken);
		this.#second = {address, reserves: new Reserves(amountToken, amountQuote)};
	}

	/** Time, block and token of an event. */
	#at(timeMs: number): {timeMs: number; block: number; chainId: string; token: string} {
		return {timeMs, block: blockAt(this.#chain, timeMs), chainId: this.#chain.id, token: this.address};
	}

	/** An address that is not that of a held token or of its pool: another one is drawn, without changing the others. */
	#free(drawn: string, draw: (random: Random) => string): string {
		let free = drawn;
		while (this.#context.isTaken(this.#chain.id, free)) {
			this.#spare ??= new Random(this.#context.seed, 9041, this.#index);
			free = draw(this.#spare);
		}
		return free;
	}

	#freeAddress(): string {
		return this.#free(addressOn(this.#chain.id, this.#random), spare => addressOn(this.#chain.id, spare));
	}
}
