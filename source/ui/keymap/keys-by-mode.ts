import type {ModeKind} from '../../monitor/mode.ts';
import {modeSpec} from '../features.ts';
import type {Binding} from './binding.ts';
import {isTextKey} from './key-names.ts';

/**
 * The bindings with their effective keys: a letter is text where a line is typed, and an action that yields leaves a key to the other
 * action of the mode. A binding whose keys differ between modes appears once for each set of keys, with the modes of that set.
 */
export function keysByMode(bindings: readonly Binding[]): readonly Binding[] {
	const yielding = new Set(bindings.flatMap(({yields, keys}) => (yields ? keys : [])));
	const taken = new Map<string, readonly Binding[]>();
	for (const binding of bindings.filter(({yields}) => yields !== 'toAll'))
		for (const key of binding.keys) if (yielding.has(key)) taken.set(key, [...(taken.get(key) ?? []), binding]);
	return bindings.flatMap(binding => {
		// Most bindings: this runs before the first frame.
		if (!binding.yields && !binding.modes.some(isTyped)) return [binding];
		const isTaken = (key: string, mode: ModeKind): boolean =>
			taken.get(key)?.some(other => rankOf(other) < rankOf(binding) && other.modes.includes(mode)) === true;
		const keysIn = (mode: ModeKind): readonly string[] =>
			binding.keys.filter(key => !isText(key, mode) && !isTaken(key, mode));
		const parts = Map.groupBy(binding.modes, mode => keysIn(mode).join(' '));
		return Array.from(parts.values(), modes => ({...binding, modes, keys: keysIn(modes[0]!)}));
	});
}

/** The action with the lowest rank has a key that several actions of a mode have. */
function rankOf({yields}: Binding): number {
	return yields === undefined ? 0 : yields === 'toOwn' ? 1 : 2;
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
