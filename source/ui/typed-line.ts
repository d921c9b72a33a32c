import type {TextEdit} from '../monitor/transitions/text-edit.ts';
import type {Row, Span, Style} from '../terminal/style.ts';
import {cellWidth} from '../text.ts';
import {cutSpans, toned, type ViewModel} from './view-model.ts';

/** A piece of the typed line with its style. */
export interface Piece {
	readonly start: number;
	readonly end: number;
	readonly style: Style;
}

/** The line in one colour. @param label before the line, what is typed */
export function plainLine(model: ViewModel, label: string, edit: TextEdit, width: number): Row {
	return typedLine(model, label, edit, width, [{start: 0, end: edit.text.length, style: model.theme.tones.input}]);
}

/** The line with its cursor as an inverted cell; a line longer than the screen shows the part around the cursor. */
export function typedLine(
	model: ViewModel,
	label: string,
	{text, cursor}: TextEdit,
	width: number,
	pieces: readonly Piece[],
): Row {
	const {from} = inSight({text, cursor}, width - cellWidth(label) - 1);
	const spans: Span[] = [toned(model, 'key', label)];
	for (const piece of pieces) {
		for (const [start, end, isCursor] of around(piece, cursor, text)) {
			const shown = text.slice(Math.max(start, from), Math.max(end, from));
			if (shown !== '') spans.push({text: shown, style: isCursor ? {...piece.style, inverse: true} : piece.style});
		}
	}
	if (cursor >= text.length) spans.push({text: ' ', style: {inverse: true}});
	return cutSpans(spans, width);
}

/** The part of a text that fits with its cursor in sight, and how much of it is left out before. @param room cells */
export function inSight({text, cursor}: TextEdit, room: number): TextEdit & {readonly from: number} {
	let from = 0;
	while (from < cursor && cellWidth(text.slice(from, cursor)) > room - 1)
		from += text.codePointAt(from)! > 0xffff ? 2 : 1;
	return {text: text.slice(from), cursor: cursor - from, from};
}

/** A piece cut at the cursor: before, the character under it, after. */
function around({start, end}: Piece, cursor: number, text: string): [number, number, boolean][] {
	if (cursor < start || cursor >= end) return [[start, end, false]];
	const next = cursor + (text.codePointAt(cursor)! > 0xffff ? 2 : 1);
	return [
		[start, cursor, false],
		[cursor, next, true],
		[next, end, false],
	];
}
