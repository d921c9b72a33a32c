import type {Actions} from '../monitor/actions.ts';
import {shownKeys} from '../monitor/columns/shown-keys.ts';
import {focused} from '../monitor/select.ts';
import {type ModeKind, type MonitorState, topMode} from '../monitor/state.ts';
import type {Store} from '../store.ts';
import {MENUS} from './keymap.ts';
import type {KeyEvent} from './keys.ts';
import type {Layout} from './layout.ts';
import {targetAt} from './mouse.ts';

/** Rows that one notch of the wheel moves. */
const NOTCH = 3;

/** What a turn of the wheel does where no column is. By `1` is down. */
export interface WheelVerbs {
	readonly menu: (by: number) => void;
	readonly help: (by: number) => void;
	readonly why: (by: number) => void;
	readonly detail: (by: number) => void;
}

const WHEELED_MENUS: ReadonlySet<ModeKind> = new Set(MENUS);

/**
 * Click and wheel. Only the list, the detail pane and menus hear them: money is never moved by a click, and what is being
 * typed is not disturbed by one.
 */
export function createMouse(
	store: Store<MonitorState>,
	actions: Actions,
	layout: () => Layout,
	wheel: WheelVerbs,
): (event: Extract<KeyEvent, {kind: 'mouse'}>) => void {
	const {get} = store;

	function click(x: number, y: number): void {
		const target = targetAt(layout(), get(), x, y);
		if (target === undefined || target.kind === 'detail') return;
		const {view} = target;
		if (target.kind !== 'row') {
			actions.focusView(view);
			if (target.kind === 'heading') actions.sort(target.field);
			return;
		}
		const key = shownKeys(get(), view)[target.index];
		if (key === undefined) {
			actions.focusView(view);
			return;
		}
		const isAgain = get().focus === view && focused(get()).cursor === key;
		actions.selectRow(view, target.index);
		if (isAgain && topMode(get()).kind === 'list') actions.openDetail();
	}

	return ({action, x, y}) => {
		const {kind} = topMode(get());
		const isList = kind === 'list' || kind === 'detail';
		if (action === 'press') {
			if (isList) click(x, y);
			return;
		}
		const by = action === 'wheelDown' ? 1 : -1;
		if (WHEELED_MENUS.has(kind)) wheel.menu(by);
		else if (kind === 'help') wheel.help(by);
		else if (kind === 'why') wheel.why(by * NOTCH);
		if (!isList) return;
		const target = targetAt(layout(), get(), x, y);
		if (target?.kind === 'detail') wheel.detail(by * NOTCH);
		else if (target) actions.scrollColumn(target.view, by * NOTCH);
	};
}
