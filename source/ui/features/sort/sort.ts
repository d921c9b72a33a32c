import type {FieldName} from '../../../contract/fields.ts';
import {focused} from '../../../monitor/select.ts';
import {editOf} from '../../../monitor/transitions/text-edit.ts';
import {type Context, feature} from '../../feature.ts';
import {fuzzyFilter} from '../../fuzzy.ts';
import {BROWSE} from '../../keymap/binding.ts';
import {readSort, SORT_ARGUMENT} from './sort-argument.ts';
import {orderLabel, sortChoices} from './sort-choices.ts';

function createSortActions({store, monitor}: Context) {
	return {
		/** Opens with the field in force marked, so that Enter changes nothing that was not chosen. */
		open: () => {
			const {sortBy, window} = focused(store.get());
			const index = sortChoices(window).findIndex(({field}) => field === sortBy);
			monitor.enterMode({kind: 'sort', edit: editOf(''), index: Math.max(index, 0)});
		},
		accept: (field: FieldName) => {
			monitor.leaveMode();
			monitor.sort(field);
		},
		sortBy: monitor.sortExactly,
		reverse: monitor.reverseSort,
	};
}

/** The sort of a column. */
export const sort = feature({
	name: 'sort',
	actions: createSortActions,
	modes: {
		sort: {
			help: 'menus',
			typesLine: true,
			menu: {
				title: 'Sort VIEW by (type to narrow, choose again to reverse)',
				items: ({edit}, {state}) => {
					const {sortBy, sortOrder, window} = focused(state);
					return fuzzyFilter(sortChoices(window), edit.text, c => `${c.word} ${c.label} ${c.field}`).map(
						({field, label, word}) => ({
							id: field,
							label,
							note: field === sortBy ? `${word}, ${orderLabel(sortBy, sortOrder)}` : word,
							isCurrent: field === sortBy,
						}),
					);
				},
				accept: ({id}, _, a) => a.accept(id as FieldName),
			},
		},
	},
	commands: [
		{
			word: 'sort',
			usage: 'sort FIELD [asc|desc]',
			help: 'Sort the column.',
			...SORT_ARGUMENT,
			run: (argument, a) => {
				const read = readSort(argument);
				if (!('problem' in read)) a.sortBy(read.field, read.order);
			},
		},
	],
	bindings: [
		{
			id: 'sort.menu',
			keys: ['s'],
			modes: BROWSE,
			group: 'Columns',
			label: 'sort',
			title: 'Sort column',
			help: 'Sort the column; choosing the same field again reverses the order.',
			hint: 25,
			run: a => a.open(),
		},
		{
			id: 'sort.reverse',
			keys: [],
			modes: BROWSE,
			group: 'Columns',
			label: 'reverse',
			title: 'Reverse sort',
			help: 'Reverse the order of the column.',
			run: a => a.reverse(),
		},
	],
});
