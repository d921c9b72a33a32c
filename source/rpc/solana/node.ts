import {setTimeout as pause} from 'node:timers/promises';
import {createHttpTransport} from '../http-transport.ts';
import {createScrubber, NodeAnswerWrong, NodeRefused, NodeUnanswered} from '../node-errors.ts';
import {Traffic} from '../traffic.ts';
import {type Transport, TransportFailed} from '../transport.ts';
import {CallBudget} from './call-budget.ts';

/** Longest answer that is read: 100 accounts of the largest kind that is asked for are a twentieth of it. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const DEADLINE_MS = 15_000;
/** Pause after a complaint of too many calls that names no time. */
const HOLD_MS = 5000;
const MAX_HOLD_MS = 60_000;
const TRIES = 3;

/** Ports of a node on a person's machine: its websocket listens one port above its HTTP server. */
const LOCAL_PORTS: Readonly<Record<string, string>> = {8899: '8900', 8900: '8899'};

/** One node of Solana: its calls over HTTP, and the address of its subscriptions. Secret but for the host. */
export interface SolanaNode {
	readonly host: string;
	readonly socketURL: URL;
	readonly traffic: Traffic;
	/**
	 * The result of a call. Waits for room in the budget, and asks again what was not answered.
	 * @param options `tries`: how often the call is made. A call with one try delays no other call when the node refuses it: public
	 *   nodes limit some calls far below the others
	 * @throws NodeRefused, NodeUnanswered, NodeAnswerWrong
	 */
	call(method: string, params?: readonly unknown[], options?: {readonly tries?: number}): Promise<unknown>;
	/** Whether calls that can wait should wait, since the budget is needed for others. */
	isBusy(method: string): boolean;
	/** The account bytes of up to 100 addresses at one slot; null for an address without an account. */
	accounts(addresses: readonly string[]): Promise<Accounts>;
	close(): Promise<void>;
}

export interface Accounts {
	readonly slot: number;
	readonly accounts: readonly (Account | null)[];
}

export interface Account {
	/** The slot at which the node read the account. */
	readonly slot: number;
	readonly owner: string;
	readonly data: Uint8Array;
}

/** @param url http, https, ws or wss: the other one is the same address, as nodes have it */
export function createSolanaNode(url: string, {deadlineMs = DEADLINE_MS} = {}): SolanaNode {
	const given = new URL(url);
	const http = withProtocol(given, 'http');
	const traffic = new Traffic();
	const budget = new CallBudget();
	const scrub = createScrubber([given]);
	const transport = createHttpTransport({
		url: http,
		deadlineMs,
		maxBytes: MAX_ANSWER_BYTES,
		received: bytes => traffic.count(0, bytes),
	});
	const closing = new AbortController();
	const {host} = http;
	let lastId = 0;

	const once = async (method: string, params: readonly unknown[]): Promise<unknown> => {
		const waitMs = budget.take(method, performance.now());
		if (waitMs > 0) await pause(waitMs, undefined, {signal: closing.signal, ref: false}).catch(() => {});
		if (closing.signal.aborted) throw new NodeUnanswered(`${host} is not asked any more`);
		traffic.count(1, 0);
		const id = ++lastId;
		return resultOf(await send(transport, {jsonrpc: '2.0', id, method, params}, host), {id, method, host, scrub});
	};

	const node: SolanaNode = {
		host,
		socketURL: withProtocol(given, 'ws'),
		traffic,
		async call(method, params = [], {tries = TRIES} = {}) {
			for (let attempt = 1; ; attempt++) {
				try {
					return await once(method, params);
				} catch (error) {
					const wait = error instanceof NodeRefused ? waitOf(error) : undefined;
					const isLast = attempt === tries || closing.signal.aborted;
					if (isLast || !(error instanceof NodeUnanswered || wait !== undefined)) throw error;
					const holdMs = error instanceof NodeUnanswered ? error.retryInMs : 0;
					budget.hold(Math.max(holdMs, wait ?? 250 * 2 ** attempt), performance.now());
				}
			}
		},
		isBusy: method => budget.used(method, performance.now()) > 0.5,
		async accounts(addresses) {
			const options = {encoding: 'base64', commitment: 'confirmed'};
			const result = await node.call('getMultipleAccounts', [addresses, options]);
			return readAccounts(result, addresses.length);
		},
		async close() {
			closing.abort();
			await transport.close();
		},
	};
	return node;
}

function withProtocol(url: URL, kind: 'http' | 'ws'): URL {
	const copy = new URL(url);
	const isSocket = url.protocol.startsWith('ws');
	copy.protocol = `${kind}${/^(?:https|wss):$/.test(url.protocol) ? 's' : ''}:`;
	const other = LOCAL_PORTS[url.port];
	const isDefault = (url.port === '8900') === isSocket;
	if (other !== undefined && isSocket !== (kind === 'ws') && isDefault) copy.port = other;
	return copy;
}

async function send(transport: Transport, body: Parameters<Transport['send']>[0], host: string): Promise<unknown> {
	try {
		return await transport.send(body);
	} catch (error) {
		if (!(error instanceof TransportFailed)) throw error;
		const retryInMs = error.retryAfterMs ?? (error.kind === 'rate-limited' ? HOLD_MS : 0);
		throw new NodeUnanswered(`${host}: ${error.message}`, {
			tooMuch: error.kind === 'timeout' || error.kind === 'too-long',
			retryInMs,
		});
	}
}

/** The wait that a refusal asks for, ms; undefined for a refusal that time does not change. -32007 also means a slot without a block. */
function waitOf({rpcCode, nodeMessage, meaning}: NodeRefused): number | undefined {
	if (meaning.kind === 'wait' && !/\bslot\b/i.test(nodeMessage))
		return Math.min(meaning.waitMs ?? HOLD_MS, MAX_HOLD_MS);
	return rpcCode === -32005 ? HOLD_MS : undefined;
}

interface Asked {
	readonly id: number;
	readonly method: string;
	readonly host: string;
	readonly scrub: (text: string) => string;
}

function resultOf(answer: unknown, {id, method, host, scrub}: Asked): unknown {
	if (typeof answer !== 'object' || answer === null) throw new NodeAnswerWrong(method, 'it is no JSON-RPC answer');
	const {error, result} = answer as {error?: {code?: unknown; message?: unknown; data?: unknown}; result?: unknown};
	if (error) {
		const rpcCode = Number(error.code);
		const nodeMessage = scrub(String(error.message ?? ''));
		throw new NodeRefused(method, {host, rpcCode, nodeMessage, data: error.data});
	}
	if ((answer as {id?: unknown}).id !== id) throw new NodeAnswerWrong(method, 'it answers another call');
	if (result === undefined) throw new NodeAnswerWrong(method, 'it has neither a result nor an error');
	return result;
}

function readAccounts(result: unknown, wanted: number): Accounts {
	const {context, value} = result as {context?: {slot?: unknown}; value?: unknown};
	const slot = context?.slot;
	if (!Number.isSafeInteger(slot) || !Array.isArray(value) || value.length !== wanted) {
		throw new NodeAnswerWrong('getMultipleAccounts', 'it is not one entry an account');
	}
	return {slot: slot as number, accounts: value.map(account => readAccount(account, slot as number))};
}

function readAccount(value: unknown, slot: number): Account | null {
	if (value === null) return null;
	const {owner, data} = value as {owner?: unknown; data?: unknown};
	if (typeof owner !== 'string' || !Array.isArray(data) || typeof data[0] !== 'string' || data[1] !== 'base64') {
		throw new NodeAnswerWrong('getMultipleAccounts', 'an account is not in base64');
	}
	return {slot, owner, data: Buffer.from(data[0], 'base64')};
}
