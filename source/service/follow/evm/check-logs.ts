import {PulsetopError} from '../../../errors.ts';
import type {NodeCheck} from '../node-check.ts';
import type {LogFilter} from './block-stream.ts';
import type {EvmChain} from './chains.ts';
import {NodeRefused} from './node-errors.ts';
import type {NodeProbe} from './node-probe.ts';
import {toQuantity} from './quantities.ts';
import {readLogs, type TimedLog} from './read-logs.ts';
import {namedRange} from './refusals.ts';
import {countByVenue, followedContracts} from './venue-count.ts';

/** Ranges that are tried, in blocks: following asks for no more at once. */
const RANGES: readonly number[] = [1, 10, 100, 500, 1000, 2000, 5000, 10_000];
/** With so few at once, reading the past takes long. */
const SHORT_RANGE = 10;
/** Blocks whose logs are looked at: a few minutes of most chains. */
const SAMPLE_MS = 300_000;
const MOST_SAMPLE_BLOCKS = 1000;
/** An answer that takes longer shows that a longer range is not worth asking for. */
const SLOW_MS = 5000;

interface Blocks {
	readonly from: number;
	readonly to: number;
}

/** What a node answers to eth_getLogs. */
export class LogChecks {
	/** Whether logs say the time of their block; null before any log was seen. */
	haveTimes: boolean | null = null;
	/** Bytes of the launchpads' logs, as JSON, by the longest range. */
	bytesPerBlock = 0;
	readonly #probe: NodeProbe;
	readonly #chain: EvmChain;
	readonly #head: number;

	/** @param head the newest block */
	constructor(probe: NodeProbe, chain: EvmChain, head: number) {
		this.#probe = probe;
		this.#chain = chain;
		this.#head = head;
	}

	/** Longest range that the node takes, with the filter that following begins with; null when it gives no logs. */
	async range(): Promise<NodeCheck['range']> {
		const filter = followedContracts(this.#chain.number);
		let blocks = 0;
		let refused: number | null = null;
		for (const size of rangesUpTo(this.#head + 1)) {
			const answer = await this.#ask(
				filter,
				this.#newest(size),
				`eth_getLogs of ${size} block${size === 1 ? '' : 's'}`,
			);
			if (answer === 'wrong') break;
			if (answer instanceof Refusal) {
				refused = size;
				blocks = Math.max(blocks, answer.named(size) ?? 0);
				break;
			}
			blocks = size;
			this.bytesPerBlock = answer.bytes / size;
			if (answer.ms > SLOW_MS) break;
		}
		const why = refused === null ? null : this.#probe.calls.at(-1)!.words;
		if (blocks === 0) {
			this.#probe.fail(`it gives no logs, which everything is read from${why === null ? '' : `: ${why}`}`);
			return null;
		}
		if (refused !== null && blocks < SHORT_RANGE)
			this.#probe.problems.push(`it takes ${blocks} blocks in one eth_getLogs: reading the past is slow`);
		return {blocks, refused, why};
	}

	/**
	 * Counts what the venues' own contracts wrote in the last blocks, also what no decoder knows.
	 * @param most blocks in one call
	 */
	async sample(most: number, blockMs: number | null): Promise<NodeCheck['sample']> {
		const wanted = Math.ceil(SAMPLE_MS / Math.max(blockMs ?? this.#chain.blockMs, 50));
		const blocks = this.#newest(Math.max(1, Math.min(most, wanted, MOST_SAMPLE_BLOCKS, this.#head + 1)));
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
		return {from: this.#head - blocks + 1, to: this.#head};
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
			if (logs.length > 0) this.haveTimes = logs.every(({timeMs}) => timeMs !== null);
			if ((result as unknown[]).length > logs.length)
				this.#problem('it gives logs that were not asked for: they are left out here, and cost traffic');
			return {logs, ms, bytes: JSON.stringify(result).length};
		} catch (error) {
			if (!(error instanceof PulsetopError)) throw error;
			this.#probe.note(name, false, error.why, ms);
			this.#problem(`its logs are wrong: ${error.why}`);
			return 'wrong';
		}
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

	/** How many blocks the node says that it takes. */
	named(asked: number): number | undefined {
		return this.#error instanceof NodeRefused ? namedRange(this.#error, asked) : undefined;
	}
}

/** Ranges to try on a chain of this height. */
function rangesUpTo(blocks: number): number[] {
	const whole = RANGES.filter(size => size < blocks);
	return [...whole, ...(blocks <= RANGES.at(-1)! ? [blocks] : [])];
}
