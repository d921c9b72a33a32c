import type {Entry} from '../../contract/entry.ts';
import {WINDOW_MS, WINDOWS_7} from '../../contract/windows.ts';
import type {PricePoint} from '../market/market.ts';

/** The recorded prices of a token. */
export interface RecordedPrices {
	/** Adds the prices of the token's entry at a time. */
	add(entry: Entry, atMs: number): void;
	/** Oldest first. */
	since(sinceMs: number): readonly PricePoint[];
}

const MAX_POINTS = 500;

/** Starts with the past prices in the token's first entry, and adds each new price. */
export function recordedPrices(): RecordedPrices {
	let points: PricePoint[] = [];
	return {
		add(entry, atMs) {
			const {latest_price: price} = entry;
			if (price === undefined) return;
			if (points.length === 0) points = formerPrices(entry, atMs);
			if (points.at(-1)?.price === price) return;
			points.push({timeMs: atMs, price});
			// Every other old point is dropped: the line keeps its shape.
			if (points.length > MAX_POINTS) points = points.filter((_, i) => i % 2 === 0 || i > MAX_POINTS / 2);
		},
		since(sinceMs) {
			const first = points.findIndex(({timeMs}) => timeMs >= sinceMs);
			// The last point before gives the price at the start of the span.
			return first < 0 ? points.slice(-1) : points.slice(Math.max(first - 1, 0));
		},
	};
}

function formerPrices(entry: Entry, atMs: number): PricePoint[] {
	const bornMs = entry.created_at ?? 0;
	return WINDOWS_7.toReversed()
		.map(window => ({timeMs: atMs - WINDOW_MS[window], price: entry[`price_${window}_ago`]}))
		.filter((point): point is PricePoint => point.price !== undefined && point.timeMs >= bornMs);
}
