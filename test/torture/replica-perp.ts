import {setTimeout as pause} from 'node:timers/promises';
import {newUser} from '../service/chain/practice.ts';
import type {Answered, Calls} from './replica-calls.ts';

const PATH = '/api/2/perp/payloads/deposit';
/** What is answered behind the check of the signature: there is no exchange on the chains of replicas. */
const TAKEN = 'practice chains';

export interface PerpRequestsOptions {
	readonly calls: Calls;
	/** Addresses of the replicas that are to be asked now. */
	readonly urls: () => readonly string[];
	readonly random: () => number;
}

/** Requests of perpetuals with a signature that counts once, each sent to two replicas. */
export class PerpRequests {
	/** Both answers to each request. */
	readonly answers: (readonly string[])[] = [];
	/** When the newest request was sent whose signature was taken, by `performance.now()`. */
	takenMs = Number.NEGATIVE_INFINITY;
	readonly #options: PerpRequestsOptions;
	readonly #user = newUser();
	#lastMs = 0;

	constructor(options: PerpRequestsOptions) {
		this.#options = options;
	}

	/** Sends requests at a steady rate until it is aborted, and waits for the answers. */
	async run(perSecond: number, signal: AbortSignal): Promise<void> {
		const underWay = new Set<Promise<void>>();
		while (!signal.aborted) {
			const one = this.#request().finally(() => underWay.delete(one));
			underWay.add(one);
			await pause(1000 / perSecond);
		}
		await Promise.all(underWay);
	}

	async #request(): Promise<void> {
		const {calls, urls, random} = this.#options;
		// Two requests of one millisecond would have the same signature.
		this.#lastMs = Math.max(Date.now(), this.#lastMs + 1);
		const timestamp = this.#lastMs;
		const signature = await this.#user.signMessage({message: `${PATH.slice(1)}-${timestamp}`});
		const place = {dex: 'dexB', chainId: 'dexB:304', originChainId: 'evm:42161'};
		const body = {timestamp, signature, ...place, amountUsdc: '10'};
		const asked = urls();
		const first = Math.floor(random() * asked.length);
		const answers = await Promise.all(
			[first, (first + 1) % asked.length].map(n => calls.ask('perp', asked[n]!, PATH, body)),
		);
		for (const answer of answers)
			if (meaningOf(answer) === 'taken') this.takenMs = Math.max(this.takenMs, answer.sentMs);
		this.answers.push(answers.map(meaningOf));
	}
}

/** `taken`, `used`, `away`, `cut`; another answer as it is. */
function meaningOf({status, text}: Answered): string {
	if (status === undefined) return 'cut';
	if (status === 503) return 'away';
	if (status === 200 || (status === 400 && text.includes(TAKEN))) return 'taken';
	return status === 403 && text.includes('already used') ? 'used' : `${status} ${text}`;
}
