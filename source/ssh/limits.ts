import {networkOf} from './addresses.ts';

/** An amount that is there at once, and how fast it is filled up. */
export interface Rate {
	readonly perSecond: number;
	readonly burst: number;
}

/** A bucket that fills with time. */
export class Bucket {
	readonly #rate: Rate;
	readonly #nowMs: () => number;
	#left: number;
	#atMs: number;

	/** @param nowMs a clock that never goes back */
	constructor(rate: Rate, nowMs: () => number = () => performance.now()) {
		this.#rate = rate;
		this.#nowMs = nowMs;
		this.#left = rate.burst;
		this.#atMs = nowMs();
	}

	/** Takes an amount. @returns false, and takes nothing, if there is less */
	take(amount = 1): boolean {
		const nowMs = this.#nowMs();
		this.#left = Math.min(this.#left + ((nowMs - this.#atMs) * this.#rate.perSecond) / 1000, this.#rate.burst);
		this.#atMs = nowMs;
		if (this.#left < amount) return false;
		this.#left -= amount;
		return true;
	}

	/** Whether the bucket is full. */
	get isFull(): boolean {
		return this.#left + ((this.#nowMs() - this.#atMs) * this.#rate.perSecond) / 1000 >= this.#rate.burst;
	}
}

const FROM_ALL: Rate = {perSecond: 10, burst: 20};
const FROM_ONE: Rate = {perSecond: 1, burst: 5};
/** Logins at a time; once half of the places are taken, every other newcomer is refused. */
const MAX_LOGINS = 30;
/** Addresses whose buckets are full are forgotten above so many. */
const MAX_ADDRESSES = 4096;

/** Why a newcomer is refused before a byte is sent. */
export type Refusal = 'rate' | 'address-rate' | 'logins';

/** Newcomers, before anything is known of them but their address. */
export class Gate {
	readonly #nowMs: () => number;
	readonly #all: Bucket;
	readonly #byAddress = new Map<string, Bucket>();
	#logins = 0;
	#seen = 0;

	constructor(nowMs: () => number = () => performance.now()) {
		this.#nowMs = nowMs;
		this.#all = new Bucket(FROM_ALL, nowMs);
	}

	/** Takes a newcomer, whose login is under way until `left` is called. @returns why not, if refused */
	enter(address: string): Refusal | undefined {
		const network = networkOf(address);
		const own = this.#byAddress.get(network) ?? new Bucket(FROM_ONE, this.#nowMs);
		if (this.#byAddress.size >= MAX_ADDRESSES) this.#forget();
		this.#byAddress.set(network, own);
		if (!own.take()) return 'address-rate';
		if (!this.#all.take()) return 'rate';
		if (this.#logins >= MAX_LOGINS || (this.#logins >= MAX_LOGINS / 2 && ++this.#seen % 2 === 0)) return 'logins';
		this.#logins++;
		return undefined;
	}

	/** A login ended, in whatever way. */
	left(): void {
		this.#logins--;
	}

	#forget(): void {
		for (const [network, bucket] of this.#byAddress) if (bucket.isFull) this.#byAddress.delete(network);
		if (this.#byAddress.size >= MAX_ADDRESSES) this.#byAddress.clear();
	}
}
