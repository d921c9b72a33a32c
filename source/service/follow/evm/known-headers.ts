import type {BloomedHeader} from './header.ts';
import type {HeaderReader} from './header-reader.ts';
import type {KnownBlocks} from './log-reader.ts';
import type {TimedLog} from './read-logs.ts';
import {LogsContradict} from './stream-failures.ts';
import type {Hex} from './venue.ts';

/** Headers in one request. */
const AT_ONCE = 64;
/** So many headers of a long range are read first: full blooms say nothing, and the others are not worth reading then. */
const SAMPLE = 16;

/** What is known of the blocks of a batch: headers, hashes and times, more of them as they are needed. */
export class KnownHeaders implements KnownBlocks {
	readonly headers: BloomedHeader[] = [];
	readonly hashes = new Map<number, Hex>();
	readonly #times = new Map<number, number>();
	readonly #reader: HeaderReader;
	/** Close to the head every block with a log is proven by its header; further back its time may come from the log. */
	readonly isClose: boolean;

	constructor(headers: readonly BloomedHeader[], reader: HeaderReader, isClose: boolean) {
		this.#reader = reader;
		this.isClose = isClose;
		for (const header of headers) this.#add(header);
	}

	/** @throws RangeError for a block without logs */
	timeOf(block: number): number {
		const timeMs = this.#times.get(block);
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
	 * Gives every block with a log a time.
	 * @throws LogsContradict when a log is of another block
	 */
	async addTimes(logs: readonly TimedLog[]): Promise<void> {
		const missing = new Set<number>();
		for (const {blockNumber, timeMs} of logs) {
			if (this.hashes.has(blockNumber)) continue;
			if (this.isClose || timeMs === null) missing.add(blockNumber);
			else this.#times.set(blockNumber, timeMs);
		}
		await this.#read([...missing]);
		for (const {blockNumber, blockHash} of logs) {
			const hash = this.hashes.get(blockNumber);
			if (hash !== undefined && hash !== blockHash) {
				throw new LogsContradict(`a log of block ${blockNumber} belongs to another block of that number`);
			}
		}
	}

	async #read(blocks: readonly number[]): Promise<void> {
		for (let at = 0; at < blocks.length; at += AT_ONCE) {
			for (const header of await this.#reader.many(blocks.slice(at, at + AT_ONCE))) this.#add(header);
		}
	}

	#add(header: BloomedHeader): void {
		this.headers.push(header);
		this.hashes.set(header.number, header.hash);
		this.#times.set(header.number, header.timeMs);
	}
}
