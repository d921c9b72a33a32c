import type {ActionLogState} from './action-log-state.ts';

declare module '../../../monitor/mode.ts' {
	interface Modes {
		readonly actionLog: object;
	}
}

declare module '../../screens/screens-state.ts' {
	interface ScreenStates {
		readonly actionLog: ActionLogState;
	}
}
