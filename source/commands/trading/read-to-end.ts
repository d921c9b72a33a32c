/** A service that does not answer for so long is not waited for any more: what was sent can be looked up later. */
const SILENT_MS = 120_000;

/** Something whose end can be read. */
interface Watched {
	watch(signal: AbortSignal, silentMs: number): Promise<unknown>;
}

/** Reads what becomes of something that was sent. Ctrl+C ends the reading, not the action; so does a long silence. */
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
