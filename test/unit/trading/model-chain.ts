import {type ChainReader, ChainUnread, NodeRefused} from '../../../source/trading/chain-reader.ts';
import {TRANSFER, wordOf} from '../../../source/trading/evm-words.ts';

/* A chain in memory, as a node shows it. Balances follow from what moved, logs from what a token reports: a token can lie. */

/** A movement of a token, or of the chain's coin (`native`), which leaves no log. */
export interface Moved {
	readonly token: string;
	readonly from: string;
	readonly to: string;
	readonly amountRaw: bigint;
	/** The amount that the token reports; the moved one by default, null for no log. */
	readonly reported?: bigint | null;
}

export interface Mined {
	readonly from?: string;
	readonly to?: string;
	readonly input?: string;
	readonly isReverted?: true;
	readonly moves?: readonly Moved[];
	/** Logs before those of the movements. */
	readonly events?: readonly {readonly address: string; readonly topics: readonly string[]; readonly data: string}[];
}

interface Log {
	readonly address: string;
	readonly topics: readonly string[];
	readonly data: string;
	readonly transactionHash: string;
	readonly logIndex: string;
	readonly blockNumber: string;
}

interface Transaction extends Mined {
	readonly hash: string;
	readonly block: number;
	readonly logs: readonly Log[];
}

export class ModelChain {
	/** Number of the newest block. */
	newest = 100;
	/** States of blocks before this one are pruned. */
	stateFrom = 0;
	/** Answers of contracts to calls, by address and data. */
	readonly answers = new Map<string, string>();
	/** Contracts with code. */
	readonly contracts = new Set<string>();
	/** Executed batches of a lane; undefined where that cannot be read. */
	lane: bigint | undefined = 1n;
	/** Blocks from here on have been replaced since their receipts were read. */
	forkedFrom = Number.POSITIVE_INFINITY;
	/** Methods to which the node does not answer now. */
	readonly silent = new Set<string>();
	readonly #transactions: Transaction[] = [];
	readonly #name: string;

	/** @param name hexadecimal, in the hashes of its transactions */
	constructor(name = 'ab') {
		this.#name = name;
	}

	/** Mines transactions into the next block. @returns their hashes */
	mine(...transactions: readonly Mined[]): string[] {
		this.newest++;
		let logIndex = 0;
		return transactions.map(mined => {
			const hash = wordOf(`0x${this.#name}${(this.#transactions.length + 1).toString(16).padStart(4, '0')}`);
			const reports = (mined.moves ?? []).flatMap(({token, from, to, amountRaw, reported = amountRaw}) =>
				token === 'native' || reported === null
					? []
					: [{address: token, topics: [TRANSFER, wordOf(from), wordOf(to)], data: hexWord(reported)}],
			);
			const logs = [...(mined.events ?? []), ...reports].map(log => ({
				...log,
				transactionHash: hash,
				logIndex: hex(logIndex++),
				blockNumber: hex(this.newest),
			}));
			this.#transactions.push({...mined, hash, block: this.newest, logs});
			return hash;
		});
	}

	balance(token: string, owner: string, block: number): bigint {
		return this.#transactions
			.filter(mined => mined.block <= block && !mined.isReverted)
			.flatMap(({moves = []}) => moves)
			.filter(move => same(move.token, token))
			.reduce(
				(sum, {from, to, amountRaw}) => sum + (same(to, owner) ? amountRaw : 0n) - (same(from, owner) ? amountRaw : 0n),
				1000n,
			);
	}

	/** The answer of a node. @throws NodeRefused, ChainUnread */
	request(chainId: string, method: string, params: readonly unknown[]): unknown {
		if (this.silent.has(method)) throw new ChainUnread(chainId, 'its node does not answer');
		const found = this.#transactions.find(({hash}) => same(hash, String(params[0])));
		switch (method) {
			case 'eth_blockNumber':
				return hex(this.newest);
			case 'eth_getBlockByNumber':
				return this.#block(String(params[0]));
			case 'eth_getTransactionReceipt':
				return found === undefined
					? null
					: {
							transactionHash: found.hash,
							status: found.isReverted ? '0x0' : '0x1',
							blockNumber: hex(found.block),
							blockHash: blockHash(found.block),
							gasUsed: '0x1',
							logs: found.isReverted ? [] : found.logs,
						};
			case 'eth_getTransactionByHash':
				return found === undefined
					? null
					: {hash: found.hash, from: found.from, to: found.to, input: found.input ?? '0x'};
			case 'eth_getLogs':
				return this.#logs(chainId, params[0] as never);
			case 'eth_getCode':
				return this.contracts.has(String(params[0]).toLowerCase()) ? '0x60' : '0x';
			case 'eth_getBalance':
				return hex(this.balance('native', String(params[0]), this.#stateAt(chainId, String(params[1]))));
			case 'eth_call': {
				const {to, data} = params[0] as {to: string; data: string};
				const answer = this.answers.get(`${to.toLowerCase()} ${data}`);
				if (answer !== undefined) return answer;
				if (!data.startsWith('0x70a08231')) throw new NodeRefused(chainId, 'execution reverted', 3);
				return hexWord(this.balance(to, `0x${data.slice(-40)}`, this.#stateAt(chainId, String(params[1]))));
			}
			default:
				throw new NodeRefused(chainId, `the method ${method} does not exist`);
		}
	}

	#block(tag: string): unknown {
		const number = tag === 'latest' ? this.newest : Number(tag);
		if (number > this.newest) return null;
		const hash = blockHash(number + (number >= this.forkedFrom ? 0xf000 : 0));
		return {number: hex(number), hash, timestamp: hex(number * 2)};
	}

	#stateAt(chainId: string, tag: string): number {
		const block = tag === 'latest' ? this.newest : Number(tag);
		if (block < this.stateFrom) throw new NodeRefused(chainId, 'missing trie node');
		return block;
	}

	#logs(
		chainId: string,
		{
			fromBlock,
			toBlock,
			address,
			topics,
		}: {fromBlock: string; toBlock: string; address?: string | string[]; topics: (string | null)[]},
	): readonly Log[] {
		const from = Number(fromBlock);
		if (from > this.newest) throw new NodeRefused(chainId, 'block out of range');
		const to = toBlock === 'latest' ? this.newest : Number(toBlock);
		return this.#transactions
			.filter(({block, isReverted}) => block >= from && block <= to && !isReverted)
			.flatMap(({logs}) => logs)
			.filter(
				log =>
					(address === undefined || [address].flat().some(one => same(one, log.address))) &&
					topics.every((topic, at) => topic === null || same(topic, log.topics[at] ?? '')),
			);
	}
}

/** Reads chains in memory. A chain without an entry has no node. */
export function modelReader(chains: Readonly<Record<string, ModelChain>>): ChainReader {
	const of = (chainId: string): ModelChain => {
		const chain = chains[chainId];
		if (chain === undefined) throw new ChainUnread(chainId, 'no node of this chain is configured');
		return chain;
	};
	return {
		knows: chainId => chains[chainId] !== undefined,
		request: async (chainId, method, params) => of(chainId).request(chainId, method, params),
		account: async () => ({nonce: 0, kind: 'plain'}),
		balance: async (chainId, token, owner) => of(chainId).balance(token, owner, of(chainId).newest),
		coins: async (chainId, owner) => of(chainId).balance('native', owner, of(chainId).newest),
		tokenInfo: async () => ({symbol: 'USDC', decimals: 6}),
		laneSequence: async chainId => of(chainId).lane,
	};
}

function same(one: string, other: string): boolean {
	return one.toLowerCase() === other.toLowerCase();
}

function hex(number: number | bigint): string {
	return `0x${number.toString(16)}`;
}

/** A number as a word of 32 bytes. */
export function hexWord(number: bigint): string {
	return `0x${number.toString(16).padStart(64, '0')}`;
}

function blockHash(number: number): string {
	return hexWord(BigInt(number) + 0xb10c_0000n);
}
