import {type EvmChain, findEvmChain} from '../../../chains/evm-chains.ts';
import {PulsetopError} from '../../../errors.ts';
import {readQuantity, toQuantity} from '../../../rpc/evm/quantities.ts';
import type {NodeClock} from '../../../rpc/node-clock.ts';
import type {WireCall} from '../../../rpc/transport.ts';
import type {NodeCheck} from '../node-check.ts';
import {LogChecks} from './check-logs.ts';
import {readHeader} from './header.ts';
import {NodeProbe} from './node-probe.ts';
import {readTrial, trialCall} from './trade-trial.ts';

export interface NodeCheckOptions {
	readonly url: string;
	/** Number of the chain that the node should be of. */
	readonly expected?: number | undefined;
	readonly nowMs?: () => number;
	readonly deadlineMs?: number;
	/** By which the node is asked; default: that of the machine. */
	readonly clock?: NodeClock;
}

type Head = NonNullable<NodeCheck['head']>;

/** Blocks over which the time between two is measured. */
const TIMED_BLOCKS = 100;
/** A newest block older than this and than LATE_BLOCKS block times is late. */
const LATE_MS = 60_000;
const LATE_BLOCKS = 20;
/** Reading new blocks asks for its pools' logs and for details of new tokens, on top of head, headers and launchpads. */
const FURTHER_CALLS = 2;
/** Between two polls. */
const MIN_POLL_MS = 1000;
/** `getCurrentBlockTimestamp()` of Multicall3. */
const CURRENT_TIME = '0x0f28c97d';

/**
 * Asks a node all that following its chain asks, in about twenty calls.
 * @throws TypeError when the address is no http, https, ws or wss URL
 */
export async function checkNode(options: NodeCheckOptions): Promise<NodeCheck> {
	const probe = new NodeProbe(options.url, options);
	try {
		return await new NodeChecker(probe, options).run();
	} finally {
		await probe.close();
	}
}

class NodeChecker {
	readonly #probe: NodeProbe;
	readonly #expected: number | undefined;
	readonly #nowMs: () => number;
	/** Bytes of the longest header, as JSON. */
	#headerBytes = 0;

	constructor(probe: NodeProbe, {expected, nowMs = Date.now}: NodeCheckOptions) {
		this.#probe = probe;
		this.#expected = expected;
		this.#nowMs = nowMs;
	}

	async run(): Promise<NodeCheck> {
		const chainNumber = await this.#chainNumber();
		const facts = chainNumber === null ? undefined : findEvmChain(`evm:${chainNumber}`);
		this.#checkChain(chainNumber, facts);
		const named = {chainNumber, chain: facts?.name ?? null};
		const head = chainNumber === null ? null : await this.#head(facts);
		if (chainNumber === null || head === null) return this.#report(named);
		const blockMs = await this.#blockMs(head);
		const finalized = await this.#tagged('finalized');
		const safe = await this.#tagged('safe');
		if (finalized === null && safe === null) {
			this.#probe.problems.push('it names no final block: blocks count as final 128 blocks behind the head');
		}
		await this.#batch(chainNumber);
		await this.#subscription();
		const found = {...named, head, blockMs, finalized, safe};
		if (!facts) return this.#report(found);
		await this.#stateCall(facts);
		await this.#trial(facts, head);
		const logs = new LogChecks(this.#probe, facts, head.number);
		const range = await logs.range();
		if (range === null) return this.#report(found);
		const sample = await logs.sample(range.blocks, blockMs);
		await logs.compare(block => this.#header(toQuantity(block), 'eth_getBlockByNumber of a block with logs', block));
		const load = this.#load(blockMs ?? facts.blockMs, logs.bytesPerBlock);
		return this.#report({...found, range, sample, load, logsHaveTimes: logs.haveTimes});
	}

	#report(found: Partial<NodeCheck> & Pick<NodeCheck, 'chainNumber' | 'chain'>): NodeCheck {
		const {host, hasAnswered, isUnusable, calls, problems, callLimit} = this.#probe;
		if (callLimit !== null) {
			problems.push(
				`it takes about ${callLimit} call${callLimit === 1 ? '' : 's'} a second: the chain is read late, and the past slowly. A key, or a node of your own, takes more`,
			);
		}
		return {
			host,
			hasAnswered,
			head: null,
			blockMs: null,
			finalized: null,
			safe: null,
			range: null,
			logsHaveTimes: null,
			sample: null,
			load: null,
			...found,
			calls,
			verdict: isUnusable ? 'unusable' : problems.length > 0 ? 'poor' : 'good',
			problems,
		};
	}

	async #chainNumber(): Promise<number | null> {
		const answer = await this.#probe.ask('eth_chainId', []);
		const number = answer?.ok ? (readQuantity(answer.result) ?? null) : null;
		if (answer === undefined) this.#probe.fail(`it does not answer: ${this.#probe.calls.at(-1)!.words}`);
		else if (number === null) this.#probe.fail('it does not say which chain it is of');
		else this.#probe.note('eth_chainId', true, `chain ${number}`, answer.ms);
		return number;
	}

	#checkChain(number: number | null, facts: EvmChain | undefined): void {
		if (number === null) return;
		if (!facts) this.#probe.fail(`chain ${number} cannot be followed`);
		if (this.#expected !== undefined && this.#expected !== number) {
			const name = facts ? `, ${facts.name}` : '';
			this.#probe.fail(`it is a node of chain ${number}${name}, not of chain ${this.#expected}`);
		}
	}

	async #head(facts: EvmChain | undefined): Promise<Head | null> {
		const header = await this.#header('latest', 'eth_getBlockByNumber');
		if (!header) {
			this.#probe.fail('it does not give its newest block');
			return null;
		}
		const ageMs = this.#nowMs() - header.timeMs;
		const lateMs = Math.max(LATE_MS, LATE_BLOCKS * (facts?.blockMs ?? 0));
		const {problems} = this.#probe;
		if (ageMs > lateMs) problems.push(`its newest block is ${seconds(ageMs)} old: it lags, or the chain stands still`);
		if (ageMs < -lateMs)
			problems.push(`its newest block is ${seconds(-ageMs)} in the future: check the clock of this machine`);
		return {number: header.number, ageMs};
	}

	async #blockMs({number, ageMs}: Head): Promise<number | null> {
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
		const answer = await this.#probe.ask('eth_getBlockByNumber', [block, false], name);
		if (!answer?.ok) return undefined;
		try {
			const header = readHeader(answer.result, number);
			this.#headerBytes = Math.max(this.#headerBytes, JSON.stringify(answer.result).length);
			this.#probe.note(name, header !== undefined, header ? `block ${header.number}` : 'no such block', answer.ms);
			return header;
		} catch (error) {
			if (!(error instanceof PulsetopError)) throw error;
			this.#probe.note(name, false, error.why, answer.ms);
			return undefined;
		}
	}

	async #stateCall({multicall3}: EvmChain): Promise<void> {
		const answer = await this.#probe.ask('eth_call', [{to: multicall3, data: CURRENT_TIME}, 'latest']);
		if (answer?.ok) {
			const works = typeof answer.result === 'string' && /^0x[\da-f]{64}$/i.test(answer.result);
			const words = works ? 'answered by Multicall3' : 'no answer of Multicall3';
			this.#probe.note('eth_call', works, words, answer.ms);
			if (works) return;
		}
		this.#probe.problems.push('it answers no eth_call: names, decimals and prices in US dollars stay unknown');
	}

	/** Tries nothing, by a call that puts code to addresses as trials of tokens do. */
	async #trial({multicall3, native}: EvmChain, {number: block}: Head): Promise<void> {
		const name = 'eth_call with code of its own';
		const nothing = {token: multicall3, block, pair: null, owner: null};
		const {method, params} = trialCall(nothing, native.wrapped);
		const answer = await this.#probe.ask(method, params, name);
		if (!answer?.ok) return;
		const works = readTrial(answer.result) !== undefined;
		this.#probe.note(name, works, works ? 'tokens can be tried' : 'skipped: tokens cannot be tried', answer.ms);
	}

	async #batch(chainNumber: number): Promise<void> {
		const name = 'batch of calls';
		const calls = [1, 2].map((id): WireCall => ({jsonrpc: '2.0', id, method: 'eth_chainId', params: []}));
		const sent = await this.#probe.send(calls, name);
		if (sent === undefined) return;
		const results = Array.isArray(sent.answer) ? sent.answer.map(one => readQuantity(one?.result)) : [];
		const works = results.length === 2 && results.every(result => result === chainNumber);
		this.#probe.note(name, works, works ? 'two calls in one request' : 'refused: calls go one by one', sent.ms);
	}

	async #subscription(): Promise<void> {
		const name = 'eth_subscribe newHeads';
		if (!this.#probe.canPush) {
			this.#probe.note(name, null, 'only over a websocket: new blocks are asked for', null);
			return;
		}
		const sent = await this.#probe.send({jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads']}, name);
		if (sent === undefined) return;
		const works = typeof (sent.answer as {result?: unknown} | null)?.result === 'string';
		this.#probe.note(name, works, works ? 'new blocks are pushed' : 'refused: new blocks are asked for', sent.ms);
	}

	#load(blockMs: number, logBytesPerBlock: number): NonNullable<NodeCheck['load']> {
		const pollMs = Math.max(blockMs, MIN_POLL_MS);
		const blocksPerPoll = pollMs / Math.max(blockMs, 1);
		const bytesPerBlock = this.#headerBytes + logBytesPerBlock;
		return {
			callsPerMinute: Math.round((60_000 / pollMs) * (1 + blocksPerPoll + FURTHER_CALLS)),
			bytesPerSecond: Math.round(1000 * (this.#headerBytes / pollMs + bytesPerBlock / Math.max(blockMs, 1))),
		};
	}
}

function seconds(ms: number): string {
	return `${Math.round(ms / 1000)} s`;
}
