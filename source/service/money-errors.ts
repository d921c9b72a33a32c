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
]);

/**
 * Runs a handler of the money flows; a chain or a store that is away becomes 503 with the reason in words.
 * @throws Refused
 */
export async function answering<T>(act: () => Promise<T>): Promise<T> {
	try {
		return await act();
	} catch (error) {
		if (error instanceof PulsetopError && TEMPORARY.has(error.code)) {
			throw new Refused(503, `${error.message}: ${error.why}`, {next: 'retry-later', cause: error});
		}
		throw error;
	}
}
