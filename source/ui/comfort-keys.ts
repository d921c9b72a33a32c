import {selected} from '../monitor/select.ts';
import type {Binding} from './keymap.ts';

/** Bindings of what makes the list comfortable; part of the one table in keymap.ts. */
export const COMFORT_KEYS: readonly Binding[] = [
	{
		id: 'token.why',
		keys: ['e'],
		modes: ['list', 'detail'],
		group: 'Token',
		label: 'explain',
		help: 'Explain why the token is in each column or not: every clause, with its values. :why ADDRESS takes any token.',
		hint: 58,
		disabled: s => (selected(s) === undefined ? 'put the cursor on a token first (j or k)' : undefined),
		run: a => a.explainSelected(),
	},
	{
		id: 'why.down',
		keys: ['j', 'down', 'pgdn', 'space', 'ctrl+d'],
		modes: ['why'],
		group: 'Menu',
		label: 'scroll',
		help: 'Scroll down.',
		hint: 10,
		run: a => a.scrollWhy(3),
	},
	{
		id: 'why.up',
		keys: ['k', 'up', 'pgup', 'ctrl+u'],
		modes: ['why'],
		group: 'Menu',
		label: 'scroll up',
		help: 'Scroll up.',
		run: a => a.scrollWhy(-3),
	},
	{
		id: 'palette.complete',
		keys: ['tab'],
		modes: ['palette'],
		group: 'Menu',
		label: 'take over',
		help: 'Take the marked line over, to go on typing.',
		hint: 12,
		run: a => a.completePalette(),
	},
];
