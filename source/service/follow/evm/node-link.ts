import {setTimeout as sleep} from 'node:timers/promises';
import {CallBudget} from './call-budget.ts';
import {createHttpTransport} from './http-transport.ts';
import type {NodeCall, NodeOutcome} from './node.ts';
import {NodeAnswerWrong, NodeRefused} from './node-errors.ts';
import {isRateLimit} from './refusals.ts';
import {type Transport, TransportFailed, type TransportOptions, type WireCall} from './transport.ts';
import {createWsTransport} from './ws-transport.ts';

/** Calls in one request at first; halved when the node does not take them. */
const MOST_IN_BATCH = 100;

export interface LinkOptions extends TransportOptions {
	/** The chain that the node must be of; null when any is right. */
	readonly chain: number | null;
	readonly scrub: (text: string) => string;
	/** Called with every request. */
	readonly asked: (calls: number) => void;
	readonly callsPerSecond: number | undefined;
	readonly signal: AbortSignal;
}

/** The node is of another chain: never asked for anything. */
export class WrongChain extends Error {}

/** One node: its connection, its budget, and what it was found to take. */
export class NodeLink {
	readonly host: string;
	readonly #transport: Transport;
	readonly #options: LinkOptions;
	readonly #budget: CallBudget;
	#mostInBatch = MOST_IN_BATCH;
	#lastId = 0;
	#isOfChain: Promise<void> | undefined;
	/** Not asked before this time, and why. */
	restUntilMs = 0;
	why = '';
	failures = 0;

	constructor(options: LinkOptions) {
		this.#options = options;
		this.host = options.url.host;
		this.#transport = options.url.protocol.startsWith('ws') ? createWsTransport(options) : createHttpTransport(options);
		this.#budget = new CallBudget(performance.now(), options.callsPerSecond);
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

	/** The node asked for fewer calls. */
	slower(): void {
		this.#budget.lower(performance.now());
	}

	/**
	 * Results and refusals of calls, in order.
	 * @throws TransportFailed, WrongChain, NodeAnswerWrong
	 */
	async outcomes(calls: readonly NodeCall[]): Promise<NodeOutcome[]> {
		await this.#checkChain();
		return this.#batches(calls);
	}

	async #batches(calls: readonly NodeCall[]): Promise<NodeOutcome[]> {
		const outcomes: NodeOutcome[] = [];
		while (outcomes.length < calls.length) {
			const size = this.#mostInBatch;
			const part = calls.slice(outcomes.length, outcomes.length + size);
			const answers = await this.#request(part);
			if (answers !== undefined) outcomes.push(...answers);
			else this.#mostInBatch = Math.max(1, Math.floor(Math.min(size, part.length) / 2));
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
		if (!outcome!.ok) throw outcome!.error;
		const {result} = outcome!;
		if (typeof result !== 'string' || !/^0x[\da-f]{1,13}$/i.test(result)) {
			throw new NodeAnswerWrong('eth_chainId', `${this.host} gave no chain id`);
		}
		if (Number(result) !== chain) throw new WrongChain(`it is a node of chain ${Number(result)}, not of ${chain}`);
	}

	/** Undefined when the node refuses a batch of this size. */
	async #request(calls: readonly NodeCall[]): Promise<NodeOutcome[] | undefined> {
		const waitMs = this.#budget.take(calls.length, performance.now());
		const {signal, asked} = this.#options;
		if (waitMs > 0) await sleep(waitMs, undefined, {signal}).catch(() => {});
		if (signal.aborted) throw new TransportFailed('closed', 'it was closed here');
		asked(calls.length);
		const sent = calls.map(({method, params}): WireCall => ({jsonrpc: '2.0', id: ++this.#lastId, method, params}));
		if (sent.length === 1) return [this.#outcome(await this.#transport.send(sent[0]!), sent[0]!)];
		try {
			return this.#unbatched(await this.#transport.send(sent), sent);
		} catch (error) {
			const isTooMuch = error instanceof TransportFailed && ['too-long', 'timeout', 'rejected'].includes(error.kind);
			if (isTooMuch) return undefined;
			throw error;
		}
	}

	#unbatched(answer: unknown, sent: readonly WireCall[]): NodeOutcome[] | undefined {
		if (!Array.isArray(answer)) {
			const code = refusalOf(answer);
			if (code !== undefined && isRateLimit(code, '')) throw new TransportFailed('rate-limited', code.message);
			return undefined;
		}
		const byId = new Map<unknown, unknown>();
		for (const one of answer) byId.set((one as {id?: unknown} | null)?.id, one);
		// A node that refuses a batch in an array of one answer, without an id.
		if (answer.length === 1 && !byId.has(sent[0]!.id)) return undefined;
		return sent.map(call => this.#outcome(byId.get(call.id), call));
	}

	#outcome(answer: unknown, {id, method}: WireCall): NodeOutcome {
		const refusal = refusalOf(answer);
		if (refusal !== undefined) {
			const nodeMessage = this.#options.scrub(refusal.message);
			if (isRateLimit(refusal, method)) throw new TransportFailed('rate-limited', `it says: ${nodeMessage}`);
			const {code: rpcCode, data} = refusal;
			return {ok: false, error: new NodeRefused(method, {host: this.host, rpcCode, nodeMessage, data})};
		}
		const isAnswer = typeof answer === 'object' && answer !== null && 'result' in answer;
		if (!isAnswer || (answer as {id?: unknown}).id !== id) {
			throw new TransportFailed('garbled', 'its answer is not the answer to the call');
		}
		return {ok: true, result: answer.result};
	}

	close(): Promise<void> {
		return this.#transport.close();
	}
}

interface RpcError {
	readonly code: number;
	readonly message: string;
	readonly data: unknown;
}

function refusalOf(answer: unknown): RpcError | undefined {
	const error = (answer as {error?: unknown} | null | undefined)?.error;
	if (error === undefined || error === null) return undefined;
	if (typeof error !== 'object') return {code: 0, message: String(error), data: undefined};
	const {code, message, data} = error as {code?: unknown; message?: unknown; data?: unknown};
	return {
		code: typeof code === 'number' ? code : 0,
		message: typeof message === 'string' ? message : 'no reason given',
		data,
	};
}
