import {PulsetopError} from '../../errors.ts';
import {MACHINE_CLOCK, type NodeClock} from '../node-clock.ts';
import {createScrubber, NodeRefused, NodeUnanswered} from '../node-errors.ts';
import {Traffic} from '../traffic.ts';
import {DEADLINE_MS, MAX_ANSWER_BYTES, TransportFailed} from '../transport.ts';
import type {EvmNode, NodeCall, NodeOutcome} from './node.ts';
import {NodeLink, WrongChain} from './node-link.ts';

export interface EvmNodeOptions {
	/** http, https, ws or wss; the first is preferred. Secret. */
	readonly urls: readonly string[];
	/** Number of the chain; each node must prove it before it is believed. Null: any chain. */
	readonly chain: number | null;
	readonly deadlineMs?: number;
	readonly maxBytes?: number;
	/** Most calls a second to one node; default 20. A node that complains is asked less. */
	readonly callsPerSecond?: number;
	/** Default: that of the machine. */
	readonly clock?: NodeClock;
}

const FIRST_REST_MS = 500;
const LAST_REST_MS = 60_000;
/** The longest rest that a node may ask for with Retry-After. */
const LONGEST_REST_MS = 10 * 60_000;
const WRONG_CHAIN_REST_MS = 10 * 60_000;
/** A node given up by its reader comes back so much later. */
const GIVEN_UP_MS = 60_000;
/** Longest wait of a call for nodes that rest: 30 seconds are what large providers ask for. */
const MAX_WAIT_MS = 40_000;
/** Rounds through all nodes without an answer, and while a node refuses calls because they are too many. */
const ROUNDS = 3;
const LIMITED_ROUNDS = 6;

/** A node of a chain, made of one or several addresses. @throws TypeError when an address cannot be read: settings check them before */
export function createEvmNode(options: EvmNodeOptions): EvmNode {
	return new NodeClient(options);
}

class NodeClient implements EvmNode {
	readonly traffic: Traffic;
	readonly #clock: NodeClock;
	readonly #links: readonly NodeLink[];
	readonly #stopped = new AbortController();
	readonly #listeners = new Set<() => void>();
	#inUse: NodeLink;
	#unsubscribe: (() => void) | undefined;
	#subscribed: NodeLink | undefined;

	constructor(options: EvmNodeOptions) {
		const {urls, chain, callsPerSecond, clock = MACHINE_CLOCK} = options;
		const {deadlineMs = DEADLINE_MS, maxBytes = MAX_ANSWER_BYTES} = options;
		this.#clock = clock;
		const addresses = urls.map(readAddress);
		const traffic = new Traffic(() => clock.nowMs());
		const scrub = createScrubber(addresses);
		const {signal} = this.#stopped;
		this.traffic = traffic;
		this.#links = addresses.map(
			url =>
				new NodeLink({
					url,
					chain,
					deadlineMs,
					maxBytes,
					scrub,
					callsPerSecond,
					signal,
					clock,
					asked: calls => traffic.count(calls, 0),
					received: bytes => traffic.count(0, bytes),
				}),
		);
		this.#inUse = this.#links[0]!;
	}

	get host(): string {
		return this.#inUse.host;
	}

	get callLimit(): number | null {
		return this.#inUse.callLimit;
	}

	async call(method: string, params: readonly unknown[]): Promise<unknown> {
		const [outcome] = await this.#ask([{method, params}]);
		if (!outcome!.ok) throw outcome!.error;
		return outcome!.result;
	}

	async calls(calls: readonly NodeCall[]): Promise<readonly NodeOutcome[]> {
		return calls.length === 0 ? [] : this.#ask(calls);
	}

	onHead(listener: () => void): () => void {
		this.#listeners.add(listener);
		this.#subscribe();
		return () => {
			this.#listeners.delete(listener);
			this.#subscribe();
		};
	}

	takeNext(why: string): boolean {
		const given = this.#inUse;
		// Without another node, one that lags is better than none.
		if (!this.#awake().some(link => link !== given)) return false;
		this.#rest(given, why, GIVEN_UP_MS);
		return true;
	}

	async close(): Promise<void> {
		this.#listeners.clear();
		this.#subscribe();
		this.#stopped.abort();
		await Promise.all(this.#links.map(link => link.close()));
	}

	/** Asks one node after the other; what one has answered is kept, and only the rest is asked again. */
	async #ask(calls: readonly NodeCall[]): Promise<readonly NodeOutcome[]> {
		const outcomes: (NodeOutcome | undefined)[] = calls.map(() => undefined);
		let pending = calls.map((_, i) => i);
		let isTooMuch = false;
		for (let round = 0; round < ROUNDS && !isTooMuch; ) {
			await this.#awaitAwake();
			let unsupported: NodeOutcome | undefined;
			let isLimited = false;
			const before = pending.length;
			for (const link of this.#awake()) {
				if (this.#stopped.signal.aborted) throw this.#unanswered(isTooMuch);
				const asked = await this.#askLink(
					link,
					pending.map(i => calls[i]!),
				);
				// A question that is too long or too slow stays so.
				if (asked instanceof TransportFailed) isTooMuch ||= asked.kind === 'too-long' || asked.kind === 'timeout';
				if (asked === undefined || asked instanceof TransportFailed) continue;
				// Another node may offer what this one does not.
				if (calls.length === 1 && this.#isUnsupported(asked[0])) {
					unsupported ??= asked[0];
					continue;
				}
				for (const [i, outcome] of asked.entries()) outcomes[pending[i]!] = outcome;
				pending = pending.filter(i => outcomes[i] === undefined);
				if (pending.length === 0) return outcomes as NodeOutcome[];
				isLimited ||= link.isResting && !link.isUnhealthy;
			}
			if (unsupported !== undefined) return [unsupported];
			if (pending.length < before) round = 0;
			else round += isLimited ? ROUNDS / LIMITED_ROUNDS : 1;
		}
		throw this.#unanswered(isTooMuch || this.#links.every(({isUnhealthy}) => isUnhealthy));
	}

	#isUnsupported(outcome: NodeOutcome | undefined): boolean {
		if (outcome === undefined || outcome.ok || !(outcome.error instanceof NodeRefused)) return false;
		return outcome.error.meaning.kind === 'unknown-method';
	}

	/** Undefined or a failure: the link rests, and another one is to be asked. */
	async #askLink(link: NodeLink, calls: readonly NodeCall[]) {
		try {
			const outcomes = await link.outcomes(calls);
			link.failures = 0;
			if (!link.isResting) this.#use(link);
			return outcomes;
		} catch (error) {
			if (error instanceof WrongChain) return this.#rest(link, error.message, WRONG_CHAIN_REST_MS);
			// Only the proof of the chain throws these: it was refused, or gave no chain id.
			if (error instanceof PulsetopError) return this.#rest(link, error.why);
			if (!(error instanceof TransportFailed)) throw error;
			if (error.kind === 'closed') return error;
			// An answer that is too long says nothing against the node.
			if (error.kind === 'too-long') link.why = error.message;
			else this.#rest(link, error.message, error.retryAfterMs);
			return error;
		}
	}

	#rest(link: NodeLink, why: string, restMs = Math.min(LAST_REST_MS, FIRST_REST_MS * 2 ** link.failures)): void {
		link.failures = Math.min(link.failures + 1, 16);
		link.why = why;
		link.forgetChain();
		link.restUntilMs = this.#clock.nowMs() + Math.min(LONGEST_REST_MS, Math.max(restMs, 0));
		const next = this.#awake()[0];
		if (next !== undefined) this.#use(next);
	}

	#use(link: NodeLink): void {
		if (this.#inUse === link) return;
		this.#inUse = link;
		this.#subscribe();
	}

	/** Nodes that may be asked now, the preferred one first. */
	#awake(): NodeLink[] {
		return this.#links.filter(link => !link.isResting);
	}

	/** @throws NodeUnanswered when every node rests for longer than a call may wait */
	async #awaitAwake(): Promise<void> {
		if (this.#awake().length > 0) return;
		if (this.#restMs() > MAX_WAIT_MS) throw this.#unanswered(false);
		await this.#clock.sleep(Math.ceil(this.#restMs()) + 1, this.#stopped.signal);
	}

	#restMs(): number {
		return Math.max(0, Math.min(...this.#links.map(link => link.restUntilMs)) - this.#clock.nowMs());
	}

	#unanswered(tooMuch: boolean): NodeUnanswered {
		if (this.#stopped.signal.aborted) return new NodeUnanswered('the connection was closed here');
		const why = this.#links.map(link => `${link.host}: ${link.why || 'no answer'}`).join('; ');
		return new NodeUnanswered(why, {tooMuch, retryInMs: this.#restMs()});
	}

	/** Listens to the node in use where it pushes heads, otherwise to the first that does. */
	#subscribe(): void {
		const wanted =
			this.#listeners.size === 0
				? undefined
				: this.#inUse.canPush
					? this.#inUse
					: (this.#awake().find(link => link.canPush) ?? this.#links.find(link => link.canPush));
		if (wanted === this.#subscribed) return;
		this.#unsubscribe?.();
		this.#subscribed = wanted;
		this.#unsubscribe = wanted?.heads(() => {
			for (const listener of [...this.#listeners]) listener();
		});
	}
}

function readAddress(text: string): URL {
	const url = URL.parse(text);
	if (url === null || !/^(?:https?|wss?):$/.test(url.protocol)) {
		throw new TypeError('The address of a node is no http, https, ws or wss URL');
	}
	url.hash = '';
	return url;
}
