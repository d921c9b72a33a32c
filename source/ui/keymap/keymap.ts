import type {Feature} from '../feature.ts';
import {FEATURES, MODE_KINDS, modeSpec} from '../features.ts';
import {ACTION_LINES, type ActionLine, type ActionMenu} from './action-lines.ts';
import type {Binding, BindingSpec} from './binding.ts';

const own: readonly Binding[] = (FEATURES as readonly Feature[]).flatMap(({name, bindings = []}) =>
	bindings.map(binding => joined(binding, name)),
);

/** The one table of keys: the bindings of all features, then the lines of the windows of actions. */
export const keymap: readonly Binding[] = [
	...own,
	...Object.entries(ACTION_LINES).flatMap(([menu, lines]) => lines.map(line => lineOf(menu as ActionMenu, line))),
];

/** A binding in the table: with its feature, and its modes one by one. */
export function joined(binding: BindingSpec<unknown>, feature: string): Binding {
	const {modes} = binding;
	return {
		...binding,
		feature,
		modes: typeof modes === 'function' ? MODE_KINDS.filter(kind => modes(modeSpec(kind), kind)) : modes,
	};
}

/** The key of an action in the window that lists it. */
function lineOf(menu: ActionMenu, {id, key}: ActionLine): Binding {
	const {hint: _, hintWhen: __, ...binding} = own.find(candidate => candidate.id === id)!;
	return {
		...binding,
		keys: [key],
		modes: [menu],
		group: 'Menu',
		feature: 'actionMenus',
		isLine: true,
		run: actions => (actions as {run(id: string): void}).run(id),
	};
}
