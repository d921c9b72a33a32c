import {type MonitorState, topMode} from '../../../monitor/state.ts';
import {feature} from '../../feature.ts';
import {createHelpActions} from './help-actions.ts';

/** The parts of the screen, and all keys by the place where they are pressed. */
export const help = feature({
	name: 'help',
	actions: createHelpActions,
	modes: {
		help: {
			help: 'help',
			window: 'own',
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
			modes: ({movesMoney}, kind) => !movesMoney && kind !== 'help' && kind !== 'helpSearch',
			group: 'Program',
			label: 'help',
			title: 'Help',
			help: 'Help: what the screen shows, and all keys. In a window it opens at the keys of that window.',
			hint: 90,
			run: a => a.open(),
		},
		{
			id: 'help.close',
			keys: ['esc', 'q', '?', 'enter', 'f1'],
			modes: ['help'],
			isExit: true,
			group: 'Menu',
			label: 'close',
			help: 'Close.',
			hint: 5,
			run: a => a.close(),
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
