import {setTimeout as sleep} from 'node:timers/promises';
import type {EvmNode} from '../../../rpc/evm/node.ts';
import type {LogFilter} from './block-stream.ts';
import {bloomSays} from './bloom.ts';
import type {BloomedHeader, KnownBlocks} from './header.ts';
import {sortLogs, type TimedLog} from './read-logs.ts';
import type {Hex} from './venue.ts';

/** Waits before a block whose bloom promises logs is asked again. */
const AGAIN_MS = [0, 50, 200, 600];
/** After this many blocks with empty promises in a row the blooms of a node are not believed for a while. */
const MAX_EMPTY_PROMISES = 3;
const DISBELIEF_BLOCKS = 2000;
/** More blocks than these are asked for again together. */
const MAX_ONE_BY_ONE = 3;
/** Newest blocks of which the logs are asked for by hash when their blooms say nothing. */
const MAX_BY_HASH = 8;

interface Range {
	readonly from: number;
	readonly to: number;
	/** Asked for by hash: the node had that block. */
	readonly isByHash: boolean;
}

/** Questions that are asked again. */
interface LogQuestions {
	askRange(filter: LogFilter, from: number, to: number, hashes: ReadonlyMap<number, Hex>): Promise<TimedLog[]>;
	/** Undefined when the node does not take hashes. */
	askByHash(filter: LogFilter, block: number, hash: Hex): Promise<TimedLog[] | undefined>;
}

/**
 * Finds logs that are missing from an answer: nodes answer with nothing for blocks that they have not got yet, or whose logs are
 * not in their index yet. The blooms of the headers say which blocks have logs.
 */
export class EmptyAnswers {
	readonly #reader: LogQuestions;
	readonly #node: EvmNode;
	readonly #trust = new Map<string, {emptyPromises: number; disbelievedUntil: number}>();

	constructor(reader: LogQuestions, node: EvmNode) {
		this.#reader = reader;
		this.#node = node;
	}

	/** The logs of an answer, with those that were missing. @throws what asking again does */
	async verified(logs: TimedLog[], filter: LogFilter, known: KnownBlocks, range: Range): Promise<TimedLog[]> {
		const {from, to} = range;
		const trust = this.#trustOf(to);
		const says = ({bloom, number}: BloomedHeader) =>
			bloom === null || number <= trust.disbelievedUntil ? undefined : bloomSays(bloom, filter);
		const quietFrom = (logs.at(-1)?.blockNumber ?? from - 1) + 1;
		await known.complete?.({fromBlock: quietFrom, toBlock: to, isEmpty: logs.length === 0}, says);
		const seen = new Set(logs.map(({blockNumber}) => blockNumber));
		const quiet = known.headers.filter(({number}) => number >= from && number <= to && !seen.has(number));
		const promised = quiet.filter(header => says(header) === true);
		const found = [...logs];
		if (promised.length > MAX_ONE_BY_ONE) found.push(...(await this.#askRange(filter, known, range, seen)));
		for (const header of promised) {
			if (seen.has(header.number)) continue;
			const missing = await this.#askAgain(filter, header);
			found.push(...missing);
			trust.emptyPromises = missing.length > 0 ? 0 : trust.emptyPromises + 1;
			if (trust.emptyPromises < MAX_EMPTY_PROMISES) continue;
			trust.emptyPromises = 0;
			trust.disbelievedUntil = to + DISBELIEF_BLOCKS;
			break;
		}
		if (known.isClose && !range.isByHash) {
			const unsure = quiet.filter(header => header.number >= quietFrom && says(header) === undefined);
			for (const {number, hash} of unsure.slice(-MAX_BY_HASH)) {
				found.push(...((await this.#reader.askByHash(filter, number, hash)) ?? []));
			}
		}
		return sortLogs(found);
	}

	/** The whole range again, until it has more: logs of blocks that had none. */
	async #askRange(filter: LogFilter, known: KnownBlocks, {from, to}: Range, seen: Set<number>): Promise<TimedLog[]> {
		for (const waitMs of AGAIN_MS) {
			await sleep(waitMs);
			const logs = await this.#reader.askRange(filter, from, to, known.hashes);
			const missing = logs.filter(({blockNumber}) => !seen.has(blockNumber));
			for (const {blockNumber} of missing) seen.add(blockNumber);
			if (missing.length > 0) return missing;
		}
		return [];
	}

	async #askAgain(filter: LogFilter, {number, hash}: BloomedHeader): Promise<TimedLog[]> {
		const hashes = new Map([[number, hash]]);
		for (const waitMs of AGAIN_MS) {
			await sleep(waitMs);
			const logs =
				(await this.#reader.askByHash(filter, number, hash)) ??
				(await this.#reader.askRange(filter, number, number, hashes));
			if (logs.length > 0) return logs;
		}
		return [];
	}

	#trustOf(block: number) {
		const {host} = this.#node;
		const trust = this.#trust.get(host) ?? {emptyPromises: 0, disbelievedUntil: -1};
		// A chain that became much shorter is another one.
		if (trust.disbelievedUntil > block + 2 * DISBELIEF_BLOCKS) trust.disbelievedUntil = -1;
		this.#trust.set(host, trust);
		return trust;
	}
}
