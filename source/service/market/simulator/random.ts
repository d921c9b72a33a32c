/** A small, fast, seeded random generator (sfc32). The same seeds give the same numbers on every machine. */
export class Random {
	#a: number;
	#b: number;
	#c: number;
	#d = 1;

	/** @param seeds whole numbers; each combination is a separate stream */
	constructor(...seeds: readonly number[]) {
		let hash = 0x9e3779b9;
		for (const seed of seeds) hash = mix(hash ^ mix(seed | 0));
		this.#a = mix(hash + 1);
		this.#b = mix(hash + 2);
		this.#c = mix(hash + 3);
		for (let i = 0; i < 4; i++) this.uint32();
	}

	uint32(): number {
		const t = (((this.#a + this.#b) | 0) + this.#d) | 0;
		this.#d = (this.#d + 1) | 0;
		this.#a = this.#b ^ (this.#b >>> 9);
		this.#b = (this.#c + (this.#c << 3)) | 0;
		this.#c = (((this.#c << 21) | (this.#c >>> 11)) + t) | 0;
		return t >>> 0;
	}

	/** At least 0, less than 1. */
	unit(): number {
		return this.uint32() / 4294967296;
	}

	between(low: number, high: number): number {
		return low + (high - low) * this.unit();
	}

	/** A whole number from 0 to `count` - 1. */
	index(count: number): number {
		return Math.floor(this.unit() * count);
	}

	chance(probability: number): boolean {
		return this.unit() < probability;
	}

	pick<T>(items: readonly T[]): T {
		return items[this.index(items.length)]!;
	}

	/** The waiting time until the next of events that come `rate` times a unit of time on average. */
	wait(rate: number): number {
		return -Math.log(1 - this.unit()) / rate;
	}

	/** Skewed like amounts of money: half of the values are below the median, a few far above. */
	skewed(median: number, spread: number): number {
		const normal = Math.sqrt(-2 * Math.log(1 - this.unit())) * Math.cos(2 * Math.PI * this.unit());
		return median * Math.exp(spread * normal);
	}
}

/** Scrambles 32 bits. */
function mix(value: number): number {
	let x = value | 0;
	x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
	x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
	return (x ^ (x >>> 16)) | 0;
}
