import {foldAddress} from '../../address.ts';
import type {QuoteCoin} from './events.ts';
import type {Column, Image} from './image.ts';
import {grown} from './segments.ts';
import {TextIndex} from './text-index.ts';

/** How a wallet got its first money. */
export interface Funding {
	readonly from: string;
	readonly timeMs: number;
	readonly chainId: string;
	readonly tx: string | null;
	readonly amount: number;
	readonly coin: QuoteCoin;
}

/** A buy and a sell (or the reverse) of one token by one wallet within this time is a round trip faster than a hand. */
export const FAST_TRIP_S = 3;
/** This many fast round trips mark a wallet as a bot for good. */
export const BOT_TRIPS = 3;
/** A pro has traded often and for real money; a smart trader has won more often than not, and much. */
const PRO = {trades: 60, volumeUSD: 15_000} as const;
const SMART = {closes: 12, winRate: 0.6, profitUSD: 1500} as const;
/** Initial wallets, see Buckets. */
const FIRST_WALLETS = 1 << 17;
/** A wallet is fresh until this long after its first funding, in seconds. */
export const FRESH_S = 86_400;
const FRESH_30D_S = 30 * FRESH_S;

/**
 * The kinds of a wallet regardless of the token; a set of bits. Adding up holders reads this one byte instead of six
 * columns.
 */
export const KIND = {pro: 1, smart: 2, /** Was fresh when last looked at. */ fresh: 4} as const;

/** Called with the numbers of wallets. */
export interface WalletListener {
	/** A wallet is seen for the first time. */
	created(id: number): void;
	/** The kinds of a wallet may have changed. */
	changed(id: number): void;
}

/**
 * Every known wallet, by a small number, with its figures over all tokens. A wallet without a position and without
 * figures is forgotten and its number used again, so memory follows the tokens that are kept.
 */
export class Wallets {
	/** One more than the highest number in use; 0 is no wallet. */
	length = 1;
	/** By address. */
	readonly #ids = new TextIndex();
	#addresses: string[] = [''];
	#fundingTx: (string | null)[] = [null];
	#free: number[] = [];
	positions = new Uint32Array(0);
	/** When the first money came, Unix seconds; 0 when unknown. */
	fundedS = new Uint32Array(0);
	#fundingMs = new Float64Array(0);
	#fundingAmount = new Float64Array(0);
	/** Chain and coin of the first money, as an index. */
	#fundingKind = new Uint8Array(0);
	#fundingKinds: {readonly chainId: string; readonly coin: QuoteCoin}[] = [];
	/** Id of the wallet that funded this one, 0 when unknown. */
	funder = new Uint32Array(0);
	trades = new Uint32Array(0);
	volumeUSD: Float32Array | Float64Array;
	profitUSD: Float32Array | Float64Array;
	closes: Uint16Array | Uint32Array;
	wins: Uint16Array | Uint32Array;
	fastTrips: Uint8Array | Uint32Array;
	/** In how many tokens the wallet got each role. */
	snipes: Uint8Array | Uint32Array;
	insides: Uint8Array | Uint32Array;
	bundles: Uint8Array | Uint32Array;
	/** KIND bits; 0 for most wallets. */
	kinds = new Uint8Array(0);
	#platform = new Uint8Array(0);
	#platforms: string[] = [''];
	/** In how many tokens the wallet used a trading program. */
	platformUses = new Uint32Array(0);
	#listener: WalletListener | undefined;
	/** Counts stop there. */
	readonly #maxTicks: number;
	readonly #maxCloses: number;

	/** @param exact figures can be taken back: sums are wide enough for that, and counts do not stop */
	constructor({exact = false} = {}) {
		const Sums = exact ? Float64Array : Float32Array;
		const Counts = exact ? Uint32Array : Uint16Array;
		const Ticks = exact ? Uint32Array : Uint8Array;
		this.volumeUSD = new Sums(0);
		this.profitUSD = new Sums(0);
		this.closes = new Counts(0);
		this.wins = new Counts(0);
		this.fastTrips = new Ticks(0);
		this.snipes = new Ticks(0);
		this.insides = new Ticks(0);
		this.bundles = new Ticks(0);
		this.#maxTicks = exact ? 2 ** 32 - 1 : 255;
		this.#maxCloses = exact ? 2 ** 32 - 1 : 65_535;
	}

	/** Reports from now on which wallets may have become another kind. */
	listen(listener: WalletListener): void {
		this.#listener = listener;
	}

	/** See Image. */
	pass(image: Image): void {
		this.length = image.value(this.length);
		this.#ids.pass(image);
		this.#addresses = image.value(this.#addresses);
		this.#fundingTx = image.value(this.#fundingTx);
		this.#free = image.value(this.#free);
		this.#fundingKinds = image.value(this.#fundingKinds);
		this.#platforms = image.value(this.#platforms);
		this.#columns(column => image.column(column, Math.min(this.length, column.length)));
	}

	/** How many wallets are known. */
	get count(): number {
		return this.length - 1 - this.#free.length;
	}

	/** The number of an address, or undefined when it was never seen. EVM addresses in any case. */
	find(address: string): number | undefined {
		const own = foldAddress(address);
		return this.#ids.find(own, id => this.#addresses[id] === own);
	}

	/** The number of an address; a new one when it is first seen. */
	id(address: string): number {
		const known = this.find(address);
		if (known !== undefined) return known;
		const id = this.#free.pop() ?? this.length++;
		if (id >= this.positions.length) this.#grow(Math.max(FIRST_WALLETS, Math.ceil(id * 1.5)));
		const own = foldAddress(address);
		this.#ids.add(own, id);
		this.#addresses[id] = own;
		this.#fundingTx[id] = null;
		this.positions[id] = 0;
		this.fundedS[id] = 0;
		this.funder[id] = 0;
		this.trades[id] = 0;
		this.volumeUSD[id] = 0;
		this.profitUSD[id] = 0;
		this.closes[id] = 0;
		this.wins[id] = 0;
		this.fastTrips[id] = 0;
		this.snipes[id] = 0;
		this.insides[id] = 0;
		this.bundles[id] = 0;
		this.kinds[id] = 0;
		this.#platform[id] = 0;
		this.platformUses[id] = 0;
		this.#listener?.created(id);
		return id;
	}

	address(id: number): string {
		return this.#addresses[id]!;
	}

	/** Whether the first money of any wallet was reported: chains that are followed report none. */
	get knowsFunding(): boolean {
		return this.#fundingKinds.length > 0;
	}

	/** How the wallet got its first money, or undefined when that is unknown. */
	funding(id: number): Funding | undefined {
		if (this.fundedS[id] === 0) return undefined;
		return {
			...this.#fundingKinds[this.#fundingKind[id]!]!,
			from: this.#addresses[this.funder[id]!]!,
			timeMs: this.#fundingMs[id]!,
			tx: this.#fundingTx[id]!,
			amount: this.#fundingAmount[id]!,
		};
	}

	/** Stores the first funding of a wallet; later ones do not show who is behind it. */
	fund(id: number, funding: Funding): void {
		const s = Math.floor(funding.timeMs / 1000);
		if (this.fundedS[id] !== 0 && this.fundedS[id]! <= s) return;
		this.fundedS[id] = s;
		this.kinds[id]! |= KIND.fresh;
		const funder = this.id(funding.from);
		// A funder is kept while a label of another wallet may depend on it.
		if (this.funder[id] === 0) this.positions[funder]!++;
		else if (this.funder[id] !== funder) {
			this.release(this.funder[id]!);
			this.positions[funder]!++;
		}
		this.funder[id] = funder;
		this.#fundingMs[id] = funding.timeMs;
		this.#fundingAmount[id] = funding.amount;
		this.#fundingTx[id] = funding.tx;
		this.#fundingKind[id] = this.#kindOf(funding);
		this.#listener?.changed(id);
	}

	#kindOf({chainId, coin}: Funding): number {
		const known = this.#fundingKinds.findIndex(
			kind => kind.chainId === chainId && (kind.coin === coin || kind.coin.address === coin.address),
		);
		if (known >= 0) return known;
		// A byte a wallet: past 256 kinds of money the last one is overwritten.
		if (this.#fundingKinds.length === 256) this.#fundingKinds.pop();
		return this.#fundingKinds.push({chainId, coin}) - 1;
	}

	/** Wallets that are kept for their funding alone, and were funded before a time, Unix seconds. */
	idleFunded(beforeS: number): Map<string, number> {
		const idle = new Map<string, number>();
		for (let id = 1; id < this.length; id++) {
			const isFunded = this.#addresses[id] !== '' && this.fundedS[id] !== 0;
			if (isFunded && this.positions[id] === 1 && this.fundedS[id]! < beforeS) idle.set(this.#addresses[id]!, id);
		}
		return idle;
	}

	/** Adds a reason to keep a wallet. */
	keep(id: number): void {
		this.positions[id]!++;
	}

	/** Removes a reason to keep a wallet. */
	release(id: number): void {
		const left = --this.positions[id]!;
		if (left > 0) return;
		this.#ids.remove(id);
		this.#addresses[id] = '';
		this.#fundingTx[id] = null;
		this.#free.push(id);
		const funder = this.funder[id]!;
		this.funder[id] = 0;
		if (funder !== 0) this.release(funder);
	}

	/** Stores the trading program that a wallet used last. */
	used(id: number, platform: string): void {
		let index = this.#platforms.indexOf(platform);
		// A byte a wallet: after 255 different programs, further ones are unnamed.
		if (index < 0) index = this.#platforms.length < 256 ? this.#platforms.push(platform) - 1 : 0;
		this.#platform[id] = index;
	}

	/** Takes back that a wallet used a trading program in a token; it used none when there is no other one. */
	usedLess(id: number): void {
		if (--this.platformUses[id]! === 0) this.#platform[id] = 0;
	}

	/** Id of that program, or undefined. */
	platform(id: number): string | undefined {
		return this.#platforms[this.#platform[id]!] || undefined;
	}

	/** Counts a trade. */
	traded(id: number, valueUSD: number): void {
		this.trades[id]!++;
		this.volumeUSD[id]! += valueUSD;
		if (this.trades[id]! < PRO.trades || this.volumeUSD[id]! < PRO.volumeUSD || this.isPro(id)) return;
		this.kinds[id]! |= KIND.pro;
		this.#listener?.changed(id);
	}

	/** Adds the profit of a sale. */
	closed(id: number, profitUSD: number): void {
		this.profitUSD[id]! += profitUSD;
		if (this.closes[id] === this.#maxCloses) return;
		this.closes[id]!++;
		if (profitUSD > 0) this.wins[id]!++;
		this.#judgeSmart(id);
	}

	/** Computes again what a wallet is, after figures were taken from it. */
	judge(id: number): void {
		if (this.trades[id]! < PRO.trades || this.volumeUSD[id]! < PRO.volumeUSD) this.kinds[id]! &= ~KIND.pro;
		this.#judgeSmart(id);
		this.#listener?.changed(id);
	}

	#judgeSmart(id: number): void {
		const closes = this.closes[id]!;
		const isSmart =
			closes >= SMART.closes && this.profitUSD[id]! >= SMART.profitUSD && this.wins[id]! >= closes * SMART.winRate;
		if (isSmart === this.isSmart(id)) return;
		this.kinds[id]! ^= KIND.smart;
		this.#listener?.changed(id);
	}

	/** Counts up in one of the columns of counts. */
	tick(counts: Uint8Array | Uint32Array, id: number): void {
		if (counts[id]! < this.#maxTicks) counts[id]!++;
	}

	isBot(id: number): boolean {
		return this.fastTrips[id]! >= BOT_TRIPS;
	}

	isPro(id: number): boolean {
		return (this.kinds[id]! & KIND.pro) !== 0;
	}

	isSmart(id: number): boolean {
		return (this.kinds[id]! & KIND.smart) !== 0;
	}

	/** First funded less than a day ago. */
	isFresh(id: number, nowS: number): boolean {
		if ((this.kinds[id]! & KIND.fresh) === 0) return false;
		if (nowS - this.fundedS[id]! < FRESH_S) return true;
		this.kinds[id]! &= ~KIND.fresh;
		return false;
	}

	/** First funded less than 30 days ago. */
	isFresh30d(id: number, nowS: number): boolean {
		return this.fundedS[id] !== 0 && nowS - this.fundedS[id]! < FRESH_30D_S;
	}

	#grow(capacity: number): void {
		this.#ids.reserveRows(capacity);
		this.#columns(column => grown(column, capacity));
	}

	#columns(change: <T extends Column>(column: T) => T): void {
		this.positions = change(this.positions);
		this.fundedS = change(this.fundedS);
		this.#fundingMs = change(this.#fundingMs);
		this.#fundingAmount = change(this.#fundingAmount);
		this.#fundingKind = change(this.#fundingKind);
		this.funder = change(this.funder);
		this.trades = change(this.trades);
		this.volumeUSD = change(this.volumeUSD);
		this.profitUSD = change(this.profitUSD);
		this.closes = change(this.closes);
		this.wins = change(this.wins);
		this.fastTrips = change(this.fastTrips);
		this.snipes = change(this.snipes);
		this.insides = change(this.insides);
		this.bundles = change(this.bundles);
		this.kinds = change(this.kinds);
		this.#platform = change(this.#platform);
		this.platformUses = change(this.platformUses);
	}
}
