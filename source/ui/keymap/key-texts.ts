import type {ModeKind} from '../../monitor/mode.ts';
import type {BoundKeys} from './binding.ts';

/** An action that a text names: `{token.unhide} brings it back`. */
const ACTION = /\{([a-zA-Z]+\.[a-zA-Z]+)\}/g;

/**
 * A text with the key of each action that it names in braces. Rooms that know no keys write it so, and so do the help and
 * the hints: what a person reads follows the keys of the configuration. An action without a key is told as the palette
 * finds it. Only for texts of ours: what comes from outside is never read for braces.
 * @param mode where the text is read; an action can have other keys there
 */
export function withKeys(text: string, keys: BoundKeys, ascii = false, mode?: ModeKind): string {
	return text.replace(ACTION, (whole, id: string, at: number) => {
		const key = keys.keyOf(id, ascii, mode) ?? unbound(id, keys, ascii);
		if (key === undefined) return whole;
		if (key.length === 1) return key;
		// A key with a name stands apart from what it is pressed with: 3j, but 3 Down.
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
