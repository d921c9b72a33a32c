import type {Cell, Screen} from '../helpers/screen.ts';
import {isLine, linePath, px} from './line-drawing.ts';

const CELL = {width: 8.4, height: 18} as const;
const BASELINE_PX = 13.5;
const PADDING_PX = 10;
/** A terminal's own colours, where the program leaves them alone: opaque, so that the page behind does not matter. */
const INK = '#d4d7de';
const PAPER = '#11131a';
/** The levels of red, green and blue in the palette of 256 colours. */
const CUBE = [0, 95, 135, 175, 215, 255];

/** Neighbouring cells of a row that look alike. */
interface Run {
	readonly column: number;
	readonly row: number;
	columns: number;
	text: string;
	readonly look: Look;
}

interface Look {
	readonly ink: string;
	readonly paper: string;
	readonly bold: boolean;
	readonly dim: boolean;
	readonly struck: boolean;
}

/** The part of a screen that is drawn, in cells. */
export interface Part {
	readonly left: number;
	readonly top: number;
	readonly columns: number;
	readonly rows: number;
}

/**
 * What is on a screen as an SVG: text in a monospaced font, lines as paths. The same screen is the same text.
 * @param label what the picture shows, for those who can't see it
 * @param part the whole screen when omitted
 */
export function svgPicture(screen: Screen, label: string, part: Part = {left: 0, top: 0, ...sizeOf(screen)}): string {
	const {named, rules} = classNames();
	const runs = Array.from({length: part.rows}, (_, row) => runsOf(screen, part, row)).flat();
	return svgDocument(part, label, drawn(runs, named), rules);
}

/** A screen of a recording, and how long it stands, ms. */
export interface Frame {
	readonly screen: Screen;
	readonly holdMs: number;
}

/**
 * Screens one after the other, without end, as one SVG that moves by itself where a page shows it as a picture. A row that stays as it is
 * stands there once. Who asks for no motion sees the first screen.
 */
export function svgRecording(frames: readonly [Frame, ...Frame[]], label: string): string {
	const part = {left: 0, top: 0, ...sizeOf(frames[0].screen)};
	const {named, rules} = classNames();
	const starts = frames.map((_, at) => frames.slice(0, at).reduce((sum, {holdMs}) => sum + holdMs, 0));
	const wholeMs = frames.reduce((sum, {holdMs}) => sum + holdMs, 0);
	const percent = (ms: number): string => `${Math.round((ms / wholeMs) * 10_000) / 100}%`;
	const spans = new Map<string, {readonly still: string; readonly moving: string}>();
	const body = Array.from({length: part.rows}, (_, row) => {
		const rows = frames.map(({screen}) => drawn(runsOf(screen, part, row), named).join(''));
		return rows.flatMap((text, at) => {
			if (text === '' || rows[at - 1] === text) return [];
			const after = rows.findIndex((other, to) => to > at && other !== text);
			const end = after === -1 ? frames.length : after;
			if (at === 0 && end === frames.length) return [text];
			const name = `t${at}-${end}`;
			const hidden = end === frames.length ? '' : `${percent(starts[end]!)}{visibility:hidden}`;
			const first = at === 0 ? '' : '0%{visibility:hidden}';
			spans.set(name, {
				still: `.${name}{visibility:${at === 0 ? 'visible' : 'hidden'}}`,
				moving: `@keyframes ${name}{${first}${percent(starts[at]!)}{visibility:visible}${hidden}}.${name}{animation:${name} ${wholeMs}ms step-end infinite}`,
			});
			return [`<g class="${name}">${text}</g>`];
		});
	}).flat();
	const all = [...spans.values()];
	const moving = `@media (prefers-reduced-motion:no-preference){${all.map(rule => rule.moving).join('')}}`;
	return svgDocument(part, label, body, () => `${rules()}${all.map(rule => rule.still).join('')}${moving}`);
}

/** Names for rules of style, each rule once. */
function classNames(): {named(rule: string): string; rules(): string} {
	const classes = new Map<string, string>();
	return {
		named(rule) {
			const known = classes.get(rule) ?? `s${classes.size}`;
			classes.set(rule, known);
			return known;
		},
		rules: () => [...classes].map(([rule, name]) => `.${name}{${rule}}`).join(''),
	};
}

function drawn(runs: readonly Run[], named: (rule: string) => string): string[] {
	return [...papers(runs), ...strokes(runs, named), ...texts(runs, named)];
}

function svgDocument({columns, rows}: Part, label: string, body: readonly string[], rules: () => string): string {
	const width = columns * CELL.width + 2 * PADDING_PX;
	const height = rows * CELL.height + 2 * PADDING_PX;
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${px(width)} ${px(height)}" width="${px(width)}" height="${px(height)}" role="img">`,
		`<title>${escaped(label)}</title>`,
		`<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace}path{fill:none}${rules()}</style>`,
		`<rect width="100%" height="100%" rx="8" fill="${PAPER}"/>`,
		`<g transform="translate(${PADDING_PX} ${PADDING_PX})">`,
		...body,
		'</g>',
		'</svg>',
		'',
	].join('\n');
}

function sizeOf({columns, rows}: Screen): {columns: number; rows: number} {
	return {columns, rows};
}

/** The runs of a row; columns and rows are counted from the corner of the part. */
function runsOf(screen: Screen, {left, top, columns}: Part, row: number): Run[] {
	const runs: Run[] = [];
	for (let column = 0; column < columns; column++) {
		const cell = screen.cellAt(left + column, top + row);
		if (cell.width === 0) continue;
		const look = lookOf(cell);
		const text = cell.text === '' ? ' ' : cell.text;
		const last = runs.at(-1);
		if (last && isSame(last.look, look) && goesOn(last, text, cell.width)) {
			last.columns += cell.width;
			last.text += text;
		} else runs.push({column, row, columns: cell.width, text, look});
	}
	return runs;
}

/** Blanks, a line of one kind, and words are runs of their own; a wide character too, for fonts do not agree about it. */
function goesOn(run: Run, text: string, width: number): boolean {
	const last = run.text.at(-1)!;
	if (isLine(text) || isLine(last)) return text === last;
	if (width > 1 || run.columns > run.text.length) return false;
	if (run.text.trim() === '') return text === ' ';
	return text !== ' ' || last !== ' ';
}

function lookOf(cell: Cell): Look {
	const ink = colorOf(cell.color, INK);
	const paper = colorOf(cell.background, PAPER);
	return {
		ink: cell.inverse ? paper : ink,
		paper: cell.inverse ? ink : paper,
		bold: cell.bold,
		dim: cell.dim,
		struck: cell.strikethrough,
	};
}

function isSame(one: Look, other: Look): boolean {
	return (Object.keys(one) as (keyof Look)[]).every(key => one[key] === other[key]);
}

/**
 * @throws RangeError for one of the sixteen colours that every terminal chooses itself: with 24 bits asked for, the
 * program uses none of them
 */
function colorOf(color: Cell['color'], usual: string): string {
	if (typeof color !== 'number') return color ?? usual;
	if (color < 16) throw new RangeError(`colour ${color} looks different everywhere`);
	const levels =
		color < 232
			? [36, 6, 1].map(part => CUBE[Math.floor((color - 16) / part) % 6]!)
			: Array(3).fill((color - 232) * 10 + 8);
	return `#${levels.map(level => level.toString(16).padStart(2, '0')).join('')}`;
}

function papers(runs: readonly Run[]): string[] {
	const joined: {column: number; row: number; columns: number; paper: string}[] = [];
	for (const {column, row, columns, look} of runs) {
		const last = joined.at(-1);
		if (last?.row === row && last.paper === look.paper) last.columns += columns;
		else joined.push({column, row, columns, paper: look.paper});
	}
	return joined
		.filter(({paper}) => paper !== PAPER)
		.map(({column, row, columns, paper}) => {
			const [x, y] = [column * CELL.width, row * CELL.height];
			return `<rect x="${px(x)}" y="${px(y)}" width="${px(columns * CELL.width)}" height="${CELL.height}" fill="${paper}"/>`;
		});
}

/** One path for all lines of a colour. */
function strokes(runs: readonly Run[], named: (rule: string) => string): string[] {
	const paths = new Map<string, string>();
	for (const {column, row, columns, text, look} of runs) {
		if (!isLine(text[0]!)) continue;
		const [y, height] = [row * CELL.height, CELL.height];
		const {d, strokePx} = linePath(text[0]!, {x: column * CELL.width, y, width: columns * CELL.width, height});
		const name = named(`stroke:${look.ink};stroke-width:${strokePx}`);
		paths.set(name, (paths.get(name) ?? '') + d);
	}
	return [...paths].map(([name, d]) => `<path class="${name}" d="${d}"/>`);
}

function texts(runs: readonly Run[], named: (rule: string) => string): string[] {
	return runs
		.filter(({text}) => text.trim() !== '' && !isLine(text[0]!))
		.map(({column, row, text, look}) => {
			const words = text.trimEnd();
			const name = named(
				[
					`fill:${look.ink}`,
					...(look.bold ? ['font-weight:bold'] : []),
					...(look.dim ? ['opacity:.6'] : []),
					...(look.struck ? ['text-decoration:line-through'] : []),
				].join(';'),
			);
			const [x, y] = [px(column * CELL.width), px(row * CELL.height + BASELINE_PX)];
			// Fonts differ in width; wide characters are alone and keep their own.
			const length = words.length > 1 ? ` textLength="${px(words.length * CELL.width)}"` : '';
			return `<text class="${name}" x="${x}" y="${y}"${length}>${escaped(words)}</text>`;
		});
}

function escaped(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
