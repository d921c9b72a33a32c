import type {ScreensState} from './screens-state.ts';

/** The lists of what is one's own, in the order of their tabs. */
export const OWN_TABS = ['held', 'trades', 'watchlist'] as const;
export type OwnTab = (typeof OWN_TABS)[number];

/** The tab that a screen shows; undefined for a screen without tabs. */
export function ownTab(kind: string, {positions}: Pick<ScreensState, 'positions'>): OwnTab | undefined {
	if (kind === 'positions') return positions.list;
	return kind === 'watchlist' ? 'watchlist' : undefined;
}
