import type {WatchlistState} from './watchlist-state.ts';

declare module '../../../monitor/mode.ts' {
	interface Modes {
		readonly watchlist: object;
	}
}

declare module '../../screens/screens-state.ts' {
	interface ScreenStates {
		readonly watchlist: WatchlistState;
	}
}
