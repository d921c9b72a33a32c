import type {Loadable} from '../../monitor/state.ts';
import type {TextEdit} from '../../monitor/transitions/text-edit.ts';
import type {Row, Span} from '../../terminal/style.ts';
import {cellWidth} from '../../text.ts';
import {moreLines} from '../glyphs.ts';
import type {MoneyCanvas} from '../money/money-rows.ts';
import {on} from '../theme.ts';
import {cutSpans, spread, toned} from '../view-model.ts';
import {firstShown, type Marked} from './list-lines.ts';

/** What the rows of a screen are painted with. */
export interface ScreenCanvas extends MoneyCanvas {
	/** Rows of the screen. */
	readonly height: number;
	/** The line that is being typed. */
	readonly input?: {readonly field: string; readonly edit: TextEdit};
	/** Called with how far a page can be scrolled, lines. */
	readonly onReach?: (lines: number) => void;
	/** A text with the keys of the actions that it names in braces. */
	readonly named: (text: string) => string;
	readonly readOnly: boolean;
	/** No marks of change that come and go. */
	readonly isStill?: boolean;
}

/** The first line of a screen: its name, its lists or state, and notes at the right. */
export function screenTitle(canvas: ScreenCanvas, left: readonly Span[], right: readonly Span[]): Row {
	const {theme} = canvas;
	return spread([{text: ' '}, ...left], [...right, {text: ' '}], canvas.width).map(span => ({
		...span,
		style: on(theme, span.style, theme.tones.titleFocused.backgroundColor ?? theme.modal.background),
	}));
}

/** The marked line has a background of its own, over its whole width. */
function markedLine(canvas: ScreenCanvas, row: Row, isMarked: boolean): Row {
	const {theme, glyphs, width} = canvas;
	const cut = cutSpans([toned(canvas, 'accent', isMarked ? glyphs.cursor : ' '), ...row], width);
	if (!isMarked) return cut;
	const used = cut.reduce((sum, span) => sum + cellWidth(span.text), 0);
	return [...cut, {text: ' '.repeat(Math.max(width - used, 0))}].map(span => ({
		...span,
		style: on(theme, span.style, theme.cursor),
	}));
}

/** A screen with a list: title, names of the cells, the lines around the marked one, and a line at the end. */
export function listScreen(
	canvas: ScreenCanvas,
	parts: {
		readonly title: Row;
		readonly header: Row;
		/** What the lines stand for, in their order, and which of them is marked. */
		readonly keys: readonly string[];
		readonly marked: Marked;
		readonly line: (at: number) => Row;
		/** Shown instead of an empty list. */
		readonly empty: readonly Row[];
		readonly end: Row;
	},
): Row[] {
	const page = Math.max(canvas.height - 3, 1);
	const {keys} = parts;
	const index = Math.max(keys.indexOf(parts.marked.cursor ?? ''), 0);
	const top = firstShown(keys, parts.marked, page);
	const count = Math.min(keys.length - top, page);
	const lines =
		keys.length === 0
			? parts.empty.map((row): Row => [{text: ' '}, ...row])
			: Array.from({length: count}, (_, at) => markedLine(canvas, parts.line(top + at), top + at === index));
	const body = Array.from({length: page}, (_, at): Row => lines[at] ?? []);
	return [parts.title, parts.header, ...body, parts.end];
}

/** A screen with text that scrolls: title, and as many lines as fit. */
export function pageScreen(canvas: ScreenCanvas, title: Row, lines: readonly Row[], scroll: number): Row[] {
	const page = Math.max(canvas.height - 2, 1);
	const most = Math.max(lines.length - page, 0);
	canvas.onReach?.(most);
	const top = Math.min(scroll, most);
	const rest = most - top;
	const body = Array.from({length: page}, (_, at): Row => [{text: ' '}, ...(lines[top + at] ?? [])]);
	const end: Row = rest > 0 ? [toned(canvas, 'dim', ` ${moreLines(canvas.glyphs, rest)}`)] : [];
	return [title, ...body, end];
}

/** The text in place of an empty list: it says whether the list is loading, failed, or has no items. */
export function emptyText(list: Loadable<unknown>, empty: string): {readonly text: string; readonly isBad: boolean} {
	if (list.kind === 'failed')
		return {text: `${list.problem.what}: ${list.problem.why}. ${list.problem.advice}`, isBad: true};
	return {text: list.kind === 'loading' ? 'Loading' : empty, isBad: false};
}

/** The line that is typed, with its cursor; what doesn't fit moves out at the left. */
export function inputLine(canvas: ScreenCanvas, label: string, {text, cursor}: TextEdit): Row {
	const room = Math.max(canvas.width - cellWidth(label) - 3, 1);
	let from = 0;
	while (cellWidth(text.slice(from, cursor)) > room - 1) from += text.codePointAt(from)! > 0xffff ? 2 : 1;
	const next = cursor + ((text.codePointAt(cursor) ?? 0) > 0xffff ? 2 : 1);
	return cutSpans(
		[
			toned(canvas, 'key', ` ${label} `),
			toned(canvas, 'input', text.slice(from, cursor)),
			{text: text.slice(cursor, next) || ' ', style: {inverse: true}},
			toned(canvas, 'input', text.slice(next)),
		],
		canvas.width,
	);
}
