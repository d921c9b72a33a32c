import {setTimeout as pause} from 'node:timers/promises';

/** What is asked of replicas during a trial. */
export type CallKind = 'quote' | 'execute' | 'status' | 'perp';

/** A request to a replica and how it ended. Times are those of `performance.now()`. */
export interface Call {
	readonly kind: CallKind;
	/** Address of the replica. */
	readonly url: string;
	readonly sentMs: number;
	readonly endMs: number;
	/** Undefined where the connection was cut, or no answer came. */
	readonly status: number | undefined;
	readonly retryAfter: string | null;
}

/** A call with the body of its answer. */
export interface Answered extends Call {
	readonly text: string;
}

/** No answer may take longer, besides those of a replica that is frozen. */
const MAX_MS = 60_000;

/** Sends requests with a key and keeps how each ended. */
export class Calls {
	readonly all: Call[] = [];
	readonly #key: string;

	constructor(key: string) {
		this.#key = key;
	}

	/** @param body sent as JSON by POST; without one it is a GET */
	async ask(kind: CallKind, url: string, path: string, body?: unknown): Promise<Answered> {
		const sentMs = performance.now();
		let end: Pick<Call, 'status' | 'retryAfter'> = {status: undefined, retryAfter: null};
		let text = '';
		try {
			const answer = await fetch(url + path, {
				method: body === undefined ? 'GET' : 'POST',
				headers: {authorization: this.#key, ...(body !== undefined && {'content-type': 'application/json'})},
				...(body !== undefined && {body: JSON.stringify(body)}),
				signal: AbortSignal.timeout(MAX_MS),
			});
			text = await answer.text();
			end = {status: answer.status, retryAfter: answer.headers.get('retry-after')};
		} catch {
			// Cut: what became of the request is not known.
		}
		const call = {kind, url, sentMs, endMs: performance.now(), ...end};
		this.all.push(call);
		return {...call, text};
	}

	/** The same, for what is read after a trial: it comes again as often as the rate limit says. */
	async askPatiently(...request: Parameters<Calls['ask']>): Promise<Answered> {
		for (;;) {
			const answered = await this.ask(...request);
			if (answered.status !== 429) return answered;
			await pause(1000 * Number(answered.retryAfter ?? 1));
		}
	}

	/** Calls of these kinds that were sent and answered within a time. */
	within(fromMs: number, toMs: number, kinds: readonly CallKind[]): Call[] {
		return this.all.filter(({kind, sentMs, endMs}) => kinds.includes(kind) && sentMs >= fromMs && endMs <= toMs);
	}
}
