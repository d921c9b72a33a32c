import type {BloomedHeader, KnownBlocks} from './header.ts';
import type {HeaderReader} from './header-reader.ts';
import {isNear, type LogTimes, type TimedBlock} from './log-times.ts';
import type {TimedLog} from './read-logs.ts';
import {LogsContradict} from './stream-failures.ts';
import type {Hex} from './venue.ts';

/** Headers in one request. */
const AT_ONCE = 64;
/** Headers of a long range that are read first: where their blooms are full, the others are not worth reading. */
const SAMPLE = 16;

/** Headers, hashes and times of the blocks of a batch, read as they are needed. */
export class KnownHeaders implements KnownBlocks {
	readonly headers: BloomedHeader[] = [];
	readonly hashes = new Map<number, Hex>();
	readonly #timesMs = new Map<number, number>();
	readonly #times: LogTimes;
	/** The block before those of the batch, where its header was read. */
	readonly #before: TimedBlock | undefined;
	readonly #reader: HeaderReader;
	/** Close to the head every block with a log is proven by its header; further back its time may come from the log. */
	readonly isClose: boolean;

	/** @param headers those that were read already; the first of a range further back is that of its last block */
	constructor(
		{headers, before, isClose}: {headers: readonly BloomedHeader[]; before: TimedBlock | undefined; isClose: boolean},
		{reader, times}: {reader: HeaderReader; times: LogTimes},
	) {
		this.#reader = reader;
		this.#times = times;
		this.#before = before;
		this.isClose = isClose;
		for (const header of headers) this.#add(header);
	}

	/** @throws RangeError for a block without logs */
	timeOf(block: number): number {
		const timeMs = this.#timesMs.get(block);
		if (timeMs === undefined) throw new RangeError(`block ${block} has no log in this batch`);
		return timeMs;
	}

	/** Close to the head, headers behind the last log; further back those of a range that seems to have no logs at all. */
	async complete(
		{fromBlock, toBlock, isEmpty}: {fromBlock: number; toBlock: number; isEmpty: boolean},
		says: (header: BloomedHeader) => boolean | undefined,
	): Promise<void> {
		if (!this.isClose && !isEmpty) return;
		const missing: number[] = [];
		for (let block = fromBlock; block <= toBlock; block++) if (!this.hashes.has(block)) missing.push(block);
		if (missing.length > SAMPLE) {
			const every = missing.length / SAMPLE;
			const sample = await this.#reader.many(Array.from({length: SAMPLE}, (_, i) => missing[Math.floor(i * every)]!));
			for (const header of sample) this.#add(header);
			if (sample.every(header => says(header) === undefined)) return;
		}
		await this.#read(missing.filter(block => !this.hashes.has(block)));
	}

	/**
	 * Gives every block with a log a time: that of its header where it was read, and where that of the log is not believed.
	 * @param host the node that gave the logs
	 * @throws LogsContradict when a log is of another block
	 */
	async addTimes(logs: readonly TimedLog[], host: string): Promise<void> {
		const byBlock = Map.groupBy(logs, ({blockNumber}) => blockNumber);
		const unknown = [...byBlock.keys()].filter(block => !this.hashes.has(block));
		const believed = unknown.filter(block => this.#mayBelieve(byBlock.get(block)!, host));
		await this.#read(unknown.filter(block => !believed.includes(block)));
		await this.#read(this.#times.toProve(host, believed));
		for (const {blockNumber, blockHash, timeMs} of logs) {
			const hash = this.hashes.get(blockNumber);
			if (hash !== undefined && hash !== blockHash) {
				throw new LogsContradict('two-hashes', blockNumber);
			}
			if (hash !== undefined) this.#times.compare(host, timeMs, this.#timesMs.get(blockNumber)!);
		}
		const rest = believed.filter(block => !this.hashes.has(block));
		if (this.#times.isWrong(host)) await this.#read(rest);
		else for (const block of rest) this.#timesMs.set(block, byBlock.get(block)![0]!.timeMs!);
	}

	/** Whether the time in the logs of a block may be that of the block. */
	#mayBelieve(logs: readonly TimedLog[], host: string): boolean {
		const {blockNumber: number, timeMs} = logs[0]!;
		const last = this.headers[0];
		if (this.isClose || timeMs === null || this.#before === undefined || last === undefined) return false;
		if (this.#times.isWrong(host) || logs.some(log => log.timeMs !== timeMs)) return false;
		return isNear({number, timeMs}, this.#before, last);
	}

	async #read(blocks: readonly number[]): Promise<void> {
		for (let at = 0; at < blocks.length; at += AT_ONCE) {
			for (const header of await this.#reader.many(blocks.slice(at, at + AT_ONCE))) this.#add(header);
		}
	}

	#add(header: BloomedHeader): void {
		this.headers.push(header);
		this.hashes.set(header.number, header.hash);
		this.#timesMs.set(header.number, header.timeMs);
	}
}
