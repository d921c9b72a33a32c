/** The lengths of a candle that can be shown, ms. */
export const CANDLE_STEPS_MS = [1000, 5000, 60_000, 300_000] as const;
export type CandleStepMs = (typeof CANDLE_STEPS_MS)[number];

/** Candles kept of each length: five minutes of seconds, a day of five minutes. */
const CAPACITY = 300;
/** A longer silence is a gap of unknown prices, ms. */
const GAP_MS = 5000;
/** A candle that is watched from at most this long after its start counts as whole, ms. */
const WHOLE_WITHIN_MS = 1500;

/** One step of time. Prices and volume are US dollars. */
export interface Candle {
	/** Unix ms, a multiple of the step. */
	readonly startMs: number;
	readonly open: number;
	readonly high: number;
	readonly low: number;
	readonly close: number;
	/** The volume of the step; undefined when it is not known exactly. */
	readonly volumeUSD: number | undefined;
	/** Watching started within the step: open, high, low and volume are those of the watched part. */
	readonly isPartial: boolean;
}

/** Price and traded volume of a token at one time. */
export interface PricePoint {
	readonly price: number;
	/**
	 * The volume since launch, US dollars: its growth is the volume of a step. Undefined when the service reports only
	 * sums of sliding windows, which trades also leave.
	 */
	readonly tradedUSD: number | undefined;
}

/** Open, high, low, close and volume of one token while it is watched, in steps of several lengths and bounded memory. */
export class CandleSeries {
	readonly #rings = CANDLE_STEPS_MS.map(stepMs => new Ring(stepMs));
	#last: PricePoint | undefined;
	#lastAtMs = Number.NEGATIVE_INFINITY;
	#startedAtMs: number | undefined;

	/** When watching started, Unix ms; undefined before. */
	get startedAtMs(): number | undefined {
		return this.#startedAtMs;
	}

	/** Adds a price. @param atMs Unix ms; a time before the last one is ignored */
	add(point: PricePoint, atMs: number): void {
		if (atMs < this.#lastAtMs) return;
		const isGap = atMs - this.#lastAtMs > GAP_MS;
		const before = isGap ? undefined : this.#last;
		const sum = point.tradedUSD ?? Number.NaN;
		// Counting starts at the first point.
		const grown = before === undefined ? sum - sum : sum - (before.tradedUSD ?? Number.NaN);
		// A sum that shrinks was corrected by the service: the volume of the step is unknown.
		const traded = grown < 0 ? Number.NaN : grown;
		for (const ring of this.#rings) ring.add(point.price, traded, atMs, before && {...before, atMs: this.#lastAtMs});
		this.#startedAtMs ??= atMs;
		this.#last = point;
		this.#lastAtMs = atMs;
	}

	/**
	 * Holds the last price: the token is watched and nothing changed. After a gap the volume is unknown until the next point,
	 * whose sum includes the gap.
	 */
	hold(atMs: number): void {
		if (this.#last === undefined) return;
		const isGap = atMs - this.#lastAtMs > GAP_MS;
		this.add(isGap ? {price: this.#last.price, tradedUSD: undefined} : this.#last, atMs);
	}

	/** The newest `count` steps up to `nowMs`, the oldest first; undefined for a step that was not watched. */
	candles(stepMs: CandleStepMs, count: number, nowMs: number): readonly (Candle | undefined)[] {
		const ring = this.#rings[CANDLE_STEPS_MS.indexOf(stepMs)]!;
		const newest = Math.floor(nowMs / stepMs);
		return Array.from({length: count}, (_, at) => ring.candle(newest - count + 1 + at));
	}
}

/** Figures of one candle in a ring, in this order. */
const LANES = 6;
const [INDEX, OPEN, HIGH, LOW, CLOSE, VOLUME] = [0, 1, 2, 3, 4, 5];

class Ring {
	readonly #stepMs: number;
	readonly #figures = new Float64Array(CAPACITY * LANES).fill(-1);
	readonly #isPartial = new Uint8Array(CAPACITY);

	constructor(stepMs: number) {
		this.#stepMs = stepMs;
	}

	add(price: number, traded: number, atMs: number, before: {price: number; atMs: number} | undefined): void {
		const index = Math.floor(atMs / this.#stepMs);
		if (before === undefined) {
			const isPartial = atMs - index * this.#stepMs > WHOLE_WITHIN_MS || this.#has(index);
			this.#put(index, price, price, isPartial ? Number.NaN : traded, isPartial);
			return;
		}
		// Steps without a change were watched: the price stayed the same.
		const from = Math.floor(before.atMs / this.#stepMs);
		for (let quiet = Math.max(from + 1, index - CAPACITY); quiet <= index; quiet++) {
			if (!this.#has(quiet)) this.#put(quiet, before.price, before.price, 0, false);
		}
		this.#put(index, price, price, traded, false);
	}

	candle(index: number): Candle | undefined {
		if (!this.#has(index)) return undefined;
		const slot = index % CAPACITY;
		const [, open, high, low, close, volume] = this.#figures.subarray(slot * LANES, (slot + 1) * LANES);
		const isPartial = this.#isPartial[slot] === 1;
		return {
			startMs: index * this.#stepMs,
			open: open!,
			high: high!,
			low: low!,
			close: close!,
			volumeUSD: Number.isNaN(volume) || isPartial ? undefined : volume!,
			isPartial,
		};
	}

	#has(index: number): boolean {
		return index >= 0 && this.#figures[(index % CAPACITY) * LANES + INDEX!] === index;
	}

	/** Starts a candle, or adds to the one of this step. */
	#put(index: number, open: number, close: number, volume: number, isPartial: boolean): void {
		const slot = index % CAPACITY;
		const at = slot * LANES;
		const figures = this.#figures;
		if (!this.#has(index)) {
			figures[at + INDEX!] = index;
			figures[at + OPEN!] = open;
			figures[at + HIGH!] = Math.max(open, close);
			figures[at + LOW!] = Math.min(open, close);
			figures[at + CLOSE!] = close;
			figures[at + VOLUME!] = volume;
			this.#isPartial[slot] = isPartial ? 1 : 0;
			return;
		}
		figures[at + HIGH!] = Math.max(figures[at + HIGH!]!, close);
		figures[at + LOW!] = Math.min(figures[at + LOW!]!, close);
		figures[at + CLOSE!] = close;
		figures[at + VOLUME!] = figures[at + VOLUME!]! + volume;
		if (isPartial) this.#isPartial[slot] = 1;
	}
}
