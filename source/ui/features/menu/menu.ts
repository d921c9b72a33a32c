import {type MonitorState, topMode} from '../../../monitor/state.ts';
import {feature} from '../../feature.ts';
import type {ModeTraits} from '../../keymap/binding.ts';
import {createMenuActions, narrowedMenu} from './menu-actions.ts';

/** Menus in which letters are keys. */
const hasLetters = ({menu, typesLine}: ModeTraits): boolean => menu !== undefined && typesLine !== true;

/** The keys of all menus, and the line that narrows one. */
export const menu = feature({
	name: 'menu',
	actions: createMenuActions,
	modes: {
		menuNarrow: {
			help: 'menus',
			typesLine: true,
			menu: {
				title: '',
				hasOwnEnter: true,
				items: (mode, {itemsOf}) => itemsOf(narrowedMenu(mode)),
				cancel: (_, a) => a.cancelNarrow(),
			},
		},
	},
	help: {menus: {title: 'IN EVERY MENU', rank: 110, shared: ({menu: isMenu}) => isMenu !== undefined}},
	bindings: [
		{
			id: 'menu.accept',
			keys: ['enter'],
			modes: traits => traits.menu !== undefined && traits.menu.hasOwnEnter !== true,
			group: 'Menu',
			label: 'choose',
			help: 'Choose the marked line.',
			hint: 5,
			hintWhen: isFilled,
			run: a => a.accept(),
		},
		{
			id: 'menu.down',
			keys: ['down', 'ctrl+n'],
			modes: traits => traits.menu !== undefined,
			group: 'Menu',
			label: 'next',
			help: 'Next line.',
			hint: 10,
			hintWhen: isFilled,
			run: a => a.move(1),
		},
		{
			id: 'menu.next',
			keys: ['tab'],
			modes: (traits, kind) => kind === 'sort' || hasLetters(traits),
			group: 'Menu',
			label: 'next',
			help: 'Next line.',
			run: a => a.move(1),
		},
		{
			id: 'menu.up',
			keys: ['up', 'ctrl+p', 'shift+tab'],
			modes: traits => traits.menu !== undefined,
			group: 'Menu',
			label: 'up',
			help: 'Previous line.',
			run: a => a.move(-1),
		},
		{
			id: 'menu.letterDown',
			keys: ['j'],
			modes: hasLetters,
			group: 'Menu',
			label: 'next',
			help: 'Next line.',
			run: a => a.move(1),
		},
		{
			id: 'menu.letterUp',
			keys: ['k'],
			modes: hasLetters,
			group: 'Menu',
			label: 'up',
			help: 'Previous line.',
			run: a => a.move(-1),
		},
		{
			id: 'menu.narrow',
			keys: ['/'],
			modes: traits => traits.menu?.canNarrow === true,
			group: 'Menu',
			label: 'narrow',
			help: 'Type words: only the lines that contain them are shown. {menu.close} shows all again.',
			hint: 12,
			run: a => a.openNarrow(),
		},
		{
			id: 'narrow.keep',
			keys: ['enter'],
			modes: ['menuNarrow'],
			group: 'Menu',
			label: 'keep',
			help: 'While narrowing a menu: go on with its keys, in the lines that are left.',
			hint: 5,
			run: a => a.acceptNarrow(),
		},
		{
			id: 'narrow.end',
			keys: ['esc'],
			modes: ['menuNarrow'],
			isExit: true,
			group: 'Menu',
			label: 'show all',
			help: 'While narrowing a menu: show all lines again.',
			hint: 15,
			run: a => a.cancelNarrow(),
		},
		{
			id: 'menu.close',
			keys: ['esc'],
			modes: (traits, kind) => traits.menu !== undefined && kind !== 'menuNarrow',
			isExit: true,
			group: 'Menu',
			label: 'cancel',
			labelNow: s => (isNarrowed(s) ? 'show all' : undefined),
			help: 'Close and change nothing.',
			hint: 15,
			run: a => a.cancel(),
		},
		{
			id: 'menu.letterClose',
			keys: ['q'],
			modes: hasLetters,
			group: 'Menu',
			label: 'cancel',
			help: 'Close and change nothing.',
			run: a => a.cancel(),
		},
	],
});

/** Whether the menu on top has a line to mark. */
function isFilled(state: MonitorState, {menu: {isFilled: isMenuFilled} = {}}: ModeTraits): boolean {
	return isMenuFilled?.(state) ?? true;
}

function isNarrowed(state: MonitorState): boolean {
	const mode = topMode(state);
	return 'narrow' in mode && mode.narrow !== undefined;
}
