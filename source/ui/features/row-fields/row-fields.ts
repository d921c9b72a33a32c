import {
	isRowCell,
	ROW_CELLS,
	ROW_FIELD_NAMES,
	readRowFields,
	rowFieldsText,
	rowFigure,
	splitRowFields,
} from '../../../monitor/columns/row-fields.ts';
import {focused} from '../../../monitor/select.ts';
import {feature, MAX_COMPLETIONS} from '../../feature.ts';
import {BROWSE} from '../../keymap/binding.ts';
import {createRowFieldActions} from './row-field-actions.ts';
import {rowFieldItems} from './row-field-items.ts';

/** The cells that the rows of a column show. */
export const rowFields = feature({
	name: 'rowFields',
	actions: createRowFieldActions,
	modes: {
		fields: {
			help: 'menus',
			accepts: 'done',
			menu: {
				title: 'Row fields of VIEW (the first are kept longest)',
				canNarrow: true,
				items: (mode, {state}) => rowFieldItems(mode, state),
				source: state => focused(state).fields,
				accept: (_item, _mode, a) => a.close(),
				cancel: ({before}, a) => a.cancel(before),
				toggle: a => a.toggle(),
				shift: (by, a) => a.move(by),
				reset: a => a.reset(),
			},
		},
	},
	commands: [
		{
			word: 'fields',
			usage: 'fields usual|mcap,age,buyers5m,...',
			help: 'What the rows of the column show, in this order.',
			problem: argument => {
				const names = splitRowFields(argument);
				const read = readRowFields(names);
				return read.ok
					? names.length === 0
						? 'write usual, or names such as mcap,age,volume'
						: undefined
					: read.problem;
			},
			completions: (argument, state) => {
				const names = [...splitRowFields(argument)];
				const typed = /[\s,]$/.test(argument) ? '' : (names.pop() ?? '');
				const rest = names.map(name => `${name},`).join('');
				const ways = [...(names.length === 0 ? [rowFieldsText(focused(state).fields)] : []), ...ROW_FIELD_NAMES];
				return [...new Set(ways)]
					.filter(name => name.startsWith(typed.toLowerCase()) && !names.includes(name))
					.slice(0, MAX_COMPLETIONS)
					.map(name => ({
						argument: rest + name,
						note: isRowCell(name) ? ROW_CELLS[name] : (rowFigure(name)?.help ?? ''),
					}));
			},
			run: (argument, a) => {
				const read = readRowFields(splitRowFields(argument));
				if (read.ok) a.set(read.fields);
			},
		},
	],
	bindings: [
		{
			id: 'fields.open',
			keys: [],
			modes: BROWSE,
			group: 'Columns',
			label: 'fields',
			title: 'Choose fields',
			help: 'Choose which fields the rows of the column show, and in which order. {palette.open}fields takes any field by its word.',
			hint: 62,
			run: a => a.open(),
		},
	],
});
