import type {EvmNode} from '../../../rpc/evm/node.ts';
import {toQuantity} from '../../../rpc/evm/quantities.ts';
import {NodeRefused, NodeUnanswered} from '../../../rpc/node-errors.ts';
import type {LogFilter} from './block-stream.ts';
import {EmptyAnswers} from './empty-answers.ts';
import type {KnownBlocks} from './header.ts';
import {RangeSize} from './range-size.ts';
import {readLogs, sortLogs, type TimedLog} from './read-logs.ts';
import {BlockRefused, NodeBehind} from './stream-failures.ts';
import type {Hex} from './venue.ts';

type Part = TimedLog[] | 'too-many-blocks' | 'too-many-addresses';

/** Reads the logs of ranges, in as many calls as the node needs, and checks every answer. */
export class LogReader {
	readonly #node: EvmNode;
	readonly #sizes = new Map<string, RangeSize>();
	/** Hosts that give logs by numbers of blocks only. */
	readonly #withoutHashes = new Set<string>();
	readonly #empties: EmptyAnswers;

	constructor(node: EvmNode) {
		this.#node = node;
		this.#empties = new EmptyAnswers(this, node);
	}

	/** How many blocks the node in use takes at once. */
	get maxBlocks(): number {
		return this.#size().blocks;
	}

	/**
	 * Logs of the filter in the blocks, in the order of the chain.
	 * @throws LogsContradict, NodeBehind, BlockRefused, NodeUnanswered, NodeAnswerWrong
	 */
	async read(filter: LogFilter, fromBlock: number, toBlock: number, known: KnownBlocks): Promise<TimedLog[]> {
		if (filter.second?.length === 0) return [];
		// An address in two parts of the list would bring its logs twice.
		const all = [...new Set(filter.addresses.map(address => address.toLowerCase() as Hex))];
		const logs: TimedLog[] = [];
		for (let at = 0; at < all.length; ) {
			const addresses = all.slice(at, at + this.#size().addresses);
			const part = await this.#readPart({...filter, addresses}, fromBlock, toBlock, known);
			if (part === undefined) continue;
			for (const log of part) logs.push(log);
			at += addresses.length;
		}
		return sortLogs(logs);
	}

	/** Undefined: too many addresses. */
	async #readPart(
		filter: LogFilter,
		fromBlock: number,
		toBlock: number,
		known: KnownBlocks,
	): Promise<TimedLog[] | undefined> {
		const logs: TimedLog[] = [];
		for (let from = fromBlock; from <= toBlock; ) {
			const to = Math.min(toBlock, from + this.#size().blocks - 1);
			const part = await this.#ask(filter, from, to, known);
			if (part === 'too-many-addresses') return undefined;
			if (part === 'too-many-blocks') continue;
			for (const log of part) logs.push(log);
			from = to + 1;
		}
		return logs;
	}

	async #ask(filter: LogFilter, from: number, to: number, known: KnownBlocks): Promise<Part> {
		const size = this.#size();
		const blocks = to - from + 1;
		const refused = (why: string, named?: number): Part => {
			if (blocks > 1) {
				size.refused(blocks, named);
				return 'too-many-blocks';
			}
			if (filter.addresses.length > 1) {
				size.tooManyAddresses(filter.addresses.length);
				return 'too-many-addresses';
			}
			throw new BlockRefused(from, why);
		};
		try {
			const hash = blocks === 1 && known.isClose ? known.hashes.get(from) : undefined;
			const byHash = hash === undefined ? undefined : await this.askByHash(filter, from, hash);
			if (byHash !== undefined) return this.#empties.verified(byHash, filter, known, {from, to, isByHash: true});
			const logs = await this.askRange(filter, from, to, known.hashes);
			size.answered(blocks);
			return await this.#empties.verified(logs, filter, known, {from, to, isByHash: false});
		} catch (error) {
			if (error instanceof NodeUnanswered && error.tooMuch) return refused(error.why);
			if (!(error instanceof NodeRefused)) throw error;
			const {meaning} = error;
			if (meaning.kind === 'lagging') throw new NodeBehind(error.why);
			// Fewer blocks would be refused alike.
			if (['unknown-method', 'never', 'too-old'].includes(meaning.kind)) throw new BlockRefused(from, error.why);
			return refused(error.why, meaning.kind === 'range' ? meaning.blocks : undefined);
		}
	}

	/** One answer for a range, checked. @throws NodeRefused, NodeUnanswered, NodeAnswerWrong, LogsContradict */
	async askRange(filter: LogFilter, from: number, to: number, hashes: ReadonlyMap<number, Hex>): Promise<TimedLog[]> {
		const answer = await this.#call(filter, {fromBlock: toQuantity(from), toBlock: toQuantity(to)});
		return readLogs(answer, {filter, fromBlock: from, toBlock: to, hashes});
	}

	/**
	 * Logs of one block by its hash: a node that has not got that block cannot answer with nothing, nor for another one.
	 * @returns undefined when the node does not take hashes
	 * @throws NodeBehind, NodeUnanswered, NodeAnswerWrong, LogsContradict
	 */
	async askByHash(filter: LogFilter, block: number, hash: Hex): Promise<TimedLog[] | undefined> {
		const {host} = this.#node;
		if (this.#withoutHashes.has(host)) return undefined;
		try {
			const answer = await this.#call(filter, {blockHash: hash});
			return readLogs(answer, {filter, fromBlock: block, toBlock: block, hashes: new Map([[block, hash]])});
		} catch (error) {
			if (!(error instanceof NodeRefused)) throw error;
			if (error.meaning.kind === 'lagging') throw new NodeBehind(error.why);
			if (isHashUnknown(error)) this.#withoutHashes.add(host);
			return undefined;
		}
	}

	#call({addresses, topics, second}: LogFilter, place: object): Promise<unknown> {
		const first = topics.length === 0 ? null : topics;
		const wanted = second !== undefined ? [first, second] : first === null ? [] : [first];
		return this.#node.call('eth_getLogs', [{...place, address: addresses, topics: wanted}]);
	}

	#size(): RangeSize {
		const {host} = this.#node;
		const size = this.#sizes.get(host) ?? new RangeSize();
		this.#sizes.set(host, size);
		return size;
	}
}

/** Whether the node does not take the hash of a block in eth_getLogs. */
function isHashUnknown({rpcCode, nodeMessage, meaning}: NodeRefused): boolean {
	if (['range', 'logs', 'halve'].includes(meaning.kind)) return false;
	return rpcCode === -32602 || rpcCode === -32600 || /block.?hash/i.test(nodeMessage);
}
