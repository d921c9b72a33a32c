/** A line of text being typed. `cursor` is an index in UTF-16 units, always between two graphemes. */
export interface TextEdit {
	readonly text: string;
	readonly cursor: number;
}

/** Made when first needed: it reads tables of Unicode, which takes 8.5 ms. */
let segmenter: Intl.Segmenter | undefined;

function clustersOf(text: string): Intl.Segments {
	segmenter ??= new Intl.Segmenter(undefined, {granularity: 'grapheme'});
	return segmenter.segment(text);
}

/** Longest line that can be typed or pasted, in UTF-16 units; the rest is cut. */
export const MAX_EDIT_LENGTH = 1000;

/** A line with the cursor at its end. */
export function editOf(text: string): TextEdit {
	return {text, cursor: text.length};
}

/** Text was typed or pasted. Line breaks become spaces, other control characters vanish. */
export function textInserted(edit: TextEdit, typed: string): TextEdit {
	const plain = typed.replace(/[\r\n\t]+/g, ' ').replace(/[\u0000-\u001f\u007f-\u009f]/g, '');
	const room = MAX_EDIT_LENGTH - edit.text.length;
	const inserted = plain.slice(0, Math.max(room, 0));
	if (inserted === '') return edit;
	return {
		text: edit.text.slice(0, edit.cursor) + inserted + edit.text.slice(edit.cursor),
		cursor: edit.cursor + inserted.length,
	};
}

function boundaryBefore(text: string, cursor: number): number {
	let start = 0;
	for (const {index} of clustersOf(text.slice(0, cursor))) start = index;
	return start;
}

function boundaryAfter(text: string, cursor: number): number {
	const [first] = clustersOf(text.slice(cursor));
	return cursor + (first?.segment.length ?? 0);
}

function wordBefore(text: string, cursor: number): number {
	return text.slice(0, cursor).replace(/\S+\s*$/, '').length;
}

/** Backspace. */
export function charDeleted(edit: TextEdit): TextEdit {
	const start = boundaryBefore(edit.text, edit.cursor);
	return edit.cursor === 0 ? edit : {text: edit.text.slice(0, start) + edit.text.slice(edit.cursor), cursor: start};
}

/** Delete. */
export function nextCharDeleted(edit: TextEdit): TextEdit {
	const end = boundaryAfter(edit.text, edit.cursor);
	return end === edit.cursor
		? edit
		: {text: edit.text.slice(0, edit.cursor) + edit.text.slice(end), cursor: edit.cursor};
}

/** Ctrl+W: the word before the cursor. */
export function wordDeleted(edit: TextEdit): TextEdit {
	const start = wordBefore(edit.text, edit.cursor);
	return start === edit.cursor ? edit : {text: edit.text.slice(0, start) + edit.text.slice(edit.cursor), cursor: start};
}

/** Ctrl+U: all before the cursor. */
export function lineDeleted(edit: TextEdit): TextEdit {
	return edit.text === '' ? edit : {text: edit.text.slice(edit.cursor), cursor: 0};
}

/** The cursor moved by one character. */
export function cursorMovedBy(edit: TextEdit, by: 1 | -1): TextEdit {
	const cursor = by < 0 ? boundaryBefore(edit.text, edit.cursor) : boundaryAfter(edit.text, edit.cursor);
	return cursor === edit.cursor ? edit : {...edit, cursor};
}

/** The cursor moved to an end of the line. */
export function cursorMovedTo(edit: TextEdit, end: 'start' | 'end'): TextEdit {
	const cursor = end === 'start' ? 0 : edit.text.length;
	return cursor === edit.cursor ? edit : {...edit, cursor};
}
