import type {Glyphs} from '../../glyphs.ts';
import type {Tone} from '../../theme.ts';

/** Prices are requested every five seconds: one older than this is out of date, ms. */
export const STALE_MS = 15_000;

/** The price of a share that brings a dollar or nothing: `63.4¢`. */
export function cents(priceUSD: number | undefined, {unknown, subscripts}: Glyphs): string {
	return centsOf(priceUSD, {unknown, ascii: subscripts === ''});
}

/** The same without the glyphs of the screen. */
export function centsOf(priceUSD: number | undefined, {unknown, ascii}: {unknown: string; ascii: boolean}): string {
	if (priceUSD === undefined || !Number.isFinite(priceUSD)) return unknown;
	const figure = priceUSD * 100;
	const text = figure >= 99.95 || figure === 0 ? figure.toFixed(0) : figure < 0.05 ? '<0.1' : figure.toFixed(1);
	return `${text}${ascii ? 'c' : '¢'}`;
}

/** The colour of a change, percent. */
export function driftTone(percent: number | undefined): Tone {
	return percent === undefined || Math.abs(percent) < 0.05 ? 'dim' : percent > 0 ? 'up' : 'down';
}
