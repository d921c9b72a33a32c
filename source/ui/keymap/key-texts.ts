import type {ModeKind} from '../../monitor/mode.ts';
import type {BoundKeys} from './binding.ts';

/** An action that a text names: `{token.unhide} brings it back`. */
const ACTION = /\{([a-zA-Z]+\.[a-zA-Z]+)\}/g;

/**
 * A text with the key of each action that it names in braces. Code that does not know the keys
 * writes such texts, as do the help and the hints, so that they follow the keys of the configuration. An action without a key
 * is named as in the palette. Only for texts of the program: text from outside is never searched for braces.
 * @param mode where the text is read; an action can have other keys there
 */
export function withKeys(text: string, keys: BoundKeys, ascii = false, mode?: ModeKind): string {
	return text.replace(ACTION, (whole, id: string, at: number) => {
		const key = keys.keyOf(id, ascii, mode) ?? unbound(id, keys, ascii);
		if (key === undefined) return whole;
		if (key.length === 1) return key;
		// A named key is separated from the count before it: 3j, but 3 Down.
		const before = /[\w}]/.test(text[at - 1] ?? '') ? ' ' : '';
		const after = /[\w{]/.test(text[at + whole.length] ?? '') ? ' ' : '';
		return `${before}${key}${after}`;
	});
}

function unbound(id: string, keys: BoundKeys, ascii: boolean): string | undefined {
	const label = keys.bindings.find(binding => binding.id === id)?.label;
	const palette = keys.keyOf('palette.open', ascii);
	return label === undefined || palette === undefined ? label : `${palette} ${label}`;
}
