/**
 * Redirects stderr while the monitor draws: a warning of Node, of a library or of the service's thread would scroll the
 * terminal, and every later cell would be painted in the wrong place.
 * @param keep gets the text instead of the terminal
 * @returns restores stderr
 */
export function captureStderr(
	keep: (text: string) => void,
	stderr: Pick<NodeJS.WriteStream, 'write'> = process.stderr,
): () => void {
	const write = stderr.write;
	const capture = (chunk: string | Uint8Array, encoding?: unknown, callback?: unknown): boolean => {
		keep(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
		const done = typeof encoding === 'function' ? encoding : callback;
		if (typeof done === 'function') queueMicrotask(() => done());
		return true;
	};
	stderr.write = capture as typeof stderr.write;
	return () => {
		if (stderr.write === (capture as typeof stderr.write)) stderr.write = write;
	};
}
