import {type MonitorState, topMode} from '../../../monitor/state.ts';
import {feature} from '../../feature.ts';
import {acceptLabel, isList} from '../../keymap/binding.ts';
import {isFilled} from './mark-line.ts';
import {createMenuActions, narrowedMenu} from './menu-actions.ts';

/** The keys of all menus and pages, and the line that narrows a menu. */
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
			modes: ({menu, open, accept}) => (menu ?? open) !== undefined && accept === undefined,
			yields: 'toOwn',
			group: 'Menu',
			label: 'choose',
			help: 'Choose or open the marked line; in a question, take the marked answer, Cancel by default; where lines are turned on and off, close and keep that.',
			hint: 5,
			labelNow: acceptLabel,
			hintWhen: (s, traits) => (traits.menu ? isFilled(s, traits) : traits.accepts !== undefined),
			run: a => a.accept(),
		},
		{
			id: 'menu.toggle',
			keys: ['space', 'x'],
			modes: traits => traits.menu?.toggle !== undefined,
			yields: 'toOwn',
			group: 'Menu',
			label: 'on/off',
			help: 'Turn the marked field, column, chain or launchpad on or off.',
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
			modes: traits => traits.remove !== undefined,
			yields: 'toOwn',
			group: 'Menu',
			label: 'remove',
			help: 'Remove the marked alert rule or saved view, show what is hidden again, clear the list of wallets, hide all tokens of the developer.',
			hint: 20,
			labelNow: (_, {remove}) => remove?.label,
			hintWhen: (s, {remove}) => remove?.when(s) === true,
			run: a => a.remove(),
		},
		{
			id: 'menu.copy',
			keys: ['y'],
			modes: traits => traits.copy !== undefined,
			yields: 'toOwn',
			group: 'Menu',
			label: 'copy',
			help: 'Copy what is marked: a saved view or all that is hidden as a line of text, a link, an address, an id; the secret of a webhook while that is shown.',
			hint: 21,
			hintWhen: (s, {copy}) => copy?.when?.(s) ?? true,
			run: a => a.copy(),
		},
		{
			id: 'menu.reset',
			keys: ['r'],
			modes: traits => traits.menu?.reset !== undefined,
			group: 'Menu',
			label: 'default',
			help: 'Restore the default fields or columns.',
			hint: 9,
			run: a => a.reset(),
		},
		{
			id: 'menu.narrow',
			keys: ['/'],
			modes: ({menu, search}) => menu?.canNarrow === true || search !== undefined,
			yields: 'toOwn',
			group: 'Menu',
			label: 'narrow',
			help: 'Type words: only the lines that contain them are shown, and {menu.close} shows all again. In this help: find a word.',
			hint: 12,
			labelNow: (_, {search}) => (search ? 'search' : undefined),
			run: a => a.narrow(),
		},
		{
			id: 'menu.close',
			keys: ['esc', 'q'],
			modes: ({menu, close}, kind) => (menu ?? close) !== undefined && kind !== 'menuNarrow',
			yields: 'toOwn',
			isExit: true,
			group: 'Menu',
			label: 'cancel',
			labelNow: (s, {cancels}) => (isNarrowed(s) ? 'show all' : cancels),
			help: 'One step back; from the first one, close and change nothing.',
			hint: 15,
			run: a => a.cancel(),
		},
	],
});

function isNarrowed(state: MonitorState): boolean {
	const mode = topMode(state);
	return 'narrow' in mode && mode.narrow !== undefined;
}
