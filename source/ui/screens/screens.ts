import {feature} from '../feature.ts';
import type {ModeTraits} from '../keymap/binding.ts';
import {actionsOf, MIN_SIZE} from './screen-feature.ts';

/** The user's own lists. */
const OWN = ['positions', 'actionLog', 'watchlist'] as const;
const SCREENS = ({coversColumns}: ModeTraits): boolean => coversColumns === true;

/** The common part of all screens beside the columns: the keys of their lists and pages, and the lines typed for them. */
export const screens = feature({
	name: 'screens',
	actions: actionsOf,
	modes: {
		screenInput: {
			help: 'typing',
			typesLine: true,
			fields: {label: 'next field', move: (by, a) => a.turnInput(by)},
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
