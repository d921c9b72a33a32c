import {PulsetopError} from '../../../errors.ts';
import {type EvmChain, findEvmChain} from './chains.ts';
import {readHeader} from './header.ts';
import {createHttpTransport} from './http-transport.ts';
import type {EvmNode, NodeOutcome} from './node.ts';
import {createEvmNode} from './node-client.ts';
import {createScrubber, NodeRefused} from './node-errors.ts';
import {readQuantity, toQuantity} from './quantities.ts';
import {readLogs, type TimedLog} from './read-logs.ts';
import {namedRange} from './refusals.ts';
import {DEADLINE_MS, MOST_ANSWER_BYTES, TransportFailed, type WireCall} from './transport.ts';
import {countByVenue, followedContracts, type VenueCount} from './venue-count.ts';
import {createWsTransport} from './ws-transport.ts';

/** What a node answers to a call that following its chain uses. Null: it was not tried. */
export interface CheckedCall {
	readonly name: string;
	readonly works: boolean | null;
	/** What it answered, or why not, in words without its address. */
	readonly words: string;
	/** How long the answer took. */
	readonly ms: number | null;
}

/** What a check of a node found out. Null is unknown. */
export interface NodeCheck {
	/** Host of the node, which is all of its address that may be shown. */
	readonly host: string;
	/** False: nothing came back, so nothing is known of it. */
	readonly hasAnswered: boolean;
	readonly chainNumber: number | null;
	/** The name that `--follow` takes; null for a chain that can't be followed. */
	readonly chain: string | null;
	readonly head: {readonly number: number; readonly ageMs: number} | null;
	/** Time between two blocks, over the last ones. */
	readonly blockMs: number | null;
	/** Newest blocks that the node calls final and safe. */
	readonly finalized: number | null;
	readonly safe: number | null;
	readonly calls: readonly CheckedCall[];
	/** Most blocks that one eth_getLogs took, and the least that it refused. */
	readonly range: {readonly blocks: number; readonly refused: number | null; readonly why: string | null} | null;
	/** Whether logs say the time of their block, which saves calls. */
	readonly logsHaveTimes: boolean | null;
	/** What the launchpads and exchanges of the chain wrote in the last blocks. */
	readonly sample: {
		readonly fromBlock: number;
		readonly toBlock: number;
		readonly venues: readonly VenueCount[];
	} | null;
	/** Expected load of following the chain without tokens; each token that is followed adds its own logs. */
	readonly load: {readonly callsPerMinute: number; readonly bytesPerSecond: number} | null;
	/** `poor`: following works, with what `problems` say. */
	readonly verdict: 'good' | 'poor' | 'unusable';
	readonly problems: readonly string[];
}

export interface NodeCheckOptions {
	readonly url: string;
	/** Number of the chain that the node should be of. */
	readonly expected?: number | undefined;
	readonly nowMs?: () => number;
	readonly deadlineMs?: number;
}

/** Ranges that are tried, in blocks: following asks for no more at once. */
const RANGES: readonly number[] = [1, 10, 100, 500, 1000, 2000, 5000, 10_000];
/** Blocks whose logs are looked at: a few minutes of most chains. */
const SAMPLE_MS = 300_000;
const MOST_SAMPLE_BLOCKS = 1000;
/** An answer that takes longer shows that a longer range is not worth asking for. */
const SLOW_MS = 5000;
const TIMED_BLOCKS = 100;
/** A newest block older than this and than so many block times is late. */
const LATE_MS = 60_000;
const LATE_BLOCKS = 20;
/** Reading new blocks asks for its pools' logs and for details of new tokens, on top of head, headers and launchpads. */
const FURTHER_CALLS = 2;
/** Between two polls. */
const LEAST_POLL_MS = 1000;
/** `getCurrentBlockTimestamp()` of Multicall3. */
const CURRENT_TIME = '0x0f28c97d';

/**
 * Asks a node all that following its chain asks, in about twenty calls.
 * @throws TypeError when the address is no http, https, ws or wss URL
 */
export async function checkNode(options: NodeCheckOptions): Promise<NodeCheck> {
	const {url, deadlineMs = DEADLINE_MS} = options;
	const node = createEvmNode({urls: [url], chain: null, deadlineMs});
	try {
		return await new NodeChecker(node, options).run();
	} finally {
		await node.close();
	}
}

class NodeChecker {
	readonly #node: EvmNode;
	readonly #options: NodeCheckOptions;
	readonly #nowMs: () => number;
	readonly #calls: CheckedCall[] = [];
	readonly #problems: string[] = [];
	#isUnusable = false;
	#hasAnswered = false;
	#logBytes = 0;
	#logBlocks = 0;
	#headerBytes = 0;
	#logsHaveTimes: boolean | null = null;

	constructor(node: EvmNode, options: NodeCheckOptions) {
		this.#node = node;
		this.#options = options;
		this.#nowMs = options.nowMs ?? Date.now;
	}

	async run(): Promise<NodeCheck> {
		const chainNumber = await this.#chainNumber();
		const facts = chainNumber === null ? undefined : findEvmChain(`evm:${chainNumber}`);
		this.#checkChain(chainNumber, facts);
		const blank = {
			host: this.#node.host,
			chainNumber,
			chain: facts?.name ?? null,
			head: null,
			blockMs: null,
			finalized: null,
			safe: null,
			range: null,
			sample: null,
			load: null,
		};
		if (chainNumber === null) return this.#report(blank);
		const head = await this.#head(facts);
		if (head === null) return this.#report(blank);
		const blockMs = await this.#blockMs(head);
		const finalized = await this.#tagged('finalized');
		const safe = await this.#tagged('safe');
		if (finalized === null && safe === null) {
			this.#problems.push('it names no final block: blocks count as final 128 blocks behind the head');
		}
		await this.#batch(chainNumber);
		await this.#subscription();
		const found = {...blank, head, blockMs, finalized, safe};
		if (!facts) return this.#report(found);
		await this.#stateCall(facts);
		const range = await this.#range(facts, head.number);
		const sample = range && (await this.#sample(facts, head.number, range.blocks, blockMs));
		return this.#report({...found, range, sample, load: range && this.#load(blockMs ?? facts.blockMs)});
	}

	#report(found: Omit<NodeCheck, 'hasAnswered' | 'calls' | 'verdict' | 'problems' | 'logsHaveTimes'>): NodeCheck {
		const verdict = this.#isUnusable ? 'unusable' : this.#problems.length > 0 ? 'poor' : 'good';
		return {
			...found,
			hasAnswered: this.#hasAnswered,
			logsHaveTimes: this.#logsHaveTimes,
			calls: this.#calls,
			verdict,
			problems: this.#problems,
		};
	}

	async #chainNumber(): Promise<number | null> {
		const answer = await this.#ask('eth_chainId', []);
		const number = answer?.ok ? (readQuantity(answer.result) ?? null) : null;
		if (answer === undefined) this.#fail(`it does not answer: ${this.#calls.at(-1)!.words}`);
		else if (number === null) this.#fail('it does not say which chain it is of');
		else this.#note('eth_chainId', true, `chain ${number}`, answer.ms);
		return number;
	}

	#checkChain(number: number | null, facts: EvmChain | undefined): void {
		const {expected} = this.#options;
		if (number === null) return;
		if (!facts) this.#fail(`chain ${number} is none that can be followed`);
		if (expected !== undefined && expected !== number) {
			this.#fail(`it is a node of chain ${number}${facts ? `, ${facts.name}` : ''}, not of chain ${expected}`);
		}
	}

	async #head(facts: EvmChain | undefined): Promise<NodeCheck['head']> {
		const header = await this.#header('latest', 'eth_getBlockByNumber');
		if (!header) {
			this.#fail('it does not give its newest block');
			return null;
		}
		const ageMs = this.#nowMs() - header.timeMs;
		const lateMs = Math.max(LATE_MS, LATE_BLOCKS * (facts?.blockMs ?? 0));
		if (ageMs > lateMs)
			this.#problems.push(`its newest block is ${seconds(ageMs)} old: it lags, or the chain stands still`);
		if (ageMs < -lateMs)
			this.#problems.push(`its newest block is ${seconds(-ageMs)} in the future: check the clock of this machine`);
		return {number: header.number, ageMs};
	}

	async #blockMs({number, ageMs}: NonNullable<NodeCheck['head']>): Promise<number | null> {
		const before = Math.max(0, number - TIMED_BLOCKS);
		if (before === number) return null;
		const old = await this.#header(toQuantity(before), 'eth_getBlockByNumber of an older block', before);
		return old ? (this.#nowMs() - ageMs - old.timeMs) / (number - before) : null;
	}

	async #tagged(tag: 'finalized' | 'safe'): Promise<number | null> {
		return (await this.#header(tag, `eth_getBlockByNumber "${tag}"`))?.number ?? null;
	}

	/** Notes a call for a header; undefined when none can be read. */
	async #header(block: string, name: string, number?: number) {
		const answer = await this.#ask('eth_getBlockByNumber', [block, false], name);
		if (!answer?.ok) return undefined;
		try {
			const header = readHeader(answer.result, number);
			this.#headerBytes = Math.max(this.#headerBytes, JSON.stringify(answer.result).length);
			this.#note(name, header !== undefined, header ? `block ${header.number}` : 'no such block', answer.ms);
			return header;
		} catch (error) {
			this.#note(name, false, (error as PulsetopError).why, answer.ms);
			return undefined;
		}
	}

	async #stateCall({multicall3}: EvmChain): Promise<void> {
		const call = [{to: multicall3, data: CURRENT_TIME}, 'latest'];
		const answer = await this.#ask('eth_call', call);
		if (answer?.ok) {
			const works = typeof answer.result === 'string' && /^0x[\da-f]{64}$/i.test(answer.result);
			this.#note('eth_call', works, works ? 'answered by Multicall3' : 'no answer of Multicall3', answer.ms);
		}
		if (this.#calls.at(-1)?.works) return;
		this.#problems.push('it answers no eth_call: names, decimals and prices in US dollars stay unknown');
	}

	async #batch(chainNumber: number): Promise<void> {
		const calls = [1, 2].map((id): WireCall => ({jsonrpc: '2.0', id, method: 'eth_chainId', params: []}));
		const answer = await this.#send(calls, 'batch of calls');
		if (answer === undefined) return;
		const results = Array.isArray(answer.answer) ? answer.answer.map(one => readQuantity(one?.result)) : [];
		const works = results.length === 2 && results.every(result => result === chainNumber);
		this.#note('batch of calls', works, works ? 'two calls in one request' : 'refused: calls go one by one', answer.ms);
	}

	async #subscription(): Promise<void> {
		const name = 'eth_subscribe newHeads';
		if (!/^wss?:/i.test(this.#options.url)) {
			this.#note(name, null, 'only over a websocket: new blocks are asked for', null);
			return;
		}
		const call = {jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads']} as const;
		const answer = await this.#send(call, name);
		if (answer === undefined) return;
		const works = typeof (answer.answer as {result?: unknown} | null)?.result === 'string';
		this.#note(name, works, works ? 'new blocks are pushed' : 'refused: new blocks are asked for', answer.ms);
	}

	/** Sends past the client, which would hide how the node takes a request. */
	async #send(body: WireCall | readonly WireCall[], name: string) {
		const url = new URL(this.#options.url);
		const {deadlineMs = DEADLINE_MS} = this.#options;
		const options = {url, deadlineMs, mostBytes: MOST_ANSWER_BYTES, received: () => {}};
		const transport = url.protocol.startsWith('ws') ? createWsTransport(options) : createHttpTransport(options);
		const startMs = performance.now();
		try {
			return {answer: await transport.send(body), ms: performance.now() - startMs};
		} catch (error) {
			if (!(error instanceof TransportFailed)) throw error;
			this.#note(name, false, createScrubber([url])(error.message), performance.now() - startMs);
			return undefined;
		} finally {
			await transport.close();
		}
	}

	/** Longest range that the node takes, with the filter that following begins with. */
	async #range({number}: EvmChain, head: number): Promise<NodeCheck['range']> {
		const {addresses, topics} = followedContracts(number);
		let blocks = 0;
		let refused: number | null = null;
		let why: string | null = null;
		for (const size of rangesUpTo(head + 1)) {
			const filter = {
				address: addresses,
				topics: [topics],
				fromBlock: toQuantity(head - size + 1),
				toBlock: toQuantity(head),
			};
			const answer = await this.#ask('eth_getLogs', [filter], `eth_getLogs of ${size} block${size === 1 ? '' : 's'}`);
			if (!answer?.ok) {
				refused = size;
				why = this.#calls.at(-1)!.words;
				const named = answer && answer.error instanceof NodeRefused ? namedRange(answer.error, size) : undefined;
				if (named !== undefined && named > blocks) blocks = named;
				break;
			}
			const logs = this.#logs(answer.result, {addresses, topics}, head - size + 1, head);
			this.#note(
				`eth_getLogs of ${size} block${size === 1 ? '' : 's'}`,
				logs !== null,
				logs ? `${logs.length} logs` : this.#wrong,
				answer.ms,
			);
			if (logs === null) break;
			blocks = size;
			this.#logBytes = JSON.stringify(answer.result).length;
			this.#logBlocks = size;
			if (answer.ms > SLOW_MS) break;
		}
		if (blocks === 0) {
			this.#fail(`it gives no logs, which everything is read from${why === null ? '' : `: ${why}`}`);
			return null;
		}
		if (refused !== null && blocks < 10)
			this.#problems.push(`it takes ${blocks} blocks in one eth_getLogs: reading the past is slow`);
		return {blocks, refused, why};
	}

	#wrong = '';

	/** Null: the answer is wrong, and `#wrong` says how. */
	#logs(
		answer: unknown,
		filter: {addresses: readonly `0x${string}`[]; topics: readonly `0x${string}`[]},
		fromBlock: number,
		toBlock: number,
	): readonly TimedLog[] | null {
		try {
			const logs = readLogs(answer, {filter, fromBlock, toBlock, hashes: new Map()});
			if (logs.length > 0) this.#logsHaveTimes = logs.every(({timeMs}) => timeMs !== null);
			if (Array.isArray(answer) && answer.length > logs.length) {
				this.#problems.push('it gives logs that were not asked for: they are left out here, and cost traffic');
			}
			return logs;
		} catch (error) {
			this.#wrong = error instanceof PulsetopError ? error.why : (error as Error).message;
			this.#problems.push(`its logs are wrong: ${this.#wrong}`);
			return null;
		}
	}

	/** Counts what the venues' own contracts wrote in the last blocks, also what no decoder knows. */
	async #sample(
		{number, blockMs}: EvmChain,
		head: number,
		most: number,
		measuredMs: number | null,
	): Promise<NodeCheck['sample']> {
		const wanted = Math.ceil(SAMPLE_MS / Math.max(measuredMs ?? blockMs, 50));
		const blocks = Math.max(1, Math.min(most, wanted, MOST_SAMPLE_BLOCKS, head + 1));
		const fromBlock = head - blocks + 1;
		const logs: TimedLog[] = [];
		const {parts} = followedContracts(number);
		for (const {addresses, topics} of parts) {
			const place = {fromBlock: toQuantity(fromBlock), toBlock: toQuantity(head)};
			const name = topics.length === 0 ? 'eth_getLogs with any topic' : 'eth_getLogs with topics';
			const answer = await this.#ask(
				'eth_getLogs',
				[{address: addresses, topics: topics.length === 0 ? [] : [topics], ...place}],
				name,
			);
			if (!answer?.ok) return null;
			const read = this.#logs(answer.result, {addresses, topics}, fromBlock, head);
			this.#note(name, read !== null, read ? `${read.length} logs of ${blocks} blocks` : this.#wrong, answer.ms);
			if (read === null) return null;
			logs.push(...read);
		}
		const venues = countByVenue(logs, number);
		for (const {name, unknown, blocksWithUnknown} of venues) {
			if (unknown > 0)
				this.#problems.push(
					`${name} wrote ${unknown} events in ${blocksWithUnknown} blocks that this program does not know: it may be too old`,
				);
		}
		return {fromBlock, toBlock: head, venues};
	}

	#load(blockMs: number): NonNullable<NodeCheck['load']> {
		const pollMs = Math.max(blockMs, LEAST_POLL_MS);
		const blocksPerPoll = pollMs / Math.max(blockMs, 1);
		const bytesPerBlock = this.#headerBytes + (this.#logBlocks > 0 ? this.#logBytes / this.#logBlocks : 0);
		return {
			callsPerMinute: Math.round((60_000 / pollMs) * (1 + blocksPerPoll + FURTHER_CALLS)),
			bytesPerSecond: Math.round(1000 * (this.#headerBytes / pollMs + bytesPerBlock / Math.max(blockMs, 1))),
		};
	}

	/** Makes a call; one that fails is noted. */
	async #ask(
		method: string,
		params: readonly unknown[],
		name = method,
	): Promise<(NodeOutcome & {ms: number}) | undefined> {
		const startMs = performance.now();
		try {
			const [outcome] = await this.#node.calls([{method, params}]);
			const ms = performance.now() - startMs;
			this.#hasAnswered = true;
			if (!outcome!.ok) this.#note(name, false, whyOf(outcome!.error), ms);
			return {...outcome!, ms};
		} catch (error) {
			if (!(error instanceof PulsetopError)) throw error;
			this.#note(name, false, error.why, performance.now() - startMs);
			return undefined;
		}
	}

	#note(name: string, works: boolean | null, words: string, ms: number | null): void {
		this.#calls.push({name, works, words, ms: ms === null ? null : Math.round(ms)});
	}

	#fail(problem: string): void {
		this.#isUnusable = true;
		this.#problems.push(problem);
	}
}

/** Ranges to try on a chain of so many blocks. */
function rangesUpTo(blocks: number): number[] {
	const whole = RANGES.filter(size => size < blocks);
	return [...whole, ...(blocks <= RANGES.at(-1)! ? [blocks] : [])];
}

function whyOf(error: Error): string {
	if (error instanceof NodeRefused) return `refused: ${error.nodeMessage} (${error.rpcCode})`;
	return error instanceof PulsetopError ? error.why : error.message;
}

function seconds(ms: number): string {
	return `${Math.round(ms / 1000)} s`;
}
