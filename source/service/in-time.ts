import {setTimeout as pause} from 'node:timers/promises';

/** The answer; undefined where it is a failure, or none comes in time. */
export function inTime<T>(answer: Promise<T>, maxMs: number): Promise<T | undefined> {
	return Promise.race([answer.catch(() => undefined), pause(maxMs, undefined, {ref: false})]);
}
