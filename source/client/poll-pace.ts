import type {PulsetopError} from '../errors.ts';
import {type BackoffLimits, backoffMs, type Setback, setbackOf} from './backoff.ts';
import type {RateLimit} from './feed-events.ts';
import {askedToWaitMs} from './http.ts';
import {RateLimited, ServiceRefused} from './service-errors.ts';

/** How long to wait between two polls: as short as the data, the service and the way to it allow. */
export interface PollPace {
	/** Time between two polls while all goes well. */
	readonly everyMs: number;
	/** A poll was answered. Returns the time until the next. */
	answered(poll: {hasChanged: boolean; tookMs: number; rateLimit: RateLimit | undefined; nowMs: number}): number;
	/** A poll failed. Returns the time until the next. */
	failed(error: PulsetopError): number;
}

/** A poll may take at most this part of the time. */
const DUTY = 4;
const SLOWER = 1.25;

/** @param minMs and maxMs bound the time between two polls while all goes well */
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
			everyMs = Math.min(maxMs, Math.max(hasChanged ? minMs : everyMs * SLOWER, tookMs * DUTY));
			// The budget is spread over the time until it is full again.
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
				setback: setbackOfError(error),
				retryAfterMs: askedToWaitMs(error),
				random: random(),
			});
		},
	};
}

/** The setback that an error stands for. */
export function setbackOfError(error: PulsetopError): Setback {
	if (error instanceof RateLimited) return 'rate-limited';
	return error instanceof ServiceRefused ? (setbackOf(error.status) ?? 'rejected') : 'network';
}
