import type {PricePoint} from '../market/market.ts';

/** The time frames that can be drawn, and their length in milliseconds. */
export const TIME_FRAMES: ReadonlyMap<string, number> = new Map([
	['5min', 300_000],
	['15min', 900_000],
	['1h', 3_600_000],
	['4h', 14_400_000],
	['6h', 21_600_000],
	['12h', 43_200_000],
	['24h', 86_400_000],
	['1d', 86_400_000],
	['7d', 604_800_000],
	['30d', 2_592_000_000],
]);

/** A price chart as numbers: what both image formats draw. */
export interface PriceLine {
	/** Evenly spaced in time, oldest first, US dollars; at least two. */
	readonly prices: readonly number[];
	/** Over all trades of the time frame, so they may lie beyond the sampled prices. */
	readonly min: number;
	readonly max: number;
	readonly last: number;
	readonly fromMs: number;
	readonly toMs: number;
}

/**
 * Samples a price history at even steps: each step shows the last price known by then.
 * @param points oldest first
 * @param lastPrice used for a token without trades in the time frame
 * @param frame a key of TIME_FRAMES
 */
export function priceLine(
	points: readonly PricePoint[],
	lastPrice: number,
	{frame, nowMs, steps = 120}: {frame: string; nowMs: number; steps?: number},
): PriceLine {
	const known = points.length > 0 ? points : [{timeMs: nowMs, price: lastPrice}];
	// A young token is drawn over its own life, not as a long flat lead-in.
	const fromMs = Math.min(Math.max(nowMs - TIME_FRAMES.get(frame)!, known[0]!.timeMs), nowMs - 1000);
	const prices: number[] = [];
	let at = 0;
	for (let step = 0; step < steps; step++) {
		const timeMs = fromMs + ((nowMs - fromMs) * step) / (steps - 1);
		while (at + 1 < known.length && known[at + 1]!.timeMs <= timeMs) at++;
		prices.push(known[at]!.price);
	}
	const all = known.map(point => point.price);
	return {
		prices,
		min: all.reduce((a, b) => Math.min(a, b)),
		max: all.reduce((a, b) => Math.max(a, b)),
		last: all.at(-1)!,
		fromMs,
		toMs: nowMs,
	};
}

/** The points of the line in a box, y downwards, with a margin for the thickness of the stroke. */
export function linePoints(line: PriceLine, box: {width: number; height: number; margin: number}): [number, number][] {
	const {prices, min, max} = line;
	const height = box.height - 2 * box.margin;
	const width = box.width - 2 * box.margin;
	return prices.map((price, i) => {
		const up = max > min ? (price - min) / (max - min) : 0.5;
		return [box.margin + (width * i) / (prices.length - 1), box.margin + height * (1 - up)];
	});
}
