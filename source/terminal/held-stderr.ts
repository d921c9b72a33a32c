/**
 * Keeps everything that is written to stderr off the screen while the screen is ours: a warning of Node's, of a library or of
 * the service's thread would scroll the terminal, and from then on every cell would be painted in the wrong place.
 * @param keep where the text goes instead
 * @returns gives stderr back
 */
export function holdStderr(
	keep: (text: string) => void,
	stderr: Pick<NodeJS.WriteStream, 'write'> = process.stderr,
): () => void {
	const write = stderr.write;
	const held = (chunk: string | Uint8Array, encoding?: unknown, callback?: unknown): boolean => {
		keep(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
		const done = typeof encoding === 'function' ? encoding : callback;
		if (typeof done === 'function') queueMicrotask(() => done());
		return true;
	};
	stderr.write = held as typeof stderr.write;
	return () => {
		if (stderr.write === (held as typeof stderr.write)) stderr.write = write;
	};
}
