/*
 * Reads the line of an untrusted SVG chart: polylines and paths of straight and curved segments. The text is scanned once,
 * character by character, in time linear in its length.
 */

/** A point of the picture; y grows downwards. */
export type Point = readonly [x: number, y: number];

/** The line and the data attributes of a chart. */
export interface SvgLine {
	/** Left to right. */
	readonly points: readonly Point[];
	/** `data-` attributes of the root that are numbers or ISO dates (as Unix ms), by name without `data-`. */
	readonly data: ReadonlyMap<string, number>;
}

const MAX_SVG_LENGTH = 1024 * 1024;
const MAX_POINTS = 20_000;
/** Number of straight segments that replace a curve. */
const CURVE_STEPS = 4;
const ISO_DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?/y;

/** The longest line of the picture that runs from left to right; undefined when no line has two points. */
export function readSvgLine(svg: string): SvgLine | undefined {
	const text = svg.slice(0, MAX_SVG_LENGTH);
	const data = new Map<string, number>();
	let best: readonly Point[] = [];
	let isBestClosed = true;
	for (const {name, attributes} of tags(text)) {
		if (name === 'svg') {
			for (const [key, value] of attributes) {
				if (!key.startsWith('data-') || value === '') continue;
				const number = ISO_DATE.test(value) ? Date.parse(value) : Number(value);
				if (Number.isFinite(number)) data.set(key.slice(5), number);
			}
		}
		const line = lineOf(name, attributes);
		if (line === undefined) continue;
		const points = risingPart(line);
		// The filled area under a line repeats it: the open one is the line itself.
		const isBetter = line.isClosed === isBestClosed ? points.length > best.length : isBestClosed;
		if (points.length < 2 || (best.length >= 2 && !isBetter)) continue;
		best = points;
		isBestClosed = line.isClosed;
	}
	return best.length < 2 ? undefined : {points: best, data};
}

interface Line {
	readonly points: readonly Point[];
	/** It comes back to where it began: the outline of an area. */
	readonly isClosed: boolean;
}

function lineOf(name: string, attributes: ReadonlyMap<string, string>): Line | undefined {
	if (name === 'path') return readPath(attributes.get('d') ?? '');
	if (name !== 'polyline' && name !== 'polygon') return undefined;
	const numbers = new Numbers(attributes.get('points') ?? '');
	const points: Point[] = [];
	for (let pair = numbers.take(2); pair && points.length < MAX_POINTS; pair = numbers.take(2))
		points.push([pair[0]!, pair[1]!]);
	return {points, isClosed: name === 'polygon'};
}

/** The part in which x never goes back, without the corners that close an area at its bottom. */
function risingPart({points, isClosed}: Line): readonly Point[] {
	let end = 1;
	while (end < points.length && points[end]![0] >= points[end - 1]![0]) end++;
	const part = points.slice(0, end);
	if (!isClosed || part.length < 4) return part;
	const bottom = Math.max(...part.map(([, y]) => y));
	const first = part[0]![0] === part[1]![0] && part[0]![1] === bottom ? 1 : 0;
	const last = part.at(-1)![0] === part.at(-2)![0] && part.at(-1)![1] === bottom ? -1 : part.length;
	return part.slice(first, last);
}

/** Every start tag with its quoted attributes; comments and the like are passed over. */
function* tags(text: string): Generator<{name: string; attributes: Map<string, string>}> {
	for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
		if (text.startsWith('<!--', at)) {
			const end = text.indexOf('-->', at + 4);
			if (end < 0) return;
			at = end + 3;
			continue;
		}
		const nameEnd = endOfName(text, at + 1);
		const name = text.slice(at + 1, nameEnd);
		const attributes = new Map<string, string>();
		at = readAttributes(text, nameEnd, attributes);
		if (name !== '') yield {name: name.slice(name.indexOf(':') + 1), attributes};
	}
}

/** Reads attributes up to the end of the tag. Returns where that is. */
function readAttributes(text: string, from: number, attributes: Map<string, string>): number {
	let at = from;
	while (at < text.length && text[at] !== '>') {
		if (text[at] === '<') return at;
		const nameEnd = endOfName(text, at);
		if (nameEnd === at) {
			at++;
			continue;
		}
		const name = text.slice(at, nameEnd);
		at = skipSpace(text, nameEnd);
		if (text[at] !== '=') continue;
		at = skipSpace(text, at + 1);
		const quote = text[at];
		if (quote !== '"' && quote !== "'") continue;
		const end = text.indexOf(quote, at + 1);
		if (end < 0) return text.length;
		attributes.set(name, text.slice(at + 1, end));
		at = end + 1;
	}
	return at + 1;
}

function endOfName(text: string, from: number): number {
	let at = from;
	while (at < text.length && isNameCode(text.charCodeAt(at))) at++;
	return at;
}

/** Letters, digits, `-`, `:`, `_`, `.`. */
function isNameCode(code: number): boolean {
	return (
		(code >= 0x61 && code <= 0x7a) ||
		(code >= 0x41 && code <= 0x5a) ||
		(code >= 0x2d && code <= 0x3a && code !== 0x2f) ||
		code === 0x5f
	);
}

function skipSpace(text: string, from: number): number {
	let at = from;
	while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
	return at;
}

/** Takes numbers from text one after another, whatever stands between them. */
class Numbers {
	#text: string;
	#at = 0;

	constructor(text: string) {
		this.#text = text;
	}

	/** The next command letter, if one stands before the next number. */
	command(): string | undefined {
		this.#skip();
		const letter = this.#text[this.#at];
		if (letter === undefined || !/[A-Za-z]/.test(letter)) return undefined;
		this.#at++;
		return letter;
	}

	/** The next numbers, as many as requested; undefined when there are fewer before a letter or the end. */
	take(count: number): number[] | undefined {
		const numbers: number[] = [];
		while (numbers.length < count) {
			this.#skip();
			NUMBER.lastIndex = this.#at;
			const found = NUMBER.exec(this.#text)?.[0];
			if (found === undefined) return undefined;
			this.#at += found.length;
			const number = Number(found);
			if (!Number.isFinite(number)) return undefined;
			numbers.push(number);
		}
		return numbers;
	}

	#skip(): void {
		while (this.#at < this.#text.length) {
			const code = this.#text.charCodeAt(this.#at);
			if (code > 0x20 && code !== 0x2c) return;
			this.#at++;
		}
	}
}

const OPERANDS: Readonly<Record<string, number>> = {M: 2, L: 2, T: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, A: 7, Z: 0};

/** The first subpath of a path's data, curves cut into straight parts; reading stops at the first unknown command (SVG 2, 9.3). */
function readPath(data: string): Line {
	const numbers = new Numbers(data);
	const points: Point[] = [];
	let [x, y] = [0, 0];
	/** The last control point of a curve, for S and T. */
	let control: {readonly of: 'C' | 'Q'; readonly at: Point} | undefined;
	let letter = numbers.command();
	while (letter !== undefined && points.length < MAX_POINTS) {
		const command = letter.toUpperCase();
		const count = OPERANDS[command];
		if (command === 'Z') return {points, isClosed: true};
		if (count === undefined || (command === 'M' && points.length > 0)) break;
		const operands = numbers.take(count);
		if (operands === undefined) break;
		const isRelative = letter !== command;
		const next = absolute(command, operands, isRelative ? [x, y] : [0, 0]);
		const end: Point = [command === 'V' ? x : next.at(command === 'H' ? 0 : -2)!, command === 'H' ? y : next.at(-1)!];
		const controls = controlsOf(command, next, [x, y], control);
		if (controls.length === 0) points.push(end);
		else points.push(...curve([[x, y], ...controls, end]));
		control = controls.length === 0 ? undefined : {of: controls.length === 2 ? 'C' : 'Q', at: controls.at(-1)!};
		[x, y] = end;
		// Operands may go on without repeating the letter; after M they mean L.
		letter = numbers.command() ?? (command === 'M' ? (isRelative ? 'l' : 'L') : letter);
	}
	const [first, last] = [points[0], points.at(-1)];
	const isClosed = points.length > 3 && first?.[0] === last?.[0] && first?.[1] === last?.[1];
	return {points, isClosed};
}

function absolute(command: string, operands: readonly number[], [dx, dy]: Point): readonly number[] {
	if (command === 'H') return [operands[0]! + dx];
	if (command === 'V') return [operands[0]! + dy];
	// Of an arc only the end is a place; the rest are radii, an angle and flags.
	if (command === 'A') return [operands[5]! + dx, operands[6]! + dy];
	return operands.map((value, i) => value + (i % 2 === 0 ? dx : dy));
}

function controlsOf(
	command: string,
	next: readonly number[],
	from: Point,
	last: {of: 'C' | 'Q'; at: Point} | undefined,
): Point[] {
	const mirrored = (kind: 'C' | 'Q'): Point =>
		last?.of === kind ? [2 * from[0] - last.at[0], 2 * from[1] - last.at[1]] : from;
	switch (command) {
		case 'C':
			return [
				[next[0]!, next[1]!],
				[next[2]!, next[3]!],
			];
		case 'S':
			return [mirrored('C'), [next[0]!, next[1]!]];
		case 'Q':
			return [[next[0]!, next[1]!]];
		case 'T':
			return [mirrored('Q')];
		default:
			return [];
	}
}

/** Points on a Bézier curve, its start left out (de Casteljau). */
function curve(controls: readonly Point[]): Point[] {
	const points: Point[] = [];
	for (let step = 1; step <= CURVE_STEPS; step++) {
		const t = step / CURVE_STEPS;
		let level = controls;
		while (level.length > 1) {
			level = level.slice(1).map(([x, y], i): Point => {
				const [fromX, fromY] = level[i]!;
				return [fromX + (x - fromX) * t, fromY + (y - fromY) * t];
			});
		}
		points.push(level[0]!);
	}
	return points;
}
