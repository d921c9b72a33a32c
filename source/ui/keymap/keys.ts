import {readBackground} from '../../terminal/background.ts';
import {beginsSequence, readSequence, type Sequence} from '../../terminal/input/sequence.ts';
import {RESPONSE} from '../../terminal/pacer.ts';
import {isAscii} from '../../text.ts';
import {charKey, keyOfSequence} from './sequence-keys.ts';

/** Lines that one notch of the wheel moves. */
export const NOTCH = 3;

/**
 * Splits the input of a terminal into single keys, pastes, mouse events and answers. One read is not one key: `jjj` arrives as
 * three letters in one chunk, `y` and Enter typed fast as `y\r`, and a sequence can be cut anywhere. Ink's own reader guesses in
 * these cases (Esc then q becomes Alt+q, an unknown sequence becomes text), so the bytes are read here instead; money windows
 * depend on it. No binding uses Alt, hence ESC followed by a plain key is Esc and then that key.
 */
export type KeyEvent =
	/** A key: `name` is `j`, `G`, `enter`, `ctrl+c`, `shift+tab`; `text` is what it would type, if anything. */
	| {readonly kind: 'key'; readonly name: string; readonly text?: string}
	/** Pasted text, as a whole; it never runs a binding. */
	| {readonly kind: 'paste'; readonly text: string}
	/** A click or a turn of the wheel by one notch; cells count from 0. */
	| {readonly kind: 'mouse'; readonly action: 'press' | 'wheelUp' | 'wheelDown'; readonly x: number; readonly y: number}
	/** The terminal window got or lost the focus. */
	| {readonly kind: 'focus'; readonly isFocused: boolean}
	/** The terminal reported its background. */
	| {readonly kind: 'background'; readonly shade: 'dark' | 'light'}
	/** The terminal has read as far as a query of the pacer. */
	| {readonly kind: 'read'}
	/** Whether the terminal puts marks around pasted text. */
	| {readonly kind: 'pasteMarks'; readonly areSent: boolean};

const ESC = '\u001b';
const PASTE_START = '200';
const PASTE_END = `${ESC}[201~`;
/** A paste longer than this is cut: nothing here takes more, and the terminal may never send the end mark. */
const MAX_PASTE = 100_000;

const CTRL_C = 'ctrl+c';
/** No encoding of Ctrl+C is longer. */
const MAX_CTRL_C = 32;

/** How long ESC waits for the rest of a sequence before it counts as the key, ms. */
const ESC_MS = 50;
/** How long after the Esc key a bracket may still be the rest of a sequence that a slow link has cut, ms. */
const LATE_MS = 250;
/** How long a bracket or an `O` that came after the Esc key waits before it counts as a key, ms. */
const TYPED_MS = 100;
/** How long any other unfinished sequence waits for its rest, ms. */
const CUT_MS = 1000;
/** How long Ctrl+C in a paste waits for the end mark of the paste, ms. */
const INTERRUPT_MS = 100;
/** How long an unfinished paste waits for its rest, ms. */
const PASTE_MS = 10_000;

/** The begin of a sequence whose ESC has counted as a key already. */
const LATE_BEGIN = /^(?:[[O]|\][\dlL]|P[\d>!]|_G)/;

/** Made when first needed: it reads tables of Unicode, which takes 12 ms. */
let segmenter: Intl.Segmenter | undefined;

function clustersOf(text: string): readonly string[] {
	if (text.length === 1 || isAscii(text)) return text.split('');
	segmenter ??= new Intl.Segmenter(undefined, {granularity: 'grapheme'});
	return Array.from(segmenter.segment(text), ({segment}) => segment);
}

export class KeyReader {
	#pending = '';
	/** The pasted text since the start mark. */
	#paste: string | undefined;
	#hasPastedCtrlC = false;
	/** The Esc key was the last event, and nothing has come since: what comes may belong to its ESC. */
	#isAfterEsc = false;
	/** The ESC of the pending sequence has counted as the Esc key. */
	#isLate = false;

	/** How long to wait for input before `flush` is called, in ms; undefined while nothing waits. */
	get waitMs(): number | undefined {
		if (this.#paste !== undefined) return this.#hasPastedCtrlC ? INTERRUPT_MS : PASTE_MS;
		if (this.#pending === '') return this.#isAfterEsc ? LATE_MS : undefined;
		if (this.#isLate && this.#pending.length === 2) return TYPED_MS;
		return this.#pending === ESC || this.#pending === ESC + ESC ? ESC_MS : CUT_MS;
	}

	/** Takes a chunk as it was read and gives what is complete. */
	feed(chunk: string): KeyEvent[] {
		// The answers to the pacer come at any time: inside of another sequence that a link has cut, too.
		const parts = chunk.split(RESPONSE);
		const events: KeyEvent[] = parts.slice(1).map(() => ({kind: 'read'}));
		const rest = parts.join('');
		if (this.#isAfterEsc && LATE_BEGIN.test(rest)) {
			this.#pending = ESC;
			this.#isLate = true;
		}
		if (rest !== '') this.#isAfterEsc = false;
		let input = this.#pending + rest;
		this.#pending = '';
		while (input !== '') {
			const used = this.#paste === undefined ? this.#next(input, events) : this.#pasted(input, events);
			if (used === 0) {
				this.#pending = input;
				return events;
			}
			this.#isLate = false;
			input = input.slice(used);
		}
		return events;
	}

	/** Nothing followed for `waitMs`: gives what the pending input is then. */
	flush(): KeyEvent[] {
		if (this.#paste !== undefined) return this.#endPaste();
		const rest = this.#pending;
		const isLate = this.#isLate;
		this.#pending = '';
		this.#isLate = false;
		this.#isAfterEsc = rest === ESC || rest === ESC + ESC;
		if (rest === ESC) return [key('esc')];
		if (rest === ESC + ESC) return [key('esc'), key('esc')];
		if (isLate && rest.length === 2) return [{kind: 'key', ...charKey(rest[1]!)}];
		// Alt and the begin of an answer. Any other cut sequence is dropped, since nobody typed its bytes.
		return /^\u001b[\]P_^]$/.test(rest) ? [key('esc'), {kind: 'key', ...charKey(rest[1]!)}] : [];
	}

	/** @returns how many units of the input were used; 0 when more must come first */
	#next(input: string, events: KeyEvent[]): number {
		if (!beginsSequence(input[0]!)) return plainText(input, events);
		if (input === ESC + ESC) return 0;
		// urxvt, PuTTY and iTerm2 send Alt and a cursor key with a second ESC: no binding uses Alt. Before an answer it is Esc.
		if (/^\u001b\u001b[[O]/.test(input)) {
			const read = readSequence(input.slice(1));
			if (read === undefined) return 0;
			const event = eventOf(read.sequence);
			if (event?.kind !== 'key' || event.name === CTRL_C) {
				events.push(key('esc'));
				return 1;
			}
			return read.length + 1;
		}
		const read = readSequence(input);
		if (read === undefined) return 0;
		const {sequence, length} = read;
		if (sequence.kind === 'csi' && sequence.final === '~' && sequence.parameters === PASTE_START) this.#paste = '';
		else {
			const event = eventOf(sequence);
			if (event !== undefined) events.push(event);
		}
		return length;
	}

	#pasted(input: string, events: KeyEvent[]): number {
		const end = input.indexOf(PASTE_END);
		// The end mark may be cut: what could be its beginning waits.
		const safe = end >= 0 ? end : input.length - partialSuffix(input, PASTE_END);
		const more = input.slice(0, safe);
		this.#hasPastedCtrlC ||= hasCtrlC(this.#paste!.slice(-MAX_CTRL_C) + more);
		this.#paste = (this.#paste! + more).slice(0, MAX_PASTE);
		if (end < 0) return safe;
		events.push({kind: 'paste', text: this.#paste});
		this.#leavePaste();
		return end + PASTE_END.length;
	}

	/** The end mark of a paste does not come: the pasted text is dropped, and Ctrl+C after it is the key. */
	#endPaste(): KeyEvent[] {
		const events = this.#hasPastedCtrlC ? [key(CTRL_C)] : [];
		this.#pending = '';
		this.#leavePaste();
		return events;
	}

	#leavePaste(): void {
		this.#paste = undefined;
		this.#hasPastedCtrlC = false;
	}
}

function key(name: string): KeyEvent {
	return {kind: 'key', name};
}

/** Whether a text holds Ctrl+C, in any encoding of it. */
function hasCtrlC(text: string): boolean {
	if (text.includes('\u0003')) return true;
	for (let at = text.indexOf(ESC); at >= 0; at = text.indexOf(ESC, at + 1)) {
		const read = readSequence(text.slice(at, at + MAX_CTRL_C));
		if (read !== undefined && keyOfSequence(read.sequence)?.name === CTRL_C) return true;
	}
	return false;
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

/** Everything up to the next sequence, key by key. */
function plainText(input: string, events: KeyEvent[]): number {
	let next = 1;
	while (next < input.length && !beginsSequence(input[next]!)) next++;
	for (const segment of clustersOf(input.slice(0, next))) {
		// A CR and LF in one chunk are one cluster and one Enter.
		const control = CONTROL_NAMES[segment[0]!];
		const code = segment.charCodeAt(0);
		if (control !== undefined) events.push(key(control));
		else if (code < 0x20) events.push(key(`ctrl+${String.fromCharCode(code + 0x60)}`));
		// The rest of a sequence in another encoding, which nobody types.
		else if ((code >= 0x80 && code < 0xa0) || segment === '\ufffd') continue;
		else events.push({kind: 'key', ...charKey(segment)});
	}
	return next;
}

/** The event of a sequence; undefined for one that is not known: it types nothing and runs nothing. */
function eventOf(sequence: Sequence): KeyEvent | undefined {
	if (sequence.kind === 'string') {
		const shade = readBackground(sequence.text);
		return shade && {kind: 'background', shade};
	}
	if (sequence.kind === 'csi') {
		const {parameters, final} = sequence;
		if (parameters === '' && (final === 'I' || final === 'O')) return {kind: 'focus', isFocused: final === 'I'};
		if (parameters.startsWith('<')) return mouseEvent(parameters.slice(1), final);
		if (parameters === '0' && final === 'n') return {kind: 'read'};
		const [, marks] = /^\?2004;(\d)\$$/.exec(parameters) ?? [];
		if (marks !== undefined && final === 'y') return {kind: 'pasteMarks', areSent: marks === '1' || marks === '3'};
	}
	const named = keyOfSequence(sequence);
	return named && {kind: 'key', ...named};
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
