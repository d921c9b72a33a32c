import type {PositionsState} from './positions-state.ts';

declare module '../../../monitor/mode.ts' {
	interface Modes {
		readonly positions: object;
	}
}

declare module '../../screens/screens-state.ts' {
	interface ScreenStates {
		readonly positions: PositionsState;
	}
}
