import type {MenuMode, Mode} from '../../../monitor/mode.ts';
import {type MonitorState, topMode} from '../../../monitor/state.ts';
import type {Context, ScrollStep} from '../../feature.ts';
import type {ModeTraits} from '../../keymap/binding.ts';
import {scrolled} from '../../modals/scrolled.ts';

/** Lines of the largest menu with its frame. */
export const MAX_MENU_ROWS = 26;
/** Lines of a menu around its list: borders and title. */
export const FRAME_ROWS = 3;

/** Marks another line of the menu on top: by lines around the ends, by pages and to an end never beyond one. */
export function markLine({store, monitor, specOf, menuContext}: Context, step: ScrollStep): void {
	const state = store.get();
	const mode = topMode(state);
	const items = menuContext().itemsOf(mode);
	if (items.length === 0 || !isMenu(mode)) return;
	const last = items.length - 1;
	const to = scrolled(Math.min(mode.index, last), step, Math.min(state.size.rows - 2, MAX_MENU_ROWS) - FRAME_ROWS);
	const index = step.lines === undefined ? Math.min(Math.max(to, 0), last) : (to + items.length) % items.length;
	monitor.changeMode(() => ({...mode, index}));
	const {spec, actions} = specOf(mode.kind);
	spec.menu?.marked?.(items[index]!, actions);
}

export function isMenu(mode: Mode): mode is MenuMode {
	return 'index' in mode;
}

/** Whether the menu on top has a line to mark. */
export function isFilled(state: MonitorState, {menu: {isFilled: isMenuFilled} = {}}: ModeTraits): boolean {
	return isMenuFilled?.(state) ?? true;
}
