/** Maximum silence of a service while waiting, ms: the status can be looked up later. */
const SILENT_MS = 120_000;

/** An action whose end can be awaited. */
interface Watched {
	watch(signal: AbortSignal, silentMs: number): Promise<unknown>;
}

/** Waits for the end of a sent action. Ctrl+C or a long silence of the service ends the wait, not the action. */
export async function readToEnd(flow: Watched): Promise<void> {
	const reading = new AbortController();
	const stop = (): void => reading.abort();
	process.once('SIGINT', stop);
	try {
		await flow.watch(reading.signal, SILENT_MS);
	} finally {
		process.off('SIGINT', stop);
	}
}
