import type {Http} from '../http/http.ts';
import {InvalidResponse, ServiceRefused} from '../http/service-errors.ts';
import {isObject} from '../wire/wire-value.ts';
import {type Point, readSvgLine} from './svg-line.ts';

/** The asset of a price line (spec 4.14): by name or contract address (then with `blockchain`), by symbol or by id. */
export interface SparklineQuery {
	readonly asset?: string;
	readonly blockchain?: string;
	readonly symbol?: string;
	readonly id?: string;
	/** `24h` (default), `7d`, ... */
	readonly timeFrame?: string;
}

/** A price line as numbers. */
export interface Sparkline {
	/** Heights at even steps in time, oldest first; at least two. */
	readonly points: readonly number[];
	readonly min: number;
	readonly max: number;
	readonly last: number;
	/** `usd` for a picture with a scale (`data-min`, `data-max`); otherwise `relative`: 0 is the bottom of the line, 1 the top. */
	readonly unit: 'usd' | 'relative';
	/** Times of the first and the last point, Unix ms by the service's clock, where the picture has them (`data-from`, `data-to`). */
	readonly span?: {readonly fromMs: number; readonly toMs: number};
}

const SPARKLINE_PATH = '/api/1/market/sparkline';
const MAX_SVG_BYTES = 512 * 1024;
const MAX_STEPS = 240;

/**
 * Requests the URL of a price line's picture, fetches the picture, and reads the line from it.
 * @returns undefined for an asset that the service does not know
 * @throws as Http.json; InvalidResponse for a picture without a line
 */
export async function fetchSparkline(
	http: Http,
	query: SparklineQuery,
	signal?: AbortSignal,
): Promise<Sparkline | undefined> {
	try {
		const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined)).toString();
		const {body} = await http.json({method: 'GET', path: `${SPARKLINE_PATH}?${search}`, retry: 'read', signal});
		const picture = await http.request({
			method: 'GET',
			path: urlOf(body),
			headers: {accept: 'image/svg+xml'},
			retry: 'read',
			maxBytes: MAX_SVG_BYTES,
			signal,
		});
		const line = parseSparkline(picture.text);
		if (line === undefined) throw new InvalidResponse('the picture of the price line shows no line');
		return line;
	} catch (error) {
		if (error instanceof ServiceRefused && error.status === 404) return undefined;
		throw error;
	}
}

function urlOf(body: unknown): string {
	for (const place of [body, isObject(body) ? (body['data'] ?? body['payload']) : undefined]) {
		const url = isObject(place) ? place['url'] : undefined;
		if (typeof url === 'string' && (/^https?:\/\//i.test(url) || /^\/[^/]/.test(url))) return url;
	}
	throw new InvalidResponse('it names no picture on the web');
}

/**
 * The line of an SVG chart as numbers; undefined for a chart without one. The chart may come from any service: polylines
 * and paths of all straight and curved segments are read.
 */
export function parseSparkline(svg: string): Sparkline | undefined {
	const line = readSvgLine(svg);
	if (line === undefined) return undefined;
	const heights = evenSteps(line.points).map(y => -y);
	const bottom = heights.reduce((a, b) => Math.min(a, b));
	const top = heights.reduce((a, b) => Math.max(a, b));
	const relative = heights.map(height => (top > bottom ? (height - bottom) / (top - bottom) : 0.5));
	const [min, max, fromMs, toMs] = ['min', 'max', 'from', 'to'].map(name => line.data.get(name));
	const span = fromMs !== undefined && toMs !== undefined && fromMs < toMs ? {span: {fromMs, toMs}} : {};
	if (min === undefined || max === undefined || max < min) {
		return {points: relative, min: 0, max: 1, last: relative.at(-1)!, unit: 'relative', ...span};
	}
	const points = relative.map(part => min + (max - min) * part);
	return {points, min, max, last: line.data.get('last') ?? points.at(-1)!, unit: 'usd', ...span};
}

/** Heights at even steps from the first point to the last; between two points the line is straight. */
function evenSteps(points: readonly Point[]): number[] {
	const from = points[0]![0];
	const width = points.at(-1)![0] - from;
	if (width <= 0) return points.slice(0, MAX_STEPS).map(([, y]) => y);
	const steps = Math.min(MAX_STEPS, points.length);
	const heights: number[] = [];
	let at = 0;
	for (let step = 0; step < steps; step++) {
		const x = from + (width * step) / (steps - 1);
		while (at + 2 < points.length && points[at + 1]![0] <= x) at++;
		const [[x0, y0], [x1, y1]] = [points[at]!, points[at + 1]!];
		heights.push(x1 > x0 ? y0 + ((y1 - y0) * (Math.min(x, x1) - x0)) / (x1 - x0) : y1);
	}
	return heights;
}
