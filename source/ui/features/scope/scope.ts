import type {ScopePart} from '../../../monitor/columns/scope.ts';
import {feature, type ModeSpec} from '../../feature.ts';
import {BROWSE} from '../../keymap/binding.ts';
import {createScopeActions} from './scope-actions.ts';
import {SCOPE_KEYS, scopeItems} from './scope-items.ts';

/** The menus of chains and of launchpads. */
const SCOPE_MODES = ['chains', 'launchpads'] as const;

function menuOf(part: ScopePart): ModeSpec<unknown, ReturnType<typeof createScopeActions>> {
	return {
		help: 'scope',
		accepts: 'done',
		menu: {
			title: `${part === 'chains' ? 'Chains' : 'Launchpads'} of all columns (none chosen: all)`,
			items: (_, {state}) => scopeItems(part, state),
			// Their counts are those of the columns, which move all the time: once a second is enough to read.
			source: state => `${Math.floor(state.nowMs / 1000)} ${state.scope[part]} ${state.known[part]}`,
			accept: (_item, _mode, a) => a.keep(),
			cancel: (_, a) => a.cancel(),
			toggle: a => a.toggleMarked(),
		},
	};
}

/** The chains and launchpads that all columns are narrowed to. */
export const scope = feature({
	name: 'scope',
	actions: createScopeActions,
	modes: {chains: menuOf('chains'), launchpads: menuOf('launchpads')},
	help: {scope: {title: 'CHAINS AND LAUNCHPADS ({chains.open}, {launchpads.open})', rank: 90}},
	bindings: [
		{
			id: 'chains.open',
			keys: [],
			modes: BROWSE,
			group: 'Columns',
			label: 'chains',
			title: 'Choose chains',
			help: 'Chains: narrow all columns to the ones you choose. Kept over restarts and in saved views; alert rules still see everything.',
			hint: 61,
			run: a => a.open('chains'),
		},
		{
			id: 'launchpads.open',
			keys: [],
			modes: BROWSE,
			group: 'Columns',
			label: 'launchpads',
			title: 'Choose launchpads',
			help: 'Launchpads: narrow all columns to tokens that were launched there, bonded ones included.',
			hint: 61,
			run: a => a.open('launchpads'),
		},
		{
			id: 'scope.pick',
			keys: SCOPE_KEYS,
			written: '1-9 b-z',
			modes: SCOPE_MODES,
			group: 'Menu',
			label: 'pick',
			help: 'Toggle the chain or launchpad with that key. With none chosen all are shown.',
			hint: 3,
			run: (a, _count, key) => a.toggleKey(key),
		},
		{
			id: 'scope.all',
			keys: ['a'],
			modes: SCOPE_MODES,
			group: 'Menu',
			label: 'all',
			help: 'Show all.',
			hint: 4,
			run: a => a.clear(),
		},
	],
});
