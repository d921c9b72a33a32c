import {type DeveloperState, NO_DEVELOPER} from './developer-state.ts';
import {type LabelsState, NO_LABELS} from './labels-state.ts';
import {type MarketsState, NO_MARKETS} from './markets-state.ts';
import {NO_WATCH, type WatchState} from './watch-state.ts';
import {NO_WEBHOOKS, type WebhooksState} from './webhooks-state.ts';

/** What the boards show. Apart from the monitor's state: a board that is closed costs the feed nothing. */
export interface BoardsState {
	readonly markets: MarketsState;
	readonly webhooks: WebhooksState;
	readonly labels: LabelsState;
	readonly watchlist: WatchState;
	readonly developer: DeveloperState;
	/** How far the page that was drawn last can be scrolled, lines. */
	readonly reach?: number;
}

export const NO_BOARDS: BoardsState = {
	markets: NO_MARKETS,
	webhooks: NO_WEBHOOKS,
	labels: NO_LABELS,
	watchlist: NO_WATCH,
	developer: NO_DEVELOPER,
};
