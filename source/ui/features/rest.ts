import type {BoardActions} from '../boards/board-actions.ts';
import {BOARD_KEYS} from '../boards/board-keys.ts';
import {feature, type ModeSpec} from '../feature.ts';
import {TOKEN_LIST_BINDINGS} from './watchlist/token-list-keys.ts';

const WINDOW_SIZE = {columns: 40, rows: 12} as const;

const BOARD: Omit<ModeSpec<unknown, BoardActions>, 'help'> = {
	coversColumns: true,
	minSize: WINDOW_SIZE,
	window: 'board',
	paste: (text, _, a) => {
		a.boardPaste(text);
		return true;
	},
	mouse: (event, a) => a.boardMouse(event),
};

/** The screens beside the columns. */
export const boards = feature({
	name: 'boards',
	// Without these (plain mode) no key of theirs is pressed.
	actions: context => context.boards as BoardActions,
	modes: {
		markets: {...BOARD, help: 'markets'},
		webhooks: {...BOARD, help: 'webhooks'},
		labels: {...BOARD, help: 'labels'},
		watchlist: {...BOARD, help: 'tokens'},
		developer: {...BOARD, help: 'tokens'},
		boardInput: {
			help: 'forms',
			typesLine: true,
			minSize: WINDOW_SIZE,
			window: 'board',
			// Addresses may be more than a line can hold.
			paste: (text, {field}, a) => {
				if (field === 'addresses') a.boardPaste(text);
				return field === 'addresses';
			},
		},
	},
	help: {
		boards: {
			title: 'ON THE SCREENS OF TOKENS, MARKETS, WEBHOOKS AND WALLETS',
			rank: 130,
			shared: ({coversColumns}) => coversColumns === true,
		},
		forms: {title: 'LINES AND FORMS OF THESE SCREENS', rank: 140},
		tokens: {title: 'WATCH LIST AND DEVELOPER ({watchlist.open}, {developer.open})', rank: 150},
		markets: {title: 'MARKETS ({markets.open})', rank: 160},
		webhooks: {title: 'WEBHOOKS ({webhooks.open})', rank: 170},
		labels: {title: 'WALLETS ({labels.open})', rank: 180},
	},
	bindings: [...TOKEN_LIST_BINDINGS, ...BOARD_KEYS],
});
