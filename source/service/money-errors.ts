import {PulsetopError} from '../errors.ts';
import {Refused} from './http-error.ts';

/** Codes of failures that are nobody's fault who asks: a node, or the store. */
const TEMPORARY: ReadonlySet<string> = new Set([
	'chain-unavailable',
	'rpc-unanswered',
	'rpc-refused',
	'store-failed',
	'wrong-world',
	'send-rejected',
	'send-uncertain',
]);

/** The failure of a node or of the store that an error comes from, if it does: libraries wrap them in their own. */
export function temporaryCause(error: unknown): PulsetopError | undefined {
	let cause = error;
	for (let depth = 0; depth < 8 && cause instanceof Error; depth++) {
		if (cause instanceof PulsetopError && TEMPORARY.has(cause.code)) return cause;
		if (cause instanceof Refused) return undefined;
		cause = cause.cause;
	}
	return undefined;
}

/**
 * Runs a handler of the money flows; a chain or a store that is away becomes 503 with the reason in words.
 * @throws Refused
 */
export async function answering<T>(act: () => Promise<T>): Promise<T> {
	try {
		return await act();
	} catch (error) {
		const cause = temporaryCause(error);
		if (cause === undefined) throw error;
		throw new Refused(503, `${cause.message}: ${cause.why}`, {next: 'retry-later', cause: error});
	}
}
