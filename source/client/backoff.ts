/*
 * How long to wait before trying again. Pure: chance comes as an argument, so every sequence can be tested.
 */

/** Why the last try failed; each kind is waited out differently. */
export type Setback =
	/** The connection failed, was cut or fell silent. */
	| 'network'
	/** The service said that it is overloaded or broken (5xx). */
	| 'service'
	/** The service asked for patience (429, 503 with `Retry-After`). */
	| 'rate-limited'
	/** The service does not accept the key (401, 403): the same try will fail the same way until something is changed. */
	| 'refused'
	/** Any other 4xx: the service has no such thing. */
	| 'rejected';

export interface BackoffLimits {
	readonly firstMs: number;
	readonly longestMs: number;
}

/** The stream's limits (features, "Reconnect"). */
export const STREAM_BACKOFF: BackoffLimits = {firstMs: 250, longestMs: 30_000};
/** For one call that a person waits for. */
export const CALL_BACKOFF: BackoffLimits = {firstMs: 250, longestMs: 5_000};

const MIN_WAIT_MS = 50;
/** How long something is left alone that was refused rather than lost. */
const REFUSED_WAIT_MS = 60_000;
const MAX_RETRY_AFTER_MS = 15 * 60_000;

/**
 * Milliseconds to wait before try number `attempt + 1`. Full jitter: anything between nothing and the exponential limit, so
 * that many clients cut at once do not come back at once. Tries are unlimited; the wait is not.
 * @param attempt failed tries so far, 1 or more
 * @param retryAfterMs what the service asked for; never undercut
 * @param random 0 to 1
 */
export function backoffMs(
	attempt: number,
	{firstMs, longestMs}: BackoffLimits,
	{
		setback = 'network',
		retryAfterMs,
		random = Math.random(),
	}: {setback?: Setback; retryAfterMs?: number | undefined; random?: number} = {},
): number {
	const limit = Math.min(longestMs, firstMs * 2 ** Math.min(attempt - 1, 30));
	const jittered = Math.max(MIN_WAIT_MS, random * limit);
	// Spread out as well, else all who were told "in 10 seconds" return together.
	if (retryAfterMs !== undefined) return Math.min(retryAfterMs, MAX_RETRY_AFTER_MS) + random * Math.min(1_000, firstMs);
	if (setback === 'refused' || setback === 'rejected') return REFUSED_WAIT_MS * (0.75 + random / 2);
	if (setback === 'rate-limited')
		return Math.max(jittered, Math.min(longestMs, 1_000 * 2 ** Math.min(attempt - 1, 30)) * (0.5 + random / 2));
	return jittered;
}

/** The setback that an HTTP status stands for; undefined for a success. */
export function setbackOf(status: number): Setback | undefined {
	if (status < 400) return undefined;
	if (status === 401 || status === 403) return 'refused';
	if (status === 429) return 'rate-limited';
	if (status === 408) return 'network';
	return status >= 500 ? 'service' : 'rejected';
}

/**
 * Milliseconds that a `Retry-After` header asks for: seconds or an HTTP date.
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
