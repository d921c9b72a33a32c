import type {MonitorState} from '../monitor/state.ts';
import type {Context, MenuLook} from './feature.ts';
import {type Actions, COMMANDS, FEATURES, featureOf, modeSpec} from './features.ts';
import {boundKeys} from './keymap/bound-keys.ts';
import {run} from './keymap/dispatch.ts';

/** Makes the actions of all features, each under its name. */
export function createActions(
	base: Omit<Context, 'keys' | 'specOf' | 'menuLook' | 'runBinding' | 'runCommand'>,
): Actions {
	const {store, signs, monitor} = base;
	const made: Record<string, unknown> = {monitor};
	const actions = made as Actions;
	const context: Context = {
		...base,
		keys: () => boundKeys(store.get()),
		specOf: kind => ({spec: modeSpec(kind), actions: made[featureOf(kind)]}),
		menuLook: () => menuLook(store.get(), signs.subscripts === ''),
		runBinding: id => {
			const binding = boundKeys(store.get()).bindings.find(candidate => candidate.id === id);
			if (binding) run(binding, store.get(), actions);
		},
		runCommand: (command, argument) => command.run(argument, made[command.feature]),
	};
	for (const feature of FEATURES) made[feature.name] = feature.actions(context);
	return actions;
}

/** What the lines of menus are made from, in a state. */
export function menuLook(state: MonitorState, isAscii: boolean): MenuLook {
	const look: MenuLook = {
		state,
		keys: boundKeys(state),
		commands: COMMANDS,
		isAscii,
		itemsOf: mode => modeSpec(mode.kind).menu?.items(mode, look) ?? [],
	};
	return look;
}
