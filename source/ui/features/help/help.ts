import {type MonitorState, topMode} from '../../../monitor/state.ts';
import {feature} from '../../feature.ts';
import {createHelpActions} from './help-actions.ts';

/** What the screen shows, and all keys by the place where they are pressed. */
export const help = feature({
	name: 'help',
	actions: createHelpActions,
	modes: {
		help: {
			help: 'help',
			window: 'own',
			cancels: 'close',
			open: a => a.close(),
			close: a => a.close(),
			search: a => a.openSearch(),
			scroll: (step, a) => a.scroll(step),
		},
		helpSearch: {
			help: 'help',
			typesLine: true,
			window: 'own',
			accepts: 'find',
			typed: (_, a) => a.typed(),
			accept: (_, a) => a.acceptSearch(),
		},
	},
	help: {help: {title: 'IN THIS HELP ({help.open})', rank: 210}},
	bindings: [
		{
			id: 'help.open',
			keys: ['?', 'f1'],
			modes: ({movesMoney}, kind) => !movesMoney && kind !== 'helpSearch',
			group: 'Program',
			label: 'help',
			title: 'Help',
			help: 'Help: what the screen shows, and all keys. In a window it opens at the keys of that window; the same key closes it.',
			hint: 90,
			hintWhen: s => topMode(s).kind !== 'help',
			run: a => a.turn(),
		},
		{
			id: 'help.next',
			keys: ['n'],
			modes: ['help'],
			group: 'Menu',
			label: 'next found',
			help: 'Next match.',
			hint: 7,
			hintWhen: hasSearchedHelp,
			run: a => a.nextHit(1),
		},
		{
			id: 'help.previous',
			keys: ['N'],
			modes: ['help'],
			group: 'Menu',
			label: 'previous found',
			help: 'Previous match.',
			run: a => a.nextHit(-1),
		},
	],
});

function hasSearchedHelp(state: MonitorState): boolean {
	const mode = topMode(state);
	return mode.kind === 'help' && mode.search !== '';
}
