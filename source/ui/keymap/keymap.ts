import type {Feature} from '../feature.ts';
import {FEATURES, MODE_KINDS, modeSpec} from '../features.ts';
import type {Binding, BindingSpec} from './binding.ts';

/** The one table of keys: the bindings of all features. */
export const keymap: readonly Binding[] = (FEATURES as readonly Feature[]).flatMap(({name, bindings = []}) =>
	bindings.map(binding => joined(binding, name)),
);

/** A binding in the table: with its feature, and its modes one by one. */
export function joined(binding: BindingSpec<unknown>, feature: string): Binding {
	const {modes} = binding;
	return {
		...binding,
		feature,
		modes: typeof modes === 'function' ? MODE_KINDS.filter(kind => modes(modeSpec(kind), kind)) : modes,
	};
}
