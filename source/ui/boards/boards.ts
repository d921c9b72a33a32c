import type {Board, BoardContext, BoardInput, BoardKind} from '../../monitor/boards/board.ts';
import type {Store} from '../../store.ts';
import type {Row} from '../../terminal/style.ts';
import {developerRows} from '../features/developer/developer-rows.ts';
import {createDeveloperScreen} from '../features/developer/developer-screen.ts';
import {labelsRows} from '../features/labels/labels-rows.ts';
import {createLabelsScreen} from '../features/labels/labels-screen.ts';
import {marketsRows} from '../features/prediction/prediction-rows.ts';
import {createPredictionScreen} from '../features/prediction/prediction-screen.ts';
import {watchRows} from '../features/watchlist/watchlist-rows.ts';
import {createWatchlistScreen} from '../features/watchlist/watchlist-screen.ts';
import {webhooksRows} from '../features/webhooks/webhooks-rows.ts';
import {createWebhooksScreen} from '../features/webhooks/webhooks-screen.ts';
import type {BoardLook} from '../screens/screen-rows.ts';
import type {BoardsState} from '../screens/screens-state.ts';
import {sliceOf} from '../screens/slice.ts';

/** The screens beside the columns: what their keys do, and what they look like. */
export interface Boards extends Readonly<Record<BoardKind, Board>> {
	/** The lines of a board, as many as it has rows. */
	rows(kind: BoardKind, look: BoardLook): readonly Row[];
}

export interface BoardsOptions extends Omit<BoardContext, 'input'> {
	readonly store: Store<BoardsState>;
	readonly input: (kind: BoardKind) => BoardInput;
}

export function createBoards({store, input, ...context}: BoardsOptions): Boards {
	return {
		markets: createPredictionScreen(sliceOf(store, 'markets'), {...context, input: input('markets')}),
		webhooks: createWebhooksScreen(sliceOf(store, 'webhooks'), {...context, input: input('webhooks')}),
		labels: createLabelsScreen(sliceOf(store, 'labels'), {...context, input: input('labels')}),
		watchlist: createWatchlistScreen(sliceOf(store, 'watchlist'), {...context, input: input('watchlist')}),
		developer: createDeveloperScreen(sliceOf(store, 'developer'), {...context, input: input('developer')}),
		rows(kind, look) {
			const state = store.get();
			if (kind === 'markets') return marketsRows(state.markets, context.monitor.get().markets, look);
			if (kind === 'watchlist') return watchRows(state.watchlist, context.monitor.get(), look);
			if (kind === 'developer') return developerRows(state.developer, context.monitor.get(), look);
			if (kind === 'webhooks') return webhooksRows(state.webhooks, look);
			return labelsRows(state.labels, look);
		},
	};
}
