import type {ErrorForm} from '../contract/error-body.ts';
import {type Next, PulsetopError} from '../errors.ts';

/** `import` would read every export of the module, and one export loads Node's own WebSocket (measured: 20 ms of the start). */
const {STATUS_CODES} = process.getBuiltinModule('node:http');

/** Details of an error beside a message whose text the spec fixes. */
export interface RefusalDetails {
	/** Why, in words. */
	readonly reason?: string;
	/** Where in the request: `orderIndex`. */
	readonly field?: string;
}

/** A request refused with an HTTP status: what the error handler writes as the body. */
export class Refused extends PulsetopError {
	readonly code = 'refused';
	readonly statusCode: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly details: RefusalDetails;

	/** @param message sent to the caller as it is, as are the details: no keys, bodies or addresses of this machine in it */
	constructor(
		statusCode: number,
		message: string,
		{
			next = 'fix-input' as Next,
			headers = {} as Readonly<Record<string, string>>,
			details = {} as RefusalDetails,
			cause = undefined as unknown,
		} = {},
	) {
		super(message, {why: details.reason ?? STATUS_CODES[statusCode] ?? 'Refused', next, cause});
		this.statusCode = statusCode;
		this.headers = headers;
		this.details = details;
	}
}

/**
 * The body of an error response.
 * @param intentId echoed by the bridge form when the request named one
 * @param details members of their own in the standard form
 */
export function errorBody(
	form: ErrorForm,
	statusCode: number,
	message: string,
	{
		intentId,
		details = {},
	}: {readonly intentId?: string | undefined; readonly details?: RefusalDetails | undefined} = {},
): Record<string, unknown> {
	if (form === 'bridge') return intentId === undefined ? {error: message} : {error: message, intentId};
	return {statusCode, message, error: STATUS_CODES[statusCode] ?? 'Error', ...details};
}
