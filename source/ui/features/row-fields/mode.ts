declare module '../../../monitor/mode.ts' {
	interface Modes {
		/** The cells of the focused column's rows are chosen; `before` are the earlier ones. */
		readonly fields: {readonly index: number; readonly narrow?: string; readonly before: readonly string[]};
	}
}

export {};
