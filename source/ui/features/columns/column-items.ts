import type {MonitorState} from '../../../monitor/state.ts';
import {VIEWS, type ViewName} from '../../../monitor/views.ts';
import type {MenuItem} from '../../feature.ts';

const LABELS: Readonly<Record<ViewName, string>> = {
	new: 'NEW: tokens just launched',
	bonding: 'BONDING: on a bonding curve',
	bonded: 'BONDED: traded on an exchange',
	trending: 'TRENDING: most traded by most people',
};

/** The lines of the menu: the columns that are shown, from left to right, then the others. */
export function columnItems({shownViews}: Pick<MonitorState, 'shownViews'>): readonly MenuItem[] {
	const others = VIEWS.filter(view => !shownViews.includes(view));
	return [...shownViews, ...others].map(view => ({
		id: view,
		label: LABELS[view],
		note: shownViews.includes(view) ? `shown, ${shownViews.indexOf(view) + 1} of ${shownViews.length}` : 'not shown',
		isCurrent: shownViews.includes(view),
	}));
}
