import {type ChainReader, ChainUnread, NodeRefused} from './chain-reader.ts';
import {addressIn, quantity, TRANSFER, wordOf} from './evm-words.ts';

/*
 * What a chain shows of money that moved, read on the node that the user chose: receipts and Transfer logs. What a service
 * says is compared with them.
 */

/** One movement of an ERC-20. Addresses and hash in lower case. */
export interface Transfer {
	readonly token: string;
	readonly from: string;
	readonly to: string;
	readonly amountRaw: bigint;
	readonly txHash: string;
	readonly logIndex: number;
}

/** What became of a transaction. */
export interface Receipt {
	readonly txHash: string;
	readonly isSuccess: boolean;
	readonly block: bigint;
	readonly gasUsed: bigint;
	readonly transfers: readonly Transfer[];
}

/** The receipt of a transaction; undefined while the node knows of none. @throws ChainUnread */
export async function readReceipt(chains: ChainReader, chainId: string, hash: string): Promise<Receipt | undefined> {
	if (!/^0x[0-9a-fA-F]{64}$/.test(hash)) return undefined;
	const receipt = await chains.request(chainId, 'eth_getTransactionReceipt', [hash]);
	if (typeof receipt !== 'object' || receipt === null) return undefined;
	const {status, blockNumber, gasUsed, logs} = receipt as Record<string, unknown>;
	const block = quantity(blockNumber);
	if (block === undefined) return undefined;
	return {
		txHash: hash.toLowerCase(),
		isSuccess: status === '0x1',
		block,
		gasUsed: quantity(gasUsed) ?? 0n,
		transfers: transfersIn(logs, hash),
	};
}

/** Filters of a search for movements: of one token or of any, from and to an account. */
export interface TransferSearch {
	readonly token?: string;
	readonly from?: string;
	readonly to?: string;
	/** First block of the search, which ends at the newest. */
	readonly fromBlock: bigint;
}

/** Movements of tokens since a block. @throws ChainUnread, also when the node does not search its logs */
export async function searchTransfers(
	chains: ChainReader,
	chainId: string,
	{token, from, to, fromBlock}: TransferSearch,
): Promise<readonly Transfer[]> {
	const filter = {
		fromBlock: `0x${fromBlock.toString(16)}`,
		toBlock: 'latest',
		...(token === undefined ? {} : {address: token}),
		topics: [TRANSFER, from === undefined ? null : wordOf(from), to === undefined ? null : wordOf(to)],
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
	return transfersIn(logs);
}

/** The newest block's number. @throws ChainUnread */
export async function readBlockNumber(chains: ChainReader, chainId: string): Promise<bigint> {
	const block = quantity(await chains.request(chainId, 'eth_blockNumber', []));
	if (block === undefined) throw new ChainUnread(chainId, 'its node gave no number of a block');
	return block;
}

/** Balance of the chain's coin after a block; undefined when the node has pruned the state. */
export async function coinsAt(
	chains: ChainReader,
	chainId: string,
	owner: string,
	block: bigint,
): Promise<bigint | undefined> {
	try {
		return quantity(await chains.request(chainId, 'eth_getBalance', [owner, `0x${block.toString(16)}`]));
	} catch (error) {
		if (error instanceof ChainUnread) return undefined;
		throw error;
	}
}

/** The Transfer events among logs. Those of ERC-721, whose third value is indexed, are left out. @param txHash of all, where the logs do not name it */
export function transfersIn(logs: unknown, txHash?: string): readonly Transfer[] {
	if (!Array.isArray(logs)) return [];
	return logs.flatMap((log: unknown) => {
		if (typeof log !== 'object' || log === null) return [];
		const {address, topics, data, transactionHash = txHash, logIndex, removed} = log as Record<string, unknown>;
		if (removed === true || typeof address !== 'string' || !Array.isArray(topics) || topics.length !== 3) return [];
		const [kind, from, to] = topics as unknown[];
		const amountRaw = quantity(data);
		if (kind !== TRANSFER || !isWord(from) || !isWord(to) || amountRaw === undefined) return [];
		return [
			{
				token: address.toLowerCase(),
				from: addressIn(from),
				to: addressIn(to),
				amountRaw,
				txHash: String(transactionHash ?? '').toLowerCase(),
				logIndex: Number(quantity(logIndex) ?? 0n),
			},
		];
	});
}

function isWord(value: unknown): value is string {
	return typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value);
}
