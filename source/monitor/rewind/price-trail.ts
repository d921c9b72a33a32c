import type {Moment} from './moment.ts';

/** Prices of a trail: two for each of the twelve cells that a row has for them. */
const MAX_PRICES = 24;
/** Fewer are no line. */
const MIN_PRICES = 2;

/**
 * Where the price of each token was in the last minutes, as the moments of REWIND have it: up to ten minutes, in even steps.
 * @returns gives the prices in US dollars, oldest first; undefined while fewer than two are known. The same array until there is a new moment
 */
export function priceTrails(moments: () => readonly Moment[]): (key: string) => readonly number[] | undefined {
	let of: readonly Moment[] | undefined;
	const trails = new Map<string, readonly number[] | undefined>();
	return key => {
		const now = moments();
		if (now !== of) {
			of = now;
			trails.clear();
		}
		if (trails.has(key)) return trails.get(key);
		const step = Math.max(Math.ceil(now.length / MAX_PRICES), 1);
		// The newest is always among them.
		const prices = now
			.filter((_, at) => (now.length - 1 - at) % step === 0)
			.map(moment => moment.priceOf(key))
			.filter(price => price !== undefined);
		const trail = prices.length < MIN_PRICES ? undefined : prices;
		trails.set(key, trail);
		return trail;
	};
}
