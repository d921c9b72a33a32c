import type {Row, Span} from '../../../terminal/style.ts';
import {cellWidth, padEnd, padStart} from '../../../text.ts';
import {age, price, usd} from '../../format.ts';
import type {ValueRange} from '../../sparkline.ts';
import {toned, type ViewModel} from '../../view-model.ts';

/** Cells of the labels at the right of a chart, the blank before them included. */
export const AXIS_WIDTH = 10;

/** How values of a chart are written. */
export type Scale = 'price' | 'mcap';

/** `$0.0₄3116` on the price scale, `$31.2K` on that of the market cap. */
function scaleText(model: ViewModel, value: number, scale: Scale): string {
	return scale === 'price' ? price(value, {subscripts: model.glyphs.subscripts}) : usd(value);
}

/**
 * The lines of a chart with its scale at the right: the highest value at the top, the lowest at the bottom, and the
 * present one at its height.
 * @param last the present value; undefined where it is not known
 */
export function withScale(
	model: ViewModel,
	lines: readonly (readonly Span[])[],
	{range, last, scale}: {range: ValueRange; last: number | undefined; scale: Scale},
): Row[] {
	const bottom = lines.length - 1;
	const labels = new Map<number, Span>();
	const label = (y: number, tone: 'strong' | 'dim', value: number): void => {
		const text = axisLabel(scaleText(model, value, scale));
		// A price that does not move would be written at the top and at the bottom, too.
		const isSaid = [...labels.values()].some(span => span.text === text);
		if (!labels.has(y) && !isSaid) labels.set(y, toned(model, tone, text));
	};
	if (last !== undefined) label(bottom - rowOf(last, range, lines.length), 'strong', last);
	label(0, 'dim', range.high);
	label(bottom, 'dim', range.low);
	return lines.map((line, y) => [...line, labels.get(y) ?? {text: ''}]);
}

/** The row that a value falls in, counted from the bottom. */
function rowOf(value: number, {low, high}: ValueRange, rows: number): number {
	if (high === low) return Math.floor(rows / 2);
	const row = Math.round(((value - low) / (high - low)) * (rows - 1));
	return Math.min(Math.max(row, 0), rows - 1);
}

/** A label at the right of a chart. */
export function axisLabel(text: string): string {
	return padStart(text, AXIS_WIDTH);
}

/** A length of time of two units where one alone is coarse: `1h54m`, so that its half is not `57m` of `1h`. */
function span(ms: number): string {
	const [[leadMs, lead], [restMs, rest]] = ms < 3_600_000 ? UNITS.minute : ms < 86_400_000 ? UNITS.hour : UNITS.day;
	const [whole, left] = [Math.floor(ms / leadMs), Math.floor((ms % leadMs) / restMs)];
	return whole < 1 || whole > 9 || left === 0 ? age(ms) : `${whole}${lead}${left}${rest}`;
}
const [SECOND, MINUTE, HOUR, DAY] = [
	[1000, 's'],
	[60_000, 'm'],
	[3_600_000, 'h'],
	[86_400_000, 'd'],
] as const;
const UNITS = {minute: [MINUTE, SECOND], hour: [HOUR, MINUTE], day: [DAY, HOUR]} as const;

/**
 * The line of times under a chart: how long ago its left end and its middle are, and `now` at its right end.
 * @param isRough the picture did not report its times
 * @param endAgoMs how long ago the right end is, where that is not now
 */
export function timeAxis(
	model: Pick<ViewModel, 'theme'>,
	spanMs: number,
	width: number,
	isRough = false,
	endAgoMs = 0,
): Row {
	const rough = isRough ? '~' : '';
	const left = `${rough}${span(endAgoMs + spanMs)} ago`;
	const middle = `${rough}${span(endAgoMs + spanMs / 2)} ago`;
	const end = endAgoMs === 0 ? 'now' : `${span(endAgoMs)} ago`;
	const middleAt = Math.floor(width / 2 - cellWidth(middle) / 2);
	const hasMiddle = middleAt > cellWidth(left) + 1 && width > 30;
	const text = hasMiddle
		? padEnd(padEnd(left, middleAt) + middle, width - cellWidth(end)) + end
		: padEnd(left, width - cellWidth(end)) + end;
	return [toned(model, 'faint', text)];
}
