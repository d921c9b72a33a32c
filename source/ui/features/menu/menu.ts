import {type MonitorState, topMode} from '../../../monitor/state.ts';
import {feature} from '../../feature.ts';
import {acceptLabel, type ModeTraits} from '../../keymap/binding.ts';
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
			accepts: 'keep',
			cancels: 'show all',
			accept: (_, a) => a.acceptNarrow(),
			cancel: (_, a) => a.cancelNarrow(),
			menu: {
				title: '',
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
			modes: traits => traits.menu !== undefined && traits.accept === undefined,
			group: 'Menu',
			label: 'choose',
			help: 'Choose the marked line; where lines are turned on and off, close and keep that.',
			hint: 5,
			labelNow: acceptLabel,
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
			id: 'menu.toggle',
			keys: ['space', 'x'],
			modes: traits => traits.menu?.toggle !== undefined,
			group: 'Menu',
			label: 'on/off',
			help: 'Show or hide the marked field or column.',
			hint: 4,
			run: a => a.toggle(),
		},
		{
			id: 'menu.later',
			keys: ['J', 'shift+down'],
			modes: traits => traits.menu?.shift !== undefined,
			group: 'Menu',
			label: 'to the right',
			help: 'Move the marked field or column to the right.',
			hint: 6,
			run: a => a.shift(1),
		},
		{
			id: 'menu.earlier',
			keys: ['K', 'shift+up'],
			modes: traits => traits.menu?.shift !== undefined,
			group: 'Menu',
			label: 'to the left',
			help: 'Move the marked field or column to the left; the first are kept longest where a row is narrow.',
			hint: 7,
			run: a => a.shift(-1),
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
