declare module '../../../monitor/mode.ts' {
	interface Modes {
		/** `before` is the theme that was in force. */
		readonly themes: {readonly index: number; readonly before: string};
	}
}

export {};
