import {type Next, PulsetopError} from '../errors.ts';

/*
 * The ways in which asking a service can fail. Their words never hold an address, a key or a body; what the service said
 * is cleaned and cut before it comes here.
 */

/**
 * Whether the request may have reached the service although no answer came. After a money call this decides what to do:
 * `maybe` means that the status must be read before anything is sent again.
 */
export type Sent = 'no' | 'maybe';

/** No connection: refused, cut, no such host, no route, bad certificate. */
export class ServiceUnreachable extends PulsetopError {
	readonly code = 'service-unreachable';
	readonly sent: Sent;

	constructor(
		why: string,
		{sent = 'maybe', next = 'retry-later', cause}: {sent?: Sent; next?: Next; cause?: unknown} = {},
	) {
		super('The service cannot be reached', {why, next, cause});
		this.sent = sent;
	}
}

/** The connection stands, the answer did not come in time. */
export class ServiceTimeout extends PulsetopError {
	readonly code = 'service-timeout';
	readonly sent: Sent = 'maybe';

	constructor(why: string, {next = 'retry-later', cause}: {next?: Next; cause?: unknown} = {}) {
		super('The service did not answer in time', {why, next, cause});
	}
}

/** The service understood and said no. */
export class ServiceRefused extends PulsetopError {
	readonly code = 'service-refused';
	/** HTTP status; 200 where a refusal came as a success with an `error` (contract gaps 4.2), 0 on the stream. */
	readonly status: number;
	/** What the service said, clean; empty when it said nothing. */
	readonly said: string;

	constructor(status: number, said: string, {next = nextAfter(status)}: {next?: Next} = {}) {
		const facts = status === 0 || status === 200 ? [] : [`status ${status}${meaning(status)}`];
		if (said !== '') facts.push(`it said: ${said}`);
		super(headline(status), {why: facts.join('; ') || 'it gave no reason', next});
		this.status = status;
		this.said = said;
	}
}

/** Too many requests (429). */
export class RateLimited extends PulsetopError {
	readonly code = 'rate-limited';
	readonly status = 429;
	/** What the service asked to wait; undefined when it did not say. */
	readonly retryAfterMs: number | undefined;

	constructor(retryAfterMs: number | undefined) {
		const wait = retryAfterMs === undefined ? 'it did not say for how long' : `for ${Math.ceil(retryAfterMs / 1000)} s`;
		super('The service asks for fewer requests', {why: `status 429, ${wait}`, next: 'retry-later'});
		this.retryAfterMs = retryAfterMs;
	}
}

/** An answer came, but it is not what the API promises. */
export class WrongAnswer extends PulsetopError {
	readonly code = 'wrong-answer';
	readonly sent: Sent = 'maybe';

	constructor(why: string, {next = 'report', cause}: {next?: Next; cause?: unknown} = {}) {
		super('The service gave an answer that cannot be understood', {why, next, cause});
	}
}

function headline(status: number): string {
	if (status === 401 || status === 403) return 'The service does not let us in';
	if (status === 404) return 'The service does not know this';
	return status >= 500 ? 'The service failed' : 'The service refused the request';
}

function meaning(status: number): string {
	const words: Readonly<Record<number, string>> = {
		400: ' (bad request)',
		401: ' (API key missing or wrong)',
		402: ' (plan or credits)',
		403: ' (not allowed)',
		404: ' (not found)',
		409: ' (already done)',
		413: ' (too large)',
		502: ' (bad gateway)',
		503: ' (overloaded or in maintenance)',
		504: ' (a part of it did not answer)',
	};
	return words[status] ?? (status >= 300 && status < 400 ? ' (it points to another address)' : '');
}

function nextAfter(status: number): Next {
	if (status >= 500) return 'retry-later';
	return status === 409 ? 'poll-status' : 'fix-input';
}
