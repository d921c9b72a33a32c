import {scopeText} from '../../monitor/columns/scope.ts';
import type {MonitorState} from '../../monitor/state.ts';

/** The windows of actions, by the mode of each. */
export type ActionMenu = 'view' | 'more';

/** A line of a window of actions. */
export interface ActionLine {
	readonly key: string;
	/** The action. */
	readonly id: string;
	/** The present choice, shown at the right. */
	readonly now?: (state: MonitorState) => string;
}

/** The lines of each window, in their order. */
export const ACTION_LINES: Readonly<Record<ActionMenu, readonly ActionLine[]>> = {
	view: [
		{key: 'c', id: 'chains.open', now: ({scope}) => scopeText(scope, 'chains')},
		{key: 'l', id: 'launchpads.open', now: ({scope}) => scopeText(scope, 'launchpads')},
		{key: 'o', id: 'columns.open', now: ({shownViews}) => shownViews.join(', ')},
		{key: 'f', id: 'fields.open'},
		{key: 'h', id: 'view.density', now: ({density}) => density},
		{key: 't', id: 'view.theme', now: ({theme}) => theme},
	],
	more: [
		{key: 'P', id: 'watchlist.open'},
		{key: 'a', id: 'log.open'},
		{key: 'o', id: 'perp.open'},
		{key: 'p', id: 'markets.open'},
		{key: 'w', id: 'webhooks.open'},
		{key: 'i', id: 'labels.open'},
		{key: 's', id: 'feed.addresses'},
		{key: 'l', id: 'wallet.lock'},
		{key: 'r', id: 'config.reload'},
		{key: 't', id: 'tour.next'},
		{key: 'b', id: 'program.report'},
	],
};
