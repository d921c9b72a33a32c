import {type CommandProblem, readUserCommands} from '../../monitor/user-commands.ts';
import {BROWSE} from './binding.ts';
import {readKeyName} from './key-names.ts';
import {keymap} from './keymap.ts';
import {type KeyOverrides, keyProblem, rebind} from './rebinding.ts';

/** Problems of commands whose key no terminal sends, or has another use where commands are run. */
export function commandKeyProblems(
	tables: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
	overrides: KeyOverrides,
): readonly CommandProblem[] {
	const owners = new Map<string, string>();
	for (const {id, keys, modes} of rebind(keymap, overrides).bindings) {
		if (BROWSE.some(mode => modes.includes(mode))) for (const key of keys) owners.set(key, id);
	}
	return Array.from(readUserCommands(tables).commands.values()).flatMap(({name, key}): CommandProblem[] => {
		const item = `${name}.key`;
		const bad = keyProblem(key, BROWSE);
		if (bad !== undefined) return [{item, what: `"${key}" can't be the key of the command ${name}`, why: bad}];
		const pressed = readKeyName(key)!;
		const owner = owners.get(pressed);
		owners.set(pressed, `the command ${name}`);
		if (owner === undefined) return [];
		const what = `"${key}" is the key of two actions, the command ${name} and ${owner}`;
		return [{item, what, why: 'Give the command another key, or the action another one in [keys].'}];
	});
}
