import {setTimeout as pause} from 'node:timers/promises';

/** What a replica said of itself at one time. */
export interface Probe {
	/** Number of the replica. */
	readonly n: number;
	/** `performance.now()` before it was asked, and when the last of both answers came. */
	readonly sentMs: number;
	readonly endMs: number;
	/** Status of `/health/ready` and of `/health/live`; undefined: no answer within five seconds. */
	readonly ready: number | undefined;
	readonly live: number | undefined;
	/** Why it is not ready. */
	readonly reason: string | undefined;
}

const EVERY_MS = 250;
const ANSWER_MS = 5000;

/** Asks replicas for their health as a balancer does. */
export class HealthProbes {
	readonly all: Probe[] = [];

	/** Asks each replica again and again until it is aborted. */
	async run(urls: readonly string[], signal: AbortSignal): Promise<void> {
		await Promise.all(
			urls.map(async (url, n) => {
				while (!signal.aborted) {
					const sentMs = performance.now();
					const [ready, live] = await Promise.all([askFor(`${url}/health/ready`), askFor(`${url}/health/live`)]);
					const {reason} = (ready?.json ?? {}) as {reason?: string};
					this.all.push({n, sentMs, endMs: performance.now(), ready: ready?.status, live: live?.status, reason});
					await pause(EVERY_MS);
				}
			}),
		);
	}

	/** Whether each of these replicas said that it is ready after a time. */
	areReady(replicas: readonly number[], afterMs: number): boolean {
		return replicas.every(n => this.all.some(one => one.n === n && one.sentMs >= afterMs && one.ready === 200));
	}

	/** Probes that were sent and answered within a time. */
	within(fromMs: number, toMs: number): Probe[] {
		return this.all.filter(({sentMs, endMs}) => sentMs >= fromMs && endMs <= toMs);
	}
}

async function askFor(url: string): Promise<{readonly status: number; readonly json: unknown} | undefined> {
	try {
		const answer = await fetch(url, {signal: AbortSignal.timeout(ANSWER_MS)});
		return {status: answer.status, json: await answer.json()};
	} catch {
		return undefined;
	}
}
