/** Dots of a braille character: two columns of four, from top to bottom. */
const DOTS = [
	[0x01, 0x02, 0x04, 0x40],
	[0x08, 0x10, 0x20, 0x80],
] as const;

/** Heights of an ASCII line, from low to high. */
const ASCII_STEPS = ['_', '.', '-', '=', '^'] as const;

/** The least and the greatest value of a block. */
export interface ValueRange {
	readonly low: number;
	readonly high: number;
}

function rangeOf(values: readonly number[]): ValueRange {
	return {low: Math.min(...values), high: Math.max(...values)};
}

/** The points squeezed or stretched to `columns`: the mean of the points in each, the nearest point for a column without points. */
function resampled(points: readonly number[], columns: number): number[] {
	return Array.from({length: columns}, (_, at) => {
		const from = (at / columns) * points.length;
		const to = ((at + 1) / columns) * points.length;
		const [first, last] = [Math.floor(from), Math.max(Math.ceil(to), Math.floor(from) + 1)];
		const slice = points.slice(first, last);
		return slice.reduce((sum, point) => sum + point, 0) / slice.length;
	});
}

/**
 * A price line in braille: `height` lines of `width` cells, two dots a cell across and four up. Gaps between neighbours
 * are joined, so that a jump reads as a line.
 * @param points oldest first; at least one
 * @param ascii draws one line of steps instead, in the middle of the block
 * @param range the values at the bottom and the top of the block; default: the extremes of the line
 */
export function drawSparkline(
	points: readonly number[],
	width: number,
	height: number,
	ascii = false,
	range?: ValueRange,
): string[] {
	if (points.length === 0 || width <= 0 || height <= 0) return [];
	if (ascii) return asciiLines(resampled(points, width), height, range);
	const columns = resampled(points, width * 2);
	const dotsHigh = height * 4;
	const {low, high} = range ?? rangeOf(columns);
	const level = (value: number): number =>
		high === low
			? Math.floor(dotsHigh / 2)
			: Math.min(Math.max(Math.round(((value - low) / (high - low)) * (dotsHigh - 1)), 0), dotsHigh - 1);
	const cells = new Uint8Array(width * height);
	let previous = level(columns[0]!);
	for (const [x, value] of columns.entries()) {
		const y = level(value);
		for (let dot = Math.min(previous, y); dot <= Math.max(previous, y); dot++) {
			const row = height - 1 - Math.floor(dot / 4);
			cells[row * width + (x >> 1)]! |= DOTS[x & 1]![3 - (dot % 4)]!;
		}
		previous = y;
	}
	return Array.from({length: height}, (_, row) =>
		Array.from(cells.subarray(row * width, (row + 1) * width), bits =>
			bits === 0 ? ' ' : String.fromCodePoint(0x2800 + bits),
		).join(''),
	);
}

/** Without braille: each line is a band of the range, drawn with steps. */
function asciiLines(columns: readonly number[], height: number, range: ValueRange = rangeOf(columns)): string[] {
	const {low, high} = range;
	const steps = height * ASCII_STEPS.length;
	const level = (value: number): number =>
		high === low
			? Math.floor(steps / 2)
			: Math.min(Math.max(Math.floor(((value - low) / (high - low)) * steps), 0), steps - 1);
	return Array.from({length: height}, (_, row) => {
		const base = (height - 1 - row) * ASCII_STEPS.length;
		return columns.map(value => ASCII_STEPS[level(value) - base] ?? ' ').join('');
	});
}
