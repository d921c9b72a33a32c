import {feature} from '../../feature.ts';
import {BROWSE} from '../../keymap/binding.ts';
import {createPaletteActions} from './palette-actions.ts';
import {paletteItems, paletteMessage} from './palette-items.ts';

/** Every action and command by name. */
export const palette = feature({
	name: 'palette',
	actions: createPaletteActions,
	modes: {
		palette: {
			help: 'menus',
			typesLine: true,
			complete: a => a.complete(),
			menu: {
				title: 'Commands (type to narrow; why, go, sort, filter take arguments)',
				width: 92,
				items: ({edit}, context) => paletteItems(edit.text, context),
				message: ({edit}, context, marked) => paletteMessage(edit.text, context, marked),
				accept: (item, _, a) => a.accept(item),
			},
		},
	},
	bindings: [
		{
			id: 'palette.open',
			keys: [':', 'ctrl+k'],
			modes: BROWSE,
			group: 'Program',
			label: 'commands',
			help: 'Find and run any action by name.',
			hint: 80,
			run: a => a.open(),
		},
	],
});
