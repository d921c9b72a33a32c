import type {Clock} from '../client/clock.ts';
import {aheadMs} from '../steady-clock.ts';
import {type Check, failed, passed, type Verdict} from './check.ts';

/*
 * The checks that every flow makes in the same way. A flow puts them in their places in its own list, beside the checks of
 * the message that it signs.
 */

/** The time of a plan, server time, and how far this machine's clock is off. */
export interface PlanClock {
	readonly nowMs: number;
	readonly skewMs: number;
	/** Undefined before the service has answered once. */
	readonly uncertaintyMs: number | undefined;
}

/** Reads the clock for a plan, now. */
export function readClock(clock: Pick<Clock, 'nowMs' | 'skewMs' | 'uncertaintyMs'>): PlanClock {
	return {nowMs: clock.nowMs(), skewMs: clock.skewMs, uncertaintyMs: clock.uncertaintyMs};
}

/** How far this machine's clock may be from the service's. */
const MAX_SKEW_MS = 20_000;

/** This machine's clock is near enough to the service's. Part of every flow (spec 5). */
export const CLOCK_CHECK: Check<{readonly clock: Omit<PlanClock, 'nowMs'>}> = {
	name: 'clock',
	title: 'clock',
	next: 'fix-input',
	run({clock: {skewMs, uncertaintyMs}}) {
		if (uncertaintyMs === undefined) return failed('the service’s time is not known yet');
		// A clock that was set right while the program ran is right.
		const offMs = skewMs + aheadMs();
		const off = `this machine's clock is ${(Math.abs(offMs) / 1000).toFixed(1)} s ${offMs < 0 ? 'ahead of' : 'behind'} the service’s`;
		return Math.abs(offMs) + uncertaintyMs > MAX_SKEW_MS ? failed(off) : passed(off);
	},
};

/** The spend of the plan is within the user's limits. */
export const CAPS_CHECK: Check<{readonly capRefusal?: string}> = {
	name: 'caps',
	title: 'your limits',
	next: 'fix-input',
	run: ({capRefusal}) => (capRefusal === undefined ? passed('within your limits') : failed(capRefusal)),
};

/** The service's proposal is new enough to be signed. @param what its name: `payload` */
export function freshCheck(
	what: string,
	maxMs: number,
): Check<{readonly builtAtMs: number; readonly clock: Pick<PlanClock, 'nowMs'>}> {
	return {
		name: 'fresh',
		title: `${what} is fresh`,
		next: 'requote',
		run: ({builtAtMs, clock: {nowMs}}) => freshness(what, {atMs: builtAtMs, nowMs, maxMs}),
	};
}

/** How far a quote's or payload's time may lie ahead: two estimates of the service's clock differ by no more. */
const AHEAD_MS = 5000;

/**
 * Whether something that the service sent is fresh. A time in the future would stay fresh for too long, and is refused too.
 * @param atMs arrival; nowMs now; both server time
 */
export function freshness(what: string, {atMs, nowMs, maxMs}: {atMs: number; nowMs: number; maxMs: number}): Verdict {
	const ageMs = nowMs - atMs;
	if (ageMs < -AHEAD_MS) return failed(`the ${what} is of a time ahead, ${seconds(-ageMs)} from now`);
	const text = `${seconds(Math.max(ageMs, 0))} old`;
	return ageMs <= maxMs ? passed(text) : failed(`the ${what} is ${text}, at most ${seconds(maxMs)}`);
}

function seconds(ms: number): string {
	return `${Math.round(ms / 1000)} s`;
}
