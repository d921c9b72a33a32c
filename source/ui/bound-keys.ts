import type {ModeKind, MonitorState} from '../monitor/state.ts';
import {NO_COMMANDS, type UserCommands} from '../monitor/user-commands.ts';
import {commandBindings} from './features/user-commands/command-bindings.ts';
import {keyWord, keyWords} from './key-names.ts';
import {type Binding, keymap} from './keymap.ts';
import {rebind} from './rebinding.ts';

/** The keys that are in force: the table with the person's own keys. */
export interface BoundKeys {
	readonly bindings: readonly Binding[];
	/** The binding of a key in a mode. */
	find(mode: ModeKind, key: string): Binding | undefined;
	/** The bindings that are hinted at in a mode, by rank; those without a key are left out. */
	hinted(mode: ModeKind): readonly Binding[];
	/** The first key of an action, as people write it, in a mode where it has others there; undefined when it has none. */
	keyOf(id: string, ascii?: boolean, mode?: ModeKind): string | undefined;
	/** Whether an action can be asked for in a mode, by a key or by the palette that opens from it. */
	worksIn(id: string, mode: ModeKind): boolean;
}

const bound = new WeakMap<MonitorState['keys'], {readonly commands: UserCommands; readonly keys: BoundKeys}>();

/** The keys of a state. Made once: every keypress and every frame asks for them. */
export function boundKeys({
	keys,
	commands = NO_COMMANDS,
}: Pick<MonitorState, 'keys'> & Partial<Pick<MonitorState, 'commands'>>): BoundKeys {
	const known = bound.get(keys);
	if (known?.commands === commands) return known.keys;
	const usual = Object.keys(keys).length === 0 ? keymap : rebind(keymap, keys).bindings;
	const made = bind(commands.size === 0 ? usual : [...usual, ...commandBindings(commands)]);
	bound.set(keys, {commands, keys: made});
	return made;
}

function bind(bindings: readonly Binding[]): BoundKeys {
	const byMode = new Map<ModeKind, Map<string, Binding>>();
	const hints = new Map<ModeKind, readonly Binding[]>();
	for (const binding of bindings) {
		for (const mode of binding.modes) {
			const keys = byMode.get(mode) ?? new Map<string, Binding>();
			byMode.set(mode, keys);
			for (const key of binding.keys) keys.set(key, binding);
		}
	}
	return {
		bindings,
		find: (mode, key) => byMode.get(mode)?.get(key),
		hinted(mode) {
			const known = hints.get(mode);
			if (known) return known;
			const hinted = bindings
				.filter(({hint, modes, keys}) => hint !== undefined && keys.length > 0 && modes.includes(mode))
				.toSorted((a, b) => a.hint! - b.hint!);
			hints.set(mode, hinted);
			return hinted;
		},
		worksIn: (id, mode) => bindings.some(binding => binding.id === id && binding.modes.includes(mode)),
		keyOf(id, ascii, mode) {
			const parts = bindings.filter(candidate => candidate.id === id && candidate.keys.length > 0);
			const binding = parts.find(({modes}) => mode !== undefined && modes.includes(mode)) ?? parts[0];
			return binding && (binding.written ?? keyWord(binding.keys[0]!, ascii));
		},
	};
}

/** The keys of an action as people write them, `-` for none. */
export function keysText(binding: Binding, ascii: boolean): string {
	return binding.keys.length === 0 ? (ascii ? '-' : '–') : keyWords(binding, ascii).join(' ');
}
