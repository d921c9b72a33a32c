import {keptByText} from '../../kept-by-text.ts';
import {cellWidth, graphemes} from '../../text.ts';

/** The keys of a binding as people write them. */
export function keyLabels(
	{keys, written}: {readonly keys: readonly string[]; readonly written?: string},
	ascii = false,
): readonly string[] {
	return written === undefined ? keys.map(key => keyWord(key, ascii)) : [written];
}

/** The keys of an action as people write them, `-` for none. */
export function keysText(
	binding: {readonly keys: readonly string[]; readonly written?: string},
	ascii: boolean,
): string {
	return binding.keys.length === 0 ? (ascii ? '-' : '–') : keyLabels(binding, ascii).join(' ');
}

const ARROWS: Readonly<Record<string, string>> = {up: '↑', down: '↓', left: '←', right: '→'};
const WORDS: Readonly<Record<string, string>> = {
	enter: 'Enter',
	esc: 'Esc',
	tab: 'Tab',
	space: 'Space',
	up: 'Up',
	down: 'Down',
	left: 'Left',
	right: 'Right',
	pgup: 'PgUp',
	pgdn: 'PgDn',
	home: 'Home',
	end: 'End',
	backspace: 'Backspace',
	insert: 'Ins',
	delete: 'Del',
};

/** A key as people write it: `Enter`, `Ctrl+C`, `↓`. */
export function keyWord(key: string, ascii = false): string {
	return ascii ? asciiWord(key) : arrowWord(key);
}
const arrowWord = keptByText(key => wordOf(key, false));
const asciiWord = keptByText(key => wordOf(key, true));

function wordOf(key: string, ascii: boolean): string {
	const parts = key.split(/\+(?=.)/);
	const last = parts.at(-1)!;
	const word = (ascii ? undefined : ARROWS[last]) ?? WORDS[last] ?? (/^f\d+$/.test(last) ? last.toUpperCase() : last);
	const prefix = parts.slice(0, -1).map(part => part[0]!.toUpperCase() + part.slice(1));
	return [...prefix, prefix.length > 0 && word.length === 1 ? word.toUpperCase() : word].join('+');
}

/** Other names of keys; some are two names for what a terminal sends alike. */
const ALIASES: Readonly<Record<string, string>> = {
	return: 'enter',
	escape: 'esc',
	spacebar: 'space',
	' ': 'space',
	pageup: 'pgup',
	pagedown: 'pgdn',
	del: 'delete',
	ins: 'insert',
	uparrow: 'up',
	downarrow: 'down',
	leftarrow: 'left',
	rightarrow: 'right',
	'↑': 'up',
	'↓': 'down',
	'←': 'left',
	'→': 'right',
	'ctrl+h': 'backspace',
	'ctrl+i': 'tab',
	'ctrl+j': 'enter',
	'ctrl+m': 'enter',
	'ctrl+[': 'esc',
};

/** Keys with names that a terminal sends with Shift, Alt and Ctrl too. */
const MOVING = ['up', 'down', 'left', 'right', 'home', 'end', 'pgup', 'pgdn', 'insert', 'delete'];
const NAMED = new Set([
	...['enter', 'esc', 'tab', 'shift+tab', 'space', 'ctrl+space', 'backspace'],
	...MOVING,
	...Array.from({length: 12}, (_, at) => `f${at + 1}`),
]);
const MODIFIERS = ['ctrl', 'alt', 'shift'];

/** Names to look for the nearest among. */
export const KEY_NAMES: readonly string[] = [...NAMED, ...Object.keys(ALIASES).filter(name => name.length > 2)];

/**
 * A key that a person wrote, by the name that the reader of keys gives it (keys.ts): `Ctrl+D`, `PageDown`, `↓`, `G`,
 * `shift+g`. Undefined for what no terminal sends.
 */
export function readKeyName(written: string): string | undefined {
	const text = written === ' ' ? written : written.trim();
	if (isOneCharacter(text)) return ALIASES[text] ?? text;
	const [last = '', ...before] = text
		.toLowerCase()
		.split(/\+(?=.)/)
		.reverse();
	const base = ALIASES[last] ?? last;
	const modifiers = MODIFIERS.filter(modifier => before.includes(modifier));
	if (modifiers.length !== before.length) return undefined;
	const name = [...modifiers, base].join('+');
	const known = ALIASES[name] ?? name;
	if (NAMED.has(known)) return known;
	if (/^ctrl\+[a-z]$/.test(known)) return known;
	if (/^shift\+[a-z]$/.test(known)) return base.toUpperCase();
	return modifiers.length > 0 && (MOVING.includes(base) || /^f([1-9]|1[0-2])$/.test(base)) ? known : undefined;
}

/** Whether a key types its own text where text is typed. */
export function isTextKey(key: string): boolean {
	return key === 'space' || isOneCharacter(key);
}

function isOneCharacter(text: string): boolean {
	return graphemes(text).length === 1 && cellWidth(text) > 0;
}
