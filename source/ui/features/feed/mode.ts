declare module '../../../monitor/mode.ts' {
	interface Modes {
		/** The addresses of the service, and what came and went in the last loss of the stream. */
		readonly addresses: {readonly index: number};
	}
}
