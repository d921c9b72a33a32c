import {createHash} from 'node:crypto';
import {hexToBytes, keccak256} from 'viem/utils';

type Hex = `0x${string}`;

/** A log as a test wants it; the chain gives it its place. */
export interface PlayedLog {
	readonly address: Hex;
	readonly topics: readonly Hex[];
	readonly data?: Hex;
}

export interface PlayedBlock {
	readonly number: number;
	readonly hash: Hex;
	readonly parentHash: Hex;
	readonly timeS: number;
	readonly bloom: Hex;
	readonly logs: readonly (PlayedLog & {readonly transactionHash: Hex; readonly logIndex: number})[];
}

/** A chain that exists in memory only: what was mined is the truth that a node tells, or lies about. */
export class PlayedChain {
	readonly chainId: number;
	readonly #blockTimeS: number;
	#blocks: PlayedBlock[] = [];
	/** Makes blocks of a fork differ from those they replace. */
	#fork = 0;
	/** How many blocks below the head are not final. */
	finalDepth = 64;

	constructor({chainId = 8453, blockTimeS = 2, startS = 1_700_000_000} = {}) {
		this.chainId = chainId;
		this.#blockTimeS = blockTimeS;
		this.#blocks = [this.#block(0, `0x${'0'.repeat(64)}`, startS, [])];
	}

	get head(): PlayedBlock {
		return this.#blocks.at(-1)!;
	}

	get blocks(): readonly PlayedBlock[] {
		return this.#blocks;
	}

	/** Adds a block with these logs, each of a transaction of its own. */
	mine(logs: readonly PlayedLog[] = []): PlayedBlock {
		const {number, hash, timeS} = this.head;
		const block = this.#block(number + 1, hash, timeS + this.#blockTimeS, logs);
		this.#blocks.push(block);
		return block;
	}

	mineEmpty(count: number): void {
		for (let i = 0; i < count; i++) this.mine();
	}

	/** The last blocks leave the chain; what is mined next has other hashes. */
	drop(count: number): void {
		this.#blocks.splice(this.#blocks.length - count);
		this.#fork++;
	}

	#block(number: number, parentHash: Hex, timeS: number, played: readonly PlayedLog[]): PlayedBlock {
		const hash = digest(`${this.#fork} ${number} ${timeS} ${parentHash} ${JSON.stringify(played)}`);
		const logs = played.map((log, logIndex) => ({...log, logIndex, transactionHash: digest(`${hash} ${logIndex}`)}));
		return {number, hash, parentHash, timeS, bloom: bloomOf(played), logs};
	}
}

function digest(text: string): Hex {
	return `0x${createHash('sha256').update(text).digest('hex')}`;
}

/** As the yellow paper has it: three bits of 2048 for each address and topic. */
function bloomOf(logs: readonly PlayedLog[]): Hex {
	const bloom = Buffer.alloc(256);
	for (const value of logs.flatMap(({address, topics}) => [address, ...topics])) {
		const hash = hexToBytes(keccak256(hexToBytes(value)));
		for (const at of [0, 2, 4]) {
			const bit = ((hash[at]! << 8) | hash[at + 1]!) & 2047;
			bloom[255 - (bit >> 3)]! |= 1 << (bit & 7);
		}
	}
	return `0x${bloom.toString('hex')}`;
}

const hex = (number: number): Hex => `0x${number.toString(16)}`;

/** What an honest node answers; throws a refusal as `{code, message}`. */
export function honestAnswer(chain: PlayedChain, method: string, params: readonly unknown[]): unknown {
	if (method === 'eth_chainId') return hex(chain.chainId);
	if (method === 'eth_blockNumber') return hex(chain.head.number);
	if (method === 'eth_getBlockByNumber') return header(blockAt(chain, params[0] as string));
	if (method === 'eth_getLogs') return logsOf(chain, params[0] as LogQuery);
	if (method === 'eth_subscribe') return '0x1';
	throw {code: -32601, message: `the method ${method} does not exist/is not available`};
}

function blockAt(chain: PlayedChain, at: string): PlayedBlock | undefined {
	if (at === 'latest') return chain.head;
	if (at === 'finalized' || at === 'safe') return chain.blocks[Math.max(0, chain.head.number - chain.finalDepth)];
	return chain.blocks[Number(at)];
}

function header(block: PlayedBlock | undefined): unknown {
	if (block === undefined) return null;
	const {number, hash, parentHash, timeS, bloom} = block;
	return {number: hex(number), hash, parentHash, timestamp: hex(timeS), logsBloom: bloom, transactions: []};
}

interface LogQuery {
	readonly fromBlock?: string;
	readonly toBlock?: string;
	readonly blockHash?: string;
	readonly address: readonly string[];
	readonly topics: readonly (readonly string[] | null)[];
}

function logsOf(chain: PlayedChain, {fromBlock, toBlock, blockHash, address, topics}: LogQuery): unknown[] {
	const blocks =
		blockHash === undefined
			? chain.blocks.slice(Number(fromBlock), Number(toBlock) + 1)
			: chain.blocks.filter(({hash}) => hash === blockHash);
	if (blockHash !== undefined && blocks.length === 0) throw {code: -32000, message: 'unknown block'};
	const addresses = new Set(address);
	return blocks.flatMap(block =>
		block.logs
			.filter(
				log =>
					addresses.has(log.address) &&
					topics.every((wanted, i) => wanted === null || wanted.includes(log.topics[i] as string)),
			)
			.map(log => wireLog(block, log)),
	);
}

function wireLog(block: PlayedBlock, {address, topics, data, transactionHash, logIndex}: PlayedBlock['logs'][number]) {
	return {
		address,
		topics,
		data: data ?? '0x',
		blockNumber: hex(block.number),
		blockHash: block.hash,
		transactionHash,
		transactionIndex: hex(logIndex),
		logIndex: hex(logIndex),
		removed: false,
	};
}
