import {feature} from '../../feature.ts';
import {BROWSE} from '../../keymap/binding.ts';
import {createColumnActions} from './column-actions.ts';
import {columnItems} from './column-items.ts';

const COLUMNS = ['columns'] as const;

/** Which columns are shown, and where. */
export const columns = feature({
	name: 'columns',
	actions: createColumnActions,
	modes: {
		columns: {
			help: 'shown',
			menu: {
				title: 'Columns of the screen, from left to right',
				hasOwnEnter: true,
				items: (_, {state}) => columnItems(state),
				cancel: (_, a) => a.cancel(),
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
			id: 'columns.toggle',
			keys: ['space', 'x'],
			modes: COLUMNS,
			group: 'Menu',
			label: 'show or not',
			help: 'Show or hide the marked column.',
			hint: 4,
			run: a => a.toggle(),
		},
		{
			id: 'columns.alone',
			keys: ['o'],
			modes: COLUMNS,
			group: 'Menu',
			label: 'only this',
			help: 'Show only the marked column.',
			hint: 6,
			run: a => a.showAlone(),
		},
		{
			id: 'columns.later',
			keys: ['J', 'shift+down'],
			modes: COLUMNS,
			group: 'Menu',
			label: 'to the right',
			help: 'Move the marked column to the right.',
			hint: 7,
			run: a => a.move(1),
		},
		{
			id: 'columns.earlier',
			keys: ['K', 'shift+up'],
			modes: COLUMNS,
			group: 'Menu',
			label: 'to the left',
			help: 'Move the marked column to the left.',
			hint: 8,
			run: a => a.move(-1),
		},
		{
			id: 'columns.all',
			keys: ['r'],
			modes: COLUMNS,
			group: 'Menu',
			label: 'default',
			help: 'Restore the default columns: NEW, BONDING and BONDED.',
			hint: 9,
			run: a => a.reset(),
		},
		{
			id: 'columns.keep',
			keys: ['enter'],
			modes: COLUMNS,
			group: 'Menu',
			label: 'done',
			help: 'Close and keep the columns as they are.',
			hint: 5,
			run: a => a.keep(),
		},
	],
});
