import {setTimeout as pause} from 'node:timers/promises';
import type {ChainCoverage} from '../../../contract/coverage.ts';
import {explain} from '../../../errors.ts';
import {NodeAnswerWrong} from '../../../rpc/node-errors.ts';
import {CallBudget} from '../../../rpc/solana/call-budget.ts';
import {createSolanaNode, type SolanaNode} from '../../../rpc/solana/node.ts';
import type {ChainGap, ChainResume, EventSink, EventSource} from '../../market/event-source.ts';
import type {MarketEvent} from '../../market/events.ts';
import {type FollowedChain, maxTokensOf} from '../follow-options.ts';
import {type LaunchLabState, readMint} from './accounts.ts';
import {type FullTransaction, readTransaction} from './full-transaction.ts';
import {LARGEST_ACCOUNTS, readLargestHolders} from './holders.ts';
import {type LogStream, openLogStream} from './log-stream.ts';
import {readAll, readLaunchLabCurves, readStates} from './resync.ts';
import {type ClosedSlot, SlotQueue} from './slot-queue.ts';
import {SolPrice} from './sol-price.ts';
import {StateCheck} from './state-check.ts';
import {type BookResult, type FollowedToken, SOLANA_CHAIN, TokenBook} from './token-book.ts';
import {decodeAll, type Transaction} from './transaction.ts';
import {METEORA_DAMM, METEORA_DBC} from './venues/meteora-dbc.ts';
import {SOLANA_VENUES} from './venues/venues.ts';

/** The first block of Solana's main network: the proof that a node belongs to it. */
export const MAINNET_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

const DRAIN_MS = 100;
const REPORT_MS = 1000;
const PRICE_MS = 30_000;
const FACTS_MS = 2000;
const DROP_MS = 60_000;
/** An empty batch is written so often, for its cursor. */
const CURSOR_MS = 10_000;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;
/** Tokens without a trade for a day are dropped, as the market drops them. */
const IDLE_MS = 24 * 3_600_000;
/** Tokens whose accounts are read after a gap: those that traded last. */
const MAX_RESYNCED = 2000;
/** After this many transactions of a program in a row without a known event the decoder is too old. */
const STRANGE_STREAK = 200;
const BEHIND_MS = 15_000;
const SLOT_MS = 400;
/** Slots after which the logs of one have come: heads are processed, logs are confirmed. */
const LOGS_AFTER_SLOTS = 8;
/** Without any log for this long, the programs are not just quiet. */
const SILENT_MS = 120_000;
const TRANSACTION_TRIES = 5;
const TRANSACTION_WAIT_MS = 1000;
/** Tokens whose holders are still to be read: the details of more are hardly open at once. */
const MAX_WANTED = 20;
/** Pause of all requests for holders after a node refused one. */
const HOLDERS_WAIT_MS = 60_000;
const CPMM = {id: 'raydium-cpmm', name: 'Raydium', program: 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C'};
const AMM = {id: 'raydium', name: 'Raydium', program: '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8'};
const MOVED_TO = {cpmm: CPMM, amm: AMM, 'damm-v2': METEORA_DAMM};
/** Calls in ten seconds for Meteora's launchpad. */
const MAX_METEORA_CALLS = 18;
/** Shortest time between two gaps for missed transactions of Meteora's launchpad: each makes all of its tokens unknown. */
const MISSED_MS = 5000;

export interface SolanaSourceOptions {
	/** Called with a line for each thing that went wrong without stopping the source. */
	readonly log?: (line: string) => void;
	readonly nowMs?: () => number;
}

/** Follows pump.fun, PumpSwap and LaunchLab on Solana by the logs of their programs. */
export function createSolanaSource(chain: FollowedChain, options: SolanaSourceOptions = {}): EventSource {
	return new SolanaSource(chain, options);
}

interface Cursor {
	readonly slot: number;
	readonly timeMs: number;
	readonly signature: string | null;
}

class SolanaSource implements EventSource {
	readonly #chain: FollowedChain;
	readonly #log: (line: string) => void;
	readonly #nowMs: () => number;
	readonly #nodes: readonly SolanaNode[];
	/** Nodes that proved to be of the main network. */
	readonly #proven = new Set<SolanaNode>();
	readonly #price: SolPrice;
	/** Programs whose logs are read. */
	readonly #programs: readonly string[];
	readonly #book: TokenBook;
	readonly #check: StateCheck;
	readonly #stopping = new AbortController();
	/** Mints whose accounts are still to be read. */
	#unread: string[] = [];
	/** Tokens whose holders are looked at, the newest last. */
	readonly #wanted = new Set<string>();
	#isReadingHolders = false;
	/** No holders are asked for before; by the clock of `performance`. */
	#holdersFromMs = 0;
	/** Events from accounts, which go with the next batch. */
	#waiting: MarketEvent[] = [];
	#sink!: EventSink;
	#node: SolanaNode;
	#stream: LogStream | undefined;
	#running: Promise<void> | undefined;

	#state: ChainCoverage['state'] = 'starting';
	#why: string | null = 'the node was not asked yet';
	#head: number | null = null;
	/** When it came, and how much later than its own time. */
	#headMs = 0;
	#lateMs = 0;
	/** Logs that wait to be read, and whether some are being read. */
	#queue: SlotQueue | undefined;
	#isTaking = false;
	/** When the last log was read. */
	#logsMs = 0;
	/** The last slot that is in the market, and its time. */
	#last: Cursor | undefined;
	/** A call of the sink failed: what it should have stored is in no later call. */
	#hasSinkFailed = false;
	readonly #ended = Promise.withResolvers<unknown>();
	readonly ended = this.#ended.promise;
	/** The last slot with an event that has a time. */
	#timed: {readonly slot: number; readonly timeMs: number} | undefined;
	/** The last slot that a batch was written for. */
	#writtenTo = -1;
	#writtenMs = Number.NEGATIVE_INFINITY;
	#sinceMs: number | null = null;
	#unknownEvents = 0;
	#unknownSlots = 0;
	#droppedTokens = 0;
	#strange = 0;
	/** Transactions of Meteora's launchpad that were not read and are in no gap yet. */
	#missed: {readonly fromMs: number; toMs: number; slot: number} | undefined;
	readonly #meteoraCalls = new CallBudget({maxCalls: MAX_METEORA_CALLS, maxOfMethod: MAX_METEORA_CALLS});
	#missedMs = Number.NEGATIVE_INFINITY;

	constructor(chain: FollowedChain, {log = () => {}, nowMs = Date.now}: SolanaSourceOptions) {
		this.#chain = chain;
		this.#log = log;
		this.#nowMs = nowMs;
		const programs = SOLANA_VENUES.map(({program}) => program);
		this.#programs = chain.meteoraDbc ? [...programs, METEORA_DBC.program] : programs;
		this.#nodes = chain.urls.map(url => createSolanaNode(url));
		this.#node = this.#nodes[0]!;
		this.#price = new SolPrice(nowMs, chain.nativeUSD);
		this.#book = new TokenBook(() => this.#price.usd());
		this.#check = new StateCheck(this.#book);
	}

	start(sink: EventSink, resume: ReadonlyMap<string, ChainResume>): void {
		this.#sink = sink;
		const earlier = resume.get(SOLANA_CHAIN);
		if (earlier) {
			this.#last = JSON.parse(earlier.cursor) as Cursor;
			this.#writtenTo = earlier.toBlock;
			this.#book.restore(earlier.facts, this.#last.timeMs);
		}
		const timers = [
			setInterval(() => this.#report(), REPORT_MS),
			setInterval(() => this.#inBackground(() => this.#price.refresh(this.#node)), PRICE_MS),
			setInterval(() => this.#inBackground(() => this.#readMints()), FACTS_MS),
			setInterval(() => this.#inBackground(() => this.#readHolders()), FACTS_MS),
			setInterval(() => this.#inBackground(() => this.#check.read(this.#node)), FACTS_MS),
			setInterval(() => this.#book.dropBefore(this.#nowMs() - IDLE_MS), DROP_MS),
		];
		for (const timer of timers) timer.unref();
		this.#stopping.signal.addEventListener('abort', () => timers.map(clearInterval));
		this.#report();
		this.#running = this.#run();
	}

	async stop(): Promise<void> {
		this.#stopping.abort();
		this.#stream?.close();
		await Promise.all(this.#nodes.map(node => node.close()));
		await this.#running;
	}

	holdersWanted(chainId: string, token: string): void {
		if (chainId !== SOLANA_CHAIN) return;
		this.#wanted.delete(token);
		this.#wanted.add(token);
		if (this.#wanted.size > MAX_WANTED) this.#wanted.delete(this.#wanted.values().next().value!);
		this.#inBackground(() => this.#readHolders());
	}

	get #isStopped(): boolean {
		return this.#stopping.signal.aborted;
	}

	/** Follows with one node after the other until stopped: each connection ends at some time. */
	async #run(): Promise<void> {
		let waitMs = 0;
		for (let turn = 0; !this.#isStopped; turn++) {
			this.#node = this.#nodes[turn % this.#nodes.length]!;
			const before = this.#last?.slot;
			try {
				const why = await this.#follow(this.#node);
				this.#is('unreachable', `${this.#node.host}: ${why}`);
			} catch (error) {
				const {why} = explain(error);
				if (this.#hasSinkFailed) {
					this.#is('stalled', why);
					this.#log(`${this.#chain.name} is not followed further: ${why}`);
					this.#ended.resolve(error);
					return;
				}
				this.#is('unreachable', why);
			}
			if (this.#isStopped) return;
			const cameForward = this.#last?.slot !== before;
			if (cameForward) turn--;
			waitMs = cameForward ? FIRST_WAIT_MS : Math.min(MAX_WAIT_MS, Math.max(FIRST_WAIT_MS, waitMs * 1.5));
			this.#report();
			await this.#pause(waitMs);
		}
	}

	/** Follows with one node until its connection ends; gives the reason. */
	async #follow(node: SolanaNode): Promise<string> {
		await this.#prove(node);
		await this.#price.refresh(node).catch(() => {});
		let queue: SlotQueue | undefined;
		const early: Parameters<SlotQueue['add']>[0][] = [];
		const stream = openLogStream(node, this.#programs, {
			logs: logs => (queue ? queue.add(logs, performance.now()) : early.push(logs)),
			slot: slot => {
				if (slot <= (this.#head ?? -1)) return;
				this.#head = slot;
				this.#headMs = this.#nowMs();
			},
		});
		this.#stream = stream;
		try {
			await stream.ready;
			const from = await this.#catchUp(node);
			queue = new SlotQueue(this.#programs, from);
			for (const logs of early.splice(0)) queue.add(logs, performance.now());
			this.#queue = queue;
			this.#is('live', null);
			this.#logsMs = this.#nowMs();
			let end: string | undefined;
			void stream.ended.then(why => {
				end = why;
			});
			while (end === undefined) {
				await Promise.race([this.#pause(DRAIN_MS), stream.ended]);
				const closed = queue.takeClosed(performance.now());
				if (closed.length > 0) this.#logsMs = this.#nowMs();
				this.#isTaking = closed.length > 0;
				await this.#take(node, closed, () => end !== undefined);
				this.#isTaking = false;
				this.#judge();
			}
			return end;
		} finally {
			stream.close();
			this.#queue = undefined;
			this.#isTaking = false;
			// An empty slot list, but the cursor of what was taken.
			if (!this.#hasSinkFailed && this.#last && this.#last.slot > this.#writtenTo && this.#writtenTo >= 0)
				await this.#write([], this.#last);
		}
	}

	async #prove(node: SolanaNode): Promise<void> {
		if (this.#proven.has(node)) return;
		const genesis = await node.call('getGenesisHash');
		if (genesis !== MAINNET_GENESIS)
			throw new NodeAnswerWrong('getGenesisHash', `${node.host} is not a node of Solana's main network`);
		this.#proven.add(node);
	}

	/**
	 * Finds the first slot that the new connection sees whole. The slots between the last slot that was read and this slot are a
	 * gap: the state of tokens is read from their accounts.
	 */
	async #catchUp(node: SolanaNode): Promise<number> {
		const slot = await this.#slotOf(node);
		const timeMs = await this.#timeOf(node, slot);
		const last = this.#last;
		this.#sinceMs ??= last?.timeMs ?? timeMs;
		if (last === undefined) {
			this.#timeIs(slot, timeMs);
			// After a kill it is known from when on something is missing.
			this.#writtenTo = slot - 1;
			await this.#write([], {slot, timeMs, signature: null});
			return slot + 1;
		}
		if (slot <= last.slot) return last.slot + 1;
		this.#is('behind', 'reading the state of tokens after a gap');
		const tokens = [...this.#book.tokens()].sort((a, b) => b.tradedMs - a.tradedMs).slice(0, MAX_RESYNCED);
		const caught = await readStates(node, tokens);
		await this.#gap({
			fromBlock: this.#writtenTo + 1,
			toBlock: slot,
			fromMs: last.timeMs,
			toMs: Math.max(timeMs, last.timeMs),
		});
		this.#check.clear();
		this.#book.forgetPrices(new Set(caught.map(({token}) => token)));
		const results = caught.map(each => this.#book.caughtUp(each, {timeMs, slot}));
		this.#timeIs(slot, timeMs);
		await this.#write(results, {slot, timeMs, signature: null});
		return slot + 1;
	}

	#gap(gap: Omit<ChainGap, 'chainId' | 'why'>): Promise<void> {
		const why = 'the connection to the node was lost, or pulsetop was not running';
		return this.#store(this.#sink.gap({...gap, chainId: SOLANA_CHAIN, why}));
	}

	/** Waits for a call of the sink. @throws what it throws; the source ends then */
	async #store(call: Promise<void>): Promise<void> {
		try {
			await call;
		} catch (error) {
			this.#hasSinkFailed = true;
			throw error;
		}
	}

	/** @param hasEnded whether the connection is lost: a slot that is not whole belongs to the gap then */
	async #take(node: SolanaNode, slots: readonly ClosedSlot[], hasEnded: () => boolean): Promise<void> {
		if (slots.length === 0) return;
		const results: BookResult[] = [];
		let last = this.#last!;
		for (const {slot, transactions} of slots) {
			results.push(...this.#check.settle(slot - 1, last.timeMs));
			const whole = await Promise.all(transactions.map(transaction => this.#complete(node, transaction)));
			const read = whole.map(({transaction}) => transaction);
			if (hasEnded() && read.some(({isIncomplete}) => isIncomplete)) break;
			const curves = await this.#launchLabCurves(node, read);
			const times = read.flatMap(timesOf);
			const timeMs = Math.max(last.timeMs, ...times);
			if (times.length > 0) this.#timeIs(slot, timeMs);
			for (const transaction of read) {
				results.push(this.#book.read(transaction, timeMs, curves));
				this.#unknownEvents += transaction.unknown;
				this.#countStrange(transaction);
			}
			for (const {moves} of whole) results.push(...this.#moved(moves, slot, timeMs));
			this.#missMeteora(whole, last.timeMs, Math.max(timeMs, this.#timeNear(slot)), slot);
			for (const transaction of transactions) {
				if (transaction.movesToPool) results.push(...(await this.#launchLabMoves(node, transaction, timeMs)));
			}
			if (read.some(({isIncomplete}) => isIncomplete)) {
				this.#check.lost({slot, fromMs: last.timeMs, toMs: Math.max(timeMs, this.#timeNear(slot))});
			}
			last = {slot, timeMs, signature: transactions.at(-1)?.signature ?? last.signature};
		}
		if (this.#isStopped) return;
		results.push(...this.#meteoraGaps());
		results.push(...this.#check.settle(last.slot, last.timeMs));
		for (const {events} of results) {
			for (const event of events) if (event.type === 'launch') this.#unread.push(event.token);
		}
		await this.#write(results, last);
		await this.#dropIdle();
		this.#report();
	}

	/** A transaction whose logs were cut is read whole; it stays incomplete when no node gives it. */
	async #complete(node: SolanaNode, transaction: Transaction): Promise<Completed> {
		const isMeteora = this.#chain.meteoraDbc === true && (transaction.callsMeteora || transaction.isIncomplete);
		if (!transaction.isIncomplete) {
			if (!isMeteora) return {transaction, moves: [], isMissed: false};
			const isAsked = this.#mayAskForMeteora(node);
			const full = isAsked ? await this.#fullTransaction(node, transaction.signature) : undefined;
			if (full) return {...withMeteora(transaction, full), isMissed: false};
			this.#unknownSlots++;
			return {transaction, moves: [], isMissed: true};
		}
		const full = await this.#fullTransaction(node, transaction.signature);
		if (full) {
			const read = {...transaction, ...decodeAll(full.events), isIncomplete: false};
			return isMeteora
				? {...withMeteora(read, full), isMissed: false}
				: {transaction: read, moves: [], isMissed: false};
		}
		this.#unknownSlots++;
		this.#log(`${this.#chain.name}: the logs of a transaction were cut, and no node gives the whole of it`);
		return {transaction, moves: [], isMissed: isMeteora};
	}

	/** Takes a call for Meteora's launchpad. Half of the budget is for logs that were cut. */
	#mayAskForMeteora(node: SolanaNode): boolean {
		const nowMs = performance.now();
		if (this.#meteoraCalls.used('getTransaction', nowMs) >= 1 || node.isBusy('getTransaction')) return false;
		this.#meteoraCalls.take('getTransaction', nowMs);
		return true;
	}

	#missMeteora(read: readonly Completed[], fromMs: number, toMs: number, slot: number): void {
		if (!read.some(({isMissed}) => isMissed)) return;
		this.#missed = {fromMs: this.#missed?.fromMs ?? fromMs, toMs, slot};
	}

	/** Gaps for all tokens of Meteora's launchpad: only the missed transaction names its token. */
	#meteoraGaps(): BookResult[] {
		const missed = this.#missed;
		if (missed === undefined || performance.now() - this.#missedMs < MISSED_MS) return [];
		this.#missed = undefined;
		this.#missedMs = performance.now();
		return [...this.#book.tokens()]
			.filter(({venue, pool}) => venue === METEORA_DBC.id && pool === null)
			.map(token => this.#book.gap(token, missed, missed.slot));
	}

	async #fullTransaction(node: SolanaNode, signature: string) {
		const nodes = [node, ...this.#nodes.filter(other => other !== node)];
		for (let attempt = 0; attempt < TRANSACTION_TRIES && !this.#isStopped; attempt++) {
			const asked = nodes[attempt % nodes.length]!;
			try {
				await this.#prove(asked);
				const full = await readTransaction(asked, signature);
				if (full) return full;
			} catch (error) {
				this.#log(`${this.#chain.name}: ${explain(error).why}`);
			}
			// A node may confirm a slot before its transactions can be asked for.
			await this.#pause(TRANSACTION_WAIT_MS);
		}
		return undefined;
	}

	async #launchLabCurves(node: SolanaNode, read: readonly Transaction[]): Promise<ReadonlyMap<string, LaunchLabState>> {
		const made = read.flatMap(({events}) =>
			events.flatMap(event => (event.kind === 'token' && event.mint === null ? [event.curve] : [])),
		);
		if (made.length === 0) return new Map();
		try {
			return await readLaunchLabCurves(node, made);
		} catch (error) {
			this.#unknownEvents += made.length;
			this.#log(`${this.#chain.name}: new tokens of LaunchLab are not followed: ${explain(error).why}`);
			return new Map();
		}
	}

	async #launchLabMoves(node: SolanaNode, {signature, slot}: Transaction, timeMs: number): Promise<BookResult[]> {
		const moves = (await this.#fullTransaction(node, signature))?.moves ?? [];
		return this.#moved(
			moves.filter(({to}) => to !== 'damm-v2'),
			slot,
			timeMs,
		);
	}

	#moved(moves: FullTransaction['moves'], slot: number, timeMs: number): BookResult[] {
		return moves.map(({mint, pool, to}) => {
			const quote = this.#book.token(mint)?.quote;
			if (quote === undefined) return {events: [], facts: []};
			const venue = MOVED_TO[to];
			return this.#book.moved(mint, {
				pool,
				venue,
				quote,
				left: null,
				reserveToken: null,
				reserveQuote: null,
				timeMs,
				slot,
			});
		});
	}

	/** Writes events up to a slot, which is the last one then. An empty batch only now and then. */
	async #write(results: readonly BookResult[], last: Cursor): Promise<void> {
		const {slot, timeMs, signature} = last;
		const events = [...results.flatMap(result => result.events), ...this.#waiting];
		const facts = results.flatMap(result => result.facts);
		const isIdle = events.length === 0 && facts.length === 0 && performance.now() - this.#writtenMs < CURSOR_MS;
		if (!isIdle && slot > this.#writtenTo) {
			// Events of accounts that are read meanwhile wait for the batch after this one.
			this.#waiting = [];
			await this.#store(
				this.#sink.append({
					chainId: SOLANA_CHAIN,
					fromBlock: this.#writtenTo + 1,
					toBlock: slot,
					events: events.map(event => ('block' in event ? {...event, block: this.#within(event.block, slot)} : event)),
					facts: facts.map(fact => ({...fact, block: this.#within(fact.block, slot)})),
					cursor: JSON.stringify({slot, timeMs, signature}),
				}),
			);
			this.#writtenTo = slot;
			this.#writtenMs = performance.now();
		}
		this.#last = last;
	}

	/** The block in which an event counts: one that came late counts in the first block of the batch. */
	#within(block: number, toBlock: number): number {
		return Math.min(toBlock, Math.max(this.#writtenTo + 1, block));
	}

	async #dropIdle(): Promise<void> {
		const dropped = this.#book.dropIdle(maxTokensOf(this.#chain));
		if (dropped.length === 0) return;
		this.#droppedTokens += dropped.length;
		await this.#store(this.#sink.forget(SOLANA_CHAIN, dropped));
	}

	/** Reads who may still mint, freeze or tax new tokens. */
	async #readMints(): Promise<void> {
		if (this.#unread.length === 0 || this.#state !== 'live' || this.#node.isBusy('getMultipleAccounts')) return;
		const mints = this.#unread.splice(0, 100);
		const accounts = await readAll(this.#node, mints).catch(error => {
			this.#unread.unshift(...mints);
			throw error;
		});
		for (const [index, mint] of mints.entries()) {
			const account = accounts[index];
			if (!account || this.#book.token(mint) === undefined) continue;
			try {
				const {security} = readMint(account.data);
				const timeMs = this.#last!.timeMs;
				this.#waiting.push({type: 'profile', chainId: SOLANA_CHAIN, token: mint, timeMs, profile: {security}});
			} catch {
				// An account that is no mint says nothing: its flags stay unknown.
			}
		}
	}

	/** Reads the largest holders of the tokens that are looked at, the newest first, while the node has room for it. */
	async #readHolders(): Promise<void> {
		if (this.#isReadingHolders || performance.now() < this.#holdersFromMs) return;
		this.#isReadingHolders = true;
		try {
			for (let mint = [...this.#wanted].at(-1); mint !== undefined; mint = [...this.#wanted].at(-1)) {
				const node = this.#node;
				if (this.#state !== 'live' || node.isBusy(LARGEST_ACCOUNTS) || node.isBusy('getMultipleAccounts')) return;
				this.#wanted.delete(mint);
				const token = this.#book.token(mint);
				if (token) await this.#readHoldersOf(token, node);
			}
		} finally {
			this.#isReadingHolders = false;
		}
	}

	async #readHoldersOf(token: FollowedToken, node: SolanaNode): Promise<void> {
		try {
			const largest = await readLargestHolders(node, token);
			const {slot: block} = this.#last!;
			const at = {timeMs: this.#timeNear(block), block};
			this.#waiting.push({type: 'holders', chainId: SOLANA_CHAIN, token: token.mint, ...at, largest});
		} catch (error) {
			this.#holdersFromMs = performance.now() + HOLDERS_WAIT_MS;
			throw error;
		}
	}

	#inBackground(work: () => Promise<void>): void {
		if (this.#state !== 'live') return;
		work().catch(error => this.#log(`${this.#chain.name}: ${explain(error).why}`));
	}

	#countStrange({events, unknown}: Transaction): void {
		if (events.length > 0) this.#strange = 0;
		else if (unknown > 0) this.#strange++;
	}

	#judge(): void {
		if (this.#strange >= STRANGE_STREAK) {
			this.#is('stalled', 'the programs write events that this version of pulsetop does not know');
		} else if (this.#lagMs() !== null && this.#lagMs()! > BEHIND_MS) {
			this.#is('behind', 'the node sends slots or logs late');
		} else if (this.#nowMs() - this.#logsMs > SILENT_MS) {
			this.#is('behind', 'the node sends slots, and no logs');
		} else {
			this.#is('live', null);
		}
	}

	async #slotOf(node: SolanaNode): Promise<number> {
		const slot = await node.call('getSlot', [{commitment: 'confirmed'}]);
		if (!Number.isSafeInteger(slot) || (slot as number) < 0)
			throw new NodeAnswerWrong('getSlot', 'it is no number of a slot');
		return slot as number;
	}

	/** The time of a slot; of one without a block, that of now. */
	async #timeOf(node: SolanaNode, slot: number): Promise<number> {
		const second = await node.call('getBlockTime', [slot]).catch(() => null);
		return Number.isSafeInteger(second) && (second as number) > 0 ? (second as number) * 1000 : this.#nowMs();
	}

	/** The last slot that was seen: slots without a log are, as soon as theirs would have come. */
	#seenSlot(): number | null {
		if (this.#last === undefined) return null;
		const isQuiet = this.#queue?.isEmpty === true && !this.#isTaking;
		return isQuiet ? Math.max(this.#last.slot, (this.#head ?? 0) - LOGS_AFTER_SLOTS) : this.#last.slot;
	}

	#timeIs(slot: number, timeMs: number): void {
		this.#timed = {slot, timeMs};
		const toHead = Math.max(0, (this.#head ?? slot) - slot);
		this.#lateMs = Math.max(0, this.#nowMs() - timeMs - toHead * SLOT_MS);
	}

	/** About when a slot was, by the last one whose time is known. */
	#timeNear(slot: number): number {
		const {slot: from, timeMs} = this.#timed ?? this.#last!;
		return Math.min(this.#nowMs(), timeMs + (slot - from) * SLOT_MS);
	}

	/** How far the market is behind now, counted by slots: a quiet stretch is not late. */
	#lagMs(): number | null {
		const slot = this.#seenSlot();
		if (slot === null) return null;
		if (this.#head === null) return this.#nowMs() - this.#timeNear(slot);
		const toHead = Math.max(0, this.#head - slot);
		return Math.max(0, toHead * SLOT_MS + this.#nowMs() - this.#headMs + this.#lateMs);
	}

	#is(state: ChainCoverage['state'], why: string | null): void {
		if (state === this.#state && why === this.#why) return;
		this.#state = state;
		this.#why = why;
		this.#report();
	}

	#pause(ms: number): Promise<unknown> {
		return pause(ms, undefined, {signal: this.#stopping.signal, ref: false}).catch(() => {});
	}

	#report(): void {
		if (this.#isStopped) return;
		const usd = this.#price.usd();
		const lagMs = this.#lagMs();
		this.#sink.report({
			chainId: SOLANA_CHAIN,
			node: this.#node.host,
			state: this.#state,
			why: this.#why,
			head: this.#head,
			block: this.#seenSlot(),
			blockTime: lagMs === null ? null : iso(this.#nowMs() - lagMs),
			finalized: null,
			since: this.#sinceMs === null ? null : iso(this.#sinceMs),
			reorgs: 0,
			unknownEvents: this.#unknownEvents,
			unknownBlocks: this.#unknownSlots,
			tokens: this.#book.size,
			maxTokens: maxTokensOf(this.#chain),
			droppedTokens: this.#droppedTokens,
			callsPerMinute: this.#nodes.reduce((sum, node) => sum + node.traffic.callsPerMinute, 0),
			bytesPerSecond: this.#nodes.reduce((sum, node) => sum + node.traffic.bytesPerSecond, 0),
			priced: usd === null ? ['USDC', 'USDT', 'USD1'] : ['SOL', 'USDC', 'USDT', 'USD1'],
			unpriced: usd === null ? ['SOL'] : [],
		});
	}
}

/** A transaction as far as it could be read. */
interface Completed {
	readonly transaction: Transaction;
	readonly moves: FullTransaction['moves'];
	/** It may be about a token of Meteora's launchpad, and was not read. */
	readonly isMissed: boolean;
}

function withMeteora(transaction: Transaction, {meteora}: FullTransaction): Omit<Completed, 'isMissed'> {
	const events = [...transaction.events, ...meteora.events];
	return {transaction: {...transaction, events, unknown: transaction.unknown + meteora.unknown}, moves: meteora.moves};
}

function timesOf({events}: Transaction): readonly number[] {
	return events.flatMap(event => (event.timeS === null ? [] : [event.timeS * 1000]));
}

function iso(timeMs: number): string {
	return new Date(timeMs).toISOString();
}
