import {isSameAddress} from '../address.ts';
import {type ChainReader, ChainUnread, NodeRefused, orRefused} from './chain-reader.ts';
import {addressIn, quantity, TRANSFER, wordOf} from './evm-words.ts';

/*
 * The evidence of moved money on a chain, read on the user's node: receipts, logs and balances. What a service
 * says is compared with them. A node's answer that does not fit the question shows nothing.
 */

/** One log of a mined transaction. Address, topics and hash in lower case. */
export interface ChainLog {
	readonly address: string;
	readonly topics: readonly string[];
	readonly data: string;
	readonly txHash: string;
	readonly logIndex: number;
	/** Undefined when the node does not name it. */
	readonly block?: bigint;
}

/** One movement of an ERC-20, as the token reports it. Addresses and hash in lower case. */
export interface Transfer {
	readonly token: string;
	readonly from: string;
	readonly to: string;
	readonly amountRaw: bigint;
	readonly txHash: string;
	readonly logIndex: number;
}

/** The outcome of a transaction. */
export interface Receipt {
	readonly txHash: string;
	readonly isSuccess: boolean;
	readonly block: bigint;
	/** In lower case; undefined when the node does not name it. */
	readonly blockHash?: string;
	readonly gasUsed: bigint;
	readonly logs: readonly ChainLog[];
	readonly transfers: readonly Transfer[];
}

/** The receipt of a transaction; undefined while the node knows of none. @throws ChainUnread */
export async function readReceipt(chains: ChainReader, chainId: string, hash: string): Promise<Receipt | undefined> {
	if (!/^0x[0-9a-fA-F]{64}$/.test(hash)) return undefined;
	const receipt = await chains.request(chainId, 'eth_getTransactionReceipt', [hash]);
	if (typeof receipt !== 'object' || receipt === null) return undefined;
	const {status, blockNumber, blockHash, gasUsed, logs, transactionHash = hash} = receipt as Record<string, unknown>;
	const block = quantity(blockNumber);
	const txHash = hash.toLowerCase();
	// The receipt of another transaction says nothing of this one.
	if (block === undefined || String(transactionHash).toLowerCase() !== txHash) return undefined;
	const found = logsIn(logs, hash);
	return {
		txHash,
		isSuccess: status === '0x1',
		block,
		...(isWord(blockHash) && {blockHash: blockHash.toLowerCase()}),
		gasUsed: quantity(gasUsed) ?? 0n,
		logs: found,
		transfers: transfersOf(found),
	};
}

/**
 * Whether a node knows a transaction, mined or waiting. A node counts the number of a transaction as used a moment before it
 * has the receipt: only one that it does not know any more was replaced.
 * @throws ChainUnread
 */
export async function isKnown(chains: ChainReader, chainId: string, hash: string): Promise<boolean> {
	return (await chains.request(chainId, 'eth_getTransactionByHash', [hash])) !== null;
}

/** Filters of a search for logs: of some contracts or of any, with topics where not null. */
export interface LogSearch {
	readonly addresses?: readonly string[];
	readonly topics: readonly (string | null)[];
	/** First block of the search. */
	readonly fromBlock: bigint;
	/** Last block; the newest by default. */
	readonly toBlock?: bigint;
}

/** Logs that fit a search, oldest first. @throws ChainUnread, also when the node does not search its logs */
export async function searchLogs(
	chains: ChainReader,
	chainId: string,
	{addresses, topics, fromBlock, toBlock}: LogSearch,
): Promise<readonly ChainLog[]> {
	const filter = {
		fromBlock: hexOf(fromBlock),
		toBlock: toBlock === undefined ? 'latest' : hexOf(toBlock),
		...(addresses === undefined ? {} : {address: addresses.length === 1 ? addresses[0] : addresses}),
		topics,
	};
	let logs: unknown;
	try {
		logs = await chains.request(chainId, 'eth_getLogs', [filter]);
	} catch (error) {
		// Nodes refuse a search from the block after their newest one: nothing has moved since. One that is further behind knows nothing.
		if (error instanceof NodeRefused && (await readBlockNumber(chains, chainId)) === fromBlock - 1n) return [];
		throw error;
	}
	if (!Array.isArray(logs)) throw new ChainUnread(chainId, 'its node gave no list of logs');
	// A node may answer with more than was asked for.
	return logsIn(logs).filter(
		log =>
			(log.block === undefined || (log.block >= fromBlock && log.block <= (toBlock ?? log.block))) &&
			(addresses === undefined || addresses.some(address => isSameAddress(address, log.address))) &&
			topics.every((topic, at) => topic === null || topic.toLowerCase() === log.topics[at]),
	);
}

/** Filters of a search for movements: of one token or of any, from and to an account. */
export interface TransferSearch extends Pick<LogSearch, 'fromBlock' | 'toBlock'> {
	readonly token?: string;
	readonly from?: string;
	readonly to?: string;
}

/** Movements of tokens since a block, as the tokens report them. @throws ChainUnread, also when the node does not search its logs */
export async function searchTransfers(
	chains: ChainReader,
	chainId: string,
	{token, from, to, ...blocks}: TransferSearch,
): Promise<readonly Transfer[]> {
	const topics = [TRANSFER, from === undefined ? null : wordOf(from), to === undefined ? null : wordOf(to)];
	return transfersOf(
		await searchLogs(chains, chainId, {...(token !== undefined && {addresses: [token]}), topics, ...blocks}),
	);
}

/** The newest block's number. @throws ChainUnread */
export async function readBlockNumber(chains: ChainReader, chainId: string): Promise<bigint> {
	const block = quantity(await chains.request(chainId, 'eth_blockNumber', []));
	if (block === undefined) throw new ChainUnread(chainId, 'its node gave no number of a block');
	return block;
}

/** Selector of `balanceOf(address)`. */
const BALANCE_OF = '0x70a08231';

/**
 * A balance after a block, raw units.
 * @param token `native` for the chain's coin
 * @param block the newest when omitted
 * @returns undefined when the node has pruned the state, or the token gives no number
 * @throws ChainUnread when the node does not answer
 */
export async function balanceAfter(
	chains: ChainReader,
	chainId: string,
	{token, owner, block}: {readonly token: string; readonly owner: string; readonly block?: bigint},
): Promise<bigint | undefined> {
	const at = block === undefined ? 'latest' : hexOf(block);
	const call = {to: token, data: BALANCE_OF + wordOf(owner).slice(2)};
	const [method, params]: [string, unknown[]] =
		token === 'native' ? ['eth_getBalance', [owner, at]] : ['eth_call', [call, at]];
	return quantity(await orRefused(() => chains.request(chainId, method, params)));
}

/** The Transfer events among logs. Those of ERC-721, whose third value is indexed, are left out. */
export function transfersIn(logs: unknown): readonly Transfer[] {
	return transfersOf(logsIn(logs));
}

function transfersOf(logs: readonly ChainLog[]): readonly Transfer[] {
	return logs.flatMap(({address, topics, data, txHash, logIndex}) => {
		const [kind, from, to] = topics;
		const amountRaw = quantity(data);
		if (topics.length !== 3 || kind !== TRANSFER || !isWord(from) || !isWord(to) || amountRaw === undefined) return [];
		return [{token: address, from: addressIn(from), to: addressIn(to), amountRaw, txHash, logIndex}];
	});
}

/** The logs of a node's answer that can be read. @param txHash of all, where the logs do not name it */
function logsIn(logs: unknown, txHash?: string): readonly ChainLog[] {
	if (!Array.isArray(logs)) return [];
	return logs.flatMap((log: unknown) => {
		if (typeof log !== 'object' || log === null) return [];
		const {
			address,
			topics,
			data,
			transactionHash = txHash,
			logIndex,
			blockNumber,
			removed,
		} = log as Record<string, unknown>;
		const block = quantity(blockNumber);
		if (removed === true || typeof address !== 'string' || !Array.isArray(topics)) return [];
		return [
			{
				address: address.toLowerCase(),
				topics: topics.map(topic => String(topic).toLowerCase()),
				data: typeof data === 'string' ? data.toLowerCase() : '0x',
				txHash: String(transactionHash ?? '').toLowerCase(),
				logIndex: Number(quantity(logIndex) ?? 0n),
				...(block !== undefined && {block}),
			},
		];
	});
}

function hexOf(block: bigint): string {
	return `0x${block.toString(16)}`;
}

function isWord(value: unknown): value is string {
	return typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value);
}
