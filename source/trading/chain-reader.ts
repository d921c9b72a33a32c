import {chainName, evmChainNumber} from '../chains/chains.ts';
import {exchange, type HttpRequest} from '../client/http/exchange.ts';
import {PulsetopError} from '../errors.ts';
import {clean} from '../text.ts';

/** The state of a chain that must be known before anything is signed could not be read. */
export class ChainUnread extends PulsetopError {
	readonly code = 'chain-unread';

	constructor(chainId: string, why: string, cause?: unknown) {
		super(`The state of ${chainName(chainId)} cannot be read`, {why, next: 'retry-later', cause});
	}
}

/** A node understood the request and refused it: the call would fail, or the transaction is not accepted. */
export class NodeRefused extends ChainUnread {
	/** The node's message, cleaned. */
	readonly said: string;
	/** Code of the JSON-RPC error, where there is one: 3 is a revert. */
	readonly rpcCode?: number;

	constructor(chainId: string, said: string, rpcCode?: number) {
		super(chainId, `its node refused: ${said}`);
		this.said = said;
		if (rpcCode !== undefined) this.rpcCode = rpcCode;
	}
}

/** The response of a node; undefined when the node refuses. @throws ChainUnread when the node does not answer */
export async function orRefused<T>(read: () => Promise<T>): Promise<T | undefined> {
	try {
		return await read();
	} catch (error) {
		if (error instanceof NodeRefused) return undefined;
		throw error;
	}
}

/** The kind of an account on a chain, now. */
export interface AccountState {
	readonly nonce: number;
	/** `plain`: no code. `delegated`: EIP-7702, to `delegate`, in lower case. `contract`: other code. */
	readonly kind: 'plain' | 'delegated' | 'contract';
	readonly delegate?: string;
}

export interface TokenInfo {
	/** Clean. */
	readonly symbol: string;
	readonly decimals: number;
}

/** The readings of a money flow on chains. Every method throws ChainUnread. */
export interface ChainReader {
	/** Whether there is a node for this chain. */
	knows(chainId: string): boolean;
	account(chainId: string, address: string): Promise<AccountState>;
	/** Raw units of a token. */
	balance(chainId: string, token: string, owner: string): Promise<bigint>;
	/** Raw units of the chain's coin. */
	coins(chainId: string, owner: string): Promise<bigint>;
	tokenInfo(chainId: string, token: string): Promise<TokenInfo>;
	/**
	 * Any other question, and the way to send a signed transaction. The response is unchecked.
	 * @throws NodeRefused when the node says no in words
	 */
	request(chainId: string, method: string, params: readonly unknown[]): Promise<unknown>;
	/** How many batches of a lane the account's executor has run; undefined where that cannot be read. */
	laneSequence(chainId: string, account: string, lane: bigint): Promise<bigint | undefined>;
}

export interface ChainReaderOptions {
	/** Address of a chain's node, or undefined for a chain without a node. */
	readonly urlOf: (chainId: string) => string | undefined;
	readonly timeoutMs?: number;
	readonly headers?: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 8000;
const MAX_BYTES = 1024 * 1024;

const SELECTOR = {
	balanceOf: '0x70a08231',
	symbol: '0x95d89b41',
	decimals: '0x313ce567',
	nextSequence: '0xe02bca9a',
} as const;

/** Reads chains through nodes that speak JSON-RPC; each node is checked to be of the expected chain. */
export function createChainReader({urlOf, timeoutMs = TIMEOUT_MS, headers = {}}: ChainReaderOptions): ChainReader {
	const verified = new Set<string>();
	let nextId = 1;

	async function send(chainId: string, method: string, params: readonly unknown[]): Promise<unknown> {
		const url = urlOf(chainId);
		if (url === undefined) throw new ChainUnread(chainId, 'no node of this chain is configured');
		const id = nextId++;
		const request: HttpRequest = {
			method: 'POST',
			path: url,
			headers,
			body: {jsonrpc: '2.0', id, method, params},
			retry: 'read',
		};
		let text: string;
		try {
			const options = {agent: undefined, timeoutMs, maxBytes: MAX_BYTES, signals: []};
			const response = await exchange(request, new URL(url), options);
			if (response.status !== 200) throw new ChainUnread(chainId, statusWords(response));
			({text} = response);
		} catch (error) {
			if (error instanceof ChainUnread || !(error instanceof PulsetopError)) throw error;
			throw new ChainUnread(chainId, error.why, error);
		}
		return resultOf(chainId, text);
	}

	async function request(chainId: string, method: string, params: readonly unknown[]): Promise<unknown> {
		if (!verified.has(chainId)) {
			const expected = evmChainNumber(chainId);
			const given = await send(chainId, 'eth_chainId', []);
			if (expected === undefined || quantity(chainId, given) !== BigInt(expected)) {
				throw new ChainUnread(chainId, 'its node serves another chain');
			}
			verified.add(chainId);
		}
		return send(chainId, method, params);
	}

	async function query(chainId: string, method: string, params: readonly unknown[]): Promise<string> {
		const result = await request(chainId, method, params);
		if (typeof result !== 'string') throw new ChainUnread(chainId, `its node's answer to ${method} is no text`);
		return result;
	}

	const read = (chainId: string, to: string, data: string) => query(chainId, 'eth_call', [{to, data}, 'latest']);

	return {
		knows: chainId => urlOf(chainId) !== undefined,
		request,
		async account(chainId, address) {
			const [nonce, code] = await Promise.all([
				query(chainId, 'eth_getTransactionCount', [address, 'latest']),
				query(chainId, 'eth_getCode', [address, 'latest']),
			]);
			const state = {nonce: Number(quantity(chainId, nonce))};
			if (code === '0x') return {...state, kind: 'plain'};
			// Brings the libraries for hashing along, which nothing else here needs.
			const {delegateOf} = await import('../contract/typed-data.ts');
			const delegate = delegateOf(code);
			return delegate === undefined ? {...state, kind: 'contract'} : {...state, kind: 'delegated', delegate};
		},
		async balance(chainId, token, owner) {
			return quantity(chainId, await read(chainId, token, SELECTOR.balanceOf + word(BigInt(owner))));
		},
		async coins(chainId, owner) {
			return quantity(chainId, await query(chainId, 'eth_getBalance', [owner, 'latest']));
		},
		async tokenInfo(chainId, token) {
			const [symbol, decimals] = await Promise.all([
				read(chainId, token, SELECTOR.symbol),
				read(chainId, token, SELECTOR.decimals),
			]);
			const places = quantity(chainId, decimals);
			if (places > 77n) throw new ChainUnread(chainId, 'the token claims more decimals than there can be');
			return {symbol: clean(abiText(symbol), {maxCells: 12}) || 'token', decimals: Number(places)};
		},
		async laneSequence(chainId, account, lane) {
			try {
				return quantity(chainId, await read(chainId, account, SELECTOR.nextSequence + word(lane)));
			} catch (error) {
				// An account without the executor's code has no such function, and has run no batch.
				if (error instanceof ChainUnread) return undefined;
				throw error;
			}
		},
	};
}

/** The reason in a response with a status other than 200: a service before the node gives its reason as `message`. */
function statusWords({status, text}: {readonly status: number; readonly text: string}): string {
	const words = `its node answered with status ${status}`;
	try {
		const {message} = JSON.parse(text) as {message?: unknown};
		return typeof message === 'string' ? `${words}: ${clean(message, {maxCells: 200})}` : words;
	} catch {
		return words;
	}
}

function resultOf(chainId: string, text: string): unknown {
	let body: unknown;
	try {
		body = JSON.parse(text);
	} catch {
		throw new ChainUnread(chainId, "its node's answer is not JSON");
	}
	if (typeof body !== 'object' || body === null) throw new ChainUnread(chainId, "its node's answer is no object");
	if ('error' in body && body.error) {
		const {message = '', code} = body.error as {message?: unknown; code?: unknown};
		const said = clean(String(message), {maxCells: 120}) || 'it gave no reason';
		throw new NodeRefused(chainId, said, typeof code === 'number' ? code : undefined);
	}
	return 'result' in body ? body.result : undefined;
}

function quantity(chainId: string, value: unknown): bigint {
	if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(value)) {
		throw new ChainUnread(chainId, 'its node gave no number where one was due');
	}
	return BigInt(value);
}

function word(value: bigint): string {
	return value.toString(16).padStart(64, '0');
}

/** The text of an ABI-encoded string, or of the 32 bytes that old tokens give instead. */
function abiText(hex: string): string {
	const bytes = Buffer.from(hex.slice(2), 'hex');
	if (bytes.length <= 32) return bytes.toString('utf8').replace(/\0+$/, '');
	const at = Number(BigInt(`0x${bytes.subarray(0, 32).toString('hex')}`));
	const length = bytes.length >= at + 32 ? bytes.readUInt32BE(at + 28) : 0;
	return bytes.subarray(at + 32, at + 32 + length).toString('utf8');
}
