import type {ModeKind} from '../../monitor/mode.ts';
import {modeSpec} from '../features.ts';
import type {Binding} from './binding.ts';
import {isTextKey} from './key-names.ts';

/**
 * The bindings with the keys that they have in each mode: a letter is text where a line is typed, and an action that yields leaves a
 * key to another one. A binding whose keys differ from mode to mode is there several times, with the modes shared out.
 */
export function keysByMode(bindings: readonly Binding[]): readonly Binding[] {
	const taken = new Set(
		bindings
			.filter(binding => !binding.yields)
			.flatMap(({modes, keys}) => modes.flatMap(mode => keys.map(key => `${mode} ${key}`))),
	);
	return bindings.flatMap(binding => {
		const keysIn = (mode: ModeKind): readonly string[] =>
			binding.keys.filter(key => !isText(key, mode) && !(binding.yields && taken.has(`${mode} ${key}`)));
		const parts = Map.groupBy(binding.modes, mode => keysIn(mode).join(' '));
		return Array.from(parts.values(), modes => ({...binding, modes, keys: keysIn(modes[0]!)}));
	});
}

/** Whether letters are text in a mode: a line is typed there, or the fields of a window that moves money. */
export function isTyped(mode: ModeKind): boolean {
	const {typesLine, movesMoney} = modeSpec(mode);
	return typesLine === true || movesMoney === true;
}

/** Whether a key is text in a mode. */
export function isText(key: string, mode: ModeKind): boolean {
	return isTextKey(key) && isTyped(mode);
}
