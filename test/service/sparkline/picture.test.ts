import {inflateSync} from 'node:zlib';
import {Resvg} from '@resvg/resvg-js';
import {describe, expect, test} from 'vitest';
import {drawPng} from '../../../source/service/sparkline/png.ts';
import {type PriceLine, priceLine} from '../../../source/service/sparkline/price-line.ts';
import {drawSvg} from '../../../source/service/sparkline/svg.ts';
import {fc} from '../../helpers/properties.ts';

const NOW = 1_700_000_000_000;
const HOUR = 3_600_000;

const history = fc
	.array(fc.record({agoMs: fc.integer({min: 0, max: HOUR}), price: fc.double({min: 1e-12, max: 1e9, noNaN: true})}), {
		minLength: 1,
		maxLength: 50,
	})
	.map(points => points.map(({agoMs, price}) => ({timeMs: NOW - agoMs, price})).sort((a, b) => a.timeMs - b.timeMs));

const lineOf = (points: Parameters<typeof priceLine>[0]): PriceLine => priceLine(points, 7, {frame: '1h', nowMs: NOW});

describe('a price line', () => {
	test('shows at each step the last price known by then, and ends with the last', () => {
		fc.assert(
			fc.property(history, points => {
				const line = lineOf(points);
				expect(line.last).toBe(points.at(-1)!.price);
				expect(line.prices.at(-1)).toBe(line.last);
				expect(line.prices).toHaveLength(120);
				for (const [i, price] of line.prices.entries()) {
					const timeMs = line.fromMs + ((line.toMs - line.fromMs) * i) / 119;
					const known = points.findLast(point => point.timeMs <= timeMs) ?? points[0]!;
					expect(price).toBe(known.price);
				}
			}),
		);
	});

	test('gives the extremes of all trades, also of those between two steps', () => {
		const points = [1, 5, 2].map((price, i) => ({timeMs: NOW - HOUR + i, price}));
		expect(lineOf([...points, {timeMs: NOW - 10, price: 3}])).toMatchObject({min: 1, max: 5, last: 3});
	});

	test('of a token that was not traded is flat at its price', () => {
		expect(lineOf([])).toMatchObject({min: 7, max: 7, last: 7});
	});

	test('of a young token covers its own life only', () => {
		expect(lineOf([{timeMs: NOW - 60_000, price: 1}]).fromMs).toBe(NOW - 60_000);
		expect(lineOf([{timeMs: NOW - 10 * HOUR, price: 1}]).fromMs).toBe(NOW - HOUR);
	});
});

describe('the SVG', () => {
	test('is well-formed, carries the figures, and its points run from the highest to the lowest price', () => {
		const svg = drawSvg(lineOf([4, 1, 2].map((price, i) => ({timeMs: NOW - HOUR + i * 1_000_000, price}))));
		expect(svg).toContain('data-min="1" data-max="4" data-last="2"');
		expect(svg).toContain('<title>min 1 max 4 last 2</title>');
		const points = /points="([^"]*)"/
			.exec(svg)![1]!
			.split(' ')
			.map(pair => pair.split(',').map(Number));
		const heights = points.map(([, y]) => y!);
		expect(Math.min(...heights)).toBe(2);
		expect(Math.max(...heights)).toBe(78);
		expect(heights[0]).toBe(2);
		expect(points.every(([x], i) => i === 0 || x! > points[i - 1]![0]!)).toBe(true);
		expect(new Resvg(svg).render().width).toBe(300);
	});

	test('of a flat line lies in the middle', () => {
		expect(drawSvg(lineOf([]))).toMatch(/points="2,40 [^"]* 298,40"/);
	});
});

describe('the PNG', () => {
	/** Transparency by pixel, read as the PNG specification says (all rows have filter 0). */
	function alphaOf(png: Buffer): {width: number; height: number; at(x: number, y: number): number} {
		expect(png.subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
		const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
		const length = png.readUInt32BE(33);
		expect(png.toString('latin1', 37, 41)).toBe('IDAT');
		const pixels = inflateSync(png.subarray(41, 41 + length));
		expect(pixels).toHaveLength(height * (1 + 4 * width));
		return {width, height, at: (x, y) => pixels[y * (1 + 4 * width) + 1 + 4 * x + 3]!};
	}

	test('draws the same line as the SVG at twice the size', () => {
		const line = lineOf([4, 1, 3, 2].map((price, i) => ({timeMs: NOW - HOUR + i * 900_000, price})));
		const {width, height, at} = alphaOf(drawPng(line));
		const svg = new Resvg(drawSvg(line), {fitTo: {mode: 'width', value: width}}).render();
		expect([svg.width, svg.height]).toEqual([width, height]);
		const covered = (image: (x: number, y: number) => number) => {
			const rows: number[] = [];
			for (let x = 10; x < width - 10; x += 20) {
				const lit = Array.from({length: height}, (_, y) => y).filter(y => image(x, y) > 127);
				rows.push(lit.reduce((a, b) => a + b, 0) / lit.length);
			}
			return rows;
		};
		const ours = covered(at);
		const {pixels} = svg;
		const theirs = covered((x, y) => pixels[4 * (y * width + x) + 3]!);
		for (const [i, y] of ours.entries()) expect(Math.abs(y - theirs[i]!)).toBeLessThan(6);
	});

	test('is a whole file that another decoder accepts', () => {
		const png = drawPng(lineOf([]));
		const embedded = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="600" height="160"><image width="600" height="160" xlink:href="data:image/png;base64,${png.toString('base64')}"/></svg>`;
		const shown = new Resvg(embedded).render().pixels;
		const middle = 4 * (80 * 600 + 300);
		expect([...shown.subarray(middle, middle + 4)]).toEqual([0x16, 0xa3, 0x4a, 255]);
	});
});
