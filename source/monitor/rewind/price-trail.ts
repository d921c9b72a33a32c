import type {Moment} from './moment.ts';

/** Maximum number of prices: two for each of the twelve cells of a row's line. */
const MAX_PRICES = 24;
/** A line needs at least two points. */
const MIN_PRICES = 2;

/**
 * Reads the recent prices of tokens from the moments of REWIND: up to ten minutes, in even steps.
 * @returns a function from the key of a token to its prices in US dollars, oldest first; undefined while fewer than two are known. The
 * function returns the same array until there is a new moment
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
