import {connectionCode, connectionWords} from '../connection-words.ts';
import {PulsetopError} from '../errors.ts';
import {ProxyFailed} from '../proxy.ts';
import {createIpc} from './ipc.ts';
import {createProxiedAgent} from './proxied-agent.ts';

/** One call of a batch. */
export interface RpcCall {
	readonly method: string;
	readonly params: readonly unknown[];
}

/** The node understood the call and refused it. */
export class RpcRefused extends PulsetopError {
	readonly code = 'rpc-refused';
	/** The JSON-RPC error's number. */
	readonly rpcCode: number;
	/** The error's `data`, where a revert's bytes lie. */
	readonly data: unknown;

	constructor(method: string, rpcCode: number, message: string, data: unknown) {
		super(message, {why: `${method} was refused by the chain's node (${rpcCode})`, next: 'report'});
		this.rpcCode = rpcCode;
		this.data = data;
	}
}

/** No readable answer: the call may have been carried out or not. */
export class RpcUnanswered extends PulsetopError {
	readonly code = 'rpc-unanswered';
	/** True when the call cannot have reached the node. */
	readonly neverSent: boolean;

	constructor(method: string, why: string, neverSent: boolean, cause?: unknown) {
		super(`The chain's node did not answer ${method}`, {why, next: 'retry-later', cause});
		this.neverSent = neverSent;
	}
}

/** Outcome of one call of a batch. */
export type RpcOutcome =
	| {readonly ok: true; readonly result: unknown}
	| {readonly ok: false; readonly error: RpcRefused | RpcUnanswered};

/** Calls to one node. The address is read for each call: a restarted node has another port. */
export interface JsonRpc {
	/**
	 * One call, its answer's `result`.
	 * @throws RpcRefused, RpcUnanswered
	 */
	call<T = unknown>(method: string, params?: readonly unknown[]): Promise<T>;
	/** Several calls in one request, results in order. @throws RpcRefused of the first refused call, RpcUnanswered */
	batch(calls: readonly RpcCall[]): Promise<unknown[]>;
	/** As batch, but each call has its own outcome. @throws RpcUnanswered when the request had no readable answer at all */
	outcomes(calls: readonly RpcCall[]): Promise<RpcOutcome[]>;
	/** Forwards a request and returns the answer, both unchanged: for the proxy. @throws RpcUnanswered */
	forward(body: unknown): Promise<unknown>;
	close(): Promise<void>;
}

interface Answer {
	readonly id?: number;
	readonly result?: unknown;
	readonly error?: {readonly code: number; readonly message: string; readonly data?: unknown};
}

const NEVER_SENT = new Set([
	'ECONNREFUSED',
	'ENOENT',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * Calls over HTTP, or over the node's socket file, with connections kept open.
 * @param urlOf the node's current address: `http://...`, or `ipc:` and a path
 * @param options.timeoutMs limit for one request
 */
export function createJsonRpc(urlOf: () => string, {timeoutMs = 30_000}: {timeoutMs?: number} = {}): JsonRpc {
	const agent = createProxiedAgent({
		connections: 16,
		headersTimeout: timeoutMs,
		bodyTimeout: timeoutMs,
		connectTimeout: 5000,
	});
	const ipc = createIpc({timeoutMs});
	let lastId = 0;

	const post = async (body: unknown, method: string): Promise<unknown> => {
		try {
			const url = urlOf();
			if (url.startsWith('ipc:')) return await ipc.post(url.slice('ipc:'.length), body);
			const {statusCode, body: answer} = await agent.request(new URL(url), {
				method: 'POST',
				headers: {'content-type': 'application/json'},
				body: JSON.stringify(body),
				signal: AbortSignal.timeout(timeoutMs),
			});
			const text = await answer.text();
			// A provider that rejects a caller (401, 429, …) does so before it reads the call.
			if (statusCode >= 400 && statusCode < 500)
				throw new RpcUnanswered(method, `it answered HTTP ${statusCode}`, true);
			if (statusCode !== 200) throw new RpcUnanswered(method, `it answered HTTP ${statusCode}`, false);
			return JSON.parse(text);
		} catch (cause) {
			if (cause instanceof RpcUnanswered) throw cause;
			if (cause instanceof ProxyFailed) throw new RpcUnanswered(method, cause.why, true, cause);
			throw new RpcUnanswered(method, connectionWords(cause), NEVER_SENT.has(connectionCode(cause)), cause);
		}
	};

	const outcomeOf = (answer: Answer | undefined, method: string): RpcOutcome => {
		if (answer?.error) {
			const {code, message, data} = answer.error;
			return {ok: false, error: new RpcRefused(method, code, message, data)};
		}
		if (answer === undefined || !('result' in answer)) {
			return {ok: false, error: new RpcUnanswered(method, 'the answer is not JSON-RPC', false)};
		}
		return {ok: true, result: answer.result};
	};

	const outcomes = async (calls: readonly RpcCall[]): Promise<RpcOutcome[]> => {
		if (calls.length === 0) return [];
		const first = lastId + 1;
		lastId += calls.length;
		const body = calls.map((call, i) => ({jsonrpc: '2.0', id: first + i, ...call}));
		const answers = await post(body, 'a batch');
		const byId = new Map(Array.isArray(answers) ? (answers as Answer[]).map(answer => [answer.id, answer]) : []);
		return calls.map(({method}, i) => outcomeOf(byId.get(first + i), method));
	};

	return {
		async call<T>(method: string, params: readonly unknown[] = []) {
			const answer = await post({jsonrpc: '2.0', id: ++lastId, method, params}, method);
			return resultOf(outcomeOf(answer as Answer, method)) as T;
		},
		batch: async calls => (await outcomes(calls)).map(resultOf),
		outcomes,
		forward: body => post(body, 'a forwarded call'),
		async close() {
			ipc.close();
			await agent.destroy();
		},
	};
}

function resultOf(outcome: RpcOutcome): unknown {
	if (!outcome.ok) throw outcome.error;
	return outcome.result;
}
