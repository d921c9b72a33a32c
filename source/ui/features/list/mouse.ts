import {shownKeys} from '../../../monitor/columns/shown-keys.ts';
import {focused} from '../../../monitor/select.ts';
import {topMode} from '../../../monitor/state.ts';
import type {Context, MouseEvent} from '../../feature.ts';
import {NOTCH} from '../../keymap/keys.ts';
import {targetAt} from './mouse-target.ts';

/**
 * Click and wheel. Only the list, the detail pane and menus react to them: money is never moved by a click, and what is being
 * typed is not disturbed by one.
 */
export function createMouse({store, monitor: actions, screen, money}: Context): (event: MouseEvent) => void {
	const {get} = store;
	const {layout} = screen;

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
		money?.tradeRowClicked();
		if (isAgain && topMode(get()).kind === 'list') actions.openDetail();
	}

	return ({action, x, y}) => {
		if (action === 'press') {
			click(x, y);
			return;
		}
		const by = action === 'wheelDown' ? 1 : -1;
		const target = targetAt(layout(), get(), x, y);
		if (target?.kind === 'detail') actions.scrollDetail(by * NOTCH, screen.detail().max);
		else if (target) actions.scrollColumn(target.view, by * NOTCH);
	};
}
