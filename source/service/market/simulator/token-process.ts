import type {Profile} from '../events.ts';
import type {HeldToken} from '../held-token.ts';
import type {ChainPool, OutsideTrade} from '../outside.ts';
import {addressOn} from './addresses.ts';
import {Agenda} from './agenda.ts';
import type {Holding} from './holder-book.ts';
import {naming} from './names.ts';
import {Pace} from './pace.ts';
import type {Plan} from './plan.ts';
import {launchProfile, publicity} from './profiles.ts';
import {Random} from './random.ts';
import type {TokenContext} from './token-context.ts';
import {type HeldPools, MAX_OF_POOL, TokenPools} from './token-pools.ts';
import {WalletPicker} from './wallet-picker.ts';

/** How many wallets of the crowd come back with a held token. */
const RETURNING_CROWD = 16;

/** The facts of a held token that the feed does not have. */
type HeldFacts = HeldPools & Pick<HeldToken, 'launchMs' | 'fate' | 'pace' | 'paceFadesS' | 'popularS'>;

/**
 * The events of one token. They follow from the seed, the token's number and the market's start, independent of other
 * tokens, so that tokens can be loaded in any order.
 */
export class TokenProcess {
	/** When the next event is due, Unix ms; Infinity when the token is dead for good. */
	nextMs: number;
	readonly pools: TokenPools;
	readonly #context: TokenContext;
	readonly #plan: Plan;
	readonly #random: Random;
	readonly #pace: Pace;
	readonly #wallets: WalletPicker;
	readonly #agenda = new Agenda();
	/** The facts that the token goes on with after a restart. */
	readonly #held: HeldToken | undefined;
	#isOpen = false;
	/** The next trade only keeps the token in the market. */
	#isIdle = false;
	#mood = 0;
	#tradeMs: number;

	/** @param held makes the token go on with these facts at the market's start, instead of launching it */
	constructor(context: TokenContext, plan: Plan, held?: HeldToken) {
		this.#context = context;
		this.#plan = plan;
		this.#held = held;
		this.#random = held
			? new Random(context.seed, 9040, Number.parseInt(held.address.slice(2, 10), 16), held.epoch)
			: new Random(context.seed, 9010, plan.index);
		this.pools = new TokenPools(context, plan.pad, plan.index, this.#random, this.#agenda);
		this.#pace = new Pace(plan, context.startMs, context.density);
		this.#wallets = new WalletPicker(context, plan.pad.chainId, this.#random);
		this.nextMs = held ? context.startMs : plan.launchMs;
		this.#tradeMs = this.nextMs;
	}

	/** Emits the next event. */
	step(): void {
		const nowMs = this.nextMs;
		if (!this.#isOpen) {
			this.#isOpen = true;
			if (this.#held) this.#goOn(this.#held, nowMs);
			else this.#launch(nowMs);
		} else if (this.#agenda.nextMs <= nowMs) {
			this.#agenda.run();
		} else if (this.#isIdle) {
			this.#tradeIdly(nowMs);
		} else {
			this.#act(nowMs);
		}
		if (nowMs >= this.#tradeMs) {
			this.#isIdle = false;
			this.#tradeMs = this.pools.isRugged
				? Number.POSITIVE_INFINITY
				: this.#pace.nextMs(nowMs, !this.pools.isCurve, this.#random);
		}
		this.#planNext(nowMs);
		if (this.pools.outside) this.pools.outside.isChanged = true;
	}

	/** Enters a trade from outside, see TokenPools.settle. Simulated events that were due earlier run after the trade. */
	settle(timeMs: number, quoteUSD: number, trade: OutsideTrade): void {
		this.pools.settle(timeMs, quoteUSD, trade);
		this.#resume(timeMs);
	}

	/** Takes over the reserves of a chain. What was due before happens after it. */
	reconcile(timeMs: number, quoteUSD: number, pool: ChainPool): void {
		this.pools.reconcile(timeMs, quoteUSD, pool);
		this.#resume(timeMs);
	}

	/** The facts that a later run needs to go on, besides the feed. */
	heldFacts(timeMs: number): HeldFacts {
		const {launchMs, fate, pace, paceFadesS, popularS} = this.#plan;
		return {...this.pools.heldPools(timeMs), launchMs, fate, pace, paceFadesS, popularS};
	}

	#resume(timeMs: number): void {
		this.#agenda.putOff(timeMs);
		this.#tradeMs = Math.max(this.#tradeMs, timeMs);
		this.#planNext(timeMs);
		if (this.pools.outside) this.pools.outside.isChanged = true;
	}

	/** Sets the time of the next event. */
	#planNext(nowMs: number): void {
		const {outside} = this.pools;
		if (outside?.isHeld && !this.#isIdle) {
			const idleMs = outside.idleUntilMs(nowMs, this.#random);
			this.#isIdle = idleMs < this.#tradeMs;
			if (this.#isIdle) this.#tradeMs = idleMs;
		}
		this.nextMs = Math.min(this.#tradeMs, this.#agenda.nextMs);
	}

	/** Goes on with a token of an earlier run, with a trade at the price that it had. */
	#goOn(held: HeldToken, timeMs: number): void {
		const crowd = Array.from({length: RETURNING_CROWD}, () => ({
			wallet: this.#wallets.known(this.#context.crowd.ordinary(this.#random)),
			weight: this.#random.between(0.5, 1.5),
		}));
		this.pools.goOn(timeMs, held, crowd);
		this.#tradeIdly(timeMs);
	}

	/** A small trade of the crowd, by which a held token that nobody trades keeps a price. */
	#tradeIdly(timeMs: number): void {
		const random = this.#random;
		const {pools} = this;
		const part = random.between(0.001, 0.004);
		const amount = pools.reserves.tokens * part;
		const seller = random.chance(0.5) ? pools.book.any(random) : undefined;
		if (seller && seller.balance >= amount) pools.sell(timeMs, seller, amount);
		else pools.buy(timeMs, this.#wallets.known(this.#context.crowd.ordinary(random)), pools.reserves.quotes * part);
	}

	#launch(timeMs: number): void {
		const random = this.#random;
		const {pools} = this;
		const names = naming(random);
		pools.drawAddresses();
		const profile = (): Profile => launchProfile(this.#plan, names, pools.address, random);
		pools.launch(timeMs, this.#makeDeployer(timeMs), names, profile);
		this.#opening(timeMs);
		const {emit} = this.#context;
		const {chainId} = this.#plan.pad;
		for (const {timeMs: atMs, profile: changed} of publicity(this.#plan, pools.address, random)) {
			const put = (runMs: number): void =>
				emit({type: 'profile', timeMs: runMs, chainId, token: pools.address, profile: changed});
			this.#agenda.schedule(atMs, put);
		}
		this.#actOfDeployer(timeMs);
	}

	/** One in five launches is by a serial deployer. */
	#makeDeployer(timeMs: number): string {
		const random = this.#random;
		const isSerial = random.chance(0.22);
		const who = isSerial ? new Random(this.#context.seed, 9020, random.index(250)) : random;
		const deployer = addressOn(this.#plan.pad.chainId, who);
		this.#wallets.introduce(deployer, timeMs - (isSerial ? 2e9 : random.skewed(3e7, 2)));
		return deployer;
	}

	/**
	 * The first blocks: the deployer buys, a bundle with the deployer, then the snipers; insiders get tokens for
	 * nothing.
	 */
	#opening(timeMs: number): void {
		const random = this.#random;
		const chain = this.pools.chain;
		const share = (low: number, high: number): number => this.pools.reserves.quotes * random.between(low, high);
		if (random.chance(0.72)) this.pools.buy(timeMs, this.pools.deployer, share(0.005, 0.09));
		if (random.chance(0.16)) {
			const funder = addressOn(chain.id, random);
			for (let n = 2 + random.index(7); n > 0; n--) {
				const member = addressOn(chain.id, random);
				this.#wallets.introduce(member, timeMs - random.between(6e4, 4e6), funder);
				this.pools.buy(timeMs, member, share(0.004, 0.035));
			}
		}
		if (random.chance(0.45)) {
			for (let n = 1 + random.index(6); n > 0; n--) {
				const atMs = timeMs + chain.blockMs * (1 + random.index(3));
				const sniper = this.#context.crowd.bot(random);
				const quote = share(0.004, 0.04);
				this.#agenda.schedule(atMs, runMs => this.pools.buy(runMs, this.#wallets.known(sniper), quote));
			}
		}
		if (random.chance(0.14)) {
			const atMs = Math.ceil(timeMs + random.between(2000, 30_000));
			this.#agenda.schedule(atMs, runMs => this.#giveToInsiders(runMs));
		}
	}

	/** Later acts of a deployer: taking the pool's money, or burning tokens. */
	#actOfDeployer(timeMs: number): void {
		const random = this.#random;
		if (!this.#plan.pad.curve && random.chance(0.25)) {
			const atMs = Math.ceil(timeMs + random.skewed(400_000, 0.8));
			this.#agenda.schedule(atMs, runMs => this.pools.rug(runMs));
		}
		if (random.chance(0.04)) {
			const atMs = Math.ceil(timeMs + random.skewed(120_000, 1));
			this.#agenda.schedule(atMs, runMs => this.pools.burn(runMs));
		}
	}

	#giveToInsiders(timeMs: number): void {
		const random = this.#random;
		for (let n = 1 + random.index(4); n > 0; n--) {
			const from = this.pools.book.find(this.pools.deployer);
			if (!from) return;
			const to = addressOn(this.pools.chain.id, random);
			const amountToken = from.balance * random.between(0.05, 0.2);
			this.pools.give(timeMs, from, to, amountToken);
			this.pools.book.add(to, amountToken, 0, random);
		}
	}

	/** One trade by an ordinary wallet. */
	#act(timeMs: number): void {
		const random = this.#random;
		this.#mood = this.#mood * 0.98 + random.between(-0.05, 0.05);
		const wantsBuy = random.chance(this.#appetite(timeMs) + this.#mood);
		if (!wantsBuy && this.#sellSome(timeMs)) return;
		const density = this.#pace.densityAt(timeMs, !this.pools.isCurve);
		const usd =
			random.skewed(this.#plan.fate === 'graduate' ? 70 : 45, 1.15) * (density < 1 && !this.pools.isCurve ? 2.5 : 1);
		const quote =
			Math.min(usd / this.pools.quoteUSD(timeMs), this.pools.reserves.quotes * MAX_OF_POOL) / Math.max(1, density);
		const luck = random.unit();
		if (luck < 0.1) this.#botTrip(timeMs, quote);
		else this.pools.buy(timeMs, this.#buyer(luck, timeMs), quote);
	}

	/** The probability that the next trade is a buy: high at first, then by the fate of the token. */
	#appetite(timeMs: number): number {
		const {fate, launchMs, paceFadesS} = this.#plan;
		const age = (timeMs - launchMs) / 1000 / paceFadesS;
		if (fate === 'graduate') return this.pools.isCurve ? 0.72 : 0.51;
		if (fate === 'runner') return age < 0.8 ? 0.6 : 0.42;
		return age < 0.7 ? 0.62 : 0.3;
	}

	/** The buyer, by a random number from 0.1 to 1. */
	#buyer(luck: number, timeMs: number): string {
		const random = this.#random;
		// In a busier market the same wallets trade more, so that memory does not grow with the rate.
		const isRegular =
			luck < (this.pools.isCurve ? 0.3 : 0.5) || random.chance(1 - 1 / this.#pace.densityAt(timeMs, true));
		const again = isRegular ? this.pools.book.any(random) : undefined;
		return again?.wallet ?? this.#wallets.trader(luck, timeMs);
	}

	/** A bot buys and sells again within two seconds. */
	#botTrip(timeMs: number, quote: number): void {
		const wallet = this.#wallets.known(this.#context.crowd.bot(this.#random));
		this.pools.buy(timeMs, wallet, quote);
		const outMs = timeMs + 400 + this.#random.index(1600);
		this.#agenda.schedule(outMs, runMs => {
			const holding = this.pools.book.find(wallet);
			if (holding) this.pools.sell(runMs, holding, holding.balance);
		});
	}

	/** A holder sells all or a part; false when no holder can sell. */
	#sellSome(timeMs: number): boolean {
		const random = this.#random;
		let holding = this.pools.book.any(random);
		// Sharp traders wait for a profit; another holder sells instead.
		for (let tries = 0; holding && tries < 3 && this.#waits(holding, timeMs); tries++)
			holding = this.pools.book.any(random);
		if (!holding) return false;
		// Where sales are more frequent, fewer are complete and the others are smaller, so that the same amount is
		// sold.
		const density = Math.max(1, this.#pace.densityAt(timeMs, !this.pools.isCurve));
		const isAll = random.chance(0.62 / density);
		const part = isAll ? 1 : (random.between(0.2, 0.8) * 0.38) / (density - 0.62);
		this.pools.sell(timeMs, holding, holding.balance * part);
		return true;
	}

	#waits({wallet, paidUSD, bought}: Holding, timeMs: number): boolean {
		return (
			paidUSD / bought > this.pools.reserves.price * this.pools.quoteUSD(timeMs) && this.#context.crowd.isSharp(wallet)
		);
	}
}
