import type {MonitorState} from '../../monitor/state.ts';
import type {Span} from '../../terminal/style.ts';
import {toned} from '../view-model.ts';
import type {ScreenCanvas} from './screen-rows.ts';
import type {ScreensState} from './screens-state.ts';

/** The lists of what is one's own, in the order of their tabs. */
export const OWN_TABS = ['held', 'trades', 'watchlist'] as const;
export type OwnTab = (typeof OWN_TABS)[number];

const NAMES: Readonly<Record<OwnTab, string>> = {held: 'POSITIONS', trades: 'TRADES', watchlist: 'WATCH LIST'};
/** From this width on all tabs stand in the title, cells. */
const TABS_WIDTH = 70;

/** The tab that a screen shows; undefined for a screen without tabs. */
export function ownTab(kind: string, {positions}: Pick<ScreensState, 'positions'>): OwnTab | undefined {
	if (kind === 'positions') return positions.list;
	return kind === 'watchlist' ? 'watchlist' : undefined;
}

/** The names of the tabs for the title of a screen, the shown one marked; that one alone where there is no room, or no other one. */
export function tabsTitle(canvas: ScreenCanvas, {service}: MonitorState, shown: OwnTab): Span[] {
	const tabs = canvas.width < TABS_WIDTH || service.noMoney !== undefined ? [shown] : OWN_TABS;
	return tabs.flatMap((tab, at) => [
		...(at === 0 ? [] : [{text: '  '}]),
		toned(canvas, tab === shown ? 'brand' : 'faint', NAMES[tab]),
	]);
}
