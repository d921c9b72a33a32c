import {PulsetopError} from '../errors.ts';
import {Refused} from './http-error.ts';

/** Codes of failures of a node or of the store: the request may be right. */
const TEMPORARY: ReadonlySet<string> = new Set([
	'chain-unavailable',
	'rpc-unanswered',
	'rpc-refused',
	'store-failed',
	'store-refused',
	'wrong-world',
	'send-rejected',
	'send-uncertain',
	'sender-busy',
]);

/**
 * The failure of a node or of the store among the causes of an error (libraries wrap errors in their own); undefined:
 * there is no such failure.
 */
export function temporaryCause(error: unknown): PulsetopError | undefined {
	let cause = error;
	for (let depth = 0; depth < 8 && cause instanceof Error; depth++) {
		if (cause instanceof PulsetopError && TEMPORARY.has(cause.code)) return cause;
		if (cause instanceof Refused) return undefined;
		cause = cause.cause;
	}
	return undefined;
}
