import {createHttpTransport} from '../http-transport.ts';
import type {NodeClock} from '../node-clock.ts';
import {NodeAnswerWrong, NodeRefused} from '../node-errors.ts';
import {type Refusal, readRefusal, refusalIn} from '../refusals.ts';
import {idOf, type Transport, TransportFailed, type TransportOptions, type WireCall} from '../transport.ts';
import {createWsTransport} from '../ws-transport.ts';
import {CallBudget, type Complaint} from './call-budget.ts';
import type {NodeCall, NodeOutcome} from './node.ts';
import {readQuantity} from './quantities.ts';

/** Calls in one request at first; halved when the node does not take them. */
const MAX_IN_BATCH = 100;
/** Number of full batches without a refusal after which bigger ones are tried again. */
const GOOD_BATCHES = 50;
/** Pause after a node said that nothing behind it can answer. */
const UNHEALTHY_REST_MS = 1000;

export interface LinkOptions extends TransportOptions {
	/** The chain that the node must be of; null when any is right. */
	readonly chain: number | null;
	readonly scrub: (text: string) => string;
	/** Called with every request. */
	readonly asked: (calls: number) => void;
	readonly callsPerSecond: number | undefined;
	readonly signal: AbortSignal;
	readonly clock: NodeClock;
}

type Outcomes = readonly (NodeOutcome | undefined)[];

/** The node is of another chain: never asked for anything. */
export class WrongChain extends Error {}

/** One node: its connection, its budget, and what it was found to take. */
export class NodeLink {
	readonly host: string;
	readonly #transport: Transport;
	readonly #options: LinkOptions;
	readonly #budget: CallBudget;
	#maxInBatch = MAX_IN_BATCH;
	#goodBatches = 0;
	/** Resolves when the request before has left. */
	#turn: Promise<void> = Promise.resolve();
	#isUnhealthy = false;
	#lastId = 0;
	#isOfChain: Promise<void> | undefined;
	/** Not asked before this time, and why. */
	restUntilMs = 0;
	why = '';
	failures = 0;

	constructor(options: LinkOptions) {
		this.#options = options;
		this.host = options.url.host;
		const {clock} = options;
		const counted = (left: number, forMs: number) => this.#budget.count(left, clock.nowMs() + forMs, clock.nowMs());
		const wire = {...options, counted};
		this.#transport = options.url.protocol.startsWith('ws') ? createWsTransport(wire) : createHttpTransport(wire);
		this.#budget = new CallBudget(clock.nowMs(), options.callsPerSecond);
	}

	/** Calls a second that the node was found to take; null for a node that never complained. */
	get callLimit(): number | null {
		return this.#budget.limit;
	}

	/** Its last refusal said that nothing behind its address can answer; a question that is too big may be the reason. */
	get isUnhealthy(): boolean {
		return this.#isUnhealthy;
	}

	get isResting(): boolean {
		return this.#restMs() > 0;
	}

	get canPush(): boolean {
		return this.#transport.heads !== undefined;
	}

	heads(listener: () => void): () => void {
		return this.#transport.heads?.(listener) ?? (() => {});
	}

	/** Makes it prove its chain again before the next call. */
	forgetChain(): void {
		this.#isOfChain = undefined;
	}

	/**
	 * Results and refusals of calls, in order. Undefined stands for a call that the node did not take now: it is to be made again when
	 * the link has rested.
	 * @throws TransportFailed, WrongChain, NodeAnswerWrong
	 */
	async outcomes(calls: readonly NodeCall[]): Promise<Outcomes> {
		await this.#checkChain();
		return this.#batches(calls);
	}

	async #batches(calls: readonly NodeCall[]): Promise<Outcomes> {
		const outcomes: (NodeOutcome | undefined)[] = [];
		while (outcomes.length < calls.length) {
			const size = Math.min(this.#maxInBatch, this.#budget.atOnce);
			const part = calls.slice(outcomes.length, outcomes.length + size);
			const answers = await this.#request(part);
			if (answers === undefined) this.#refusedBatch(part.length);
			else outcomes.push(...answers);
			if (answers?.includes(undefined)) return calls.map((_, i) => outcomes[i]);
		}
		return outcomes;
	}

	async #checkChain(): Promise<void> {
		if (this.#options.chain === null) return;
		this.#isOfChain ??= this.#readChain(this.#options.chain);
		try {
			await this.#isOfChain;
		} catch (error) {
			this.#isOfChain = undefined;
			throw error;
		}
	}

	async #readChain(chain: number): Promise<void> {
		const [outcome] = await this.#batches([{method: 'eth_chainId', params: []}]);
		if (outcome === undefined) throw new TransportFailed('rate-limited', this.why, this.#restMs());
		if (!outcome.ok) throw outcome.error;
		const number = readQuantity(outcome.result);
		if (number === undefined) throw new NodeAnswerWrong('eth_chainId', `${this.host} gave no chain id`);
		if (number !== chain) throw new WrongChain(`it is a node of chain ${number}, not of ${chain}`);
	}

	/** Undefined when the node refuses a batch of this size. */
	async #request(calls: readonly NodeCall[]): Promise<Outcomes | undefined> {
		await this.#awaitTurn(calls.length);
		this.#options.asked(calls.length);
		const sent = calls.map(({method, params}): WireCall => ({jsonrpc: '2.0', id: ++this.#lastId, method, params}));
		const isBatch = sent.length > 1;
		try {
			const answer = await this.#transport.send(isBatch ? sent : sent[0]!);
			const answers = isBatch ? unbatched(answer, sent) : [answer];
			return answers && this.#outcomes(answers, sent);
		} catch (error) {
			if (!(error instanceof TransportFailed)) throw error;
			if (error.kind === 'rate-limited') {
				this.#rests(error.message, {
					answered: 0,
					refused: sent.length,
					waitMs: error.retryAfterMs,
					perSecond: error.perSecond,
				});
				return sent.map(() => undefined);
			}
			if (isBatch && ['too-long', 'timeout', 'rejected'].includes(error.kind)) return undefined;
			// It may be too many calls at once, as some nodes answer with HTTP 503.
			if (isBatch) this.#refusedBatch(sent.length);
			throw error;
		}
	}

	/** Waits until the budget has room, one request after the other. */
	async #awaitTurn(calls: number): Promise<void> {
		const {signal, clock} = this.#options;
		const before = this.#turn;
		const {promise, resolve} = Promise.withResolvers<void>();
		this.#turn = promise;
		try {
			await before;
			for (let waitMs = 1; waitMs > 0 && !signal.aborted; ) {
				waitMs = this.#budget.take(calls, clock.nowMs());
				if (waitMs > 0) await clock.sleep(waitMs, signal);
			}
		} finally {
			resolve();
		}
		if (signal.aborted) throw new TransportFailed('closed', 'it was closed here');
	}

	#outcomes(answers: readonly unknown[], sent: readonly WireCall[]): Outcomes {
		const refused: Extract<Refusal, {kind: 'wait' | 'next-node'}>[] = [];
		let why = '';
		let isTooBig = false;
		const outcomes = answers.map((answer, i) => {
			if (answer === undefined && sent.length > 1) {
				this.why = 'it leaves calls of a batch without an answer';
				return undefined;
			}
			const outcome = this.#outcome(answer, sent[i]!);
			const meaning = outcome.ok ? undefined : outcome.error.meaning;
			if (meaning?.kind === 'batch' && sent.length > 1) {
				isTooBig = true;
				return undefined;
			}
			if (meaning?.kind !== 'wait' && meaning?.kind !== 'next-node') return outcome;
			if (!outcome.ok) why = `it says: ${outcome.error.nodeMessage}`;
			refused.push(meaning);
			return undefined;
		});
		const answered = outcomes.filter(outcome => outcome !== undefined).length;
		if (isTooBig) this.#refusedBatch(sent.length);
		if (refused.length === 0) {
			this.#budget.answered();
			this.#answeredBatch(sent.length);
		} else if (refused.every(({kind}) => kind === 'next-node')) {
			this.#isUnhealthy = true;
			this.restUntilMs = this.#options.clock.nowMs() + UNHEALTHY_REST_MS;
			this.why = why;
		} else {
			const waits = refused.filter(({kind}) => kind === 'wait') as Extract<Refusal, {kind: 'wait'}>[];
			const waitMs = Math.max(0, ...waits.map(({waitMs = 0}) => waitMs)) || undefined;
			const perSecond = waits.find(({perSecond}) => perSecond !== undefined)?.perSecond;
			this.#rests(why, {answered, refused: refused.length, waitMs, perSecond});
		}
		return outcomes;
	}

	#outcome(answer: unknown, {id, method}: WireCall): LinkOutcome {
		const refusal = refusalIn(answer);
		if (refusal !== undefined) {
			const {code: rpcCode, message, data} = refusal;
			const nodeMessage = this.#options.scrub(message);
			const meaning = readRefusal(refusal, method);
			return {ok: false, error: new NodeRefused(method, {host: this.host, rpcCode, nodeMessage, data, meaning})};
		}
		const isAnswer = typeof answer === 'object' && answer !== null && 'result' in answer;
		if (!isAnswer || idOf(answer) !== id) {
			throw new TransportFailed('garbled', 'its answer is not the answer to the call');
		}
		return {ok: true, result: answer.result};
	}

	#rests(why: string, complaint: Complaint): void {
		const {clock} = this.#options;
		this.why = why;
		this.#isUnhealthy = false;
		this.restUntilMs = clock.nowMs() + this.#budget.complained(complaint, clock.nowMs());
	}

	#restMs(): number {
		return Math.max(0, this.restUntilMs - this.#options.clock.nowMs());
	}

	#refusedBatch(calls: number): void {
		this.#maxInBatch = Math.max(1, Math.floor(Math.min(this.#maxInBatch, calls) / 2));
		this.#goodBatches = 0;
	}

	#answeredBatch(calls: number): void {
		if (calls < this.#maxInBatch || ++this.#goodBatches < GOOD_BATCHES) return;
		this.#goodBatches = 0;
		this.#maxInBatch = Math.min(MAX_IN_BATCH, this.#maxInBatch * 2);
	}

	close(): Promise<void> {
		return this.#transport.close();
	}
}

type LinkOutcome = {readonly ok: true; readonly result: unknown} | {readonly ok: false; readonly error: NodeRefused};

/**
 * The answers of a batch in the order of its calls, whatever their order and whatever refusals name; undefined when the node does not
 * take a batch of this size.
 */
function unbatched(answer: unknown, sent: readonly WireCall[]): readonly unknown[] | undefined {
	const all = Array.isArray(answer) ? answer : [answer];
	const byId = new Map<unknown, unknown>(all.map(one => [idOf(one), one]));
	// A refusal that names no call is that of each call without an answer.
	const unnamed = all.find(one => refusalIn(one) !== undefined && !sent.some(({id}) => id === idOf(one)));
	const refusal = refusalIn(unnamed);
	const isForAll = !sent.some(({id}) => byId.has(id));
	if (isForAll && (refusal === undefined || !['wait', 'next-node'].includes(readRefusal(refusal, '').kind))) {
		if (Array.isArray(answer) && answer.length > 1)
			throw new TransportFailed('garbled', 'its answers are not those to the calls');
		return undefined;
	}
	return sent.map(({id}) => byId.get(id) ?? unnamed);
}
