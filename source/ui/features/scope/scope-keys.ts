import type {ModeKind} from '../../../monitor/mode.ts';
import type {Verbs} from '../../features/rest.ts';
import type {BindingSpec} from '../../keymap/binding.ts';
import {SCOPE_KEYS} from './scope-items.ts';

const BROWSE: readonly ModeKind[] = ['list', 'detail'];
/** The menus of chains and of launchpads. */
const SCOPE_MODES: readonly ModeKind[] = ['chains', 'launchpads'];

/** Bindings that narrow all columns at once; part of the one table in keymap.ts. */
export const SCOPE_BINDINGS: readonly BindingSpec<Verbs>[] = [
	{
		id: 'chains.open',
		keys: ['C'],
		modes: BROWSE,
		group: 'Columns',
		label: 'chains',
		help: 'Chains: narrow all columns to the ones you choose. Kept over restarts and in saved views; alert rules still see everything.',
		hint: 61,
		run: a => a.openScope('chains'),
	},
	{
		id: 'launchpads.open',
		keys: ['N'],
		modes: BROWSE,
		group: 'Columns',
		label: 'launchpads',
		help: 'Launchpads: narrow all columns to tokens that were launched there, bonded ones included.',
		hint: 61,
		run: a => a.openScope('launchpads'),
	},
	{
		id: 'scope.pick',
		keys: SCOPE_KEYS,
		written: '1-9 b-z',
		modes: SCOPE_MODES,
		group: 'Menu',
		label: 'on/off',
		help: 'Toggle the chain or launchpad with that key. With none chosen all are shown.',
		hint: 3,
		run: (a, _count, key) => a.toggleScopeKey(key),
	},
	{
		id: 'scope.toggle',
		keys: ['space'],
		modes: SCOPE_MODES,
		group: 'Menu',
		label: 'marked on/off',
		help: 'Toggle the marked line.',
		hint: 12,
		run: a => a.toggleScopeMarked(),
	},
	{
		id: 'scope.all',
		keys: ['a'],
		modes: SCOPE_MODES,
		group: 'Menu',
		label: 'all',
		help: 'Show all.',
		hint: 4,
		run: a => a.clearScope(),
	},
	{
		id: 'scope.keep',
		keys: ['enter'],
		modes: SCOPE_MODES,
		group: 'Menu',
		label: 'done',
		help: 'Keep what is chosen.',
		hint: 5,
		run: a => a.keepScope(),
	},
];
