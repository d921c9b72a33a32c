import {selected} from '../../../monitor/select.ts';
import type {ModeKind, MonitorState} from '../../../monitor/state.ts';
import {
	type CommandProblem,
	readUserCommands,
	type UserCommand,
	type UserCommands,
} from '../../../monitor/user-commands.ts';
import {readKeyName} from '../../key-names.ts';
import {type Binding, keymap} from '../../keymap.ts';
import {type KeyOverrides, keyProblem, rebind} from '../../rebinding.ts';

/** Where the keys of commands are pressed: never in rewind, where rows are old, nor in a window that moves money. */
const MODES: readonly ModeKind[] = ['list', 'detail'];

/** The rows of the table of keys for commands of the configuration. */
export function commandBindings(commands: UserCommands): readonly Binding[] {
	return Array.from(commands.values(), bindingOf);
}

function bindingOf({name, key, help, danger}: UserCommand): Binding {
	const pressed = readKeyName(key);
	return {
		id: `commands.${name}`,
		keys: pressed === undefined ? [] : [pressed],
		modes: MODES,
		group: 'Commands',
		label: name,
		help,
		hint: 58,
		disabled: whyNot,
		...(danger && {danger}),
		run: actions => actions.runCommand(name),
	};
}

function whyNot(state: MonitorState): string | undefined {
	if (state.service.recording) return 'commands do not run in a recording';
	return selected(state) === undefined ? 'put the cursor on a token first ({cursor.down})' : undefined;
}

/** Commands whose key no terminal sends, or that is already the key of something else where commands are run. */
export function commandKeyProblems(
	tables: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
	overrides: KeyOverrides,
): readonly CommandProblem[] {
	const owners = new Map<string, string>();
	for (const {id, keys, modes} of rebind(keymap, overrides).bindings) {
		if (MODES.some(mode => modes.includes(mode))) for (const key of keys) owners.set(key, id);
	}
	return Array.from(readUserCommands(tables).commands.values()).flatMap(({name, key}): CommandProblem[] => {
		const item = `${name}.key`;
		const bad = keyProblem(key, MODES);
		if (bad !== undefined) return [{item, what: `"${key}" can't be the key of the command ${name}`, why: bad}];
		const pressed = readKeyName(key)!;
		const owner = owners.get(pressed);
		owners.set(pressed, `the command ${name}`);
		if (owner === undefined) return [];
		const what = `"${key}" is the key of two actions, the command ${name} and ${owner}`;
		return [{item, what, why: 'Give the command another key, or the action another one in [keys].'}];
	});
}
