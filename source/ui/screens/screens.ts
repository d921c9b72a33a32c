import {feature} from '../feature.ts';
import type {ModeTraits} from '../keymap/binding.ts';
import {actionsOf, MIN_SIZE} from './screen-feature.ts';

/** The user's own lists. */
const OWN = ['positions', 'actionLog', 'watchlist'] as const;
const SCREENS = ({coversColumns}: ModeTraits): boolean => coversColumns === true;

/** What all screens beside the columns have in common: the keys of their lists and pages, and the lines typed for them. */
export const screens = feature({
	name: 'screens',
	actions: actionsOf,
	modes: {
		screenInput: {
			help: 'forms',
			typesLine: true,
			accept: (_, a) => a.acceptInput(),
			cancel: (_, a) => a.cancelInput(),
			minSize: MIN_SIZE,
			window: 'screen',
			hints: (_, __, a) => a.hints(),
			// Addresses may be more than a line can hold.
			paste(text, {field}, a) {
				if (field === 'addresses') a.paste(text);
				return field === 'addresses';
			},
		},
	},
	help: {
		screens: {
			title: 'ON PAGES: TOKENS, PREDICTION, WEBHOOKS, WALLETS',
			rank: 130,
			shared: SCREENS,
		},
		forms: {title: 'LINES AND FORMS OF THESE SCREENS', rank: 140},
		tokens: {title: 'WATCH LIST AND DEVELOPER ({watchlist.open}, {developer.open})', rank: 150},
	},
	bindings: [
		{
			id: 'board.nextTab',
			keys: [']'],
			modes: OWN,
			group: 'Screens',
			label: 'next list',
			help: 'Positions, trades, action log, watch list, in turn.',
			hint: 11,
			disabled: s => s.service.noMoney,
			run: a => a.turnTab(1),
		},
		{
			id: 'board.previousTab',
			keys: ['['],
			modes: OWN,
			group: 'Screens',
			label: 'previous list',
			help: 'The same, the other way.',
			disabled: s => s.service.noMoney,
			run: a => a.turnTab(-1),
		},
		{
			id: 'board.command',
			keys: ['Y'],
			modes: SCREENS,
			group: 'Screens',
			label: 'copy command',
			help: 'Copy the command that prints the same data in a shell.',
			run: a => a.copyCommand(),
		},
		{
			id: 'board.accept',
			keys: ['enter'],
			modes: SCREENS,
			group: 'Screens',
			label: 'open',
			help: 'Open the marked line; in a question, take the marked answer, Cancel by default.',
			hint: 5,
			run: a => a.accept(),
		},
		{
			id: 'board.back',
			keys: ['esc', 'q'],
			modes: SCREENS,
			isExit: true,
			group: 'Screens',
			label: 'back',
			help: 'One step back; from the list, to the columns.',
			hint: 6,
			run: a => a.back(),
		},
		{
			id: 'board.refresh',
			keys: ['R'],
			modes: SCREENS,
			group: 'Screens',
			label: 'refresh',
			help: 'Refresh now.',
			hint: 40,
			run: a => a.refresh(),
		},
		{
			id: 'board.copy',
			keys: ['y'],
			modes: SCREENS,
			group: 'Screens',
			label: 'copy',
			help: 'Copy what is marked: the id of a prediction, a wallet’s address, a webhook’s id; its secret while that is shown.',
			hint: 30,
			run: a => a.run('copy'),
		},
		{
			id: 'boardInput.next',
			keys: ['tab', 'down'],
			modes: ['screenInput'],
			group: 'Typing',
			label: 'next field',
			help: 'The next line of a form.',
			hint: 10,
			run: a => a.turnInput(1),
		},
		{
			id: 'boardInput.previous',
			keys: ['shift+tab', 'up'],
			modes: ['screenInput'],
			group: 'Typing',
			label: 'previous field',
			help: 'The previous line of a form.',
			run: a => a.turnInput(-1),
		},
		{
			id: 'tokens.sort',
			keys: ['s'],
			modes: ['watchlist', 'developer', 'positions'],
			group: 'Screens',
			label: 'sort',
			help: 'Sort by the next figure.',
			hint: 10,
			run: a => a.run('sort'),
		},
		{
			id: 'tokens.reverse',
			keys: ['S', 'r'],
			modes: ['watchlist', 'developer', 'positions'],
			group: 'Screens',
			label: 'reverse',
			help: 'Reverse the order.',
			hint: 11,
			run: a => a.run('reverse'),
		},
	],
});
