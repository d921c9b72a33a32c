import type {Sequence} from '../../terminal/input/sequence.ts';

/** A key as its name, `ctrl+right`, and what it would type, if anything. */
export interface NamedKey {
	readonly name: string;
	readonly text?: string;
}

/** Final characters of cursor and function keys. */
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

/** Numbers of keys that end in `~`. */
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

/** The keypad in application mode (DECKPAM). */
const KEYPAD: Readonly<Record<string, string>> = {
	j: '*',
	k: '+',
	l: ',',
	m: '-',
	n: '.',
	o: '/',
	X: '=',
	' ': ' ',
	...Object.fromEntries(Array.from('pqrstuvwxy', (letter, digit) => [letter, String(digit)])),
};

/** Keys that kitty's protocol and win32-input-mode name by a character. */
const CONTROL_CODES: Readonly<Record<number, string>> = {
	8: 'backspace',
	9: 'tab',
	10: 'enter',
	13: 'enter',
	27: 'esc',
	32: 'space',
	127: 'backspace',
	57414: 'enter',
};

/** urxvt marks Shift, Ctrl, and both, in the last character: `ESC [ 5 ^` is Ctrl+PgUp. */
const URXVT_MODIFIERS: Readonly<Record<string, string>> = {$: 'shift+', '^': 'ctrl+', '@': 'ctrl+shift+'};

/** The key of a sequence; undefined for one that is no key here, or not known. */
export function keyOfSequence(sequence: Sequence): NamedKey | undefined {
	switch (sequence.kind) {
		case 'esc':
			return {name: 'esc'};
		case 'console':
			return 'ABCDE'.includes(sequence.final) ? {name: `f${'ABCDE'.indexOf(sequence.final) + 1}`} : undefined;
		case 'ss3':
			return keyOfSs3(sequence.parameters, sequence.final);
		case 'csi':
			return keyOfCsi(sequence.parameters, sequence.final);
		default:
			return undefined;
	}
}

function keyOfSs3(parameters: string, final: string): NamedKey | undefined {
	const modifier = parameters.split(';').at(-1);
	const typed = KEYPAD[final];
	if (typed !== undefined) return charKey(typed);
	if (final === 'M') return {name: 'enter'};
	if (final === 'I') return {name: 'tab'};
	// urxvt sends Ctrl and an arrow as its small letter.
	if ('abcd'.includes(final)) return {name: `ctrl+${FINAL_NAMES[final.toUpperCase()]}`};
	return named(FINAL_NAMES[final], modifier);
}

function keyOfCsi(parameters: string, final: string): NamedKey | undefined {
	if (/[^\d;:]/.test(parameters)) return undefined;
	const fields = parameters.split(';');
	const [first = '', second] = fields;
	if (final === 'u') return codedKey(first, second);
	if (final === '_') return win32Key(fields);
	if (final === '~' && first === '27' && fields[2] !== undefined) return codedKey(fields[2], second);
	if (final === '~') return named(TILDE_NAMES[first], second);
	const urxvt = URXVT_MODIFIERS[final];
	if (urxvt !== undefined) return TILDE_NAMES[first] === undefined ? undefined : {name: urxvt + TILDE_NAMES[first]};
	if ('abcd'.includes(final)) return {name: `shift+${FINAL_NAMES[final.toUpperCase()]}`};
	// Another first number is that of a report: `ESC [ 24 ; 80 R` is where the cursor is.
	return first === '' || first === '1' ? named(FINAL_NAMES[final], second) : undefined;
}

const SHIFT = 1;
const ALT = 2;
const CTRL = 4;
/** Super, Hyper and Meta. */
const SUPER = 8 | 16 | 32;
/** Caps Lock and Num Lock, which are no modifiers of a key. */
const LOCKS = 64 | 128;

/** @param field 1 plus a bit for each modifier; kitty adds `:1` for a press, `:2` for a repetition, `:3` for a release */
function modifiersOf(field: string | undefined): {readonly bits: number; readonly isRelease: boolean} {
	const [modifiers = '', event] = (field ?? '').split(':');
	return {bits: (Math.max(Number(modifiers || '1') - 1, 0) & ~LOCKS) >>> 0, isRelease: event === '3'};
}

function named(name: string | undefined, modifierField: string | undefined): NamedKey | undefined {
	const {bits, isRelease} = modifiersOf(modifierField);
	return name === undefined || isRelease ? undefined : {name: prefix(bits) + name};
}

function prefix(bits: number): string {
	return `${bits & SUPER ? 'super+' : ''}${bits & CTRL ? 'ctrl+' : ''}${bits & ALT ? 'alt+' : ''}${bits & SHIFT ? 'shift+' : ''}`;
}

/**
 * A key that is named by its character: kitty's `ESC [ code:shifted:base ; modifiers u` and xterm's `ESC [ 27 ; modifiers ; code ~`.
 * With Ctrl, the key of the base layout counts, so that Ctrl+C leaves from any alphabet.
 */
function codedKey(codes: string, modifierField: string | undefined): NamedKey | undefined {
	const {bits, isRelease} = modifiersOf(modifierField);
	const [code = 0, shifted = 0, base = 0] = codes.split(':').map(Number);
	if (isRelease) return undefined;
	const control = CONTROL_CODES[code];
	if (control !== undefined) {
		if (control === 'space' && (bits & ~SHIFT) === 0) return charKey(' ');
		return {name: prefix(bits) + control};
	}
	const used = bits & CTRL && base > 0 ? base : code;
	// Kitty's numbers of keys without a character are in a private area.
	if (used < 0x20 || used > 0x10ffff || (used >= 0xd800 && used <= 0xf8ff)) return undefined;
	const character = String.fromCodePoint(used);
	if (bits & ~SHIFT) return {name: prefix(bits & ~SHIFT) + character.toLowerCase()};
	return charKey(bits & SHIFT ? String.fromCodePoint(shifted || used).toUpperCase() : character);
}

/** win32-input-mode: `ESC [ key ; scan ; character ; isDown ; state ; repeats _`. */
function win32Key([, , character = '0', isDown]: readonly string[]): NamedKey | undefined {
	const code = Number(character);
	if (isDown !== '1' || code === 0) return undefined;
	if (code < 0x20 && CONTROL_CODES[code] === undefined) return {name: `ctrl+${String.fromCharCode(code + 0x60)}`};
	return codedKey(character, undefined);
}

/** The key of a character that a person types. */
export function charKey(character: string): NamedKey {
	return {name: character === ' ' ? 'space' : character, text: character};
}
