import {type Chain, findChain} from '../chains.ts';
import type {PoolFacts, Profile} from '../events.ts';
import {addressOn, evmHash, transactionOn} from './addresses.ts';
import {HolderBook, type Holding} from './holder-book.ts';
import {naming} from './names.ts';
import {Pace} from './pace.ts';
import type {Plan} from './plan.ts';
import {launchProfile, publicity} from './profiles.ts';
import {Random} from './random.ts';
import {Reserves} from './reserves.ts';
import type {TokenContext} from './token-context.ts';
import {WalletPicker} from './wallet-picker.ts';

/** Between the last sale of a curve and the opening of the ordinary pool. */
const MIGRATION_MS = 4000;
/** The largest part of a pool that one trade moves. */
const MOST_OF_POOL = 0.12;

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

interface Later {
	readonly timeMs: number;
	readonly run: () => void;
}

/**
 * The events of one token. They follow from the seed, the token's number and the market's start, independent of other
 * tokens, so that tokens can be loaded in any order.
 */
export class TokenProcess {
	/** When the next event is due, Unix ms; Infinity when the token is dead for good. */
	nextMs: number;
	readonly #context: TokenContext;
	readonly #plan: Plan;
	readonly #random: Random;
	readonly #chain: Chain;
	readonly #pace: Pace;
	readonly #book = new HolderBook();
	readonly #wallets: WalletPicker;
	#address = '';
	#deployer = '';
	#reserves = new Reserves(0, 0);
	/** A further pool that a holder opened beside the main one. */
	#second: {readonly address: string; readonly reserves: Reserves} | undefined;
	#isCurve = false;
	#isRugged = false;
	#isOpen = false;
	#mood = 0;
	readonly #later: Later[] = [];
	#tradeMs: number;

	constructor(context: TokenContext, plan: Plan) {
		this.#context = context;
		this.#plan = plan;
		this.#random = new Random(context.seed, 9010, plan.index);
		this.#chain = findChain(plan.pad.chainId)!;
		this.#pace = new Pace(plan, context.startMs, context.density);
		this.#wallets = new WalletPicker(context, plan.pad.chainId, this.#random);
		this.nextMs = plan.launchMs;
		this.#tradeMs = plan.launchMs;
	}

	/** Emits the next event. */
	step(): void {
		const nowMs = this.nextMs;
		const later = this.#later[0];
		if (!this.#isOpen) {
			this.#isOpen = true;
			this.#launch(nowMs);
		} else if (later && later.timeMs <= nowMs) {
			this.#later.shift();
			later.run();
		} else {
			this.#act(nowMs);
		}
		if (nowMs >= this.#tradeMs) {
			this.#tradeMs = this.#isRugged
				? Number.POSITIVE_INFINITY
				: this.#pace.nextMs(nowMs, !this.#isCurve, this.#random);
		}
		this.nextMs = Math.min(this.#tradeMs, this.#later[0]?.timeMs ?? Number.POSITIVE_INFINITY);
	}

	#launch(timeMs: number): void {
		const context = this.#context;
		const random = this.#random;
		const {pad} = this.#plan;
		const {curve} = pad;
		const names = naming(random);
		this.#address = addressOn(pad.chainId, random, random.chance(0.97) ? pad.vanity : '');
		const pool = pad.type === 'uniswap-v4' ? evmHash(random) : addressOn(pad.chainId, random);
		this.#makeDeployer(timeMs);
		const usd = this.#nativeUSD(timeMs);
		// Straight into a pool: money for all of the supply, or nearly.
		const opening = curve ? 0 : random.skewed(4000, 0.8) / usd;
		this.#isCurve = curve !== null;
		this.#reserves = curve
			? new Reserves(curve.virtualToken, curve.virtualQuote, curve.sale)
			: new Reserves(pad.supply * random.pick([1, 1, 0.95, 0.8]), opening);
		const reserveToken = curve ? pad.supply : this.#reserves.tokens;
		if (pad.supply > reserveToken) this.#book.add(this.#deployer, pad.supply - reserveToken, 0, random);
		context.emit({
			type: 'launch',
			timeMs,
			block: this.#block(timeMs),
			chainId: pad.chainId,
			token: this.#address,
			kind: 'token',
			symbol: names.symbol,
			name: names.name,
			decimals: pad.decimals,
			supply: random.chance(0.99) ? pad.supply : null,
			deployer: this.#deployer,
			pool: this.#poolFacts(pool, pad),
			reserveToken,
			reserveQuote: opening,
			quoteUSD: usd,
			priceUSD: this.#reserves.price * usd,
			curveSale: curve ? curve.sale : null,
			holdersReported: random.chance(0.985),
			profile: launchProfile(this.#plan, names, this.#address, random),
		});
		this.#opening(timeMs);
		for (const {timeMs: atMs, profile} of publicity(this.#plan, this.#address, random)) {
			this.#schedule(atMs, () => this.#profile(atMs, profile));
		}
		this.#actOfDeployer(timeMs);
	}

	/** One in five launches is by a serial deployer. */
	#makeDeployer(timeMs: number): void {
		const random = this.#random;
		const {chainId} = this.#plan.pad;
		const isSerial = random.chance(0.22);
		const who = isSerial ? new Random(this.#context.seed, 9020, random.index(250)) : random;
		this.#deployer = addressOn(chainId, who);
		this.#wallets.introduce(this.#deployer, timeMs - (isSerial ? 2e9 : random.skewed(3e7, 2)));
	}

	/**
	 * The first blocks: the deployer buys, a bundle with the deployer, then the snipers; insiders get tokens for
	 * nothing.
	 */
	#opening(timeMs: number): void {
		const random = this.#random;
		const chain = this.#chain;
		const share = (low: number, high: number): number => this.#reserves.quotes * random.between(low, high);
		if (random.chance(0.72)) this.#buy(timeMs, this.#deployer, share(0.005, 0.09));
		if (random.chance(0.16)) {
			const funder = addressOn(chain.id, random);
			for (let n = 2 + random.index(7); n > 0; n--) {
				const member = addressOn(chain.id, random);
				this.#wallets.introduce(member, timeMs - random.between(6e4, 4e6), funder);
				this.#buy(timeMs, member, share(0.004, 0.035));
			}
		}
		if (random.chance(0.45)) {
			for (let n = 1 + random.index(6); n > 0; n--) {
				const atMs = timeMs + chain.blockMs * (1 + random.index(3));
				const sniper = this.#context.crowd.bot(random);
				const quote = share(0.004, 0.04);
				this.#schedule(atMs, () => this.#buy(atMs, this.#wallets.known(sniper), quote));
			}
		}
		if (random.chance(0.14)) {
			const atMs = Math.ceil(timeMs + random.between(2000, 30_000));
			this.#schedule(atMs, () => this.#giveToInsiders(atMs));
		}
	}

	/** Later acts of a deployer: taking the pool's money, or burning tokens. */
	#actOfDeployer(timeMs: number): void {
		const random = this.#random;
		if (!this.#plan.pad.curve && random.chance(0.25)) {
			const atMs = Math.ceil(timeMs + random.skewed(400_000, 0.8));
			this.#schedule(atMs, () => this.#rug(atMs));
		}
		if (random.chance(0.04)) {
			const atMs = Math.ceil(timeMs + random.skewed(120_000, 1));
			this.#schedule(atMs, () => this.#burn(atMs));
		}
	}

	#rug(timeMs: number): void {
		const {tokens, quotes} = this.#reserves;
		const part = 0.97;
		const amounts = {amountToken: -tokens * part, amountQuote: -quotes * part};
		this.#context.emit({type: 'liquidity', ...this.#at(timeMs), pool: null, wallet: this.#deployer, ...amounts});
		this.#reserves = new Reserves(tokens * (1 - part), quotes * (1 - part));
		this.#isRugged = true;
	}

	#burn(timeMs: number): void {
		const from = this.#book.find(this.#deployer);
		if (!from) return;
		const amountToken = from.balance;
		const to = this.#chain.id.startsWith('evm:') ? BURN_EVM : BURN_SOLANA;
		this.#context.emit({type: 'transfer', ...this.#at(timeMs), from: this.#deployer, to, amountToken});
		this.#book.take(from, amountToken);
	}

	/** A holder opens a pool of another kind with the own tokens. */
	#openSecond(timeMs: number): void {
		const random = this.#random;
		const owner = this.#book.any(random);
		if (!owner || this.#second) return;
		const amountToken = Math.min(owner.balance, this.#reserves.tokens * 0.3);
		const amountQuote = amountToken * this.#reserves.price;
		const address = addressOn(this.#chain.id, random);
		const venue = this.#chain.id.startsWith('evm:') ? SECOND_EVM : SECOND_SOLANA;
		const pool = this.#poolFacts(address, venue);
		this.#context.emit({type: 'migrate', ...this.#at(timeMs), pool, reserveToken: 0, reserveQuote: 0, main: false});
		this.#context.emit({
			type: 'liquidity',
			...this.#at(timeMs),
			pool: address,
			wallet: owner.wallet,
			amountToken,
			amountQuote,
		});
		this.#book.take(owner, amountToken);
		this.#second = {address, reserves: new Reserves(amountToken, amountQuote)};
	}

	/** The pool for a trade: the one with the better price. */
	#poolFor(side: 'buy' | 'sell'): {readonly address: string | null; readonly reserves: Reserves} {
		const main = {address: null, reserves: this.#reserves};
		const second = this.#second;
		if (!second || this.#random.chance(0.7)) return main;
		const isCheaper = second.reserves.price < main.reserves.price;
		return isCheaper === (side === 'buy') ? second : main;
	}

	#giveToInsiders(timeMs: number): void {
		const random = this.#random;
		for (let n = 1 + random.index(4); n > 0; n--) {
			const from = this.#book.find(this.#deployer);
			if (!from) return;
			const to = addressOn(this.#chain.id, random);
			const amountToken = from.balance * random.between(0.05, 0.2);
			this.#context.emit({type: 'transfer', ...this.#at(timeMs), from: this.#deployer, to, amountToken});
			this.#book.take(from, amountToken);
			this.#book.add(to, amountToken, 0, random);
		}
	}

	/** One trade by an ordinary wallet. */
	#act(timeMs: number): void {
		const random = this.#random;
		this.#mood = this.#mood * 0.98 + random.between(-0.05, 0.05);
		const wantsBuy = random.chance(this.#appetite(timeMs) + this.#mood);
		if (!wantsBuy && this.#sellSome(timeMs)) return;
		const density = this.#pace.densityAt(timeMs, !this.#isCurve);
		const usd =
			random.skewed(this.#plan.fate === 'graduate' ? 70 : 45, 1.15) * (density < 1 && !this.#isCurve ? 2.5 : 1);
		const quote = Math.min(usd / this.#nativeUSD(timeMs), this.#reserves.quotes * MOST_OF_POOL) / Math.max(1, density);
		const luck = random.unit();
		if (luck < 0.1) this.#botTrip(timeMs, quote);
		else this.#buy(timeMs, this.#buyer(luck, timeMs), quote);
	}

	/** The probability that the next trade is a buy: high at first, then by the fate of the token. */
	#appetite(timeMs: number): number {
		const {fate, launchMs, paceFadesS} = this.#plan;
		const age = (timeMs - launchMs) / 1000 / paceFadesS;
		if (fate === 'graduate') return this.#isCurve ? 0.72 : 0.51;
		if (fate === 'runner') return age < 0.8 ? 0.6 : 0.42;
		return age < 0.7 ? 0.62 : 0.3;
	}

	/** The buyer, by a random number from 0.1 to 1. */
	#buyer(luck: number, timeMs: number): string {
		const random = this.#random;
		// In a busier market the same wallets trade more, so that memory does not grow with the rate.
		const isRegular = luck < (this.#isCurve ? 0.3 : 0.5) || random.chance(1 - 1 / this.#pace.densityAt(timeMs, true));
		const again = isRegular ? this.#book.any(random) : undefined;
		return again?.wallet ?? this.#wallets.trader(luck, timeMs);
	}

	/** A bot buys and sells again within two seconds. */
	#botTrip(timeMs: number, quote: number): void {
		const wallet = this.#wallets.known(this.#context.crowd.bot(this.#random));
		this.#buy(timeMs, wallet, quote);
		const outMs = timeMs + 400 + this.#random.index(1600);
		this.#schedule(outMs, () => {
			const holding = this.#book.find(wallet);
			if (holding) this.#sell(outMs, holding, holding.balance);
		});
	}

	/** A holder sells all or a part; false when no holder can sell. */
	#sellSome(timeMs: number): boolean {
		const random = this.#random;
		let holding = this.#book.any(random);
		// Sharp traders wait for a profit; another holder sells instead.
		for (let tries = 0; holding && tries < 3 && this.#waits(holding, timeMs); tries++) holding = this.#book.any(random);
		if (!holding) return false;
		// Where sales are more frequent, fewer are complete and the others are smaller, so that the same amount is
		// sold.
		const density = Math.max(1, this.#pace.densityAt(timeMs, !this.#isCurve));
		const isAll = random.chance(0.62 / density);
		const part = isAll ? 1 : (random.between(0.2, 0.8) * 0.38) / (density - 0.62);
		this.#sell(timeMs, holding, holding.balance * part);
		return true;
	}

	#waits({wallet, paidUSD, bought}: Holding, timeMs: number): boolean {
		return paidUSD / bought > this.#reserves.price * this.#nativeUSD(timeMs) && this.#context.crowd.isSharp(wallet);
	}

	#buy(timeMs: number, wallet: string, quote: number): void {
		const pool = this.#poolFor('buy');
		const bought = pool.reserves.buy(Math.min(quote, pool.reserves.quotes * MOST_OF_POOL));
		if (!bought) return;
		this.#book.add(wallet, bought.tokens, bought.quotes * this.#nativeUSD(timeMs), this.#random);
		this.#trade(timeMs, pool.address, wallet, 'buy', bought.tokens, bought.quotes);
		if (!this.#isCurve || !this.#reserves.isClosed) return;
		const atMs = timeMs + MIGRATION_MS;
		this.#schedule(atMs, () => this.#graduate(atMs));
	}

	#sell(timeMs: number, holding: Holding, amount: number): void {
		const pool = this.#poolFor('sell');
		const sold = pool.reserves.sell(Math.min(amount, pool.reserves.tokens * MOST_OF_POOL));
		if (!sold) return;
		this.#book.take(holding, sold.tokens);
		this.#trade(timeMs, pool.address, holding.wallet, 'sell', sold.tokens, sold.quotes);
	}

	#trade(
		timeMs: number,
		pool: string | null,
		wallet: string,
		side: 'buy' | 'sell',
		amountToken: number,
		amountQuote: number,
	): void {
		const {pad} = this.#plan;
		const quoteUSD = this.#nativeUSD(timeMs);
		const valueUSD = amountQuote * quoteUSD;
		this.#context.emit({
			type: 'trade',
			timeMs,
			block: this.#block(timeMs),
			chainId: this.#chain.id,
			token: this.#address,
			pool,
			wallet,
			side,
			amountToken,
			amountQuote,
			valueUSD,
			feeUSD: valueUSD * (this.#isCurve ? pad.fee : pad.nextFee),
			quoteUSD,
			// Transactions before the service started cannot be looked up, so they have no name.
			tx: timeMs >= this.#context.startMs ? transactionOn(this.#chain.id, this.#random) : null,
			platform: this.#context.crowd.platformOf(wallet),
		});
	}

	/** The curve is sold: its money and the tokens set aside open an ordinary pool. */
	#graduate(timeMs: number): void {
		const {pad} = this.#plan;
		const {curve, next} = pad;
		if (!curve || !next) return;
		this.#isCurve = false;
		this.#reserves = new Reserves(pad.supply - curve.sale, this.#reserves.quotes - curve.virtualQuote);
		this.#context.emit({
			type: 'migrate',
			...this.#at(timeMs),
			pool: this.#poolFacts(addressOn(pad.chainId, this.#random), next),
			reserveToken: this.#reserves.tokens,
			reserveQuote: this.#reserves.quotes,
			main: true,
		});
		if (!this.#random.chance(0.2)) return;
		const atMs = Math.ceil(timeMs + this.#random.skewed(600_000, 0.8));
		this.#schedule(atMs, () => this.#openSecond(atMs));
	}

	#profile(timeMs: number, profile: Profile): void {
		this.#context.emit({type: 'profile', timeMs, chainId: this.#chain.id, token: this.#address, profile});
	}

	#schedule(timeMs: number, run: () => void): void {
		const at = this.#later.findIndex(later => later.timeMs > timeMs);
		this.#later.splice(at < 0 ? this.#later.length : at, 0, {timeMs, run});
	}

	/** The native coin's price swings by one per cent over some hours. */
	#nativeUSD(timeMs: number): number {
		return this.#chain.nativeUSD * (1 + 0.01 * Math.sin(timeMs / 7.3e6));
	}

	/** Time, block and token of an event. */
	#at(timeMs: number): {timeMs: number; block: number; chainId: string; token: string} {
		return {timeMs, block: this.#block(timeMs), chainId: this.#chain.id, token: this.#address};
	}

	#block(timeMs: number): number {
		return Math.floor(timeMs / this.#chain.blockMs);
	}

	#poolFacts(address: string, {type, factory, exchange}: Pick<PoolFacts, 'type' | 'factory' | 'exchange'>): PoolFacts {
		return {address, type, factory, exchange, quote: this.#chain.native};
	}
}
