import type {Actions} from '../monitor/actions.ts';
import {isNarrowable} from '../monitor/comfort-modes.ts';
import {type MonitorState, topMode} from '../monitor/state.ts';
import {editOf} from '../monitor/transitions/text-edit.ts';
import type {Store} from '../store.ts';
import {menuItems} from './menus.ts';
import {markedOf} from './narrowing.ts';

/** The verbs of narrowing a menu whose letters are keys: words are typed in a mode of their own, above the menu. */
export function createNarrowActions({get}: Store<MonitorState>, actions: Actions) {
	/** All lines are shown again, with the same one marked. */
	function showAll(): void {
		actions.changeMode(mode => {
			if (!isNarrowable(mode)) return mode;
			const {narrow: _, ...menu} = mode;
			const id = markedOf(mode, menuItems(mode, get(), false))?.id;
			const index = menuItems(menu, get(), false).findIndex(item => item.id === id);
			return {...menu, index: Math.max(index, 0)};
		});
	}

	/** Leaves the line, with the menu narrowed by what is typed in it. */
	function acceptNarrow(): void {
		const mode = topMode(get());
		if (mode.kind !== 'menuNarrow') return;
		actions.leaveMode();
		const narrow = mode.edit.text.trim();
		actions.changeMode(menu => (isNarrowable(menu) ? {...menu, narrow, index: mode.index} : menu));
		if (narrow === '') showAll();
	}

	return {
		openNarrow: () => {
			const menu = topMode(get());
			if (!isNarrowable(menu)) return;
			const {narrow = '', index} = menu;
			actions.enterMode({kind: 'menuNarrow', menu, edit: editOf(narrow), index});
		},
		acceptNarrow,
		/** Ends the narrowing: the menu shows all its lines. */
		cancelNarrow: () => {
			acceptNarrow();
			showAll();
		},
		/** @returns whether the menu on top was narrowed, and shows all its lines now */
		endNarrow: (): boolean => {
			const mode = topMode(get());
			if (!isNarrowable(mode) || mode.narrow === undefined) return false;
			showAll();
			return true;
		},
	};
}
