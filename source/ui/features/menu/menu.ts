import {type MonitorState, topMode} from '../../../monitor/state.ts';
import {feature} from '../../feature.ts';
import {acceptLabel, isList} from '../../keymap/binding.ts';
import {isFilled} from './mark-line.ts';
import {createMenuActions, narrowedMenu} from './menu-actions.ts';

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
	help: {menus: {title: 'IN EVERY LIST: MENUS AND PAGES', rank: 110, shared: isList}},
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
			id: 'menu.remove',
			keys: ['x', 'delete'],
			modes: traits => traits.menu?.remove !== undefined,
			group: 'Menu',
			label: 'remove',
			help: 'Remove the marked alert rule or saved view, show what is hidden again.',
			hint: 20,
			labelNow: (_, {menu}) => menu?.remove?.label,
			hintWhen: (s, {menu}) => menu?.remove?.when(s) === true,
			run: a => a.remove(),
		},
		{
			id: 'menu.copy',
			keys: ['y'],
			modes: traits => traits.menu?.copy !== undefined,
			group: 'Menu',
			label: 'copy',
			help: 'Copy the marked saved view or link, or all that is hidden, as a line of text; an empty number copies what is on screen.',
			hint: 21,
			hintWhen: (s, {menu}) => menu?.copy?.when?.(s) ?? true,
			run: a => a.copy(),
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
			keys: ['esc', 'q'],
			modes: (traits, kind) => traits.menu !== undefined && kind !== 'menuNarrow',
			isExit: true,
			group: 'Menu',
			label: 'cancel',
			labelNow: s => (isNarrowed(s) ? 'show all' : undefined),
			help: 'Close and change nothing.',
			hint: 15,
			run: a => a.cancel(),
		},
	],
});

function isNarrowed(state: MonitorState): boolean {
	const mode = topMode(state);
	return 'narrow' in mode && mode.narrow !== undefined;
}
