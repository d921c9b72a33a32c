import {type EvmChain, findEvmChain} from '../../../chains/evm-chains.ts';
import {PulsetopError} from '../../../errors.ts';
import type {EvmNode} from '../../../rpc/evm/node.ts';
import {createEvmNode} from '../../../rpc/evm/node-client.ts';
import {MACHINE_CLOCK, type NodeClock} from '../../../rpc/node-clock.ts';
import {NodeAnswerWrong, NodeUnanswered} from '../../../rpc/node-errors.ts';
import type {ChainGap, ChainResume, EventSink, EventSource} from '../../market/event-source.ts';
import type {QuoteCoin} from '../../market/events.ts';
import {type FollowedChain, maxTokensOf} from '../follow-options.ts';
import {batchEvents} from './batch-events.ts';
import {type BatchReading, followedFilter, readBatch} from './batch-reading.ts';
import {createBlockStream} from './block-reader.ts';
import type {BlockBatch, BlockConsumer, BlockStream, LogFilter, StreamStart} from './block-stream.ts';
import {ContractSafety, type Trials, trialsOf} from './contract-safety.ts';
import {FollowedTokens} from './followed-tokens.ts';
import {LogReader} from './log-reader.ts';
import {QuotePrices, StateTooOld} from './quote-prices.ts';
import {BlockRefused, BlocksGone, LogsContradict, NodeBehind} from './stream-failures.ts';
import {askCoins, askTokens, type TokenFacts} from './token-facts.ts';
import {readHistories} from './token-history.ts';
import type {Address, Venue} from './venue.ts';
import {type TransferLog, VenueReader} from './venue-reader.ts';
import {venuesOf} from './venues.ts';

/** Failures that pass: the node does not answer now, or is behind itself. */
const PASSING = [NodeUnanswered, NodeAnswerWrong, NodeBehind, LogsContradict];
/** Between two tries of a call that no node answered. */
const RETRY_MS = [250, 500, 1000, 2000, 5000] as const;
/** How long facts of a batch are waited for. What stays missing is unknown, or the stream looks at the chain again. */
const MAX_PATIENCE_MS = 15_000;
/** Between two looks at everything that launchpads write. */
const SAMPLE_MS = 60_000;
const MAX_SAMPLED = 100;
/** Since when the chain is seen, Unix ms. */
const SINCE_FACT = 'since';
/** Calls a second below which a node is asked for the most important only, while its chain is further behind than this. */
const FEW_CALLS = 10;
const SHORT_LAG_MS = 30_000;
/** A node may not have the state of younger blocks yet. */
const NEW_MS = 60_000;

export interface EvmSourceOptions {
	readonly chain: FollowedChain;
	/** How much of the past is read at a first start; default 0. */
	readonly backfillMs?: number;
	/** Takes lines for the person who runs it; they have no addresses of nodes. */
	readonly log: (line: string) => void;
	readonly nowMs?: () => number;
	/** Default: all that are known. */
	readonly venues?: readonly Venue[];
	/** By which nodes are asked; default: that of the machine. */
	readonly clock?: NodeClock;
}

/**
 * A source that follows an EVM chain.
 * @throws RangeError when the chain is not one that can be followed
 */
export function createEvmSource(options: EvmSourceOptions): EventSource {
	const {chainId, urls, confirmations} = options.chain;
	const facts = findEvmChain(chainId);
	if (!facts) throw new RangeError(`${chainId} is no chain that can be followed`);
	const clock = options.clock && {clock: options.clock};
	const node = createEvmNode({urls, chain: facts.number, ...clock});
	const stream = createBlockStream({
		node,
		chainId: facts.id,
		blockTimeMs: facts.blockMs,
		confirmations: confirmations ?? facts.confirmations,
		...(options.nowMs && {nowMs: options.nowMs}),
		...clock,
	});
	return new EvmSource({...options, facts, node, stream});
}

/** Where a source goes on after a restart. */
type Cursor = Pick<BlockBatch, 'hash' | 'toMs' | 'trail'> & {readonly block: number};

function cursorBehind({toBlock: block, hash, toMs, trail}: BlockBatch): Cursor {
	return {block, hash, toMs, trail};
}

/** Answers of nodes beside logs. */
interface Asked {
	readonly facts: ReadonlyMap<Address, TokenFacts>;
	readonly coins: ReadonlyMap<Address, QuoteCoin>;
	readonly histories: ReadonlyMap<Address, readonly TransferLog[]>;
}

const NONE: ReadonlyMap<Address, never> = new Map<Address, never>();

interface SourceParts extends EvmSourceOptions {
	readonly facts: EvmChain;
	readonly node: EvmNode;
	readonly stream: BlockStream;
}

/** Follows an EVM chain: launches of its launchpads and trades of their tokens become events of the market. */
class EvmSource implements EventSource, BlockConsumer {
	readonly #options: FollowedChain;
	readonly #chain: EvmChain;
	readonly #node: EvmNode;
	readonly #stream: BlockStream;
	readonly #reader: VenueReader;
	readonly #state: FollowedTokens;
	readonly #prices: QuotePrices;
	readonly #safety: ContractSafety;
	/** Reads logs of blocks before those of a batch. */
	readonly #history: LogReader;
	readonly #backfillMs: number;
	readonly #log: (line: string) => void;
	readonly #nowMs: () => number;
	readonly #clock: NodeClock;
	readonly #stopped = new AbortController();
	readonly #ended = Promise.withResolvers<unknown>();
	readonly ended = this.#ended.promise;
	#sink!: EventSink;
	#running: Promise<void> | undefined;
	#filter: {readonly version: number; readonly filter: LogFilter} | undefined;
	#failure: string | null = null;
	/** The last block whose events are in the market. */
	#block: {readonly number: number; readonly timeMs: number} | undefined;
	#sinceMs: number | undefined;
	#nextSampleMs = 0;

	constructor({chain, facts, backfillMs = 0, log, nowMs = Date.now, venues, node, stream, clock}: SourceParts) {
		this.#options = chain;
		this.#chain = facts;
		this.#node = node;
		this.#stream = stream;
		this.#reader = new VenueReader(venues ?? venuesOf(facts.number), facts.number);
		this.#state = new FollowedTokens(facts.blockMs);
		this.#history = new LogReader(node);
		this.#prices = new QuotePrices(facts, node);
		this.#safety = new ContractSafety(node, facts.native.wrapped);
		this.#backfillMs = backfillMs;
		this.#log = log;
		this.#nowMs = nowMs;
		this.#clock = clock ?? MACHINE_CLOCK;
	}

	start(sink: EventSink, resumes: ReadonlyMap<string, ChainResume>): void {
		this.#sink = sink;
		const resume = resumes.get(this.#chain.id);
		if (resume) this.#resume(resume);
		this.#running = this.#stream.run(this.#startOf(resume), this).catch((error: unknown) => this.#failed(error));
	}

	async stop(): Promise<void> {
		this.#stopped.abort();
		// A call that no node answers must not keep the program from ending.
		const closed = this.#node.close();
		await this.#stream.stop();
		await this.#running;
		await closed;
	}

	filter(): LogFilter {
		const {version} = this.#state;
		if (this.#filter?.version !== version) this.#filter = {version, filter: this.#makeFilter()};
		return this.#filter.filter;
	}

	async blocks(batch: BlockBatch): Promise<void> {
		const reading = await readBatch(batch, {chain: this.#chain, reader: this.#reader, state: this.#state});
		const isShort = this.#isShort(batch);
		if (!isShort) await this.#sample(batch);
		const {facts, coins, histories} = await this.#ask(reading, isShort);
		const trials = isShort ? NONE : await this.#try(reading, facts, batch);
		if (reading.isPriced) await this.#readPrices(reading, batch);
		const poolPrices = this.#prices.pools.take(batch.logs, block => batch.timeOf(block));
		const made = batchEvents(reading.logs, {
			chain: this.#chain,
			reader: this.#reader,
			state: this.#state,
			facts: token => facts.get(token),
			trial: key => trials.get(key),
			history: token => histories.get(token),
			coin: address => coins.get(address),
			usd: (coin, timeMs) => this.#prices.at(coin, timeMs),
			timeOf: block => batch.timeOf(block),
			maxTokens: maxTokensOf(this.#options),
		});
		const since =
			this.#sinceMs === undefined ? [{key: SINCE_FACT, block: batch.fromBlock, value: String(batch.fromMs)}] : [];
		await this.#sink.append({
			chainId: this.#chain.id,
			fromBlock: batch.fromBlock,
			toBlock: batch.toBlock,
			events: made.events,
			facts: [...made.facts, ...poolPrices, ...since].sort((a, b) => a.block - b.block),
			cursor: JSON.stringify(cursorBehind(batch)),
		});
		this.#sinceMs ??= batch.fromMs;
		if (made.dropped.length > 0) await this.#sink.forget(this.#chain.id, made.dropped);
		this.#block = {number: batch.toBlock, timeMs: batch.toMs};
		this.#report();
	}

	async takeBack(fromBlock: number): Promise<void> {
		this.#load(await this.#sink.takeBack(this.#chain.id, fromBlock));
		this.#prices.clear();
		this.#block = undefined;
		this.#report();
	}

	async gap(gap: ChainGap): Promise<void> {
		this.#state.forgetHoldings();
		await this.#sink.gap(gap);
		this.#report();
	}

	changed(): void {
		this.#report();
	}

	#load(facts: ChainResume['facts']): void {
		this.#state.load(facts);
		this.#prices.pools.load(facts);
		const since = facts.find(({key}) => key === SINCE_FACT);
		this.#sinceMs = since && Number(since.value);
	}

	#resume({facts, cursor}: ChainResume): void {
		this.#load(facts);
		const {block, toMs} = JSON.parse(cursor) as Cursor;
		this.#block = {number: block, timeMs: toMs};
	}

	#startOf(resume: ChainResume | undefined): StreamStart {
		return resume ? (JSON.parse(resume.cursor) as Cursor) : {backfillMs: this.#backfillMs};
	}

	#makeFilter(): LogFilter {
		const {tokens, pools} = this.#state;
		const launched = [...tokens.values()].filter(({waiting}) => !waiting).map(({token}) => token);
		const venues = new Map([...pools.values()].map(({pool, venue}) => [pool, venue]));
		const followed = followedFilter(this.#reader, new Set(launched), venues);
		const {parts: priceParts} = this.#prices.pools;
		return {
			addresses: [
				...this.#reader.contracts.keys(),
				...followed.addresses,
				...priceParts.flatMap(({addresses}) => addresses),
			],
			topics: this.#reader.topics,
			parts: [...this.#reader.contractParts(), ...followed.parts, ...priceParts],
		};
	}

	/**
	 * Looks from time to time at all that launchpads write: events that no table has mean that a table is too old. A node that does not
	 * give them is left alone.
	 */
	async #sample({fromBlock, toBlock}: BlockBatch): Promise<void> {
		if (this.#nowMs() < this.#nextSampleMs) return;
		this.#nextSampleMs = this.#nowMs() + SAMPLE_MS;
		const from = Math.max(fromBlock, toBlock - MAX_SAMPLED + 1);
		try {
			const known = {hashes: new Map(), headers: [], isClose: false};
			const logs = await this.#history.read(this.#reader.everything(), from, toBlock, known);
			this.#reader.noteUnknown(logs);
		} catch (error) {
			if (!PASSING.some(passing => error instanceof passing) && !(error instanceof BlockRefused)) throw error;
		}
	}

	/**
	 * Whether the node takes so few calls that the chain is behind. What launches and trades do not need is left out then: trials,
	 * earlier transfers, the look at unknown events. It stays unknown.
	 */
	#isShort({toMs}: BlockBatch): boolean {
		const {callLimit} = this.#node;
		return callLimit !== null && callLimit < FEW_CALLS && this.#nowMs() - toMs > SHORT_LAG_MS;
	}

	async #ask({tokens, coins}: BatchReading, isShort: boolean): Promise<Asked> {
		const {multicall3, number} = this.#chain;
		const at = {multicall: multicall3, chain: number};
		return {
			facts: tokens.length === 0 ? NONE : await this.#patiently(() => askTokens(this.#node, at, tokens)),
			coins: coins.length === 0 ? NONE : await this.#patiently(() => askCoins(this.#node, multicall3, coins)),
			histories:
				tokens.length === 0 || isShort ? NONE : await this.#patiently(() => readHistories(this.#history, tokens)),
		};
	}

	/** Where the node's state is younger than its blocks, it is waited for: not for that of old blocks, which is gone. */
	async #try(reading: BatchReading, facts: Asked['facts'], {toMs}: BlockBatch): Promise<Trials> {
		const trials = trialsOf(reading, facts, address => this.#reader.contracts.has(address));
		if (trials.length === 0) return NONE;
		const isNew = toMs > this.#nowMs() - NEW_MS;
		return await this.#patiently(isLast => this.#safety.ask(trials, {waits: isNew && !isLast}));
	}

	async #readPrices({logs}: BatchReading, batch: BlockBatch): Promise<void> {
		const fromMs = batch.timeOf(logs[0]!.log.blockNumber);
		const toMs = batch.timeOf(logs.at(-1)!.log.blockNumber);
		await this.#patiently(async isLast => {
			try {
				await this.#prices.prepare(fromMs, toMs);
			} catch (error) {
				if (!(error instanceof StateTooOld)) throw error;
				if (isLast) return;
				this.#node.takeNext(error.message);
				throw error;
			}
		});
	}

	/**
	 * Asks again while no node answers: without the answer nothing can be said of these blocks.
	 * @param ask gets whether it is asked for the last time
	 * @throws BlocksGone when the last try fails, and when the source was stopped
	 */
	async #patiently<T>(ask: (isLast: boolean) => Promise<T>): Promise<T> {
		const giveUpMs = this.#clock.nowMs() + MAX_PATIENCE_MS;
		for (let tries = 0; ; tries++) {
			const isLast = this.#clock.nowMs() >= giveUpMs;
			try {
				return await ask(isLast);
			} catch (error) {
				if (!PASSING.some(passing => error instanceof passing)) throw error;
				const {signal} = this.#stopped;
				if (isLast || signal.aborted) {
					throw new BlocksGone('no node says what is needed of these blocks', {cause: error});
				}
				await this.#clock.sleep(RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]!, signal);
			}
		}
	}

	#failed(error: unknown): void {
		if (this.#stopped.signal.aborted) return;
		this.#failure = error instanceof PulsetopError ? `${error.message}: ${error.why}` : 'the program made a mistake';
		this.#log(`${this.#options.name}: ${this.#failure}`);
		this.#report();
		this.#ended.resolve(error);
	}

	#report(): void {
		const {phase, why, head, finalized, reorgs} = this.#stream.state;
		const block = this.#block;
		this.#sink.report({
			chainId: this.#chain.id,
			node: this.#node.host,
			state: this.#failure === null ? phase : 'stalled',
			why: this.#failure ?? why,
			head,
			block: block?.number ?? null,
			blockTime: block ? new Date(block.timeMs).toISOString() : null,
			finalized,
			since: this.#sinceMs === undefined ? null : new Date(this.#sinceMs).toISOString(),
			reorgs,
			unknownEvents: this.#reader.unread,
			unknownBlocks: this.#reader.unreadBlocks,
			tokens: this.#state.tokens.size,
			maxTokens: maxTokensOf(this.#options),
			droppedTokens: this.#state.dropped,
			callsPerMinute: this.#node.traffic.callsPerMinute,
			bytesPerSecond: this.#node.traffic.bytesPerSecond,
			callLimit: this.#node.callLimit,
			...this.#prices.known(block?.timeMs ?? this.#nowMs()),
		});
	}
}
