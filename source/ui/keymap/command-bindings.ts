import {selected} from '../../monitor/select.ts';
import type {MonitorState} from '../../monitor/state.ts';
import type {UserCommand, UserCommands} from '../../monitor/user-commands.ts';
import {type BindingSpec, BROWSE} from './binding.ts';
import {readKeyName} from './key-names.ts';

/** The part of the feature that the keys call. */
interface CommandActions {
	run(name: string): void;
}

/** The rows of the table of keys for commands of the configuration. */
export function commandBindings(commands: UserCommands): readonly BindingSpec<CommandActions>[] {
	return Array.from(commands.values(), bindingOf);
}

function bindingOf({name, key, help, danger}: UserCommand): BindingSpec<CommandActions> {
	const pressed = readKeyName(key);
	return {
		id: `commands.${name}`,
		keys: pressed === undefined ? [] : [pressed],
		// Never in rewind, where rows are old, nor in a window that moves money.
		modes: BROWSE,
		group: 'Commands',
		label: name,
		help,
		hint: 58,
		disabled: whyNot,
		...(danger && {danger}),
		run: actions => actions.run(name),
	};
}

function whyNot(state: MonitorState): string | undefined {
	if (state.service.recording) return 'commands do not run in a recording';
	return selected(state) === undefined ? 'put the cursor on a token first ({cursor.down})' : undefined;
}
