declare module '../../../monitor/mode.ts' {
	/** Windows that move money: what they show lives in a state of their own. */
	interface Modes {
		readonly bridge: object;
		readonly perp: object;
		readonly predictionAccount: object;
	}
}

export {};
