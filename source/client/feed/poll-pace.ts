import type {PulsetopError} from '../../errors.ts';
import {type BackoffLimits, backoffMs, type FailureKind, failureOfStatus} from '../http/backoff.ts';
import {type RateLimit, requestedWaitMs} from '../http/http.ts';
import {RateLimited, ServiceRefused} from '../http/service-errors.ts';

/** The time between two polls: as short as the data, the rate limit and the latency allow. */
export interface PollPace {
	/** Time between two polls while polling works. */
	readonly everyMs: number;
	/** A poll succeeded. Returns the time until the next. */
	answered(poll: {hasChanged: boolean; tookMs: number; rateLimit: RateLimit | undefined; nowMs: number}): number;
	/** A poll failed. Returns the time until the next. */
	failed(error: PulsetopError): number;
}

/** Between two polls lies at least this multiple of the time that a poll takes. */
const DUTY_FACTOR = 4;
/** Growth of the interval after a poll without changes. */
const UNCHANGED_FACTOR = 1.25;

/** @param minMs and maxMs bound the time between two polls while polling works */
export function createPollPace(minMs: number, maxMs: number, random: () => number = Math.random): PollPace {
	const limits: BackoffLimits = {firstMs: Math.min(250, minMs), longestMs: Math.max(30_000, maxMs)};
	let everyMs = minMs;
	let failures = 0;

	return {
		get everyMs() {
			return everyMs;
		},
		answered({hasChanged, tookMs, rateLimit, nowMs}) {
			failures = 0;
			everyMs = Math.min(maxMs, Math.max(hasChanged ? minMs : everyMs * UNCHANGED_FACTOR, tookMs * DUTY_FACTOR));
			// The rest of the budget is spread over the time until the service resets it.
			if (rateLimit?.resetAtMs !== undefined && rateLimit.resetAtMs > nowMs) {
				const leftMs = rateLimit.resetAtMs - nowMs;
				if (leftMs < 60 * 60_000) return Math.max(everyMs, leftMs / Math.max(1, rateLimit.remaining));
			}
			return everyMs;
		},
		failed(error) {
			failures++;
			if (error instanceof RateLimited) everyMs = Math.min(maxMs, everyMs * 2);
			return backoffMs(failures, limits, {
				failure: failureOfError(error),
				retryAfterMs: requestedWaitMs(error),
				random: random(),
			});
		},
	};
}

/** The kind of failure that an error stands for. */
export function failureOfError(error: PulsetopError): FailureKind {
	if (error instanceof RateLimited) return 'rate-limited';
	return error instanceof ServiceRefused ? (failureOfStatus(error.status) ?? 'rejected') : 'network';
}
