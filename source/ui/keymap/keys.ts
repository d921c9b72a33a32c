import {readBackground} from '../../terminal/background.ts';
import {isAscii} from '../../text.ts';

/**
 * What a terminal sends, split into single keys, pastes and mouse events. One read is not one key: `jjj` arrives as three letters in one
 * chunk, `y` and Enter typed fast as `y\r`, and a sequence can be cut anywhere. Ink's own reader guesses in these cases
 * (Esc then q becomes Alt+q, an unknown sequence becomes text), so the bytes are read here instead; money windows
 * depend on it. No binding uses Alt, hence ESC followed by a plain key is Esc and then that key.
 */
export type KeyEvent =
	/** A key: `name` is `j`, `G`, `enter`, `ctrl+c`, `shift+tab`; `text` is what it would type, if anything. */
	| {readonly kind: 'key'; readonly name: string; readonly text?: string}
	/** Pasted text, as a whole; it never runs a binding. */
	| {readonly kind: 'paste'; readonly text: string}
	/** A click or a turn of the wheel; cells count from 0. */
	| {readonly kind: 'mouse'; readonly action: 'press' | 'wheelUp' | 'wheelDown'; readonly x: number; readonly y: number}
	/** The terminal window got or lost the focus. */
	| {readonly kind: 'focus'; readonly isFocused: boolean}
	/** The terminal reported its background. */
	| {readonly kind: 'background'; readonly shade: 'dark' | 'light'};

const ESC = '\u001b';
const PASTE_START = `${ESC}[200~`;
const PASTE_END = `${ESC}[201~`;
/** A paste longer than this is cut: nothing here takes more, and the terminal may never send the end mark. */
const MAX_PASTE = 100_000;
/** Longest sequence worth waiting for. */
const MAX_SEQUENCE = 64;
/** Longest response of a terminal. */
const MAX_OSC = 256;

const FINAL_NAMES: Readonly<Record<string, string>> = {
	A: 'up',
	B: 'down',
	C: 'right',
	D: 'left',
	H: 'home',
	F: 'end',
	Z: 'shift+tab',
	P: 'f1',
	Q: 'f2',
	R: 'f3',
	S: 'f4',
	E: 'begin',
};
const TILDE_NAMES: Readonly<Record<string, string>> = {
	1: 'home',
	2: 'insert',
	3: 'delete',
	4: 'end',
	5: 'pgup',
	6: 'pgdn',
	7: 'home',
	8: 'end',
	11: 'f1',
	12: 'f2',
	13: 'f3',
	14: 'f4',
	15: 'f5',
	17: 'f6',
	18: 'f7',
	19: 'f8',
	20: 'f9',
	21: 'f10',
	23: 'f11',
	24: 'f12',
};

/** Made when first needed: it reads tables of Unicode, which takes 12 ms. */
let segmenter: Intl.Segmenter | undefined;

function clustersOf(text: string): readonly string[] {
	if (text.length === 1 || isAscii(text)) return text.split('');
	segmenter ??= new Intl.Segmenter(undefined, {granularity: 'grapheme'});
	return Array.from(segmenter.segment(text), ({segment}) => segment);
}

export class KeyReader {
	#pending = '';
	#paste: string | undefined;

	/** Whether a sequence began and has not ended: if nothing follows soon, call `flush`. */
	get isPending(): boolean {
		return this.#pending !== '';
	}

	/** Takes a chunk as it was read and gives what is complete. */
	feed(chunk: string): KeyEvent[] {
		const events: KeyEvent[] = [];
		let input = this.#pending + chunk;
		this.#pending = '';
		while (input !== '') {
			const used = this.#paste === undefined ? this.#next(input, events) : this.#pasted(input, events);
			if (used === 0) {
				this.#pending = input;
				break;
			}
			input = input.slice(used);
		}
		return events;
	}

	/** Nothing followed: pending input is a lone Esc and plain text. */
	flush(): KeyEvent[] {
		const rest = this.#pending;
		this.#pending = '';
		if (rest === '' || this.#paste !== undefined) {
			this.#pending = rest;
			return [];
		}
		// A cut sequence is dropped, since nobody typed its bytes. A lone ESC is the key.
		if (rest === `${ESC}]`) return [key('esc'), key(']', ']')];
		return rest === ESC ? [key('esc')] : rest === ESC + ESC ? [key('esc'), key('esc')] : [];
	}

	/** @returns how many units of the input were used; 0 when more must come first */
	#next(input: string, events: KeyEvent[]): number {
		if (input[0] !== ESC) return plainText(input, events);
		if (input.length === 1) return 0;
		const second = input[1]!;
		if (second === '[') return this.#csi(input, events);
		if (second === 'O') {
			if (input.length === 2) return 0;
			const name = FINAL_NAMES[input[2]!];
			if (name !== undefined) events.push(key(name));
			return name === undefined ? 1 : 3;
		}
		if (second === ']') return this.#osc(input, events);
		if (second === ESC && input.length === 2) return 0;
		events.push(key('esc'));
		return 1;
	}

	/** A response of the terminal (`ESC ]11;rgb:…`) is no key. Only a number begins one: else it is Esc and then a bracket. */
	#osc(input: string, events: KeyEvent[]): number {
		const [head = ''] = /^\u001b\]\d*;?/.exec(input) ?? [];
		if (head === input && !head.endsWith(';') && head.length < 8) return 0;
		if (!/\d;$/.test(head)) {
			events.push(key('esc'));
			return 1;
		}
		const [body = ''] = /^[^\u0007\u001b]*/.exec(input.slice(head.length)) ?? [];
		const length = head.length + body.length;
		if (length >= MAX_OSC) return length + 1;
		const endsInBell = input[length] === '\u0007';
		// The end mark may be cut; an ESC that begins something else ends it as well.
		if (!endsInBell && input.length <= length + 1) return 0;
		const shade = readBackground(head + body);
		if (shade !== undefined) events.push({kind: 'background', shade});
		if (endsInBell) return length + 1;
		return input[length + 1] === '\\' ? length + 2 : length;
	}

	#csi(input: string, events: KeyEvent[]): number {
		let at = 2;
		while (at < input.length && at < MAX_SEQUENCE && !isFinal(input.charCodeAt(at))) {
			const code = input.charCodeAt(at);
			if (code < 0x20 || code > 0x3f) return at;
			at++;
		}
		if (at >= MAX_SEQUENCE) return at;
		if (at >= input.length) return 0;
		const sequence = input.slice(0, at + 1);
		if (sequence === PASTE_START) {
			this.#paste = '';
			return sequence.length;
		}
		const event = csiEvent(sequence.slice(2, -1), sequence.at(-1)!);
		if (event) events.push(event);
		return sequence.length;
	}

	#pasted(input: string, events: KeyEvent[]): number {
		const end = input.indexOf(PASTE_END);
		// The end mark may be cut: what could be its beginning waits.
		const safe = end >= 0 ? end : input.length - partialSuffix(input, PASTE_END);
		this.#paste = (this.#paste! + input.slice(0, safe)).slice(0, MAX_PASTE);
		if (end < 0) return safe;
		events.push({kind: 'paste', text: this.#paste});
		this.#paste = undefined;
		return end + PASTE_END.length;
	}
}

function key(name: string, text?: string): KeyEvent {
	return {kind: 'key', name, ...(text !== undefined && {text})};
}

function isFinal(code: number): boolean {
	return code >= 0x40 && code <= 0x7e;
}

/** How much of the end of a text is the beginning of a mark. */
function partialSuffix(text: string, mark: string): number {
	for (let length = Math.min(mark.length - 1, text.length); length > 0; length--) {
		if (text.endsWith(mark.slice(0, length))) return length;
	}
	return 0;
}

const CONTROL_NAMES: Readonly<Record<string, string>> = {
	'\r': 'enter',
	'\n': 'enter',
	'\t': 'tab',
	'\u007f': 'backspace',
	'\b': 'backspace',
	'\0': 'ctrl+space',
};

/** Everything up to the next ESC, key by key. */
function plainText(input: string, events: KeyEvent[]): number {
	const next = input.indexOf(ESC);
	const text = next < 0 ? input : input.slice(0, next);
	for (const segment of clustersOf(text)) {
		// A CR and LF in one chunk are one cluster and one Enter.
		const control = CONTROL_NAMES[segment[0]!];
		const code = segment.charCodeAt(0);
		if (control !== undefined) events.push(key(control));
		else if (code < 0x20) events.push(key(`ctrl+${String.fromCharCode(code + 0x60)}`));
		else if (code >= 0x80 && code < 0xa0) continue;
		else events.push(key(segment === ' ' ? 'space' : segment, segment));
	}
	return text.length;
}

/** Modifier number of xterm: 1 and a bit each for shift, alt, ctrl. */
function withModifiers(name: string, parameter: string | undefined): string {
	const bits = Math.max(Number(parameter ?? '1') - 1, 0);
	const prefix = `${bits & 4 ? 'ctrl+' : ''}${bits & 2 ? 'alt+' : ''}${bits & 1 ? 'shift+' : ''}`;
	return prefix + name;
}

function csiEvent(parameters: string, final: string): KeyEvent | undefined {
	if (final === 'I' && parameters === '') return {kind: 'focus', isFocused: true};
	if (final === 'O' && parameters === '') return {kind: 'focus', isFocused: false};
	if (parameters.startsWith('<')) return mouseEvent(parameters.slice(1), final);
	const [first = '', second] = parameters.split(';');
	if (final === '~') {
		const name = TILDE_NAMES[first];
		return name === undefined ? undefined : key(withModifiers(name, second));
	}
	const name = FINAL_NAMES[final];
	return name === undefined ? undefined : key(withModifiers(name, second));
}

/** SGR mouse reports: `button;column;row` and M for a press, m for a release. */
function mouseEvent(parameters: string, final: string): KeyEvent | undefined {
	const [button = 0, column = 1, row = 1] = parameters.split(';').map(Number);
	if (final !== 'M') return undefined;
	const at = {x: column - 1, y: row - 1};
	if (button === 64) return {kind: 'mouse', action: 'wheelUp', ...at};
	if (button === 65) return {kind: 'mouse', action: 'wheelDown', ...at};
	return button === 0 ? {kind: 'mouse', action: 'press', ...at} : undefined;
}
