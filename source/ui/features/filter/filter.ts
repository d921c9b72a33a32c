import {mistakeText} from '../../../monitor/filter/clause.ts';
import type {ColumnFilter} from '../../../monitor/filter/column-filter.ts';
import {columnFilterOf} from '../../../monitor/filter/column-filter.ts';
import {parseFilterLine} from '../../../monitor/filter/filter-line.ts';
import type {ModeOf} from '../../../monitor/mode.ts';
import {worstClause} from '../../../monitor/requests/empty-clauses.ts';
import {focused} from '../../../monitor/select.ts';
import {editOf} from '../../../monitor/transitions/text-edit.ts';
import {type Context, feature} from '../../feature.ts';
import {BROWSE} from '../../keymap/binding.ts';
import {completeClause, filterCompletions} from './filter-argument.ts';

function createFilterActions({store, monitor}: Context) {
	const {get} = store;
	return {
		open: () => monitor.enterMode({kind: 'filter', edit: editOf(focused(get()).filter.text), index: 0}),
		set: (filter: ColumnFilter) => monitor.setFilter(filter),
		clear: () => {
			if (focused(get()).filter.text === '') return monitor.notify('This column has no filter.', 'warn');
			monitor.setFilter({text: ''});
		},
		/** Applies the typed line. Nothing typed is lost: a line with an error stays open, and the error points at its place. */
		accept: ({edit}: ModeOf<'filter'>) => {
			const line = edit.text.trim();
			const filter = columnFilterOf(line);
			if (!filter) return;
			monitor.leaveMode();
			if (line !== focused(get()).filter.text) monitor.setFilter(filter);
		},
		complete: () => completeClause(monitor),
		/** Drops the clause without which most tokens would match. */
		dropClause: () => {
			const clause = worstClause(focused(get()));
			if (!clause) return;
			monitor.setFilter(clause.rest);
			monitor.notify(`Dropped ${clause.text}.`, 'info', '{filter.edit} changes the filter.');
		},
	};
}

/** The filter of a column. */
export const filter = feature({
	name: 'filter',
	actions: createFilterActions,
	modes: {
		filter: {
			help: 'typing',
			typesLine: true,
			accept: (mode, a) => a.accept(mode),
			complete: a => a.complete(),
			promptRows: 2,
		},
	},
	commands: [
		{
			word: 'filter',
			usage: 'filter LINE',
			help: 'Filter the column; without a line, remove its filter.',
			problem: argument => {
				const parsed = parseFilterLine(argument.trim());
				return parsed.ok ? undefined : mistakeText(parsed.errors[0]!, argument.trim());
			},
			completions: filterCompletions,
			run: (argument, a) => {
				const column = columnFilterOf(argument);
				if (column) a.set(column);
			},
		},
	],
	bindings: [
		{
			id: 'filter.edit',
			keys: ['f'],
			modes: BROWSE,
			group: 'Columns',
			label: 'filter',
			title: 'Filter column',
			help: 'Filter the column: mcap>50k age<10m dev<5% -kw:elon. Checked while you type, applied by the service.',
			hint: 30,
			run: a => a.open(),
		},
		{
			id: 'filter.clear',
			keys: [],
			modes: BROWSE,
			group: 'Columns',
			label: 'no filter',
			title: 'Clear filter',
			help: 'Remove the filter of the column.',
			run: a => a.clear(),
		},
		{
			id: 'filter.drop',
			keys: [],
			modes: ['list'],
			group: 'Columns',
			label: 'drop clause',
			help: 'In a column left empty by its filter: drop the clause that removes most tokens.',
			hint: 4,
			hintWhen: s => worstClause(focused(s)) !== undefined,
			disabled: s => (worstClause(focused(s)) === undefined ? 'no clause of a filter empties this column' : undefined),
			run: a => a.dropClause(),
		},
	],
});
