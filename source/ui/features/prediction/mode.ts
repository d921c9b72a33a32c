import type {PredictionState} from './prediction-state.ts';

declare module '../../../monitor/mode.ts' {
	interface Modes {
		readonly prediction: object;
	}
}

declare module '../../screens/screens-state.ts' {
	interface ScreenStates {
		readonly prediction: PredictionState;
	}
}
