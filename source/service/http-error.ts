import type {ErrorForm} from '../contract/error-body.ts';
import {type Next, PulsetopError} from '../errors.ts';

/**
 * Not by `import`, which reads every export of the module, one of which loads the whole of Node's own WebSocket (measured:
 * 20 ms of the start).
 */
const {STATUS_CODES} = process.getBuiltinModule('node:http');

/** A request refused with an HTTP status: what the error handler writes as the body. */
export class Refused extends PulsetopError {
	readonly code = 'refused';
	readonly statusCode: number;
	readonly headers: Readonly<Record<string, string>>;

	/** @param message sent to the caller as it is: no keys, bodies or addresses of this machine in it */
	constructor(
		statusCode: number,
		message: string,
		{next = 'fix-input' as Next, headers = {} as Readonly<Record<string, string>>, cause = undefined as unknown} = {},
	) {
		super(message, {why: STATUS_CODES[statusCode] ?? 'Refused', next, cause});
		this.statusCode = statusCode;
		this.headers = headers;
	}
}

/**
 * The body of an error response.
 * @param intentId echoed by the bridge form when the request named one
 */
export function errorBody(
	form: ErrorForm,
	statusCode: number,
	message: string,
	intentId?: string,
): Record<string, unknown> {
	if (form === 'bridge') return intentId === undefined ? {error: message} : {error: message, intentId};
	return {statusCode, message, error: STATUS_CODES[statusCode] ?? 'Error'};
}
