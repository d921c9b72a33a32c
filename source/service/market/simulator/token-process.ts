import {type Chain, findChain} from '../chains.ts';
import type {MarketEvent, PoolFacts, TradeEvent} from '../events.ts';
import {addressOn, evmHash, transactionOn} from './addresses.ts';
import type {Crowd} from './crowd.ts';
import {naming} from './names.ts';
import type {Plan} from './plan.ts';
import {launchProfile, liveProfile, screenerProfile} from './profiles.ts';
import {Random} from './random.ts';

/** What the simulated market offers its tokens. */
export interface Stage {
	readonly seed: number;
	readonly startMs: number;
	/** Trades of a token as a multiple of the usual, each that much smaller; from the market's start on. */
	readonly density: number;
	readonly crowd: Crowd;
	emit(event: MarketEvent): void;
	/** A holder of the token, drawn with `random`, and what he has; undefined when nobody has anything. */
	holder(chainId: string, token: string, random: Random): Held | undefined;
	held(chainId: string, token: string, wallet: string): Held | undefined;
}

export interface Held {
	readonly wallet: string;
	readonly balance: number;
	/** US dollars paid for one token on average; NaN when it was not bought. */
	readonly costUSD: number;
}

/** History older than this is told in fewer and larger trades, so that starting takes seconds and not minutes. */
const DENSE_S = 2400;
const SPARSE = 0.06;
const GONE_PACE = 0.0006;
const MIGRATION_MS = 4000;

interface Later {
	readonly timeMs: number;
	readonly run: () => void;
}

/**
 * The life of one token, event by event. Everything it does follows from the seed, its number and the market's start;
 * it knows of other tokens nothing, so that lives can be told in any order.
 */
export class TokenProcess {
	/** When the next event is due, Unix ms; Infinity when the token is dead for good. */
	nextMs: number;
	readonly #stage: Stage;
	readonly #plan: Plan;
	readonly #random: Random;
	readonly #chain: Chain;
	#address = '';
	#pool = '';
	#deployer = '';
	/** Reserves that make the price: virtual ones on a curve, real ones in a pool. */
	#tokens = 0;
	#quotes = 0;
	/** Tokens the curve has left to sell; NaN without a curve. */
	#left = Number.NaN;
	#isCurve = false;
	#isOpen = false;
	#mood = 0;
	#burst = 0;
	#later: Later[] = [];
	#tradeMs: number;

	constructor(stage: Stage, plan: Plan) {
		this.#stage = stage;
		this.#plan = plan;
		this.#random = new Random(stage.seed, 9010, plan.index);
		this.#chain = findChain(plan.pad.chainId)!;
		this.nextMs = plan.launchMs;
		this.#tradeMs = plan.launchMs;
	}

	/** Lets the next event happen. */
	step(): void {
		const nowMs = this.nextMs;
		if (!this.#isOpen) {
			this.#isOpen = true;
			this.#launch(nowMs);
		} else if (this.#later.length > 0 && this.#later[0]!.timeMs <= nowMs) {
			this.#later.shift()!.run();
		} else {
			this.#act(nowMs);
		}
		if (nowMs >= this.#tradeMs) this.#tradeMs = this.#nextTradeMs(nowMs);
		this.nextMs = Math.min(this.#tradeMs, this.#later[0]?.timeMs ?? Number.POSITIVE_INFINITY);
	}

	#nextTradeMs(nowMs: number): number {
		const plan = this.#plan;
		const density = this.#density(nowMs);
		if (this.#burst > 0) {
			this.#burst--;
			return nowMs + Math.ceil((this.#random.wait(2) * 1000) / density);
		}
		const ageS = (nowMs - plan.launchMs) / 1000;
		const tail = plan.fate === 'graduate' ? 0.006 : 0;
		// A token that made it draws the crowd.
		const fame = plan.fate === 'graduate' && !this.#isCurve ? 6 : 1;
		const pace = plan.pace * fame * Math.exp(-ageS / plan.paceFadesS) + tail;
		if (pace < GONE_PACE || (tail === 0 && pace < plan.pace * 0.01)) return Number.POSITIVE_INFINITY;
		if (this.#random.chance(0.04)) this.#burst = 2 + this.#random.index(10);
		return nowMs + Math.ceil((this.#random.wait(pace) * 1000) / (density * this.#sparse(nowMs)));
	}

	/** History is told as the usual market, however busy it will be: starting must not take longer. */
	#density(nowMs: number): number {
		return nowMs < this.#stage.startMs ? 1 : this.#stage.density;
	}

	/** Less than 1 for the part of history that is told in few words. */
	#sparse(nowMs: number): number {
		return nowMs < this.#stage.startMs - DENSE_S * 1000 ? (this.#plan.fate === 'dud' ? 0.5 : SPARSE) : 1;
	}

	#launch(timeMs: number): void {
		const stage = this.#stage;
		const plan = this.#plan;
		const random = this.#random;
		const {pad} = plan;
		const names = naming(random);
		this.#address = addressOn(pad.chainId, random, random.chance(0.97) ? pad.vanity : '');
		this.#pool = pad.type === 'uniswap-v4' ? evmHash(random) : addressOn(pad.chainId, random);
		const isSerial = random.chance(0.22);
		this.#deployer = isSerial
			? addressOn(pad.chainId, new Random(stage.seed, 9020, random.index(250)))
			: addressOn(pad.chainId, random);
		this.#introducePrivately(this.#deployer, timeMs - (isSerial ? 2e9 : random.skewed(3e7, 2)));
		const usd = this.#nativeUSD(timeMs);
		const curve = pad.curve;
		// Straight into a pool: money for all of the supply, or nearly.
		const opening = curve ? 0 : random.skewed(4000, 0.8) / usd;
		this.#isCurve = curve !== null;
		this.#tokens = curve ? curve.virtualToken : pad.supply * random.pick([1, 1, 0.95, 0.8]);
		this.#quotes = curve ? curve.virtualQuote : opening;
		this.#left = curve ? curve.sale : Number.NaN;
		stage.emit({
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
			pool: this.#poolFacts(this.#pool, pad),
			reserveToken: curve ? pad.supply : this.#tokens,
			reserveQuote: opening,
			quoteUSD: usd,
			priceUSD: (this.#quotes / this.#tokens) * usd,
			curveSale: curve ? curve.sale : null,
			holdersReported: random.chance(0.985),
			profile: launchProfile(plan, names, this.#address, random),
		});
		this.#openingScript(timeMs);
	}

	/** The first blocks: the deployer buys, a bundle with him, then the snipers; insiders get theirs for nothing. */
	#openingScript(timeMs: number): void {
		const {random, chain} = {random: this.#random, chain: this.#chain};
		const share = (low: number, high: number): number => this.#quotes * random.between(low, high);
		if (random.chance(0.72)) this.#buy(timeMs, this.#deployer, share(0.005, 0.09));
		if (random.chance(0.16)) {
			const funder = addressOn(chain.id, random);
			for (let n = 2 + random.index(7); n > 0; n--) {
				const member = addressOn(chain.id, random);
				this.#introducePrivately(member, timeMs - random.between(6e4, 4e6), funder);
				this.#buy(timeMs, member, share(0.004, 0.035));
			}
		}
		if (random.chance(0.45)) {
			for (let n = 1 + random.index(6); n > 0; n--) {
				const atMs = timeMs + chain.blockMs * (1 + random.index(3));
				const sniper = this.#stage.crowd.bot(random);
				const quote = share(0.004, 0.04);
				this.#schedule(atMs, () => this.#buy(atMs, this.#introduced(sniper), quote));
			}
		}
		if (random.chance(0.14)) {
			const atMs = timeMs + random.between(2000, 30_000);
			this.#schedule(Math.ceil(atMs), () => this.#giveToInsiders(Math.ceil(atMs)));
		}
		if (this.#plan.pad.type === 'pumpfun' && random.chance(0.06)) {
			const atMs = Math.ceil(timeMs + random.between(5000, 90_000));
			const endMs = Math.ceil(atMs + random.skewed(900_000, 1));
			this.#schedule(atMs, () => this.#profile(atMs, liveProfile(this.#address, random, false)));
			this.#schedule(endMs, () => this.#profile(endMs, liveProfile(this.#address, random, true)));
		}
		if (this.#plan.fate === 'graduate' ? random.chance(0.6) : random.chance(0.02)) {
			const atMs = Math.ceil(timeMs + random.skewed(1_800_000, 0.8));
			this.#schedule(atMs, () => this.#profile(atMs, screenerProfile(atMs, this.#address, random)));
		}
	}

	#giveToInsiders(timeMs: number): void {
		const held = this.#stage.held(this.#chain.id, this.#address, this.#deployer);
		if (!held) return;
		for (let n = 1 + this.#random.index(4); n > 0; n--) {
			const to = addressOn(this.#chain.id, this.#random);
			const amountToken = held.balance * this.#random.between(0.05, 0.2);
			this.#stage.emit({
				type: 'transfer',
				timeMs,
				block: this.#block(timeMs),
				chainId: this.#chain.id,
				token: this.#address,
				from: this.#deployer,
				to,
				amountToken,
			});
		}
	}

	/** One trade of the ordinary kind. */
	#act(timeMs: number): void {
		const {random, plan} = {random: this.#random, plan: this.#plan};
		this.#mood = this.#mood * 0.98 + random.between(-0.05, 0.05);
		const wantsBuy = random.chance(this.#appetite(timeMs) + this.#mood);
		if (!wantsBuy && this.#sellSome(timeMs)) return;
		const size =
			(random.skewed(plan.fate === 'graduate' ? 70 : 45, 1.15) / this.#nativeUSD(timeMs)) *
			(this.#sparse(timeMs) < 1 && !this.#isCurve ? 2.5 : 1);
		const quote = Math.min(size, this.#quotes * 0.12) / this.#density(timeMs);
		const luck = random.unit();
		if (luck < 0.1) this.#botTrip(timeMs, quote);
		else this.#buy(timeMs, this.#buyer(luck, timeMs), quote);
	}

	/** How likely the next trade is a buy: early hope, then the mood of a token that dies, or of one that lives. */
	#appetite(timeMs: number): number {
		const {fate, launchMs, paceFadesS} = this.#plan;
		const age = (timeMs - launchMs) / 1000 / paceFadesS;
		if (fate === 'graduate') return this.#isCurve ? 0.72 : 0.51;
		if (fate === 'runner') return age < 0.8 ? 0.6 : 0.42;
		return age < 0.7 ? 0.62 : 0.3;
	}

	#buyer(luck: number, timeMs: number): string {
		const {random} = {random: this.#random};
		const {crowd} = this.#stage;
		if (luck < (this.#isCurve ? 0.3 : 0.5)) {
			const again = this.#stage.holder(this.#chain.id, this.#address, random);
			if (again) return again.wallet;
		}
		if (luck < 0.6) return this.#introduced(crowd.busy(random));
		if (luck < 0.66) return this.#introduced(crowd.sharp(random));
		if (luck < 0.663) return this.#introduced(crowd.entity(random));
		if (luck < 0.7) {
			const wallet = addressOn(this.#chain.id, random);
			this.#introducePrivately(wallet, timeMs - random.skewed(2e7, 1.5));
			return wallet;
		}
		return this.#introduced(crowd.anybody(random));
	}

	/** A bot buys and is out again within two seconds. */
	#botTrip(timeMs: number, quote: number): void {
		const wallet = this.#introduced(this.#stage.crowd.bot(this.#random));
		this.#buy(timeMs, wallet, quote);
		const outMs = timeMs + 400 + this.#random.index(1600);
		this.#schedule(outMs, () => {
			const held = this.#stage.held(this.#chain.id, this.#address, wallet);
			if (held) this.#sell(outMs, wallet, held.balance);
		});
	}

	/** Somebody sells all or a part; false when nobody can. */
	#sellSome(timeMs: number): boolean {
		const {random, stage} = {random: this.#random, stage: this.#stage};
		let held = stage.holder(this.#chain.id, this.#address, random);
		// Sharp traders wait until they are ahead; another holder loses his patience instead.
		for (
			let tries = 0;
			held && tries < 3 && held.costUSD > this.#price(timeMs) && stage.crowd.isSharp(held.wallet);
			tries++
		) {
			held = stage.holder(this.#chain.id, this.#address, random);
		}
		if (!held) return false;
		let part = random.chance(0.62) ? 1 : random.between(0.2, 0.8);
		if (part < 1) part /= Math.max(1, this.#density(timeMs));
		// Whales sell in slices, else one sale would empty the pool.
		const most = this.#tokens * 0.12;
		this.#sell(
			timeMs,
			held.wallet,
			held.balance * part > most ? most : part === 1 ? held.balance : held.balance * part,
		);
		return true;
	}

	#buy(timeMs: number, wallet: string, quote: number): void {
		if (!this.#isTrading()) return;
		let paid = quote;
		let got = this.#tokens - (this.#tokens * this.#quotes) / (this.#quotes + paid);
		if (this.#isCurve && got >= this.#left) {
			got = this.#left;
			paid = (this.#tokens * this.#quotes) / (this.#tokens - got) - this.#quotes;
		}
		if (!(got > 0 && paid > 0)) return;
		this.#tokens -= got;
		this.#quotes += paid;
		if (this.#isCurve) this.#left -= got;
		this.#trade(timeMs, wallet, 'buy', got, paid);
		if (this.#isCurve && this.#left <= 0) {
			const atMs = timeMs + MIGRATION_MS;
			this.#schedule(atMs, () => this.#graduate(atMs));
		}
	}

	#sell(timeMs: number, wallet: string, amount: number): void {
		if (!this.#isTrading()) return;
		const got = this.#quotes - (this.#tokens * this.#quotes) / (this.#tokens + amount);
		if (!(got > 0 && amount > 0)) return;
		this.#tokens += amount;
		this.#quotes -= got;
		if (this.#isCurve) this.#left += amount;
		this.#trade(timeMs, wallet, 'sell', amount, got);
	}

	#trade(timeMs: number, wallet: string, side: 'buy' | 'sell', amountToken: number, amountQuote: number): void {
		const {chain, plan} = {chain: this.#chain, plan: this.#plan};
		const quoteUSD = this.#nativeUSD(timeMs);
		const valueUSD = amountQuote * quoteUSD;
		const event: TradeEvent = {
			type: 'trade',
			timeMs,
			block: this.#block(timeMs),
			chainId: chain.id,
			token: this.#address,
			pool: null,
			wallet,
			side,
			amountToken,
			amountQuote,
			valueUSD,
			feeUSD: valueUSD * (this.#isCurve ? plan.pad.fee : plan.pad.nextFee),
			quoteUSD,
			// Nobody can ask for the name of a transaction before the service was there.
			tx: timeMs >= this.#stage.startMs ? transactionOn(chain.id, this.#random) : null,
			platform: this.#stage.crowd.platformOf(wallet),
		};
		this.#stage.emit(event);
	}

	/** The curve is sold: its money and the tokens set aside open an ordinary pool. */
	#graduate(timeMs: number): void {
		const {pad} = this.#plan;
		const {curve, next} = pad;
		if (!curve || !next) return;
		this.#isCurve = false;
		this.#tokens = pad.supply - curve.sale;
		this.#quotes -= curve.virtualQuote;
		this.#left = Number.NaN;
		this.#stage.emit({
			type: 'migrate',
			timeMs,
			block: this.#block(timeMs),
			chainId: pad.chainId,
			token: this.#address,
			pool: this.#poolFacts(addressOn(pad.chainId, this.#random), next),
			reserveToken: this.#tokens,
			reserveQuote: this.#quotes,
			main: true,
		});
	}

	#profile(timeMs: number, profile: ReturnType<typeof liveProfile>): void {
		this.#stage.emit({type: 'profile', timeMs, chainId: this.#chain.id, token: this.#address, profile});
	}

	/** The address of a numbered wallet, whose first money is told when it first acts. */
	#introduced(wallet: number): string {
		const funding = this.#stage.crowd.introduce(this.#chain.id, wallet);
		if (funding) this.#stage.emit(funding);
		return this.#stage.crowd.address(this.#chain.id, wallet);
	}

	#introducePrivately(wallet: string, timeMs: number, from?: string): void {
		this.#stage.emit(this.#stage.crowd.funding(this.#chain.id, wallet, timeMs, this.#random, from));
	}

	#schedule(timeMs: number, run: () => void): void {
		const at = this.#later.findIndex(later => later.timeMs > timeMs);
		if (at < 0) this.#later.push({timeMs, run});
		else this.#later.splice(at, 0, {timeMs, run});
	}

	#isTrading(): boolean {
		return !this.#isCurve || this.#left > 0;
	}

	#price(timeMs: number): number {
		return (this.#quotes / this.#tokens) * this.#nativeUSD(timeMs);
	}

	/** The native coin breathes by one per cent over some hours. */
	#nativeUSD(timeMs: number): number {
		return this.#chain.nativeUSD * (1 + 0.01 * Math.sin(timeMs / 7.3e6));
	}

	#block(timeMs: number): number {
		return Math.floor(timeMs / this.#chain.blockMs);
	}

	#poolFacts(address: string, at: Pick<PoolFacts, 'type' | 'factory' | 'exchange'>): PoolFacts {
		return {address, type: at.type, factory: at.factory, exchange: at.exchange, quote: this.#chain.native};
	}
}
