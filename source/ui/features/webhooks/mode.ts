import type {WebhooksState} from './webhooks-state.ts';

declare module '../../../monitor/mode.ts' {
	interface Modes {
		readonly webhooks: object;
	}
}

declare module '../../screens/screens-state.ts' {
	interface ScreenStates {
		readonly webhooks: WebhooksState;
	}
}
