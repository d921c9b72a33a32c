import {feature} from '../../feature.ts';
import {BROWSE} from '../../keymap/binding.ts';
import {createColumnActions} from './column-actions.ts';
import {columnItems} from './column-items.ts';

/** The shown columns and their places. */
export const columns = feature({
	name: 'columns',
	actions: createColumnActions,
	modes: {
		columns: {
			help: 'shown',
			accepts: 'done',
			menu: {
				title: 'Columns of the screen, from left to right',
				items: (_, {state}) => columnItems(state),
				accept: (_item, _mode, a) => a.keep(),
				cancel: (_, a) => a.cancel(),
				toggle: a => a.toggle(),
				shift: (by, a) => a.move(by),
				reset: a => a.reset(),
			},
		},
	},
	help: {shown: {title: 'COLUMNS OF THE SCREEN ({columns.open})', rank: 70}},
	bindings: [
		{
			id: 'columns.open',
			keys: [],
			modes: BROWSE,
			group: 'View',
			label: 'columns',
			help: 'Choose which columns are shown and their order, TRENDING among them: one alone has room for everything in a line. Kept over restarts and in saved views.',
			run: a => a.open(),
		},
		{
			id: 'columns.alone',
			keys: ['o'],
			modes: ['columns'],
			group: 'Menu',
			label: 'only this',
			help: 'Show only the marked column.',
			hint: 6,
			run: a => a.showAlone(),
		},
	],
});
