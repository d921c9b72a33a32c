import type {Candle} from '../../../monitor/candles/candle-series.ts';
import type {Span} from '../../../terminal/style.ts';
import type {ValueRange} from '../../sparkline.ts';
import type {Tone} from '../../theme.ts';
import {toned, type ViewModel} from '../../view-model.ts';

/** The content of the upper or the lower half of a cell. */
type Half = 'none' | 'wick' | 'body';

/** Glyphs by the upper, then the lower half. A falling candle has a broken body, so that its direction is not shown by colour alone. */
const GLYPHS: Readonly<Record<Half, Readonly<Record<Half, string>>>> = {
	none: {none: ' ', wick: '╷', body: '╻'},
	wick: {none: '╵', wick: '│', body: '╽'},
	body: {none: '╹', wick: '╿', body: '┃'},
};
const FALLING_BODY = '┇';

/** The candles, one cell each, in rows from the top; what was not watched is left blank. */
export function candleRows(
	model: ViewModel,
	candles: readonly (Candle | undefined)[],
	range: ValueRange,
	height: number,
): Span[][] {
	const isAscii = model.glyphs.subscripts === '';
	const halves = height * 2;
	const level = (value: number): number =>
		range.high === range.low
			? height
			: Math.min(Math.max(Math.round(((value - range.low) / (range.high - range.low)) * (halves - 1)), 0), halves - 1);
	const rows: Span[][] = Array.from({length: height}, () => []);
	for (const candle of candles) {
		if (candle === undefined) {
			for (const row of rows) row.push({text: ' '});
			continue;
		}
		const isFalling = candle.close < candle.open;
		const tone = toneOf(candle);
		const [low, high, open, close] = [candle.low, candle.high, candle.open, candle.close].map(level) as Levels;
		const half = (at: number): Half => {
			if (at < low || at > high) return 'none';
			return at >= Math.min(open, close) && at <= Math.max(open, close) ? 'body' : 'wick';
		};
		for (const [y, row] of rows.entries()) {
			const bottom = (height - 1 - y) * 2;
			row.push(toned(model, tone, glyph(half(bottom + 1), half(bottom), isFalling, isAscii)));
		}
	}
	return rows;
}
type Levels = [low: number, high: number, open: number, close: number];

function glyph(upper: Half, lower: Half, isFalling: boolean, isAscii: boolean): string {
	if (isAscii) {
		if (upper === 'body' || lower === 'body') return isFalling ? 'x' : '#';
		return upper === 'none' && lower === 'none' ? ' ' : '|';
	}
	return isFalling && upper === 'body' && lower === 'body' ? FALLING_BODY : GLYPHS[upper][lower];
}

/** Quiet steps and those that were watched in part are pale. */
function toneOf({open, close, high, low, isPartial}: Candle): Tone {
	if (high === low || isPartial) return 'faint';
	return close >= open ? 'up' : 'down';
}

const EIGHTHS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;
const ASCII_LEVELS = [' ', '.', '-', '=', '#'] as const;

/** Bars of volume, one cell each, from the top; `?` at the bottom where it is not known. */
export function volumeRows(
	model: ViewModel,
	candles: readonly (Candle | undefined)[],
	most: number,
	height: number,
): Span[][] {
	const steps = model.glyphs.subscripts === '' ? ASCII_LEVELS : EIGHTHS;
	const full = steps.length - 1;
	return Array.from({length: height}, (_, y) =>
		candles.map(candle => {
			const row = height - 1 - y;
			if (candle === undefined) return {text: ' '};
			const {volumeUSD} = candle;
			if (volumeUSD === undefined) return toned(model, 'faint', row === 0 ? '?' : ' ');
			const level = most === 0 ? 0 : Math.ceil((volumeUSD / most) * height * full);
			return toned(model, toneOf(candle), steps[Math.min(Math.max(level - row * full, 0), full)]!);
		}),
	);
}
