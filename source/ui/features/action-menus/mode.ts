declare module '../../../monitor/mode.ts' {
	interface Modes {
		/** Windows of actions, each with a key of its own. */
		readonly view: {readonly index: number};
		readonly more: {readonly index: number};
	}
}
