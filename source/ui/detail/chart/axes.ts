import type {Row, Span} from '../../../terminal/style.ts';
import {cellWidth, padEnd, padStart} from '../../../text.ts';
import {age, price, usd} from '../../format.ts';
import {type Scene, toned} from '../../scene.ts';
import type {ValueRange} from '../../sparkline.ts';

/** Cells of the labels at the right of a chart, the blank before them included. */
export const AXIS_WIDTH = 10;

/** How values of a chart are written. */
export type Scale = 'price' | 'mcap';

/** `$0.0₄3116` on the price scale, `$31.2K` on that of the market cap. */
export function scaleText(scene: Scene, value: number, scale: Scale): string {
	return scale === 'price' ? price(value, {subscripts: scene.signs.subscripts}) : usd(value);
}

/**
 * The lines of a chart with its scale at the right: the highest value at the top, the lowest at the bottom, and the
 * present one at its height.
 * @param last the present value; undefined where it is not known
 */
export function withScale(
	scene: Scene,
	lines: readonly (readonly Span[])[],
	{range, last, scale}: {range: ValueRange; last: number | undefined; scale: Scale},
): Row[] {
	const bottom = lines.length - 1;
	const present = last === undefined ? undefined : bottom - rowOf(last, range, lines.length);
	return lines.map((line, y) => {
		const label =
			y === present
				? toned(scene, 'strong', axisLabel(scaleText(scene, last!, scale)))
				: y === 0
					? toned(scene, 'dim', axisLabel(scaleText(scene, range.high, scale)))
					: y === bottom
						? toned(scene, 'dim', axisLabel(scaleText(scene, range.low, scale)))
						: {text: ''};
		return [...line, label];
	});
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

/**
 * The line of times under a chart: how long ago its left end and its middle are, and `now` at its right end.
 * @param isRough the picture did not say its times
 */
export function timeAxis(scene: Scene, spanMs: number, width: number, isRough = false): Row {
	const rough = isRough ? '~' : '';
	const left = `${rough}${age(spanMs)} ago`;
	const middle = `${rough}${age(spanMs / 2)} ago`;
	const end = 'now';
	const middleAt = Math.floor(width / 2 - cellWidth(middle) / 2);
	const hasMiddle = middleAt > cellWidth(left) + 1 && width > 30;
	const text = hasMiddle
		? padEnd(padEnd(left, middleAt) + middle, width - cellWidth(end)) + end
		: padEnd(left, width - cellWidth(end)) + end;
	return [toned(scene, 'faint', text)];
}
