import {crc32, deflateSync} from 'node:zlib';
import {linePoints, type PriceLine} from './price-line.ts';
import {isRising} from './svg.ts';

const BOX = {width: 600, height: 160, margin: 4};
const HALF_STROKE = 2;
const GREEN = [0x16, 0xa3, 0x4a] as const;
const RED = [0xdc, 0x26, 0x26] as const;

/** The chart as a PNG image: the same line as the SVG at twice the size, on a transparent ground. */
export function drawPng(line: PriceLine): Buffer {
	const alpha = new Uint8Array(BOX.width * BOX.height);
	const points = linePoints(line, BOX);
	for (let i = 1; i < points.length; i++) stroke(alpha, points[i - 1]!, points[i]!);
	return encode(alpha, isRising(line) ? GREEN : RED);
}

/** Draws one segment with soft edges: a pixel is covered as far as the stroke reaches over its centre. */
function stroke(alpha: Uint8Array, [x0, y0]: [number, number], [x1, y1]: [number, number]): void {
	const reach = HALF_STROKE + 1;
	const left = Math.max(0, Math.floor(Math.min(x0, x1) - reach));
	const right = Math.min(BOX.width - 1, Math.ceil(Math.max(x0, x1) + reach));
	const top = Math.max(0, Math.floor(Math.min(y0, y1) - reach));
	const bottom = Math.min(BOX.height - 1, Math.ceil(Math.max(y0, y1) + reach));
	const [dx, dy] = [x1 - x0, y1 - y0];
	const length2 = dx * dx + dy * dy || 1;
	for (let y = top; y <= bottom; y++) {
		for (let x = left; x <= right; x++) {
			const along = Math.min(1, Math.max(0, ((x + 0.5 - x0) * dx + (y + 0.5 - y0) * dy) / length2));
			const distance = Math.hypot(x + 0.5 - x0 - along * dx, y + 0.5 - y0 - along * dy);
			const covered = Math.round(255 * Math.min(1, Math.max(0, HALF_STROKE + 0.5 - distance)));
			const at = y * BOX.width + x;
			if (covered > alpha[at]!) alpha[at] = covered;
		}
	}
}

/** PNG with 8-bit RGBA pixels of one colour (PNG specification, clauses 5 and 11). */
function encode(alpha: Uint8Array, colour: readonly [number, number, number]): Buffer {
	const {width, height} = BOX;
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	header.set([8, 6, 0, 0, 0], 8);
	const pixels = Buffer.alloc(height * (1 + width * 4));
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			pixels.set([...colour, alpha[y * width + x]!], y * (1 + width * 4) + 1 + x * 4);
		}
	}
	return Buffer.concat([
		Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
		chunk('IHDR', header),
		chunk('IDAT', deflateSync(pixels)),
		chunk('IEND', Buffer.alloc(0)),
	]);
}

function chunk(type: string, data: Buffer): Buffer {
	const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const framed = Buffer.alloc(body.length + 8);
	framed.writeUInt32BE(data.length, 0);
	body.copy(framed, 4);
	framed.writeUInt32BE(crc32(body), body.length + 4);
	return framed;
}
