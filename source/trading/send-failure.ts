import {RateLimited, ServiceRefused, ServiceUnreachable} from '../client/http/service-errors.ts';
import {PulsetopError} from '../errors.ts';

/** A POST without a response: it certainly did not leave this machine, was refused, or has an unknown end. */
export type SendFailure =
	/** An HTTP status other than a success. */
	| {readonly kind: 'refused'; readonly status: number; readonly said: string}
	/** No connection was made: nothing left this machine. */
	| {readonly kind: 'not-sent'; readonly said: string}
	/** It may have arrived: no answer, or one that cannot be understood. */
	| {readonly kind: 'no-answer'; readonly said: string};

/** The outcome of a POST that threw. Only a POST that certainly did not leave counts as unsent. */
export function sendFailureOf(error: unknown): SendFailure {
	const said = error instanceof PulsetopError ? error.why : 'an internal failure';
	if (error instanceof RateLimited) return {kind: 'refused', status: 429, said};
	if (error instanceof ServiceRefused) return {kind: 'refused', status: error.status, said: error.said};
	if (error instanceof ServiceUnreachable && error.sent === 'no') return {kind: 'not-sent', said};
	return {kind: 'no-answer', said};
}
