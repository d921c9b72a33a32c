import type {Actions} from '../../../monitor/actions.ts';
import {worstClause} from '../../../monitor/filter/empty-clauses.ts';
import {focused} from '../../../monitor/select.ts';
import type {MonitorState} from '../../../monitor/state.ts';
import type {Store} from '../../../store.ts';
import type {Verbs} from '../../features/rest.ts';
import type {BindingSpec} from '../../keymap/binding.ts';

/** What can be done about a column that its own filter empties. */
export function createEmptyActions({get}: Store<MonitorState>, actions: Actions) {
	return {
		/** Drops the clause without which most tokens would match. */
		dropClause: () => {
			const clause = worstClause(focused(get()));
			if (!clause) return;
			actions.setFilter(clause.rest);
			actions.tell(`Dropped ${clause.text}.`, 'info', '{filter.edit} changes the filter.');
		},
	};
}

/** Part of the one table in keymap.ts. */
export const EMPTY_BINDINGS: readonly BindingSpec<Verbs>[] = [
	{
		id: 'filter.drop',
		keys: ['d'],
		modes: ['list'],
		group: 'Columns',
		label: 'drop clause',
		help: 'In a column left empty by its filter: drop the clause that removes most tokens.',
		hint: 4,
		hintWhen: s => worstClause(focused(s)) !== undefined,
		disabled: s => (worstClause(focused(s)) === undefined ? 'no clause of a filter empties this column' : undefined),
		run: a => a.dropClause(),
	},
];
