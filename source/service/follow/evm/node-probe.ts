import {PulsetopError} from '../../../errors.ts';
import type {EvmNode, NodeOutcome} from '../../../rpc/evm/node.ts';
import {createEvmNode} from '../../../rpc/evm/node-client.ts';
import {createHttpTransport} from '../../../rpc/http-transport.ts';
import type {NodeClock} from '../../../rpc/node-clock.ts';
import {createScrubber, NodeRefused} from '../../../rpc/node-errors.ts';
import {DEADLINE_MS, MAX_ANSWER_BYTES, TransportFailed, type WireCall} from '../../../rpc/transport.ts';
import {createWsTransport} from '../../../rpc/ws-transport.ts';
import type {CheckedCall} from '../node-check.ts';

/** An answer, and how long it took. */
export type TimedOutcome = NodeOutcome & {readonly ms: number};

/** Asks one node, and records its answers. */
export class NodeProbe {
	readonly calls: CheckedCall[] = [];
	readonly problems: string[] = [];
	isUnusable = false;
	hasAnswered = false;
	readonly #url: URL;
	readonly #deadlineMs: number;
	readonly #node: EvmNode;

	/** @throws TypeError when the address is no http, https, ws or wss URL */
	constructor(
		url: string,
		{deadlineMs = DEADLINE_MS, clock}: {deadlineMs?: number | undefined; clock?: NodeClock | undefined} = {},
	) {
		this.#node = createEvmNode({urls: [url], chain: null, deadlineMs, ...(clock && {clock})});
		this.#url = new URL(url);
		this.#deadlineMs = deadlineMs;
	}

	get host(): string {
		return this.#node.host;
	}

	/** Calls a second that the node was found to take; null for a node that never complained. */
	get callLimit(): number | null {
		return this.#node.callLimit;
	}

	/** Whether the address is that of a websocket. */
	get canPush(): boolean {
		return this.#url.protocol.startsWith('ws');
	}

	/** Makes a call. A refusal is noted; undefined, and noted, when nothing came back. */
	async ask(method: string, params: readonly unknown[], name = method): Promise<TimedOutcome | undefined> {
		const startMs = performance.now();
		try {
			const [outcome] = await this.#node.calls([{method, params}]);
			const ms = performance.now() - startMs;
			this.hasAnswered = true;
			if (!outcome!.ok) this.note(name, false, whyOf(outcome!.error), ms);
			return {...outcome!, ms};
		} catch (error) {
			if (!(error instanceof PulsetopError)) throw error;
			this.note(name, false, error.why, performance.now() - startMs);
			return undefined;
		}
	}

	/** Sends past the client, which would hide how the node takes a request. Undefined, and noted, when nothing came back. */
	async send(
		body: WireCall | readonly WireCall[],
		name: string,
	): Promise<{readonly answer: unknown; readonly ms: number} | undefined> {
		const options = {
			url: this.#url,
			deadlineMs: this.#deadlineMs,
			maxBytes: MAX_ANSWER_BYTES,
			received: () => {},
		};
		const transport = this.canPush ? createWsTransport(options) : createHttpTransport(options);
		const startMs = performance.now();
		try {
			return {answer: await transport.send(body), ms: performance.now() - startMs};
		} catch (error) {
			if (!(error instanceof TransportFailed)) throw error;
			this.note(name, false, createScrubber([this.#url])(error.message), performance.now() - startMs);
			return undefined;
		} finally {
			await transport.close();
		}
	}

	note(name: string, works: boolean | null, words: string, ms: number | null): void {
		this.calls.push({name, works, words, ms: ms === null ? null : Math.round(ms)});
	}

	/** Says what makes following the chain impossible. */
	fail(problem: string): void {
		this.isUnusable = true;
		this.problems.push(problem);
	}

	close(): Promise<void> {
		return this.#node.close();
	}
}

function whyOf(error: Error): string {
	if (error instanceof NodeRefused) return `refused: ${error.nodeMessage} (${error.rpcCode})`;
	return error instanceof PulsetopError ? error.why : error.message;
}
