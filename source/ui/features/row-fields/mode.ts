declare module '../../../monitor/mode.ts' {
	interface Modes {
		/** What the rows of the focused column show is chosen; `before` is what they showed. */
		readonly fields: {readonly index: number; readonly narrow?: string; readonly before: readonly string[]};
	}
}

export {};
