import type {Candle} from '../../../monitor/candles/candle-series.ts';

/** A value at a moment, Unix ms by this machine's clock. */
export interface TimedValue {
	readonly atMs: number;
	readonly value: number;
}

/** The line of a picture: values at even steps in time, and the times of its ends where it reports them (the service's clock). */
export interface PictureLine {
	readonly points: readonly number[];
	readonly span?: {readonly fromMs: number; readonly toMs: number};
}

/** A price line in time, oldest first. */
export interface TimedLine {
	readonly points: readonly TimedValue[];
	/** The picture did not report its times: the ends are those of the request. */
	readonly isRough: boolean;
}

/**
 * The line of a picture with its times.
 * @param fetchedAtMs time of the request, Unix ms, for a picture that does not report its times
 * @param longestMs how far back it goes at most: the time frame of the request, or the token's age
 */
export function timedLine(
	line: PictureLine,
	{
		skewMs,
		fetchedAtMs,
		longestMs,
	}: {
		skewMs: number;
		fetchedAtMs: number;
		longestMs: number;
	},
): TimedLine {
	const fromMs = line.span === undefined ? fetchedAtMs - longestMs : line.span.fromMs - skewMs;
	const toMs = line.span === undefined ? fetchedAtMs : line.span.toMs - skewMs;
	const stepMs = (toMs - fromMs) / Math.max(line.points.length - 1, 1);
	return {
		points: line.points.map((value, at) => ({atMs: fromMs + at * stepMs, value})),
		isRough: line.span === undefined,
	};
}

/** The line, then the closes that were watched after its end, then the present price. */
export function withLivePrices(
	{points}: TimedLine,
	candles: readonly (Candle | undefined)[],
	present: TimedValue | undefined,
): readonly TimedValue[] {
	const endMs = points.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY;
	const watched = candles
		.filter(candle => candle !== undefined)
		.map(({startMs, close}) => ({atMs: startMs + 1000, value: close}))
		.filter(({atMs}) => atMs > endMs && (present === undefined || atMs < present.atMs));
	return [...points, ...watched, ...(present ? [present] : [])];
}

/** Values at `count` even moments from one time to another; between two points the line is straight, beyond its ends flat. */
export function sampled(points: readonly TimedValue[], fromMs: number, toMs: number, count: number): number[] {
	let at = 0;
	return Array.from({length: count}, (_, i) => {
		const ms = count === 1 ? toMs : fromMs + ((toMs - fromMs) * i) / (count - 1);
		while (at + 2 < points.length && points[at + 1]!.atMs <= ms) at++;
		const [a, b] = [points[at]!, points[at + 1] ?? points[at]!];
		if (b.atMs <= a.atMs) return b.value;
		const part = Math.min(Math.max((ms - a.atMs) / (b.atMs - a.atMs), 0), 1);
		return a.value + (b.value - a.value) * part;
	});
}
