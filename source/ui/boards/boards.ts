import type {Board, BoardContext, BoardInput, BoardKind} from '../../monitor/boards/board.ts';
import type {BoardsState} from '../../monitor/boards/boards-state.ts';
import {createDeveloperBoard} from '../../monitor/boards/developer-board.ts';
import {createLabelsBoard} from '../../monitor/boards/labels-board.ts';
import {createMarketsBoard} from '../../monitor/boards/markets-board.ts';
import {createWatchBoard} from '../../monitor/boards/watch-board.ts';
import {createWebhooksBoard} from '../../monitor/boards/webhooks-board.ts';
import type {Store} from '../../store.ts';
import type {Row} from '../../terminal/style.ts';
import {developerRows} from '../features/developer/developer-rows.ts';
import {watchRows} from '../features/watchlist/watch-rows.ts';
import {labelsRows} from '../labels/labels-rows.ts';
import {marketsRows} from '../markets/markets-rows.ts';
import {webhooksRows} from '../webhooks/webhooks-rows.ts';
import type {BoardLook} from './board-rows.ts';

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
		markets: createMarketsBoard(store, {...context, input: input('markets')}),
		webhooks: createWebhooksBoard(store, {...context, input: input('webhooks')}),
		labels: createLabelsBoard(store, {...context, input: input('labels')}),
		watchlist: createWatchBoard(store, {...context, input: input('watchlist')}),
		developer: createDeveloperBoard(store, {...context, input: input('developer')}),
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
