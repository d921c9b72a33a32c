import {setTimeout as sleep} from 'node:timers/promises';
import type {LogFilter} from './block-stream.ts';
import {bloomSays} from './bloom.ts';
import type {BloomedHeader} from './header.ts';
import type {EvmNode} from './node.ts';
import {NodeRefused, NodeUnanswered} from './node-errors.ts';
import {toQuantity} from './quantities.ts';
import {RangeSize} from './range-size.ts';
import {readLogs, sortLogs, type TimedLog} from './read-logs.ts';
import {isBlockMissing, isUnknownMethod, namedRange} from './refusals.ts';
import {BlockRefused, NodeBehind} from './stream-failures.ts';
import type {Hex} from './venue.ts';

/** What is known of the blocks that are read. */
export interface KnownBlocks {
	readonly hashes: ReadonlyMap<number, Hex>;
	/** Headers with blooms, where they were read. */
	readonly headers: readonly BloomedHeader[];
	/**
	 * Reads more headers where an answer may be empty because the node has not got the logs yet: of the blocks behind the last
	 * log, or of a whole range without logs. Not given: the answer is believed where headers are missing.
	 */
	complete?(
		range: {readonly fromBlock: number; readonly toBlock: number; readonly isEmpty: boolean},
		says: (header: BloomedHeader) => boolean | undefined,
	): Promise<void>;
}

/** Waits before a block whose bloom promises logs is asked again. */
const AGAIN_MS = [50, 250, 1000, 2500];
/** So many blocks with empty promises, and the blooms of a node are not believed for a while. */
const MOST_EMPTY_PROMISES = 3;
const DISBELIEF_BLOCKS = 2000;

/** More blocks than these with broken promises are asked for again together. */
const MOST_ONE_BY_ONE = 3;

type Part = TimedLog[] | 'too-many-blocks' | 'too-many-addresses';

/** Reads the logs of ranges, in as many calls as the node needs, and checks every answer. */
export class LogReader {
	readonly #node: EvmNode;
	readonly #sizes = new Map<string, RangeSize>();
	readonly #blooms = new Map<string, {emptyPromises: number; disbelievedUntil: number}>();

	constructor(node: EvmNode) {
		this.#node = node;
	}

	/** How many blocks the node in use takes at once. */
	get mostBlocks(): number {
		return this.#size().blocks;
	}

	/**
	 * Logs of the filter in the blocks, in the order of the chain.
	 * @throws LogsContradict, NodeBehind, BlockRefused, NodeUnanswered, NodeAnswerWrong
	 */
	async read(filter: LogFilter, fromBlock: number, toBlock: number, known: KnownBlocks): Promise<TimedLog[]> {
		if (filter.second?.length === 0) return [];
		const logs: TimedLog[] = [];
		for (let at = 0; at < filter.addresses.length; ) {
			const addresses = filter.addresses.slice(at, at + this.#size().addresses);
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

	async #ask(filter: LogFilter, from: number, to: number, known: KnownBlocks, attempt = 0): Promise<Part> {
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
		let answer: unknown;
		try {
			answer = await this.#call(filter, {fromBlock: toQuantity(from), toBlock: toQuantity(to)});
		} catch (error) {
			if (error instanceof NodeUnanswered && error.tooMuch) return refused(error.why);
			if (!(error instanceof NodeRefused)) throw error;
			if (isUnknownMethod(error)) throw new BlockRefused(from, error.why);
			if (isBlockMissing(error)) throw new NodeBehind(error.why);
			return refused(error.why, namedRange(error, blocks));
		}
		const logs = readLogs(answer, {filter, fromBlock: from, toBlock: to, hashes: known.hashes});
		size.answered(blocks);
		return this.#withPromised(logs, filter, known, {from, to, attempt});
	}

	/** Asks again for blocks without logs whose blooms say that they have some. */
	async #withPromised(
		logs: TimedLog[],
		filter: LogFilter,
		known: KnownBlocks,
		{from, to, attempt}: {from: number; to: number; attempt: number},
	): Promise<Part> {
		const {host} = this.#node;
		const trust = this.#blooms.get(host) ?? {emptyPromises: 0, disbelievedUntil: -1};
		this.#blooms.set(host, trust);
		if (to <= trust.disbelievedUntil) return logs;
		const seen = new Set(logs.map(log => log.blockNumber));
		const says = ({bloom}: BloomedHeader) => (bloom === null ? undefined : bloomSays(bloom, filter));
		const behind = {fromBlock: (logs.at(-1)?.blockNumber ?? from - 1) + 1, toBlock: to, isEmpty: logs.length === 0};
		await known.complete?.(behind, says);
		const isPromised = ({number}: BloomedHeader) => number >= from && number <= to && !seen.has(number);
		const promised = known.headers.filter(header => isPromised(header) && says(header) === true);
		if (promised.length > MOST_ONE_BY_ONE && attempt < AGAIN_MS.length) {
			await sleep(AGAIN_MS[attempt]!);
			return this.#ask(filter, from, to, known, attempt + 1);
		}
		for (const header of promised) {
			const more = await this.#askAgain(filter, header);
			if (more.length > 0) {
				trust.emptyPromises = 0;
				logs.push(...more);
			} else if (++trust.emptyPromises >= MOST_EMPTY_PROMISES) {
				trust.emptyPromises = 0;
				trust.disbelievedUntil = to + DISBELIEF_BLOCKS;
				break;
			}
		}
		return sortLogs(logs);
	}

	/** By hash where the node takes that: it cannot answer for another block then. */
	async #askAgain(filter: LogFilter, {number, hash}: BloomedHeader): Promise<TimedLog[]> {
		const expected = {filter, fromBlock: number, toBlock: number, hashes: new Map([[number, hash]])};
		let place: object = {blockHash: hash};
		for (const waitMs of AGAIN_MS) {
			await sleep(waitMs);
			try {
				const logs = readLogs(await this.#call(filter, place), expected);
				if (logs.length > 0) return logs;
			} catch (error) {
				if (error instanceof NodeRefused && isBlockMissing(error)) throw new NodeBehind(error.why);
				if (!(error instanceof NodeRefused)) throw error;
				place = {fromBlock: toQuantity(number), toBlock: toQuantity(number)};
			}
		}
		return [];
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
