import type {LabelsState} from './labels-state.ts';

declare module '../../../monitor/mode.ts' {
	interface Modes {
		readonly labels: object;
	}
}

declare module '../../screens/screens-state.ts' {
	interface ScreenStates {
		readonly labels: LabelsState;
	}
}
