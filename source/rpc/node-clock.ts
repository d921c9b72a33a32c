import {setTimeout as sleep} from 'node:timers/promises';

/** The time by which nodes are asked: that of the machine, or one that a test drives. */
export interface NodeClock {
	/** Milliseconds that never go back. */
	nowMs(): number;
	/** Resolves after some time, or as soon as the signal is aborted. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const MACHINE_CLOCK: NodeClock = {
	nowMs: () => performance.now(),
	sleep: (ms, signal) => sleep(ms, undefined, signal && {signal}).catch(() => {}),
};
