import {focused} from '../../../monitor/select.ts';
import {editOf} from '../../../monitor/transitions/text-edit.ts';
import {feature} from '../../feature.ts';
import {BROWSE} from '../../keymap/binding.ts';

/** Quick search in a column, among the rows loaded. */
export const search = feature({
	name: 'search',
	actions: ({store, monitor}) => ({
		open: () => {
			const {search: text, cursor} = focused(store.get());
			const before = {search: text, ...(cursor !== undefined && {cursor})};
			monitor.enterMode({kind: 'search', edit: editOf(text), before});
		},
		set: monitor.setSearch,
		accept: monitor.leaveMode,
		cancel: (before: Parameters<typeof monitor.abandonSearch>[0]) => {
			monitor.leaveMode();
			monitor.abandonSearch(before);
		},
	}),
	modes: {
		search: {
			help: 'typing',
			typesLine: true,
			typed: ({edit}, a) => a.set(edit.text.trim()),
			accept: (_, a) => a.accept(),
			cancel: ({before}, a) => a.cancel(before),
			promptRows: 1,
		},
	},
	bindings: [
		{
			id: 'search.open',
			keys: ['/'],
			modes: BROWSE,
			group: 'Columns',
			label: 'search',
			title: 'Search column',
			help: 'Quick search in the column: symbol, name or address. {prompt.cancel} goes back to where you were.',
			hint: 35,
			run: a => a.open(),
		},
	],
});
