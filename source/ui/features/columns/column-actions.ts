import {
	DEFAULT_VIEWS,
	isSameShown,
	type ShownViews,
	viewMoved,
	viewToggled,
} from '../../../monitor/columns/shown-views.ts';
import {topMode} from '../../../monitor/state.ts';
import {viewsShown} from '../../../monitor/transitions/screen.ts';
import type {ViewName} from '../../../monitor/views.ts';
import type {Context} from '../../feature.ts';
import {columnsAtATime, widthOf} from '../../layout.ts';
import {columnItems} from './column-items.ts';

/** Actions that choose which columns are shown, and where; the screen follows every step. */
export function createColumnActions({store, monitor}: Context) {
	const {get, apply} = store;

	function marked(): ViewName | undefined {
		const mode = topMode(get());
		return mode.kind === 'columns' ? (columnItems(get())[mode.index]?.id as ViewName | undefined) : undefined;
	}

	/** The cursor stays on the column that it was on. */
	function show(shown: ShownViews, view: ViewName): void {
		apply(state => viewsShown(state, shown));
		const index = columnItems(get()).findIndex(({id}) => id === view);
		monitor.changeMode(mode => (mode.kind === 'columns' ? {...mode, index} : mode));
	}

	/** Notifies where more columns are chosen than the screen shows at a time. */
	function reportHiddenColumns(): void {
		const {shownViews, size} = get();
		const fitting = columnsAtATime(size.columns);
		if (shownViews.length <= fitting) return;
		const shown = `This screen shows ${fitting} of ${shownViews.length} columns at a time`;
		monitor.notify(
			`${shown}: all of them need ${widthOf(shownViews.length)} cells.`,
			'info',
			'{column.next} goes to the others.',
		);
	}

	return {
		open: () => {
			const {focus, shownViews} = get();
			monitor.enterMode({kind: 'columns', index: Math.max(shownViews.indexOf(focus), 0), before: shownViews});
		},
		toggle: () => {
			const view = marked();
			if (view === undefined) return;
			const {shownViews} = get();
			const next = viewToggled(shownViews, view);
			if (next === shownViews) monitor.notify('One column is always shown.', 'warn');
			else {
				show(next, view);
				reportHiddenColumns();
			}
		},
		/** Shows the marked column alone. */
		showAlone: () => {
			const view = marked();
			if (view !== undefined) show([view], view);
		},
		move: (by: 1 | -1) => {
			const view = marked();
			if (view !== undefined) show(viewMoved(get().shownViews, view, by), view);
		},
		reset: () => {
			const view = marked();
			if (view !== undefined) show(DEFAULT_VIEWS, view);
		},
		keep: () => {
			const mode = topMode(get());
			monitor.leaveMode();
			if (mode.kind === 'columns' && !isSameShown(mode.before, get().shownViews)) monitor.saveChoices();
		},
		cancel: () => {
			const mode = topMode(get());
			monitor.leaveMode();
			if (mode.kind === 'columns') apply(state => viewsShown(state, mode.before));
		},
	};
}
