import type {ModeOf} from '../../../monitor/mode.ts';
import {SLOTS, savedViewSummary} from '../../../monitor/saved-views/saved-view.ts';
import {activeSlot} from '../../../monitor/saved-views/saved-view-transitions.ts';
import type {MonitorState} from '../../../monitor/state.ts';
import type {MenuContext, MenuItem} from '../../feature.ts';
import {narrowed} from '../menu/narrowing.ts';

/** The lines of the menu: every number with its view. */
export function savedViewItems(mode: ModeOf<'presets'>, {state, isAscii}: MenuContext): readonly MenuItem[] {
	return shownSlots(mode, state).map(slot => {
		const savedView = state.savedViews.get(slot);
		return {
			id: String(slot),
			label: `${slot}  ${savedView?.name ?? (isAscii ? '-' : '–')}`,
			note: savedView ? savedViewSummary(savedView) : 'empty',
			isCurrent: activeSlot(state) === slot,
		};
	});
}

/** The numbers that the menu of saved views shows. */
export function shownSlots(
	{narrow = ''}: ModeOf<'presets'>,
	{savedViews}: Pick<MonitorState, 'savedViews'>,
): readonly number[] {
	return narrowed(SLOTS, narrow, slot => {
		const savedView = savedViews.get(slot);
		return `${slot} ${savedView ? `${savedView.name} ${savedViewSummary(savedView)}` : 'empty'}`;
	});
}
