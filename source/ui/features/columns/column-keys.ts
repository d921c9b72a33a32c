import type {ModeKind} from '../../../monitor/mode.ts';
import type {Verbs} from '../../features/rest.ts';
import type {BindingSpec} from '../../keymap/binding.ts';

const BROWSE: readonly ModeKind[] = ['list', 'detail'];
const COLUMNS: readonly ModeKind[] = ['columns'];

/** Bindings that choose the columns of the screen; part of the one table in keymap.ts. */
export const COLUMN_BINDINGS: readonly BindingSpec<Verbs>[] = [
	{
		id: 'columns.open',
		keys: ['Z'],
		modes: BROWSE,
		group: 'View',
		label: 'columns',
		help: 'Choose which columns are shown and their order, TRENDING among them: one alone has room for everything in a line. Kept over restarts and in saved views.',
		run: a => a.openColumns(),
	},
	{
		id: 'columns.toggle',
		keys: ['space', 'x'],
		modes: COLUMNS,
		group: 'Menu',
		label: 'show or not',
		help: 'Show or hide the marked column.',
		hint: 4,
		run: a => a.toggleColumn(),
	},
	{
		id: 'columns.alone',
		keys: ['o'],
		modes: COLUMNS,
		group: 'Menu',
		label: 'only this',
		help: 'Show only the marked column.',
		hint: 6,
		run: a => a.showColumnAlone(),
	},
	{
		id: 'columns.later',
		keys: ['J', 'shift+down'],
		modes: COLUMNS,
		group: 'Menu',
		label: 'to the right',
		help: 'Move the marked column to the right.',
		hint: 7,
		run: a => a.moveColumn(1),
	},
	{
		id: 'columns.earlier',
		keys: ['K', 'shift+up'],
		modes: COLUMNS,
		group: 'Menu',
		label: 'to the left',
		help: 'Move the marked column to the left.',
		hint: 8,
		run: a => a.moveColumn(-1),
	},
	{
		id: 'columns.all',
		keys: ['r'],
		modes: COLUMNS,
		group: 'Menu',
		label: 'default',
		help: 'Restore the default columns: NEW, BONDING and BONDED.',
		hint: 9,
		run: a => a.showUsualColumns(),
	},
	{
		id: 'columns.keep',
		keys: ['enter'],
		modes: COLUMNS,
		group: 'Menu',
		label: 'done',
		help: 'Close and keep the columns as they are.',
		hint: 5,
		run: a => a.keepColumns(),
	},
];
