import type {MonitorState} from '../monitor/state.ts';
import type {Context, MenuContext} from './feature.ts';
import {type Actions, COMMANDS, FEATURES, featureOf, modeSpec} from './features.ts';
import {boundKeys} from './keymap/bound-keys.ts';
import {run} from './keymap/dispatch.ts';

/** Makes the actions of all features, each under its name. */
export function createActions(
	base: Omit<Context, 'keys' | 'specOf' | 'menuContext' | 'runBinding' | 'runCommand'>,
): Actions {
	const {store, glyphs, monitor} = base;
	const made: Record<string, unknown> = {monitor};
	const actions = made as Actions;
	const context: Context = {
		...base,
		keys: () => boundKeys(store.get()),
		specOf: kind => ({spec: modeSpec(kind), actions: made[featureOf(kind)]}),
		menuContext: () => menuContext(store.get(), glyphs.subscripts === ''),
		runBinding: id => {
			const binding = boundKeys(store.get()).bindings.find(candidate => candidate.id === id);
			if (binding) run(binding, store.get(), actions);
		},
		runCommand: (command, argument) => command.run(argument, made[command.feature]),
	};
	for (const feature of FEATURES) made[feature.name] = feature.actions(context);
	return actions;
}

/** The data that the lines of menus are made from, in a state. */
export function menuContext(state: MonitorState, isAscii: boolean): MenuContext {
	const context: MenuContext = {
		state,
		keys: boundKeys(state),
		commands: COMMANDS,
		isAscii,
		itemsOf: mode => modeSpec(mode.kind).menu?.items(mode, context) ?? [],
	};
	return context;
}
