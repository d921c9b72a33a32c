import WebSocket from 'ws';
import {connectionWords} from '../../../connection-words.ts';
import {isLoopback} from '../../../loopback.ts';
import {ProxyFailed} from '../../../proxy.ts';
import {webSocketProxy} from '../../../proxy-connector.ts';
import {NodeUnanswered} from '../../../rpc/node-errors.ts';
import type {SolanaNode} from '../../../rpc/solana/node.ts';

const CONNECT_MS = 8000;
const PING_MS = 5000;
/** A node that is alive says something every half second: it has blocks. */
const SILENCE_MS = 15_000;
/** Longer messages are no logs: those are cut at 10 kB. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** Logs of one transaction, as a node sends them. */
export interface LogsOfTransaction {
	readonly program: string;
	readonly slot: number;
	readonly signature: string;
	readonly isFailed: boolean;
	readonly lines: readonly string[];
}

/** One connection that sends the logs of programs, until it ends. */
export interface LogStream {
	/** Resolves when every subscription stands: transactions of slots that are confirmed from then on come. */
	readonly ready: Promise<void>;
	/** Resolves with the reason when the connection ended, in words without its address. */
	readonly ended: Promise<string>;
	close(): void;
}

export interface LogListeners {
	logs(of: LogsOfTransaction): void;
	/** A slot began: sent for every slot, with or without transactions of the programs. */
	slot(slot: number): void;
}

/** Subscribes to the confirmed logs of programs: one subscription a program, since nodes take one address each. */
export function openLogStream(node: SolanaNode, programs: readonly string[], listeners: LogListeners): LogStream {
	const {promise: ready, resolve: stand, reject: fail} = Promise.withResolvers<void>();
	const {promise: ended, resolve: end} = Promise.withResolvers<string>();
	const socket = new WebSocket(node.socketURL, {
		handshakeTimeout: CONNECT_MS,
		maxPayload: MAX_MESSAGE_BYTES,
		perMessageDeflate: !isLoopback(node.socketURL.hostname),
		followRedirects: false,
		...webSocketProxy(node.socketURL),
	});
	ready.catch(() => {});
	const programOf = new Map<number, string>();
	let missing = programs.length + 1;
	let heardMs = performance.now();
	let isOver = false;

	const finish = (why: string): void => {
		if (isOver) return;
		isOver = true;
		clearInterval(timer);
		socket.removeAllListeners();
		socket.on('error', () => {});
		socket.terminate();
		fail(new NodeUnanswered(`${node.host}: ${why}`));
		end(why);
	};
	const timer = setInterval(() => {
		const silentMs = performance.now() - heardMs;
		if (silentMs > SILENCE_MS) finish(`it was silent for ${SILENCE_MS / 1000} s`);
		else if (socket.readyState === WebSocket.OPEN) socket.ping();
	}, PING_MS).unref();
	const acknowledged = (id: number, result: unknown): void => {
		if (typeof result !== 'number' || id < 0 || id > programs.length) {
			finish('it refused a subscription');
			return;
		}
		const program = programs[id];
		if (program !== undefined) programOf.set(result, program);
		if (--missing === 0) stand();
	};

	socket.on('open', () => {
		for (const [id, program] of programs.entries()) {
			const params = [{mentions: [program]}, {commitment: 'confirmed'}];
			socket.send(JSON.stringify({jsonrpc: '2.0', id, method: 'logsSubscribe', params}));
		}
		socket.send(JSON.stringify({jsonrpc: '2.0', id: programs.length, method: 'slotSubscribe'}));
	});
	socket.on('message', (data: Buffer) => {
		heardMs = performance.now();
		node.traffic.count(0, data.length);
		const message = parse(data);
		if (message === undefined) return finish('it sent something that is not JSON');
		const {id, method, params, error} = message;
		if (method === 'slotNotification') {
			const slot = (params?.result as {slot?: unknown} | undefined)?.slot;
			if (isSlot(slot)) listeners.slot(slot);
		} else if (method === 'logsNotification') {
			const program = programOf.get(params?.subscription as number);
			const logs = program === undefined ? undefined : readNotification(program, params?.result);
			if (logs) listeners.logs(logs);
		} else if (error !== undefined) {
			finish('it refused a subscription');
		} else if (typeof id === 'number') {
			acknowledged(id, message.result);
		}
	});
	socket.on('unexpected-response', (_request, {statusCode}) => finish(`it answered HTTP ${statusCode}`));
	socket.on('error', error => {
		finish(error instanceof ProxyFailed ? error.why : connectionWords(error));
	});
	socket.on('close', () => finish('the websocket was closed'));
	return {ready, ended, close: () => finish('it was closed here')};
}

interface Message {
	readonly id?: unknown;
	readonly method?: unknown;
	readonly result?: unknown;
	readonly error?: unknown;
	readonly params?: {readonly subscription?: unknown; readonly result?: unknown};
}

function parse(data: Buffer): Message | undefined {
	try {
		const value: unknown = JSON.parse(data.toString('utf8'));
		return typeof value === 'object' && value !== null ? value : undefined;
	} catch {
		return undefined;
	}
}

function readNotification(program: string, result: unknown): LogsOfTransaction | undefined {
	const {context, value} = (result ?? {}) as {context?: {slot?: unknown}; value?: Record<string, unknown>};
	const slot = context?.slot;
	const {signature, err, logs} = value ?? {};
	if (!isSlot(slot) || typeof signature !== 'string' || signature.length > 100 || !Array.isArray(logs))
		return undefined;
	if (!logs.every(line => typeof line === 'string')) return undefined;
	return {program, slot, signature, isFailed: err !== null, lines: logs};
}

function isSlot(slot: unknown): slot is number {
	return Number.isSafeInteger(slot) && (slot as number) >= 0;
}
