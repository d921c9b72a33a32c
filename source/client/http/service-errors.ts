import {type Next, PulsetopError} from '../../errors.ts';

/*
 * The failures of requests to a service. Their texts never hold an address, a key or a body; texts of the service are
 * cleaned and cut before they are passed to these classes.
 */

/**
 * Whether the request may have reached the service although no response came. After a money call `maybe` means that the
 * status must be read before another request is sent.
 */
export type Sent = 'no' | 'maybe';

/** No connection: refused, cut, no such host, no route, bad certificate. */
export class ServiceUnreachable extends PulsetopError {
	readonly code = 'service-unreachable';
	readonly sent: Sent;

	constructor(
		why: string,
		{
			sent = 'maybe',
			next = 'retry-later',
			advice,
			cause,
		}: {sent?: Sent; next?: Next; advice?: string | undefined; cause?: unknown} = {},
	) {
		super('The service cannot be reached', {why, next, advice, cause});
		this.sent = sent;
	}
}

/** The service did not respond in time. */
export class ServiceTimeout extends PulsetopError {
	readonly code = 'service-timeout';
	readonly sent: Sent = 'maybe';

	constructor(why: string, {next = 'retry-later', cause}: {next?: Next; cause?: unknown} = {}) {
		super('The service did not answer in time', {why, next, cause});
	}
}

/** The service refused the request. */
export class ServiceRefused extends PulsetopError {
	readonly code = 'service-refused';
	/** HTTP status; 200 for a success with an `error` (contract gaps 4.2), 0 on the stream. */
	readonly status: number;
	/** The service's message, clean; empty when it sent none. */
	readonly said: string;

	constructor(
		status: number,
		said: string,
		{next = nextAfter(status), advice = adviceAfter(status, said)}: {next?: Next; advice?: string | undefined} = {},
	) {
		const facts = status === 0 || status === 200 ? [] : [`status ${status}${meaning(status)}`];
		if (said !== '') facts.push(`it said: ${said}`);
		super(headline(status), {
			why: facts.join('; ') || 'it gave no reason',
			next,
			...(next === 'fix-input' && {advice}),
		});
		this.status = status;
		this.said = said;
	}
}

/** Too many requests (429). */
export class RateLimited extends PulsetopError {
	readonly code = 'rate-limited';
	readonly status = 429;
	/** The `Retry-After` of the service; undefined when it sent none. */
	readonly retryAfterMs: number | undefined;

	constructor(retryAfterMs: number | undefined) {
		const wait = retryAfterMs === undefined ? 'it did not say for how long' : `for ${Math.ceil(retryAfterMs / 1000)} s`;
		super('The service asks for fewer requests', {why: `status 429, ${wait}`, next: 'retry-later'});
		this.retryAfterMs = retryAfterMs;
	}
}

/** The response does not have the form that the API promises. */
export class InvalidResponse extends PulsetopError {
	readonly code = 'wrong-answer';
	readonly sent: Sent = 'maybe';

	constructor(
		why: string,
		{next = 'report', advice, cause}: {next?: Next; advice?: string | undefined; cause?: unknown} = {},
	) {
		super('The service gave an answer that cannot be understood', {why, next, advice, cause});
	}
}

/** For an answer that no such service gives. */
export const CHECK_ADDRESS =
	'Check the address of the service, and whether a proxy or the login page of a network answers in its place.';

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
		504: ' (one of its parts did not respond)',
	};
	return words[status] ?? (status >= 300 && status < 400 ? ' (it points to another address)' : '');
}

/** Advice for a refusal; undefined where the service's own words give it. */
function adviceAfter(status: number, said: string): string | undefined {
	if (status >= 300 && status < 400) return 'Configure the address that the service has now.';
	if (status === 401 || status === 403)
		return 'Set PULSETOP_API_KEY to a key of this service; pulsetop doctor says where the key in use is from.';
	if (status === 402) return 'Check the plan and the credits of the API key.';
	if (status === 404) return 'Check the name or the address; perhaps the service does not offer this.';
	if (status === 413) return 'Ask for less at once.';
	return said === '' ? 'The service does not say what to change: pulsetop doctor looks at the rest.' : undefined;
}

function nextAfter(status: number): Next {
	if (status >= 500) return 'retry-later';
	return status === 409 ? 'poll-status' : 'fix-input';
}
