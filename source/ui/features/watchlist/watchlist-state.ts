import type {Entry} from '../../../contract/entry.ts';
import {findEntry} from '../../../monitor/select.ts';
import type {MonitorState} from '../../../monitor/state.ts';
import type {TokenList} from '../../screens/token-list.ts';

export const WATCHLIST_SORTS = ['pinned', 'change', 'mcap', 'age', 'symbol'] as const;
export type WatchlistSort = (typeof WATCHLIST_SORTS)[number];
export type WatchlistState = TokenList<WatchlistSort>;

export const NO_WATCHLIST: WatchlistState = {rows: new Map(), order: [], sort: 'pinned', isReversed: false};

/** The newest entry of a pinned token: its own feed's, or a column's while that has not answered. */
export function watchedEntry({rows}: WatchlistState, monitor: MonitorState, key: string): Entry | undefined {
	return rows.get(key) ?? findEntry(monitor, key)?.entry;
}
