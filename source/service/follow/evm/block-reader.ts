import {PulsetopError} from '../../../errors.ts';
import type {EvmNode} from '../../../rpc/evm/node.ts';
import type {NodeClock} from '../../../rpc/node-clock.ts';
import {NodeAnswerWrong, NodeRefused, NodeUnanswered} from '../../../rpc/node-errors.ts';
import {BlockMarks} from './block-marks.ts';
import type {
	BlockBatch,
	BlockConsumer,
	BlockMark,
	BlockStream,
	LogFilter,
	StreamStart,
	StreamState,
} from './block-stream.ts';
import {ChainHead} from './chain-head.ts';
import type {BloomedHeader} from './header.ts';
import {HeaderReader, lastBlockBefore} from './header-reader.ts';
import {KnownHeaders} from './known-headers.ts';
import type {Log} from './log.ts';
import {LogReader} from './log-reader.ts';
import {LogTimes} from './log-times.ts';
import type {TimedLog} from './read-logs.ts';
import {BlockRefused, BlocksGone, LogsContradict, NodeBehind, Stalled, Stopped} from './stream-failures.ts';
import {Waiter} from './waiter.ts';

export interface BlockStreamOptions {
	readonly node: EvmNode;
	/** `evm:8453`. */
	readonly chainId: string;
	readonly blockTimeMs: number;
	/** Blocks behind the head that are read. */
	readonly confirmations: number;
	/** Longest gap that is filled after a pause; a longer one is reported as a gap. Default 24 hours. */
	readonly maxCatchUpMs?: number;
	readonly nowMs?: () => number;
	/** Clock of the waits; default: the machine's. */
	readonly clock?: NodeClock;
}

/** Blocks before this distance from the head are read without each one's header. */
const CLOSE_BLOCKS = 128;
const MAX_HEADERS = 64;
/** Chains with faster blocks have one sequencer; headers are read of blocks with logs, and of those behind the last log. */
const FAST_BLOCK_MS = 1000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 30_000;
/** After this many contradictions in a row another node is asked. */
const MAX_CONTRADICTIONS = 3;
/** Many an address has several nodes behind it, of which some lag: the next answer may be right. */
const MAX_CONTRADICTION_MS = 5000;
/** Number of refusals in a row after which a block is skipped, if newer blocks are available. */
const MAX_REFUSALS = 3;
/** A head that is older than this and ten blocks is no newest block. */
const STALE_MS = 60_000;
/** Number of readings after which a shorter chain is believed. */
const SURE_READINGS = 3;
const HOUR_MS = 60 * 60_000;

/** Reads a chain with eth_getBlockByNumber and eth_getLogs, whatever the node makes of them. */
export function createBlockStream(options: BlockStreamOptions): BlockStream {
	return new BlockReader(options);
}

class BlockReader implements BlockStream {
	readonly #options: BlockStreamOptions;
	readonly #node: EvmNode;
	readonly #nowMs: () => number;
	readonly #head: ChainHead;
	readonly #headers: HeaderReader;
	readonly #logs: LogReader;
	readonly #times = new LogTimes();
	readonly #waiter: Waiter;
	/** The blocks that were read; the last one is the position of the stream. */
	readonly #marks = new BlockMarks();
	#consumer: BlockConsumer | undefined;
	#state: StreamState = {phase: 'starting', why: null, head: null, finalized: null, reorgs: 0};
	#running: Promise<void> | undefined;
	#failures = 0;
	#contradictions = 0;
	#refusals = 0;
	/** Readings in a row with a shorter, other chain. */
	#shorter = 0;
	#hasCaughtUp = false;

	constructor(options: BlockStreamOptions) {
		this.#options = options;
		this.#node = options.node;
		this.#nowMs = options.nowMs ?? Date.now;
		this.#waiter = new Waiter(options.clock);
		this.#head = new ChainHead(options);
		this.#headers = new HeaderReader(options.node);
		this.#logs = new LogReader(options.node);
	}

	get state(): StreamState {
		return this.#state;
	}

	run(start: StreamStart, consumer: BlockConsumer): Promise<void> {
		this.#running = this.#follow(start, consumer);
		return this.#running;
	}

	async stop(): Promise<void> {
		this.#waiter.stop();
		await this.#running?.catch(() => {});
	}

	async #follow(start: StreamStart, consumer: BlockConsumer): Promise<void> {
		this.#consumer = consumer;
		const unsubscribe = this.#node.onHead(() => this.#waiter.wake());
		try {
			while (!this.#waiter.isStopped) {
				try {
					if (this.#marks.last === undefined) await this.#begin(start);
					const isThere = await this.#step();
					this.#failures = 0;
					this.#contradictions = 0;
					this.#refusals = 0;
					if (isThere) await this.#awaitHead();
				} catch (error) {
					if (error instanceof Stopped) return;
					await this.#recover(error);
				}
			}
		} finally {
			unsubscribe();
		}
	}

	#awaitHead(): Promise<void> {
		const {blockTimeMs} = this.#options;
		return this.#waiter.wait(Math.max(1000, blockTimeMs), blockTimeMs < FAST_BLOCK_MS ? FAST_BLOCK_MS : 0);
	}

	// --- where to begin

	async #begin(start: StreamStart): Promise<void> {
		const head = await this.#readHead();
		const {confirmations, blockTimeMs} = this.#options;
		if ('block' in start) {
			this.#head.settle(Math.max(-1, ...finalNumbers(start.trail)));
			await this.#resume([...(start.trail ?? []), {number: start.block, hash: start.hash}], head);
		} else if (start.backfillMs <= 0) {
			const number = Math.max(0, head.number - confirmations);
			this.#marks.reset([number === head.number ? head : await this.#race(this.#headers.one(number))]);
		} else {
			this.#change({phase: 'backfilling', why: null});
			const search = {from: 0, head, blockTimeMs, headers: this.#headers};
			this.#marks.reset([await this.#race(lastBlockBefore(head.timeMs - start.backfillMs, search))]);
		}
	}

	/** After a longer time away than is caught up, only what is recent is read. */
	async #resume(marks: readonly BlockMark[], head: BloomedHeader): Promise<void> {
		const last = marks.at(-1)!;
		const {maxCatchUpMs = 24 * HOUR_MS, blockTimeMs, chainId} = this.#options;
		const recentMs = head.timeMs - maxCatchUpMs;
		const [header] = await this.#race(this.#headers.found([last.number]));
		if (header === undefined || header.hash !== last.hash || header.timeMs >= recentMs) {
			this.#marks.reset(marks);
			return;
		}
		const search = {from: last.number, head, blockTimeMs, headers: this.#headers};
		const before = await this.#race(lastBlockBefore(recentMs, search));
		if (before.number > last.number) {
			await this.#consumer!.gap({
				chainId,
				fromBlock: last.number + 1,
				toBlock: before.number,
				fromMs: header.timeMs,
				toMs: before.timeMs,
				why: `pulsetop was away for longer than the ${Math.round(maxCatchUpMs / HOUR_MS)} hours that it catches up`,
			});
		}
		this.#marks.reset([before]);
	}

	// --- one step

	/** Reads the next blocks. True: there are no more for now. */
	async #step(): Promise<boolean> {
		const head = await this.#readHead();
		const position = this.#marks.last!;
		const target = head.number - this.#options.confirmations;
		if (target <= position.number) {
			if (await this.#isGone(position, head)) await this.#undo(position);
			else if (head.number >= position.number) this.#head.settle(position.number);
			this.#showProgress(head, position.number, target);
			return true;
		}
		const from = position.number + 1;
		const settled = Math.min(target, Math.max(this.#head.final ?? 0, head.number - CLOSE_BLOCKS));
		const isClose = from > settled;
		const isEach = isClose && this.#options.blockTimeMs >= FAST_BLOCK_MS;
		const most = isEach ? MAX_HEADERS : this.#logs.maxBlocks;
		const to = Math.min(isClose ? target : settled, from + most - 1);
		const read = isEach ? await this.#readEach(position, to) : await this.#readEnds(position, to);
		if (read === undefined) {
			await this.#undo(position);
			return false;
		}
		await this.#deliver(read, {from, to, isClose});
		this.#head.settle(to);
		this.#marks.prune(Math.max(this.#head.finalRead, head.number - 2 * CLOSE_BLOCKS));
		this.#showProgress(head, to, target);
		return to >= target;
	}

	/** Whether a chain that has not grown is another one now. */
	async #isGone(position: BlockMark, head: BloomedHeader): Promise<boolean> {
		if (head.number < position.number) {
			// A node that lags has the same blocks; a chain that became shorter has others, and goes on having them.
			const known = this.#marks.all.find(mark => mark.number === head.number);
			this.#shorter = known !== undefined && known.hash !== head.hash ? this.#shorter + 1 : 0;
			return this.#shorter > SURE_READINGS;
		}
		this.#shorter = 0;
		if (head.number === position.number) return head.hash !== position.hash;
		if (this.#head.isUnchanged) return false;
		return (await this.#race(this.#headers.one(position.number))).hash !== position.hash;
	}

	/** Headers of every block, proven to follow on each other; undefined when they do not follow on the position. */
	async #readEach(position: BlockMark, to: number): Promise<ReadHeaders | undefined> {
		const numbers = Array.from({length: to - position.number}, (_, i) => position.number + 1 + i);
		const missing = numbers.filter(number => this.#head.cached(number) === undefined);
		const read = new Map((await this.#race(this.#headers.many(missing))).map(header => [header.number, header]));
		const headers = numbers.map(number => read.get(number) ?? this.#head.cached(number)!);
		for (const [i, {number, parentHash}] of headers.entries()) {
			if (i === 0 && parentHash !== position.hash) return undefined;
			if (i > 0 && parentHash !== headers[i - 1]!.hash) {
				throw new LogsContradict('wrong-parent', number);
			}
		}
		return {before: undefined, headers};
	}

	/** The last header; undefined when the position is no longer on the chain. */
	async #readEnds(position: BlockMark, to: number): Promise<ReadHeaders | undefined> {
		const [before, last] = await this.#race(this.#headers.many([position.number, to]));
		return before!.hash === position.hash ? {before, headers: [last!]} : undefined;
	}

	/** Reads the logs and hands all to the consumer. */
	async #deliver(
		{before, headers}: ReadHeaders,
		{from, to, isClose}: {from: number; to: number; isClose: boolean},
	): Promise<void> {
		const known = new KnownHeaders({before, headers, isClose}, {reader: this.#headers, times: this.#times});
		const {hashes} = known;
		const read = async (filter: LogFilter, isFirst: boolean): Promise<TimedLog[]> => {
			// Close to the head every answer is compared with the blooms; further back the first one, which is rarely empty.
			const blocks = isFirst || isClose ? known : {hashes, headers: known.headers, isClose};
			const logs = await this.#logs.read(filter, from, to, blocks);
			await known.addTimes(logs, this.#node.host);
			return logs;
		};
		const logs = await this.#race(read(this.#consumer!.filter(), true));
		const last = headers.at(-1)!;
		const batch: BlockBatch = {
			fromBlock: from,
			toBlock: to,
			fromMs: (before ?? headers[0]!).timeMs,
			hash: last.hash,
			toMs: last.timeMs,
			trail: this.#marks.trailWith(headers, this.#head.finalRead),
			logs,
			timeOf: block => known.timeOf(block),
			more: filter => this.#more(() => read(filter, false)),
		};
		try {
			await this.#consumer!.blocks(batch);
		} catch (error) {
			if (error instanceof BlocksGone) throw error.cause;
			throw error;
		}
		this.#marks.add(headers);
	}

	/** Tries again while that can help. */
	async #more(read: () => Promise<TimedLog[]>): Promise<readonly Log[]> {
		for (let attempt = 0; ; attempt++) {
			try {
				return await this.#race(read());
			} catch (error) {
				if (!isExpected(error)) throw error;
				const isPassing = error instanceof NodeUnanswered || error instanceof NodeBehind;
				if (!isPassing || attempt >= 2) throw new BlocksGone('blocks could not be read to their end', {cause: error});
				await this.#waiter.wait(FIRST_RETRY_MS * 2 ** attempt);
			}
		}
	}

	// --- reorgs

	/** Finds the last block that is still on the chain and takes back what came after. */
	async #undo(position: BlockMark): Promise<void> {
		const {finalRead} = this.#head;
		const ancestor = await this.#ancestor();
		if (ancestor?.number === position.number) {
			throw new LogsContradict('still-there', position.number);
		}
		// A block that was final when it was read is not undone: a node that lags or is of another fork must not destroy anything.
		const final = this.#marks.all.findLast(mark => mark.number <= finalRead);
		if (final !== undefined && (ancestor?.number ?? -1) < final.number) {
			throw new Stalled(`the node's chain differs from block ${final.number}, which was final: nothing is taken back`);
		}
		const back = ancestor ?? (await this.#withoutTrail(position));
		await this.#consumer!.takeBack(back.number + 1);
		if (ancestor === undefined) this.#marks.reset([back]);
		else this.#marks.cut(back.number);
		this.#change({reorgs: this.#state.reorgs + position.number - back.number});
	}

	/** The newest mark that the node has too. @throws NodeBehind */
	async #ancestor(): Promise<BlockMark | undefined> {
		const head = this.#head.number ?? 0;
		const marks = this.#marks.all.filter(({number}) => number <= head).reverse();
		for (let i = 0; i < marks.length; i += 16) {
			const part = marks.slice(i, i + 16);
			const headers = await this.#race(this.#headers.many(part.map(({number}) => number)));
			const found = part.find((mark, j) => headers[j]!.hash === mark.hash);
			if (found !== undefined) return found;
		}
		return undefined;
	}

	/** Where nothing older is known to be on the chain: as far back as a reorg may go. */
	#withoutTrail(position: BlockMark): Promise<BlockMark> {
		return this.#race(this.#headers.one(Math.max(0, this.#head.finalRead, position.number - CLOSE_BLOCKS)));
	}

	// --- what fails

	/** Waits as long as a failure asks for. @throws whatever is no failure of a node */
	async #recover(error: unknown): Promise<void> {
		if (!isExpected(error)) throw error;
		this.#failures = Math.min(this.#failures + 1, 16);
		let waitMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (this.#failures - 1));
		if (error instanceof NodeUnanswered) {
			waitMs = Math.max(waitMs, Math.min(error.retryInMs, LAST_RETRY_MS));
			this.#change({phase: 'unreachable', why: error.why});
		} else if (error instanceof Stalled) {
			this.#node.takeNext(error.message);
			this.#change({phase: 'stalled', why: error.message});
		} else if (error instanceof BlockRefused) {
			await this.#recoverRefusal(error);
		} else {
			waitMs = Math.min(waitMs, this.#isPassing(error) ? this.#options.blockTimeMs : MAX_CONTRADICTION_MS);
		}
		await this.#waiter.wait(waitMs);
	}

	/** One answer may just be from before a change of the chain, or from another node behind the same address. */
	#isPassing(error: Error): boolean {
		this.#head.forget();
		if (++this.#contradictions < MAX_CONTRADICTIONS) return true;
		const why = error instanceof PulsetopError ? error.why : error.message;
		this.#contradictions = 0;
		if (this.#node.takeNext(why)) return true;
		const isRefused = error instanceof NodeRefused;
		this.#change({phase: 'stalled', why: isRefused ? why : `${this.#node.host} contradicts itself: ${why}`});
		return false;
	}

	async #recoverRefusal(error: BlockRefused): Promise<void> {
		if (++this.#refusals < MAX_REFUSALS || this.#node.takeNext(error.message)) return;
		try {
			await this.#skipUnreadable(error);
			this.#refusals = 0;
		} catch (again) {
			if (!isExpected(again) || again instanceof Stopped) throw again;
			this.#change({phase: 'stalled', why: error.message});
		}
	}

	/** Goes on behind old blocks that the node refuses, as long as it gives newer ones. */
	async #skipUnreadable({block, message}: BlockRefused): Promise<void> {
		const head = await this.#readHead();
		const position = this.#marks.last!;
		let refused = position.number;
		let readable = head.number - this.#options.confirmations;
		if (!(await this.#isReadable(readable))) throw new BlockRefused(block, message);
		while (readable - refused > 1) {
			const middle = Math.floor((readable + refused) / 2);
			if (await this.#isReadable(middle)) readable = middle;
			else refused = middle;
		}
		// The node refuses more than these blocks.
		if (readable <= position.number + 1) throw new BlockRefused(block, message);
		const [first, last] = await this.#race(this.#headers.many([position.number, readable - 1]));
		await this.#consumer!.gap({
			chainId: this.#options.chainId,
			fromBlock: position.number + 1,
			toBlock: last!.number,
			fromMs: first!.timeMs,
			toMs: last!.timeMs,
			why: `no node gives the logs of these blocks: ${message}`,
		});
		this.#marks.reset([last!]);
	}

	async #isReadable(block: number): Promise<boolean> {
		try {
			await this.#race(
				this.#logs.read(this.#consumer!.filter(), block, block, {hashes: new Map(), headers: [], isClose: false}),
			);
			return true;
		} catch (error) {
			if (error instanceof BlockRefused) return false;
			throw error;
		}
	}

	// --- state

	async #readHead(): Promise<BloomedHeader> {
		const head = await this.#race(this.#head.read());
		this.#change({head: head.number, finalized: this.#head.final});
		return head;
	}

	#race<T>(work: Promise<T>): Promise<T> {
		return this.#waiter.race(work);
	}

	#showProgress(head: BloomedHeader, block: number, target: number): void {
		const {blockTimeMs} = this.#options;
		const staleMs = this.#nowMs() - head.timeMs;
		if (block >= target) this.#hasCaughtUp = true;
		if (!this.#hasCaughtUp) {
			this.#change({phase: 'backfilling', why: null});
		} else if ((target - block) * blockTimeMs > STALE_MS / 2) {
			this.#change({phase: 'behind', why: `${target - block} blocks are still to be read`});
		} else if (this.#head.lag !== undefined) {
			this.#lags(this.#head.lag);
		} else if (staleMs > STALE_MS + 10 * blockTimeMs) {
			this.#lags(`the newest block of ${this.#node.host} is ${Math.round(staleMs / 1000)} s old`);
		} else {
			this.#change({phase: 'live', why: null});
		}
	}

	/** Another node may be further. */
	#lags(why: string): void {
		this.#node.takeNext(why);
		this.#change({phase: 'behind', why});
	}

	#change(change: Partial<StreamState>): void {
		const next = {...this.#state, ...change};
		const keys = Object.keys(next) as (keyof StreamState)[];
		if (keys.every(key => next[key] === this.#state[key])) return;
		this.#state = next;
		this.#consumer?.changed();
	}
}

/** Headers of blocks that are read, oldest first, and that of the block before them where it was read. */
interface ReadHeaders {
	readonly before: BloomedHeader | undefined;
	readonly headers: readonly BloomedHeader[];
}

function finalNumbers(marks: readonly BlockMark[] = []): number[] {
	return marks.filter(({isFinal}) => isFinal).map(({number}) => number);
}

/** Whether a failure is one that nodes and chains bring about, or of the stream itself. */
function isExpected(error: unknown): error is Error {
	return [
		BlockRefused,
		LogsContradict,
		NodeAnswerWrong,
		NodeBehind,
		NodeRefused,
		NodeUnanswered,
		Stalled,
		Stopped,
	].some(kind => error instanceof kind);
}
