import type {EngineState} from './engine-state.ts';
import type {PricePoint} from './market.ts';
import type {Token} from './token.ts';

/** Points beyond a day: one in two hours, for a week. */
const OLD_EVERY_S = 7200;
const OLD_KEPT_S = 7 * 86_400;

/** Keeps a price that has dropped out of the buckets, if the last one kept is old enough. */
export function keepOldPrice(token: Token, second: number, price: number): void {
	if (Number.isNaN(price)) return;
	token.oldPrices ??= [];
	const points = token.oldPrices;
	const lastS = points.at(-2);
	if (lastS !== undefined && second - lastS < OLD_EVERY_S) return;
	points.push(second, price);
	while (second - points[0]! > OLD_KEPT_S) points.splice(0, 2);
}

/**
 * The prices of a token from its trades, oldest first: every 2 s for the last minute, coarser with age (30 min after 6 h),
 * every 2 h beyond a day, and never further back than the token's first trade here.
 * @param sinceMs a price older than this is given once, at `sinceMs`, when the token was trading then
 */
export function priceHistory(engine: EngineState, token: Token, sinceMs: number): PricePoint[] {
	const {rows} = engine;
	const points: PricePoint[] = [];
	let before: number | undefined;
	const add = (timeMs: number, price: number): void => {
		if (Number.isNaN(price)) return;
		if (timeMs < sinceMs) {
			before = price;
			return;
		}
		if (before !== undefined && points.length === 0 && timeMs > sinceMs) points.push({timeMs: sinceMs, price: before});
		// A bucket ends after the last trade in it; two points never share a time.
		const last = points.at(-1);
		if (last && last.timeMs >= timeMs) points[points.length - 1] = {timeMs: last.timeMs, price};
		else points.push({timeMs, price});
	};
	if (token.oldPrices === null) add(rows.createdMs[token.row]!, engine.buckets.priceBefore(token.row));
	else for (let i = 0; i < token.oldPrices.length; i += 2) add(token.oldPrices[i]! * 1000, token.oldPrices[i + 1]!);
	const lastMs = rows.tradeMs[token.row]!;
	engine.buckets.eachPrice(token.row, (endS, price) => add(Math.min(endS * 1000, lastMs), price));
	if (points.length === 0 && before !== undefined) points.push({timeMs: sinceMs, price: before});
	return points;
}
