import {createServer, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {setTimeout as pause} from 'node:timers/promises';
import {
	type Address,
	type Hex,
	keccak256,
	parseTransaction,
	recoverTransactionAddress,
	type TransactionSerialized,
} from 'viem';
import {createJsonRpc, RpcUnanswered} from '../../../source/rpc/json-rpc.ts';

/** A transaction that was sent to a node. */
export interface SentTransaction {
	readonly hash: Hex;
	readonly raw: Hex;
	readonly from: Address;
	readonly to: Address;
	readonly nonce: number;
	readonly value: bigint;
	/** Whether the node behind got it. */
	readonly isPassedOn: boolean;
}

/**
 * What is done with a transaction: passed on; passed on without an answer to the caller; kept from the node without an answer;
 * refused with an error, after a time; or passed on after something else.
 */
export type Handling =
	| 'pass'
	| 'pass-unanswered'
	| 'drop'
	| {readonly refuse: string; readonly afterMs?: number}
	| {readonly passAfter: Promise<void>};

/** A node in front of a real one that records every transaction sent to it. */
export interface RecordingNode {
	readonly url: string;
	/** In the order in which they came. */
	readonly sent: readonly SentTransaction[];
	/** Replaced by a test; default: passes all on. */
	handle: (transaction: Omit<SentTransaction, 'isPassedOn'>) => Handling;
	/** Replaced by a test: whether a request of these calls is too many, and answered with HTTP 429; default: never. */
	limits: (methods: readonly string[]) => boolean;
	/** Stops to listen, as a node that is down. */
	down(): Promise<void>;
	/** Listens again at the same address. */
	up(): Promise<void>;
	close(): Promise<void>;
}

interface Call {
	readonly id: number;
	readonly method: string;
	readonly params: readonly unknown[];
}

/** @param behind as a driver names it */
export async function startRecordingNode(behind: string): Promise<RecordingNode> {
	const sent: SentTransaction[] = [];
	const rpc = createJsonRpc(() => behind);
	const ask = async (body: unknown): Promise<string> => JSON.stringify(await rpc.forward(body));
	const answer = async (call: Call, response: ServerResponse): Promise<string | undefined> => {
		const transaction = await describe(call.params[0] as Hex);
		const handling = node.handle(transaction);
		const isRefused = typeof handling === 'object' && 'refuse' in handling;
		sent.push({...transaction, isPassedOn: !isRefused && handling !== 'drop'});
		if (isRefused) {
			await pause(handling.afterMs ?? 0);
			return JSON.stringify({jsonrpc: '2.0', id: call.id, error: {code: -32000, message: handling.refuse}});
		}
		if (typeof handling === 'object') await handling.passAfter;
		const given = handling === 'drop' ? undefined : await ask(call);
		if (handling === 'pass' || typeof handling === 'object') return given;
		response.socket?.destroy();
		return undefined;
	};
	const server = createServer(async (request, response) => {
		let text = '';
		for await (const chunk of request) text += chunk;
		const body = JSON.parse(text) as Call | Call[];
		if (node.limits([body].flat().map(({method}) => method))) return void response.writeHead(429).end();
		const isSending = !Array.isArray(body) && body.method === 'eth_sendRawTransaction';
		// The chain ends with the test, in the middle of a call too: the caller gets no answer then.
		const given = await (isSending ? answer(body, response) : ask(body)).catch((error: unknown) => {
			if (!(error instanceof RpcUnanswered)) throw error;
			response.destroy();
			return undefined;
		});
		if (given !== undefined) response.setHeader('content-type', 'application/json').end(given);
	});
	const listen = (port: number): Promise<void> =>
		new Promise(resolve => {
			server.listen(port, '127.0.0.1', resolve);
		});
	await listen(0);
	const {port} = server.address() as AddressInfo;
	const down = (): Promise<void> =>
		new Promise(resolve => {
			server.close(() => resolve());
			server.closeAllConnections();
		});
	const node: RecordingNode = {
		url: `http://127.0.0.1:${port}`,
		sent,
		handle: () => 'pass',
		limits: () => false,
		down,
		up: () => listen(port),
		async close() {
			await down();
			await rpc.close();
		},
	};
	return node;
}

async function describe(raw: Hex): Promise<Omit<SentTransaction, 'isPassedOn'>> {
	const {nonce = 0, to, value = 0n} = parseTransaction(raw);
	const from = await recoverTransactionAddress({serializedTransaction: raw as TransactionSerialized});
	return {hash: keccak256(raw), raw, from, to: to as Address, nonce, value};
}
