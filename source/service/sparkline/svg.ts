import {linePoints, type PriceLine} from './price-line.ts';

const BOX = {width: 300, height: 80, margin: 2};

/**
 * The chart as an SVG document: one polyline without axes. The figures stand in `data-` attributes of the root, so that a
 * program can read them without measuring the picture.
 */
export function drawSvg(line: PriceLine): string {
	const points = linePoints(line, BOX).map(([x, y]) => `${round(x)},${round(y)}`);
	const {min, max, last, fromMs, toMs} = line;
	const stroke = isRising(line) ? '#16a34a' : '#dc2626';
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${BOX.width} ${BOX.height}" width="${BOX.width}" `,
		`height="${BOX.height}" role="img" data-min="${min}" data-max="${max}" data-last="${last}" `,
		`data-from="${new Date(fromMs).toISOString()}" data-to="${new Date(toMs).toISOString()}">`,
		`<title>min ${min} max ${max} last ${last}</title>`,
		`<polyline fill="none" stroke="${stroke}" stroke-width="2" stroke-linejoin="round" points="${points.join(' ')}"/>`,
		'</svg>',
	].join('');
}

/** Whether the chart ends at its first price or above: this decides the colour. */
export function isRising({prices}: PriceLine): boolean {
	return prices.at(-1)! >= prices[0]!;
}

function round(value: number): number {
	return Math.round(value * 100) / 100;
}
