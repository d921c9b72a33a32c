import type {TradeTarget} from '../../../trading/traded-token.ts';

declare module '../../../monitor/mode.ts' {
	/** Windows that move money: what they show lives in a state of their own. */
	interface Modes {
		readonly bridge: object;
		readonly perp: object;
		readonly predictionAccount: object;
		/** The token that was under the cursor when the key was pressed: the window is about no other one. */
		readonly trade: {readonly target: TradeTarget};
	}
}
