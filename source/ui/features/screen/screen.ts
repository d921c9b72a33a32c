import {feature} from '../../feature.ts';
import {BROWSE} from '../../keymap/binding.ts';

/** How the screen is drawn. */
export const screen = feature({
	name: 'screen',
	actions: ({monitor: {nextDensity, redraw}}) => ({nextDensity, redraw}),
	bindings: [
		{
			id: 'view.density',
			keys: [],
			modes: BROWSE,
			group: 'View',
			label: 'row height',
			title: 'Row height',
			help: 'Row height: automatic, one, two or three lines.',
			run: a => a.nextDensity(),
		},
		{
			id: 'view.redraw',
			keys: ['ctrl+l'],
			modes: () => true,
			group: 'View',
			label: 'redraw',
			title: 'Redraw screen',
			help: 'Draw the whole screen again.',
			run: a => a.redraw(),
		},
	],
});
