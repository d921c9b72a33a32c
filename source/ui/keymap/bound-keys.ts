import type {ModeKind} from '../../monitor/mode.ts';
import type {MonitorState} from '../../monitor/state.ts';
import {NO_COMMANDS, type UserCommands} from '../../monitor/user-commands.ts';
import type {Binding, BoundKeys, HelpSection} from './binding.ts';
import {commandBindings} from './command-bindings.ts';
import {helpSections} from './help-sections.ts';
import {keyWord} from './key-names.ts';
import {joined, keymap} from './keymap.ts';
import {keysByMode} from './keys-by-mode.ts';
import {rebind} from './rebinding.ts';

const bound = new WeakMap<MonitorState['keys'], {readonly commands: UserCommands; readonly keys: BoundKeys}>();

/** The keys of a state. Cached: every keypress and every frame reads them. */
export function boundKeys({
	keys,
	commands = NO_COMMANDS,
}: Pick<MonitorState, 'keys'> & Partial<Pick<MonitorState, 'commands'>>): BoundKeys {
	const known = bound.get(keys);
	if (known?.commands === commands) return known.keys;
	const made =
		Object.keys(keys).length === 0 && commands.size === 0
			? DEFAULT_KEYS
			: bind([
					...rebind(keymap, keys).bindings,
					...commandBindings(commands).map(binding => joined(binding, 'userCommands')),
				]);
	bound.set(keys, {commands, keys: made});
	return made;
}

function bind(bindings: readonly Binding[]): BoundKeys {
	const byMode = new Map<ModeKind, Map<string, Binding>>();
	const parts = keysByMode(bindings);
	const byId = Map.groupBy(
		parts.filter(({keys}) => keys.length > 0),
		({id}) => id,
	);
	const hints = new Map<ModeKind, readonly Binding[]>();
	let sections: readonly HelpSection[] | undefined;
	for (const binding of parts) {
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
			const hinted = parts
				.filter(({hint, modes, keys}) => hint !== undefined && keys.length > 0 && modes.includes(mode))
				.toSorted((a, b) => a.hint! - b.hint!);
			hints.set(mode, hinted);
			return hinted;
		},
		sections: () => (sections ??= helpSections(bindings)),
		worksIn: (id, mode) => bindings.some(binding => binding.id === id && binding.modes.includes(mode)),
		keyOf(id, ascii, mode) {
			const ofId = byId.get(id) ?? [];
			const binding = ofId.find(({modes}) => mode !== undefined && modes.includes(mode)) ?? ofId[0];
			if (binding === undefined) return undefined;
			const key = binding.written ?? keyWord(binding.keys[0]!, ascii);
			if (!binding.isLine || binding.modes.some(own => own === mode)) return key;
			const window = this.keyOf(`${binding.modes[0]}.open`, ascii, mode);
			return window && `${window} ${key}`;
		},
	};
}

/** The keys of the table, without those of a configuration. */
export const DEFAULT_KEYS = bind(keymap);
