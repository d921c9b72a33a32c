import {PulsetopError} from '../../../errors.ts';
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
import {type BloomedHeader, readHeader} from './header.ts';
import type {Log} from './log.ts';
import {LogReader} from './log-reader.ts';
import type {EvmNode} from './node.ts';
import {NodeAnswerWrong, NodeRefused, NodeUnanswered} from './node-errors.ts';
import {toQuantity} from './quantities.ts';
import type {TimedLog} from './read-logs.ts';
import {isBlockMissing} from './refusals.ts';
import {BlockRefused, BlocksGone, LogsContradict, NodeBehind, Stalled, Stopped} from './stream-failures.ts';
import type {Hex} from './venue.ts';

export interface BlockStreamOptions {
	readonly node: EvmNode;
	/** `evm:8453`. */
	readonly chainId: string;
	readonly blockTimeMs: number;
	/** Blocks behind the head that are read. */
	readonly confirmations: number;
	/** What was missed for longer is not read any more but reported as a gap; default 24 hours. */
	readonly mostCatchUpMs?: number;
	readonly nowMs?: () => number;
}

/** Blocks before this distance from the head are read without each one's header. */
const CLOSE_BLOCKS = 128;
const MOST_HEADERS = 64;
/** Chains with faster blocks have one sequencer; their headers are read where there are logs only. */
const FAST_BLOCK_MS = 1000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 30_000;
/** So many contradictions in a row, and another node is asked. */
const MOST_CONTRADICTIONS = 3;
const MOST_REFUSALS = 3;
/** A head that is older than this and ten blocks is no newest block. */
const STALE_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** Reads a chain with eth_getBlockByNumber and eth_getLogs, whatever the node makes of them. */
export function createBlockStream(options: BlockStreamOptions): BlockStream {
	return new BlockReader(options);
}

class BlockReader implements BlockStream {
	readonly #options: BlockStreamOptions;
	readonly #node: EvmNode;
	readonly #nowMs: () => number;
	readonly #head: ChainHead;
	readonly #logs: LogReader;
	readonly #marks = new BlockMarks();
	#consumer: BlockConsumer | undefined;
	#state: StreamState = {phase: 'starting', why: null, head: null, finalized: null, reorgs: 0};
	#isStopped = false;
	#running: Promise<void> | undefined;
	/** Ends the wait of now. */
	#wake: (() => void) | undefined;
	#isWoken = false;
	readonly #stopped = Promise.withResolvers<never>();
	#failures = 0;
	#contradictions = 0;
	#refusals = 0;
	#hasCaughtUp = false;

	constructor(options: BlockStreamOptions) {
		this.#options = options;
		this.#node = options.node;
		this.#nowMs = options.nowMs ?? Date.now;
		this.#head = new ChainHead(options);
		this.#logs = new LogReader(options.node);
		this.#stopped.promise.catch(() => {});
	}

	get state(): StreamState {
		return this.#state;
	}

	run(start: StreamStart, consumer: BlockConsumer): Promise<void> {
		this.#running = this.#follow(start, consumer);
		return this.#running;
	}

	async stop(): Promise<void> {
		this.#isStopped = true;
		this.#stopped.reject(new Stopped());
		this.#wake?.();
		await this.#running?.catch(() => {});
	}

	async #follow(start: StreamStart, consumer: BlockConsumer): Promise<void> {
		this.#consumer = consumer;
		const unsubscribe = this.#node.onHead(() => {
			this.#isWoken = true;
			this.#wake?.();
		});
		let hasStarted = false;
		try {
			while (!this.#isStopped) {
				try {
					if (!hasStarted) await this.#begin(start);
					hasStarted = true;
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

	/** Waits as long as a failure asks for. @throws whatever is no failure of a node */
	async #recover(error: unknown): Promise<void> {
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
		} else if (isContradiction(error)) {
			// One answer may just have come from before a change of the chain, or from another node behind the same address.
			waitMs = Math.min(waitMs, this.#options.blockTimeMs, 2000);
			this.#head.forget();
			if (++this.#contradictions >= MOST_CONTRADICTIONS) {
				const why = error instanceof PulsetopError ? error.why : error.message;
				this.#contradictions = 0;
				if (!this.#node.takeNext(why)) {
					waitMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (this.#failures - 1));
					this.#change({phase: 'stalled', why: `${this.#node.host} contradicts itself: ${why}`});
				}
			}
		} else {
			throw error;
		}
		await this.#wait(waitMs);
	}

	// --- where to begin

	async #begin(start: StreamStart): Promise<void> {
		const head = await this.#race(this.#head.read(this.#marks.last?.number));
		this.#showHead();
		if ('block' in start) {
			this.#marks.reset([...(start.trail ?? []), {number: start.block, hash: start.hash}]);
			await this.#skipLongAbsence(head);
			return;
		}
		if (start.backfillMs <= 0) {
			const first = Math.max(0, head.number - this.#options.confirmations);
			this.#marks.reset([first === head.number ? head : await this.#header(first)]);
			return;
		}
		this.#change({phase: 'backfilling', why: null});
		this.#marks.reset([await this.#blockBefore(head.timeMs - start.backfillMs, 0, head)]);
	}

	/** After a longer time away than is caught up: goes on with what is recent. */
	async #skipLongAbsence(head: BloomedHeader): Promise<void> {
		const last = this.#marks.last!;
		const {mostCatchUpMs = DAY_MS, chainId} = this.#options;
		const recentMs = head.timeMs - mostCatchUpMs;
		if (last.number >= head.number) return;
		const header = await this.#header(last.number);
		if (header.hash !== last.hash || header.timeMs >= recentMs) return;
		const before = await this.#blockBefore(recentMs, last.number, head);
		if (before.number <= last.number) return;
		this.#marks.reset([before]);
		this.#consumer!.gap({
			chainId,
			fromBlock: last.number + 1,
			toBlock: before.number,
			fromMs: header.timeMs,
			toMs: before.timeMs,
			why: `pulsetop was away for longer than the ${Math.round(mostCatchUpMs / 3_600_000)} hours that it catches up`,
		});
	}

	/** The last block before a time, from a block on; that block when it is later. */
	async #blockBefore(timeMs: number, from: number, head: BloomedHeader): Promise<BloomedHeader> {
		let low = from;
		let high = head.number;
		// The first guess by block time is mostly right; then steps that double, then halves.
		let guess = high - Math.ceil((head.timeMs - timeMs) / this.#options.blockTimeMs);
		let step = Math.max(16, Math.ceil((high - guess) / 64));
		while (high - low > 1) {
			const at = Math.min(high - 1, Math.max(low + 1, guess));
			const header = await this.#header(at);
			if (header.timeMs < timeMs) {
				low = at;
				guess = step > 0 && at + step < high ? at + step : Math.floor((low + high) / 2);
			} else {
				high = at;
				guess = step > 0 && at - step > low ? at - step : Math.floor((low + high) / 2);
			}
			step = step * 2 < high - low ? step * 2 : 0;
		}
		return this.#header(low);
	}

	// --- one step

	/** Reads the next blocks. True: there are no more for now. */
	async #step(): Promise<boolean> {
		const head = await this.#race(this.#head.read(this.#marks.last?.number));
		this.#showHead();
		const position = this.#marks.last!;
		const finalized = this.#head.finalized;
		const target = head.number - this.#options.confirmations;
		if (target <= position.number) {
			await this.#checkPosition(head, position);
			this.#showProgress(head, position.number, target);
			return true;
		}
		const from = position.number + 1;
		const settled = Math.min(target, Math.max(finalized, head.number - CLOSE_BLOCKS));
		const isFast = this.#options.blockTimeMs < FAST_BLOCK_MS;
		const isEach = from > settled && !isFast;
		const most = isEach ? MOST_HEADERS : this.#logs.mostBlocks;
		const to = Math.min(isEach || from > settled ? target : settled, from + most - 1);
		const blocks = isEach ? await this.#readEach(position, from, to) : await this.#readEnds(position, to);
		if (blocks === undefined) {
			await this.#undo(position);
			return false;
		}
		await this.#deliver(blocks, from, to, from > settled);
		this.#marks.prune(Math.max(finalized, head.number - 2 * CLOSE_BLOCKS));
		this.#showProgress(head, to, target);
		return to >= target;
	}

	/** A chain that has not grown may have changed all the same. */
	async #checkPosition(head: BloomedHeader, position: BlockMark): Promise<void> {
		if (head.number === position.number && head.hash === position.hash) return;
		if (head.number < position.number) {
			// A node that lags has the same blocks; a chain that became shorter has others.
			const known = this.#marks.all.find(mark => mark.number === head.number);
			if (known === undefined || known.hash === head.hash) return;
			if (!this.#head.isShorterForSure) return;
			await this.#undo(position);
			return;
		}
		if (this.#head.isUnchanged) return;
		const header = head.number === position.number ? head : await this.#header(position.number);
		if (header.hash !== position.hash) await this.#undo(position);
	}

	/** Headers of every block, proven to follow on each other; undefined when they do not follow on the position. */
	async #readEach(position: BlockMark, from: number, to: number): Promise<BloomedHeader[] | undefined> {
		const numbers = Array.from({length: to - from + 1}, (_, i) => from + i);
		const asked = await this.#headers(numbers.filter(number => this.#head.cached(number) === undefined));
		const headers = numbers.map(number => this.#head.cached(number) ?? asked.find(header => header.number === number)!);
		for (const [i, header] of headers.entries()) {
			if (i === 0 && header.parentHash !== position.hash) return undefined;
			if (i > 0 && header.parentHash !== headers[i - 1]!.hash) {
				throw new LogsContradict(`block ${header.number} does not follow on block ${header.number - 1}`);
			}
		}
		return headers;
	}

	/** The last header; undefined when the position is not on the chain any more. */
	async #readEnds(position: BlockMark, to: number): Promise<BloomedHeader[] | undefined> {
		const [before, last] = await this.#headers([position.number, to]);
		return before!.hash === position.hash ? [last!] : undefined;
	}

	/** Reads the logs and hands all to the consumer. */
	async #deliver(headers: readonly BloomedHeader[], from: number, to: number, isClose: boolean): Promise<void> {
		const known = new KnownHeaders(headers);
		const read = async (filter: LogFilter): Promise<TimedLog[]> => {
			const logs = await this.#race(this.#logs.read(filter, from, to, known));
			await this.#addTimes(logs, known, isClose);
			return logs;
		};
		const logs = await read(this.#consumer!.filter());
		const last = headers.at(-1)!;
		this.#marks.add(headers);
		const trail = this.#marks.trail();
		this.#marks.cut(from - 1);
		const batch: BlockBatch = {
			fromBlock: from,
			toBlock: to,
			hash: last.hash,
			toMs: last.timeMs,
			trail,
			logs,
			timeOf: block => known.timeOf(block),
			more: filter => this.#more(filter, read),
		};
		try {
			await this.#consumer!.blocks(batch);
		} catch (error) {
			if (!(error instanceof BlocksGone)) throw error;
			if (this.#isStopped) throw new Stopped();
			throw error.cause;
		}
		this.#marks.add(headers);
	}

	/** Tries again while that can help. */
	async #more(filter: LogFilter, read: (filter: LogFilter) => Promise<TimedLog[]>): Promise<readonly Log[]> {
		for (let attempt = 0; ; attempt++) {
			try {
				return await read(filter);
			} catch (error) {
				const isPassing = error instanceof NodeUnanswered || error instanceof NodeBehind;
				if (!isPassing && !(error instanceof Stopped) && !isContradiction(error) && !(error instanceof BlockRefused)) {
					throw error;
				}
				if (!isPassing || attempt >= 2) throw new BlocksGone('blocks could not be read to their end', {cause: error});
				await this.#wait(FIRST_RETRY_MS * 2 ** attempt);
			}
		}
	}

	/** Gives every block with a log a time. Close to the head the headers are read, which proves the logs' blocks too. */
	async #addTimes(logs: readonly TimedLog[], known: KnownHeaders, isClose: boolean): Promise<void> {
		const missing = new Set<number>();
		for (const {blockNumber, timeMs} of logs) {
			if (known.hashes.has(blockNumber)) continue;
			if (isClose || timeMs === null) missing.add(blockNumber);
			else known.setTime(blockNumber, timeMs);
		}
		if (missing.size === 0) return;
		for (const header of await this.#headers([...missing])) known.add(header);
		for (const {blockNumber, blockHash} of logs) {
			const hash = known.hashes.get(blockNumber);
			if (hash !== undefined && hash !== blockHash) {
				throw new LogsContradict(`a log of block ${blockNumber} belongs to another block of that number`);
			}
		}
	}

	// --- reorgs

	/** Finds the last block that is still on the chain and takes back what came after. */
	async #undo(position: BlockMark): Promise<void> {
		const finalized = this.#head.finalized;
		const ancestor = await this.#ancestor();
		if (ancestor?.number === position.number) {
			throw new LogsContradict(
				`block ${position.number + 1} does not follow on block ${position.number}, which is still there`,
			);
		}
		const back = ancestor ?? (await this.#withoutTrail(position));
		// What was final when it was read is not undone: a node that lags or is of another fork must not destroy anything.
		const final = this.#marks.all.filter(mark => mark.number <= finalized).at(-1);
		if (final !== undefined && back.number < final.number) {
			throw new Stalled(`the node's chain differs from block ${final.number}, which was final: nothing is taken back`);
		}
		this.#consumer!.takeBack(back.number + 1);
		if (ancestor === undefined) this.#marks.reset([back]);
		else this.#marks.cut(back.number);
		this.#change({reorgs: this.#state.reorgs + position.number - back.number});
	}

	/** The newest mark that the node has too. */
	async #ancestor(): Promise<BlockMark | undefined> {
		const marks = [...this.#marks.all].reverse();
		for (let i = 0; i < marks.length; i += 16) {
			const part = marks.slice(i, i + 16);
			const headers = await this.#askHeaders(part.map(({number}) => number));
			const found = part.find((mark, j) => headers[j]?.hash === mark.hash);
			if (found !== undefined) return found;
		}
		return undefined;
	}

	/** Where nothing older is known to be on the chain: as far back as a reorg may go. */
	async #withoutTrail(position: BlockMark): Promise<BlockMark> {
		const number = Math.max(0, this.#head.finalized, position.number - CLOSE_BLOCKS);
		if (number >= position.number) {
			throw new Stalled(
				`block ${position.number}, which was read before, is final by now, and another one: nothing is taken back`,
			);
		}
		return this.#header(number);
	}

	// --- blocks that cannot be read

	async #recoverRefusal(error: BlockRefused): Promise<void> {
		if (++this.#refusals < MOST_REFUSALS || this.#node.takeNext(error.message)) return;
		try {
			await this.#skipUnreadable(error);
		} catch (again) {
			if (again instanceof BlockRefused || isContradiction(again) || again instanceof NodeUnanswered) {
				this.#change({phase: 'stalled', why: error.message});
				return;
			}
			throw again;
		}
	}

	/** Goes on behind old blocks that the node refuses, as long as it gives newer ones. */
	async #skipUnreadable({block, message}: BlockRefused): Promise<void> {
		const head = await this.#race(this.#head.read(this.#marks.last?.number));
		const position = this.#marks.last!;
		const target = head.number - this.#options.confirmations;
		if (!(await this.#isReadable(target))) throw new BlockRefused(block, message);
		let refused = position.number;
		let readable = target;
		while (readable - refused > 1) {
			const middle = Math.floor((readable + refused) / 2);
			if (await this.#isReadable(middle)) readable = middle;
			else refused = middle;
		}
		// What is refused is not of these blocks alone.
		if (readable === position.number + 1) throw new BlockRefused(block, message);
		const [first, last] = await this.#headers([position.number, readable - 1]);
		this.#marks.reset([last!]);
		this.#consumer!.gap({
			chainId: this.#options.chainId,
			fromBlock: position.number + 1,
			toBlock: last!.number,
			fromMs: first!.timeMs,
			toMs: last!.timeMs,
			why: `no node gives the logs of these blocks: ${message}`,
		});
		this.#refusals = 0;
	}

	async #isReadable(block: number): Promise<boolean> {
		try {
			const known = new KnownHeaders([await this.#header(block)]);
			await this.#race(this.#logs.read(this.#consumer!.filter(), block, block, known));
			return true;
		} catch (error) {
			if (error instanceof BlockRefused) return false;
			throw error;
		}
	}

	// --- headers

	async #header(number: number): Promise<BloomedHeader> {
		const [header] = await this.#headers([number]);
		return header!;
	}

	/** @throws NodeBehind when one is missing */
	async #headers(numbers: readonly number[]): Promise<BloomedHeader[]> {
		const headers = await this.#askHeaders(numbers);
		return headers.map((header, i) => {
			if (header === undefined) throw new NodeBehind(`${this.#node.host} has no block ${numbers[i]}`);
			return header;
		});
	}

	/** Undefined for blocks that the node has not got. */
	async #askHeaders(numbers: readonly number[]): Promise<(BloomedHeader | undefined)[]> {
		const calls = numbers.map(number => ({method: 'eth_getBlockByNumber', params: [toQuantity(number), false]}));
		const outcomes = await this.#race(this.#node.calls(calls));
		return outcomes.map((outcome, i) => {
			if (outcome.ok) return readHeader(outcome.result, numbers[i]);
			if (outcome.error instanceof NodeRefused && isBlockMissing(outcome.error)) return undefined;
			throw outcome.error;
		});
	}

	// --- waiting and state

	#race<T>(work: Promise<T>): Promise<T> {
		work.catch(() => {});
		return Promise.race([work, this.#stopped.promise]);
	}

	async #awaitHead(): Promise<void> {
		const {blockTimeMs} = this.#options;
		await this.#wait(Math.max(1000, blockTimeMs), blockTimeMs < FAST_BLOCK_MS ? FAST_BLOCK_MS : 0);
	}

	/** Ends early for a new head, but not before `leastMs`, and when stopped. */
	async #wait(ms: number, leastMs = ms): Promise<void> {
		if (this.#isStopped) return;
		const startMs = performance.now();
		const {promise, resolve} = Promise.withResolvers<void>();
		const timer = setTimeout(resolve, ms);
		let early: NodeJS.Timeout | undefined;
		this.#wake = () => {
			const leftMs = this.#isStopped ? 0 : leastMs - (performance.now() - startMs);
			early ??= setTimeout(resolve, Math.max(0, leftMs));
			if (this.#isStopped) resolve();
		};
		if (this.#isWoken && leastMs < ms) this.#wake();
		await promise;
		this.#isWoken = false;
		this.#wake = undefined;
		clearTimeout(timer);
		clearTimeout(early);
	}

	#showHead(): void {
		this.#change({head: this.#head.number, finalized: this.#head.shownFinalized});
	}

	#showProgress(head: BloomedHeader, block: number, target: number): void {
		const unreadMs = (target - block) * this.#options.blockTimeMs;
		const staleMs = this.#nowMs() - head.timeMs;
		if (block >= target) this.#hasCaughtUp = true;
		if (!this.#hasCaughtUp) this.#change({phase: 'backfilling', why: null});
		else if (unreadMs > 30_000) this.#change({phase: 'behind', why: `${target - block} blocks are still to be read`});
		else if (this.#head.lag !== undefined) this.#lags(this.#head.lag);
		else if (staleMs > STALE_MS + 10 * this.#options.blockTimeMs) {
			this.#lags(`the newest block of ${this.#node.host} is ${Math.round(staleMs / 1000)} s old`);
		} else this.#change({phase: 'live', why: null});
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

/** Headers and times of the blocks of a batch. */
class KnownHeaders {
	readonly headers: BloomedHeader[] = [];
	readonly hashes = new Map<number, Hex>();
	readonly #times = new Map<number, number>();

	constructor(headers: readonly BloomedHeader[]) {
		for (const header of headers) this.add(header);
	}

	add(header: BloomedHeader): void {
		this.headers.push(header);
		this.hashes.set(header.number, header.hash);
		this.#times.set(header.number, header.timeMs);
	}

	setTime(block: number, timeMs: number): void {
		this.#times.set(block, timeMs);
	}

	timeOf(block: number): number {
		const timeMs = this.#times.get(block);
		if (timeMs === undefined) throw new RangeError(`block ${block} has no log in this batch`);
		return timeMs;
	}
}

function isContradiction(error: unknown): error is LogsContradict | NodeBehind | NodeAnswerWrong | NodeRefused {
	return (
		error instanceof LogsContradict ||
		error instanceof NodeBehind ||
		error instanceof NodeAnswerWrong ||
		error instanceof NodeRefused
	);
}
