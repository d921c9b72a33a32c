import type {KeyHints} from '../../../monitor/state.ts';
import {feature} from '../../feature.ts';
import {NOTCH} from '../../keymap/keys.ts';
import {LABEL} from '../../screens/hints.ts';
import {createRewindActions} from './rewind-actions.ts';

/** Moments of a minute. */
const MINUTE = 12;
const ENDS = {first: Number.NEGATIVE_INFINITY, last: Number.POSITIVE_INFINITY};
const HINTS: KeyHints = {
	'menu.close': LABEL,
	'rewind.older': LABEL,
	'rewind.newer': LABEL,
	'board.pageUp': 'minute back',
	'board.pageDown': 'minute on',
	'rewind.column': LABEL,
};

/** The columns as they were, up to ten minutes ago. */
export const rewind = feature({
	name: 'rewind',
	actions: createRewindActions,
	modes: {
		rewind: {
			help: 'rewind',
			takesCount: true,
			promptRows: 1,
			cancels: 'back to live',
			open: a => a.close(),
			close: a => a.close(),
			scroll: ({lines = 0, pages = 0, to}, a) => a.go(to === undefined ? MINUTE * (lines + pages) : ENDS[to]),
			mouse: ({action}, a) => action !== 'press' && a.go(action === 'wheelUp' ? -NOTCH : NOTCH),
			hints: () => HINTS,
		},
	},
	help: {rewind: {title: 'REWIND ({rewind.open})', rank: 100}},
	bindings: [
		{
			id: 'rewind.open',
			keys: ['<'],
			modes: ['list'],
			group: 'View',
			label: 'rewind',
			title: 'Rewind',
			help: 'Rewind the columns, up to ten minutes; alerts and the feed go on meanwhile.',
			hint: 75,
			run: a => a.go(0),
		},
		{
			id: 'rewind.older',
			keys: ['<', 'left', 'h'],
			modes: ['rewind'],
			group: 'View',
			label: 'older',
			help: 'Five seconds back; a count goes further. {board.up} and {board.down} go a minute, {board.first} and {board.last} to the ends.',
			hint: 5,
			run: (a, n) => a.go(-n),
		},
		{
			id: 'rewind.newer',
			keys: ['>', 'right', 'l'],
			modes: ['rewind'],
			group: 'View',
			label: 'newer',
			help: 'Five seconds forward.',
			hint: 6,
			run: (a, n) => a.go(n),
		},
		{
			id: 'rewind.column',
			keys: ['tab'],
			modes: ['rewind'],
			group: 'View',
			label: 'next column',
			help: 'Focus the next column.',
			hint: 20,
			run: a => a.nextColumn(),
		},
	],
});
