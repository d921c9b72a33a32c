import type {JsonRpc} from '../../rpc/json-rpc.ts';
import {RpcUnanswered} from '../../rpc/json-rpc.ts';

/**
 * The calls that a wallet needs of a chain; only a signed transaction can change the chain. An embedded node also obeys
 * calls that create coins, move time and act for other accounts, some of them named eth_.
 */
const ALLOWED: ReadonlySet<string> = new Set([
	'eth_blockNumber',
	'eth_call',
	'eth_chainId',
	'eth_createAccessList',
	'eth_estimateGas',
	'eth_feeHistory',
	'eth_gasPrice',
	'eth_getBalance',
	'eth_getBlockByHash',
	'eth_getBlockByNumber',
	'eth_getBlockReceipts',
	'eth_getBlockTransactionCountByHash',
	'eth_getBlockTransactionCountByNumber',
	'eth_getCode',
	'eth_getLogs',
	'eth_getProof',
	'eth_getStorageAt',
	'eth_getTransactionByBlockHashAndIndex',
	'eth_getTransactionByBlockNumberAndIndex',
	'eth_getTransactionByHash',
	'eth_getTransactionCount',
	'eth_getTransactionReceipt',
	'eth_maxPriorityFeePerGas',
	'eth_sendRawTransaction',
	'eth_simulateV1',
	'eth_syncing',
	'net_listening',
	'net_version',
]);

/** How many calls one request may carry. */
const MAX_PROXIED_CALLS = 50;

interface Failure {
	readonly jsonrpc: '2.0';
	readonly id: string | number | null;
	readonly error: {readonly code: number; readonly message: string};
}

/**
 * Answers a JSON-RPC request, one call or several, from a chain's node: allowed calls are forwarded unchanged, all
 * others are refused. Never throws: every failure is a JSON-RPC answer.
 * @param rpc the chain's node
 * @param body the request, parsed
 */
export async function proxyRpc(rpc: JsonRpc, body: unknown): Promise<unknown> {
	if (!Array.isArray(body)) return proxyOne(rpc, body);
	if (body.length === 0) return failure(null, -32600, 'the batch is empty');
	if (body.length > MAX_PROXIED_CALLS)
		return failure(null, -32600, `more than ${MAX_PROXIED_CALLS} calls in one batch`);
	return Promise.all(body.map(call => proxyOne(rpc, call)));
}

async function proxyOne(rpc: JsonRpc, call: unknown): Promise<unknown> {
	if (typeof call !== 'object' || call === null || Array.isArray(call)) return failure(null, -32600, 'not a call');
	const {id, method, params = []} = call as {id?: unknown; method?: unknown; params?: unknown};
	const known = typeof id === 'string' || typeof id === 'number' ? id : null;
	if (typeof method !== 'string') return failure(known, -32600, 'the call names no method');
	if (!ALLOWED.has(method)) return failure(known, -32601, 'this method is not offered here');
	try {
		return await rpc.forward({jsonrpc: '2.0', id: known, method, params});
	} catch (error) {
		const why = error instanceof RpcUnanswered ? error.message : 'the call could not be passed on';
		return failure(known, -32603, why);
	}
}

function failure(id: string | number | null, code: number, message: string): Failure {
	return {jsonrpc: '2.0', id, error: {code, message}};
}
