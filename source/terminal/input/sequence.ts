/*
 * The escape sequences that terminals send (ECMA-48, DEC's VT manuals, xterm's ctlseqs), with what the Linux console, urxvt and
 * X10 mouse reports do outside of that grammar.
 */

export type Sequence =
	/** `ESC [ parameters final`: keys, SGR mouse reports, answers. Intermediates stand at the end of the parameters. */
	| {readonly kind: 'csi'; readonly parameters: string; readonly final: string}
	/** `ESC O parameters final`: keys of the application modes. */
	| {readonly kind: 'ss3'; readonly parameters: string; readonly final: string}
	/** `ESC [ [ final`: F1 to F5 of the Linux console. */
	| {readonly kind: 'console'; readonly final: string}
	/** A text with an end mark: an answer of the terminal, with its begin (`ESC ]`) and without its end mark. */
	| {readonly kind: 'string'; readonly text: string}
	/** An X10 mouse report. */
	| {readonly kind: 'x10'}
	/** Cut by a control key or by another sequence: nobody typed the bytes. */
	| {readonly kind: 'cut'}
	/** The Esc key: no sequence follows ESC. */
	| {readonly kind: 'esc'};

export interface ReadSequence {
	readonly sequence: Sequence;
	/** How many units of the text belong to the sequence. */
	readonly length: number;
}

const ESC = '\u001b';
const STRING_END = '\u009c';

/** No sequence that a terminal sends is longer; the rest of a longer one counts as cut. */
const MAX_LENGTH = 8192;

/** The character behind ESC, and the single C1 character that stands for both. */
const C1: Readonly<Record<string, string>> = {
	'\u009b': '[',
	'\u008f': 'O',
	'\u009d': ']',
	'\u0090': 'P',
	'\u009f': '_',
	'\u009e': '^',
};

/** Characters that may follow the beginning of a string: else a person typed Alt and that key. */
const STRING_BEGINS: Readonly<Record<string, RegExp>> = {
	']': /[\dlLI]/,
	P: /[\d>=?<!+$;:|]/,
	_: /[^\p{C}]/u,
	'^': /[^\p{C}]/u,
};

/** Whether a character begins a sequence. */
export function beginsSequence(character: string): boolean {
	return character === ESC || character in C1;
}

/**
 * Reads the sequence at the beginning of a text.
 * @param text begins with ESC or a C1 character that `beginsSequence` knows
 * @returns undefined while the text ends before the sequence
 */
export function readSequence(text: string): ReadSequence | undefined {
	const introducer = text[0] === ESC ? text[1] : C1[text[0]!];
	const start = text[0] === ESC ? 2 : 1;
	if (introducer === undefined) return undefined;
	if (introducer === '[') return readCsi(text, start);
	if (introducer === 'O') return readSs3(text, start);
	const begin = STRING_BEGINS[introducer];
	if (begin !== undefined) {
		if (text.length === start) return undefined;
		if (begin.test(text[start]!)) return readString(text, introducer, start);
	}
	return {sequence: {kind: 'esc'}, length: 1};
}

function readCsi(text: string, start: number): ReadSequence | undefined {
	if (text[start] === '[') return readConsole(text, start + 1);
	if (text[start] === 'M') return readX10(text, start + 1);
	for (let at = start; at < text.length && at < MAX_LENGTH; at++) {
		const code = text.charCodeAt(at);
		const parameters = text.slice(start, at);
		// urxvt ends keys with Shift in a character that is no final one elsewhere: `ESC [ 5 $`.
		if (isFinal(code) || (text[at] === '$' && /^\d{1,2}$/.test(parameters)))
			return {sequence: {kind: 'csi', parameters, final: text[at]!}, length: at + 1};
		if (code < 0x20 || code > 0x3f) return {sequence: {kind: 'cut'}, length: at};
	}
	return cutIfLong(text);
}

function readSs3(text: string, start: number): ReadSequence | undefined {
	for (let at = start; at < text.length && at < MAX_LENGTH; at++) {
		const code = text.charCodeAt(at);
		const parameters = text.slice(start, at);
		if (isFinal(code) || text[at] === ' ')
			return {sequence: {kind: 'ss3', parameters, final: text[at]!}, length: at + 1};
		if (!/[\d;]/.test(text[at]!)) return {sequence: {kind: 'cut'}, length: at};
	}
	return cutIfLong(text);
}

function readConsole(text: string, at: number): ReadSequence | undefined {
	if (text.length === at) return undefined;
	if (!isFinal(text.charCodeAt(at))) return {sequence: {kind: 'cut'}, length: at};
	return {sequence: {kind: 'console', final: text[at]!}, length: at + 1};
}

/** Three characters follow: button, column and row, each plus 32. */
function readX10(text: string, start: number): ReadSequence | undefined {
	for (let at = start; at < start + 3; at++) {
		if (at === text.length) return undefined;
		if (text.charCodeAt(at) < 0x20) return {sequence: {kind: 'cut'}, length: at};
	}
	return {sequence: {kind: 'x10'}, length: start + 3};
}

/** Ends in BEL or ST. A control key ends the string as well: answers have none, and the key is a person's. */
function readString(text: string, introducer: string, start: number): ReadSequence | undefined {
	for (let at = start; at < text.length && at < MAX_LENGTH; at++) {
		const sequence = {kind: 'string', text: ESC + introducer + text.slice(start, at)} as const;
		if (text[at] === '\u0007' || text[at] === STRING_END) return {sequence, length: at + 1};
		if (text[at] === ESC) {
			if (at + 1 === text.length) return undefined;
			// An ESC that begins another sequence ends the string, too.
			return {sequence, length: text[at + 1] === '\\' ? at + 2 : at};
		}
		if (text.charCodeAt(at) < 0x20) return {sequence: {kind: 'cut'}, length: at};
	}
	return cutIfLong(text);
}

function cutIfLong(text: string): ReadSequence | undefined {
	return text.length < MAX_LENGTH ? undefined : {sequence: {kind: 'cut'}, length: MAX_LENGTH};
}

function isFinal(code: number): boolean {
	return code >= 0x40 && code <= 0x7e;
}
