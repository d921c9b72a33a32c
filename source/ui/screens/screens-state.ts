import {type DeveloperState, NO_DEVELOPER} from '../features/developer/developer-state.ts';
import {type LabelsState, NO_LABELS} from '../features/labels/labels-state.ts';
import {type MarketsState, NO_MARKETS} from '../features/prediction/prediction-state.ts';
import {NO_WATCH, type WatchState} from '../features/watchlist/watchlist-state.ts';
import {NO_WEBHOOKS, type WebhooksState} from '../features/webhooks/webhooks-state.ts';

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
