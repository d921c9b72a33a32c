import type {DeveloperState} from './developer-state.ts';

declare module '../../../monitor/mode.ts' {
	interface Modes {
		readonly developer: object;
	}
}

declare module '../../screens/screens-state.ts' {
	interface ScreenStates {
		readonly developer: DeveloperState;
	}
}
