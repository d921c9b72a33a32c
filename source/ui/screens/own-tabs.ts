import type {ScreenKind} from '../../monitor/mode.ts';
import type {ScreensState} from './screens-state.ts';

/** The user's own lists, in the order of their tabs. */
export const OWN_TABS = ['held', 'trades', 'log', 'watchlist'] as const;
export type OwnTab = (typeof OWN_TABS)[number];

/** The screen of each tab. */
export const TAB_SCREENS = {
	held: 'positions',
	trades: 'positions',
	log: 'actionLog',
	watchlist: 'watchlist',
} as const satisfies Record<OwnTab, ScreenKind>;

/** The tab that a screen shows; undefined for a screen without tabs. */
export function ownTab(kind: string, {positions}: Pick<ScreensState, 'positions'>): OwnTab | undefined {
	if (kind === 'positions') return positions.list;
	return OWN_TABS.find(tab => TAB_SCREENS[tab] === kind);
}
