/*
 * How long to wait before the next attempt. Pure: the random number is an argument, so every sequence can be tested.
 */

/** Why the last attempt failed; the wait depends on the kind. */
export type FailureKind =
	/** The connection failed, was cut or fell silent. */
	| 'network'
	/** The service is overloaded or broken (5xx). */
	| 'service'
	/** The service requested a wait (429, 503 with `Retry-After`). */
	| 'rate-limited'
	/** The service rejects the key (401, 403): another attempt fails in the same way until the key changes. */
	| 'refused'
	/** Any other 4xx: the service rejects the request. */
	| 'rejected';

export interface BackoffLimits {
	readonly firstMs: number;
	readonly longestMs: number;
}

/** The stream's limits (features, "Reconnect"). */
export const STREAM_BACKOFF: BackoffLimits = {firstMs: 250, longestMs: 30_000};
/** For one call that the user waits for. */
export const CALL_BACKOFF: BackoffLimits = {firstMs: 250, longestMs: 5_000};

const MIN_WAIT_MS = 50;
/** The mean wait after `refused` and `rejected`. */
const REFUSED_WAIT_MS = 60_000;
const MAX_RETRY_AFTER_MS = 15 * 60_000;

/**
 * Milliseconds to wait before attempt number `attempt + 1`. Full jitter: a random part of the exponential limit, so that
 * clients that lost the service together do not return together. Attempts are unlimited; the wait is bounded.
 * @param attempt failed attempts so far, 1 or more
 * @param retryAfterMs the wait that the service requested; the result is never shorter
 * @param random 0 to 1
 */
export function backoffMs(
	attempt: number,
	{firstMs, longestMs}: BackoffLimits,
	{
		failure = 'network',
		retryAfterMs,
		random = Math.random(),
	}: {failure?: FailureKind; retryAfterMs?: number | undefined; random?: number} = {},
): number {
	const limit = Math.min(longestMs, firstMs * 2 ** Math.min(attempt - 1, 30));
	const jittered = Math.max(MIN_WAIT_MS, random * limit);
	// With jitter as well, or all clients that got the same `Retry-After` return together.
	if (retryAfterMs !== undefined) return Math.min(retryAfterMs, MAX_RETRY_AFTER_MS) + random * Math.min(1_000, firstMs);
	if (failure === 'refused' || failure === 'rejected') return REFUSED_WAIT_MS * (0.75 + random / 2);
	if (failure === 'rate-limited')
		return Math.max(jittered, Math.min(longestMs, 1_000 * 2 ** Math.min(attempt - 1, 30)) * (0.5 + random / 2));
	return jittered;
}

/**
 * Milliseconds to the next poll: `everyMs` while polling works, and with backoff on top after failures.
 * @param failures failed polls in a row; 0 after a success
 * @param longestMs bounds the result
 * @param random 0 to 1
 */
export function pollDelayMs(
	everyMs: number,
	failures: number,
	longestMs: number,
	random: number = Math.random(),
): number {
	if (failures === 0) return everyMs;
	return Math.min(longestMs, everyMs + backoffMs(failures, {firstMs: everyMs, longestMs}, {random}));
}

/** The kind of failure that an HTTP status stands for; undefined for a success. */
export function failureOfStatus(status: number): FailureKind | undefined {
	if (status < 400) return undefined;
	if (status === 401 || status === 403) return 'refused';
	if (status === 429) return 'rate-limited';
	if (status === 408) return 'network';
	return status >= 500 ? 'service' : 'rejected';
}

/**
 * Milliseconds of a `Retry-After` header: seconds or an HTTP date.
 * @param nowMs server time, for the date form
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
	if (header === undefined) return undefined;
	const text = header.trim();
	if (/^\d{1,9}(?:\.\d{1,6})?$/.test(text)) return Number(text) * 1000;
	if (!/^[A-Za-z]{3,9}, /.test(text)) return undefined;
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
