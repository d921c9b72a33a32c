import {exchange} from '../client/http/exchange.ts';
import {devChainsResponseSchema} from '../contract/practice.ts';
import {PulsetopError} from '../errors.ts';
import {clean} from '../text.ts';

/** A request to the practice service failed. */
export class PracticeFailed extends PulsetopError {
	readonly code = 'practice-failed';

	constructor(why: string) {
		super('The practice chains cannot be used', {why, next: 'retry-later'});
	}
}

/** Where the practice service is. Not part of the API: only the embedded service has it. */
export interface PracticeService {
	readonly baseUrl: string;
	readonly apiKey?: string;
}

/** A test token of a practice chain. */
export interface PracticeToken {
	readonly address: string;
	readonly symbol: string;
	readonly decimals: number;
}

/** A practice chain, its contracts by name (`usdc`, `batchExecutor`, ...) and its test tokens. */
export interface PracticeChain {
	readonly chainId: string;
	readonly name: string;
	/** The chain was never started: every balance is 0, and reading one would start the chain. */
	readonly isNew: boolean;
	/** Its node runs: reading it starts nothing. */
	readonly isRunning: boolean;
	readonly contracts: Readonly<Record<string, string>>;
	readonly tokens: readonly PracticeToken[];
}

const TIMEOUT_MS = 30_000;

/** The practice chains; none is started by that. @throws PracticeFailed, also when none can run */
export async function listPracticeChains(service: PracticeService): Promise<readonly PracticeChain[]> {
	const parsed = devChainsResponseSchema().safeParse(await ask(service, 'GET', '/dev/chains'));
	if (!parsed.success) throw new PracticeFailed('the list of chains has an unexpected form');
	const practice = parsed.data.data.filter(chain => chain.kind === 'embedded');
	const able = practice.filter(chain => chain.state !== 'unavailable');
	const reason = practice.find(chain => chain.reason !== undefined)?.reason;
	if (able.length === 0 && reason !== undefined) throw new PracticeFailed(clean(reason, {maxCells: 160}));
	return able.map(({chainId, name, isNew, state, contracts = {}, tokens = []}) => ({
		chainId,
		name: clean(name),
		isNew,
		isRunning: state === 'ready',
		contracts,
		tokens: tokens.map(token => ({...token, symbol: clean(token.symbol, {maxCells: 12})})),
	}));
}

/**
 * Gives a practice wallet test tokens, or coins for gas when no token is named.
 * @throws PracticeFailed, on a real chain too
 */
export async function fundPracticeWallet({
	chainId,
	address,
	token = 'native',
	...service
}: PracticeService & {chainId: string; address: string; token?: string}): Promise<void> {
	await ask(service, 'POST', '/dev/faucet', {chainId, address, token});
}

/** Hands a signed transaction to a practice chain's node. @throws PracticeFailed with the node's reason */
export async function sendPracticeTransaction(service: PracticeService, chainId: string, raw: string): Promise<void> {
	const path = `/dev/rpc/${encodeURIComponent(chainId)}`;
	const response = await ask(service, 'POST', path, {
		jsonrpc: '2.0',
		id: 1,
		method: 'eth_sendRawTransaction',
		params: [raw],
	});
	const {error} = response as {error?: {message?: unknown}};
	if (error) throw new PracticeFailed(clean(String(error.message), {maxCells: 160}));
}

/** The node of a practice chain. */
export function practiceRpcUrl({baseUrl}: PracticeService, chainId: string): string {
	return `${baseUrl.replace(/\/+$/, '')}/dev/rpc/${encodeURIComponent(chainId)}`;
}

async function ask(
	{baseUrl, apiKey}: PracticeService,
	method: 'GET' | 'POST',
	path: string,
	body?: unknown,
): Promise<unknown> {
	const headers = apiKey === undefined ? {} : {authorization: apiKey};
	const request = {method, path, headers, retry: 'never' as const, ...(body === undefined ? {} : {body})};
	const url = new URL(baseUrl.replace(/\/+$/, '') + path);
	const response = await exchange(request, url, {
		agent: undefined,
		timeoutMs: TIMEOUT_MS,
		maxBytes: 1024 ** 2,
		signals: [],
	});
	let read: unknown;
	try {
		read = JSON.parse(response.text);
	} catch {
		throw new PracticeFailed('the service has no practice chains');
	}
	if (response.status === 200) return read;
	const said = typeof read === 'object' && read !== null && 'message' in read ? String(read.message) : '';
	throw new PracticeFailed(clean(said, {maxCells: 160}) || `status ${response.status}`);
}
