import type {EvmChain} from '../../../chains/evm-chains.ts';
import {PulsetopError} from '../../../errors.ts';
import {toQuantity} from '../../../rpc/evm/quantities.ts';
import {NodeRefused} from '../../../rpc/node-errors.ts';
import type {NodeCheck} from '../node-check.ts';
import type {LogFilter} from './block-stream.ts';
import type {BloomedHeader} from './header.ts';
import type {NodeProbe} from './node-probe.ts';
import {readLogs, type TimedLog} from './read-logs.ts';
import {LogsContradict} from './stream-failures.ts';
import {countByVenue, followedContracts} from './venue-count.ts';

/** Blocks in one call: following begins with the first, and asks for no more than the second. */
const FIRST_RANGE = 500;
const MAX_RANGE = 10_000;
/** With fewer at once, reading the past takes long. */
const SHORT_RANGE = 100;
/** How exactly the longest range is found, as a part of it. */
const EXACTNESS = 1 / 50;
/** Blocks that eth_getLogs may be behind the newest block: one of several nodes behind the address has it. */
const BEHIND_STEP = 16;
const MAX_BEHIND = 64;
/** Blocks whose logs are looked at: a few minutes of most chains. */
const SAMPLE_MS = 300_000;
const MAX_SAMPLE_BLOCKS = 1000;
/** An answer that takes longer shows that a longer range is not worth asking for. */
const SLOW_MS = 5000;

/** Text about logs that contradict each other, with advice. */
const ADVICE: Readonly<Record<LogsContradict['kind'], (block: number) => string>> = {
	'two-hashes': block =>
		`it has two blocks with the number ${block}: several nodes stand behind the address, or the chain was just reorganised. Check again; if it stays, take another node`,
	removed: block =>
		`it gives a log of block ${block} that it calls removed: the chain was just reorganised, or it keeps what left the chain. Check again; if it stays, take another node`,
	'wrong-parent': block => `block ${block} does not follow on the one before`,
	'still-there': block => `the block after ${block} does not follow on it`,
};

interface Found {
	/** The longest range that was taken, and the shortest that was refused. */
	good: number;
	refused: number | null;
	/** How many blocks the last refusal named. */
	named: number | undefined;
	/** Longest range that is tried. */
	readonly most: number;
}

interface Blocks {
	readonly from: number;
	readonly to: number;
}

/** Checks of a node's answers to eth_getLogs. */
export class LogChecks {
	/** Whether logs say the time of their block; null before any log was seen. */
	haveTimes: boolean | null = null;
	/** Bytes of the launchpads' logs, as JSON, by the longest range. */
	bytesPerBlock = 0;
	readonly #probe: NodeProbe;
	readonly #chain: EvmChain;
	readonly #head: number;
	/** One that was seen. */
	#log: TimedLog | undefined;
	/** Blocks by which eth_getLogs is behind the newest block. */
	#behind = 0;

	/** @param head the newest block */
	constructor(probe: NodeProbe, chain: EvmChain, head: number) {
		this.#probe = probe;
		this.#chain = chain;
		this.#head = head;
	}

	/**
	 * Longest range that the node takes, with the filter that following begins with, found by doubling and halving; null when it gives
	 * no logs.
	 */
	async range(): Promise<NodeCheck['range']> {
		const filter = followedContracts(this.#chain.number);
		const found: Found = {good: 0, refused: null, named: undefined, most: Math.min(MAX_RANGE, this.#head + 1)};
		let why: string | null = null;
		for (let size: number | undefined = 1; size !== undefined; size = nextSize(found)) {
			const answer = await this.#ask(
				filter,
				this.#newest(size),
				`eth_getLogs of ${size} block${size === 1 ? '' : 's'}`,
			);
			if (answer === 'wrong') break;
			if (answer instanceof Refusal) {
				if (answer.isLagging && this.#behind < MAX_BEHIND) {
					this.#lags();
					continue;
				}
				found.refused = size;
				found.named = answer.named(size);
				why = this.#probe.calls.at(-1)!.words;
				continue;
			}
			found.good = size;
			this.bytesPerBlock = answer.bytes / size;
			if (answer.ms > SLOW_MS) break;
		}
		const {good: blocks, refused} = found;
		if (blocks === 0) {
			this.#probe.fail(`it gives no logs, which everything is read from${why === null ? '' : `: ${why}`}`);
			return null;
		}
		if (refused !== null && blocks < SHORT_RANGE) {
			const calls = Math.ceil(3_600_000 / this.#chain.blockMs / blocks);
			this.#problem(
				`it takes ${blocks} block${blocks === 1 ? '' : 's'} in one eth_getLogs: an hour of the past is about ${calls} calls. Keep --backfill short, or take another node`,
			);
		}
		return {blocks, refused, why};
	}

	/** Compares logs with the header of their block: its hash and its time. @param readHeader the header of a block */
	async compare(readHeader: (block: number) => Promise<BloomedHeader | undefined>): Promise<void> {
		const log = this.#log;
		const header = log && (await readHeader(log.blockNumber));
		if (log === undefined || header === undefined) return;
		if (header.hash !== log.blockHash) this.#problem(ADVICE['two-hashes'](log.blockNumber));
		else if (log.timeMs !== null && log.timeMs !== header.timeMs) {
			this.haveTimes = false;
			const time = log.timeMs === 0 ? '0' : 'another time';
			this.#problem(
				`its logs have ${time} as the time of their block: times are read from headers, a call for each block with logs`,
			);
		}
	}

	/**
	 * Counts what the venues' own contracts wrote in the last blocks, also what no decoder knows.
	 * @param most blocks in one call
	 */
	async sample(most: number, blockMs: number | null): Promise<NodeCheck['sample']> {
		const wanted = Math.ceil(SAMPLE_MS / Math.max(blockMs ?? this.#chain.blockMs, 50));
		const blocks = this.#newest(Math.max(1, Math.min(most, wanted, MAX_SAMPLE_BLOCKS, this.#head + 1)));
		const logs: TimedLog[] = [];
		for (const part of followedContracts(this.#chain.number).parts) {
			const answer = await this.#ask(
				part,
				blocks,
				`eth_getLogs with ${part.topics.length === 0 ? 'any topic' : 'topics'}`,
			);
			if (answer === 'wrong' || answer instanceof Refusal) return null;
			logs.push(...answer.logs);
		}
		const venues = countByVenue(logs, this.#chain.number);
		for (const {name, unknown, blocksWithUnknown} of venues) {
			if (unknown === 0) continue;
			this.#probe.problems.push(
				`${name} wrote ${unknown} events in ${blocksWithUnknown} blocks that this program does not know: it may be too old`,
			);
		}
		return {fromBlock: blocks.from, toBlock: blocks.to, venues};
	}

	#newest(blocks: number): Blocks {
		const to = Math.max(blocks - 1, this.#head - this.#behind);
		return {from: to - blocks + 1, to};
	}

	async #ask({addresses, topics}: LogFilter, {from, to}: Blocks, name: string) {
		const place = {fromBlock: toQuantity(from), toBlock: toQuantity(to)};
		const query = {address: addresses, topics: topics.length === 0 ? [] : [topics], ...place};
		const answer = await this.#probe.ask('eth_getLogs', [query], name);
		if (!answer?.ok) return new Refusal(answer?.error);
		const {result, ms} = answer;
		try {
			const logs = readLogs(result, {filter: {addresses, topics}, fromBlock: from, toBlock: to, hashes: new Map()});
			this.#probe.note(name, true, `${logs.length} logs`, ms);
			this.#log ??= logs.at(-1);
			if (logs.length > 0) this.haveTimes = logs.every(({timeMs}) => timeMs !== null);
			if ((result as unknown[]).length > logs.length)
				this.#problem('it gives logs that were not asked for: they are left out here, and cost traffic');
			return {logs, ms, bytes: JSON.stringify(result).length};
		} catch (error) {
			if (error instanceof LogsContradict) {
				this.#probe.note(name, false, error.message, ms);
				this.#problem(ADVICE[error.kind](error.block));
				return 'wrong';
			}
			if (!(error instanceof PulsetopError)) throw error;
			this.#probe.note(name, false, error.why, ms);
			this.#problem(`its logs are wrong: ${error.why}. Take another node`);
			return 'wrong';
		}
	}

	#lags(): void {
		this.#behind += BEHIND_STEP;
		this.#problem(
			'it has no logs of its newest block: nodes of different height stand behind the address. Logs are asked for until they are there',
		);
	}

	#problem(problem: string): void {
		if (!this.#probe.problems.includes(problem)) this.#probe.problems.push(problem);
	}
}

/** A range that was refused, or not answered. */
class Refusal {
	readonly #error: Error | undefined;

	constructor(error: Error | undefined) {
		this.#error = error;
	}

	/** The node does not have the newest block, as far as logs go. */
	get isLagging(): boolean {
		return this.#error instanceof NodeRefused && this.#error.meaning.kind === 'lagging';
	}

	/** How many blocks the node says that it takes. */
	named(asked: number): number | undefined {
		if (!(this.#error instanceof NodeRefused) || this.#error.meaning.kind !== 'range') return undefined;
		const {blocks} = this.#error.meaning;
		return blocks !== undefined && blocks < asked ? blocks : undefined;
	}
}

/** The range to try next; undefined when the longest is known. */
function nextSize({good, refused, named, most}: Found): number | undefined {
	if (refused === null) return good >= most ? undefined : Math.min(most, good < FIRST_RANGE ? FIRST_RANGE : good * 2);
	// The range that the node names is the longest, when the node accepts it.
	if (named !== undefined && named >= good && named < refused) return named === good ? undefined : named;
	if (good === 0 || refused - good <= Math.max(1, Math.floor(good * EXACTNESS))) return undefined;
	return refused > 4 * good ? Math.floor(Math.sqrt(good * refused)) : Math.floor((good + refused) / 2);
}
