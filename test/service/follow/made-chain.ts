import type {
	ChainResume,
	EventBatch,
	EventSink,
	EventSource,
	SourceFact,
} from '../../../source/service/market/event-source.ts';
import type {MarketEvent} from '../../../source/service/market/events.ts';
import {randomBy} from '../../torture/processes.ts';
import {address, batch, CHAIN, launch, trade, transfer} from './made-events.ts';

/*
 * A chain whose blocks follow from a seed alone, with forks: what a source would make of it. From time to time the source sees
 * blocks that the chain does not keep.
 */

/** A fork in so many blocks. */
const FORK_EVERY = 15;
const WALLETS = 40;

/** What the source must remember: wrong after a restart, all further amounts would be wrong. */
interface Memory {
	readonly launched: number;
	readonly counted: number;
}

/** The events of a block, by what was remembered of the blocks before. @param fork 0 is the block that the chain keeps */
function blockOf(seed: number, block: number, fork: number, before: Memory): {events: MarketEvent[]; after: Memory} {
	const random = randomBy(seed * 1_000_003 + block * 101 + fork * 7 + 1);
	const pick = (below: number): number => Math.floor(random() * below);
	random();
	let {launched, counted} = before;
	const events: MarketEvent[] = [];
	if (launched === 0 || random() < 0.2)
		events.push(launch(address(++launched), block, {deployer: address(0xd00 + pick(5))}));
	for (let n = pick(6); n > 0; n--) {
		const token = address(1 + pick(launched));
		const wallet = address(0xa00 + pick(WALLETS));
		const amountToken = 1 + (++counted % 97);
		events.push(transfer(token, block, {to: wallet, amountToken}));
		events.push(
			trade(token, block, {
				wallet,
				amountToken,
				valueUSD: amountToken * 0.25,
				amountQuote: amountToken / 1e4,
				// Some trades have a price of the pool, some none.
				...(counted % 2 === 0 && {spotQuote: counted / 1e6}),
			}),
		);
		if (random() < 0.3) events.push(trade(token, block, {wallet, side: 'sell', amountToken: 1, valueUSD: 0.5}));
	}
	return {events, after: {launched, counted}};
}

/** Reads a made chain up to a block, with reorganisations on the way. A step is one call of the sink. */
export class MadeSource implements EventSource {
	readonly #seed: number;
	#sink!: EventSink;
	#memory: Memory = {launched: 0, counted: 0};
	#block = 0;
	/** Set while blocks stand that the chain does not keep: where they begin. */
	#forkedAt: number | undefined;
	#fork = 0;

	constructor(seed: number) {
		this.#seed = seed;
	}

	/** The last block that was read. */
	get block(): number {
		return this.#block;
	}

	start(sink: EventSink, resume: ReadonlyMap<string, ChainResume>): void {
		this.#sink = sink;
		const left = resume.get(CHAIN);
		if (left === undefined) return;
		this.#recall(left.facts);
		const {block, forkedAt, fork} = JSON.parse(left.cursor) as {block: number; forkedAt?: number; fork: number};
		if (block !== left.toBlock) throw new Error(`the cursor is of block ${block}, the blocks end at ${left.toBlock}`);
		this.#block = block;
		this.#forkedAt = forkedAt;
		this.#fork = fork;
	}

	async stop(): Promise<void> {}

	async step(): Promise<void> {
		if (this.#forkedAt !== undefined && this.#block >= this.#forkedAt + 2) {
			this.#recall(await this.#sink.takeBack(CHAIN, this.#forkedAt));
			this.#block = this.#forkedAt - 1;
			this.#forkedAt = undefined;
			return;
		}
		const next = this.#block + 1;
		if (this.#forkedAt === undefined && next % FORK_EVERY === 0 && this.#fork !== next) {
			this.#forkedAt = next;
			this.#fork = next;
		}
		// A fork may begin in the middle of a batch.
		const last = this.#forkedAt === undefined && next % 4 === 0 ? next + 2 : next;
		await this.#sink.append(this.#read(next, last));
	}

	#read(from: number, to: number): EventBatch {
		const events: MarketEvent[] = [];
		const facts: SourceFact[] = [];
		for (let block = from; block <= to; block++) {
			const isForked = this.#forkedAt !== undefined && block >= this.#forkedAt;
			const read = blockOf(this.#seed, block, isForked ? 1 : 0, this.#memory);
			events.push(...read.events);
			this.#memory = read.after;
			facts.push({key: 'memory', block, value: JSON.stringify(read.after)});
		}
		this.#block = to;
		const cursor = JSON.stringify({block: to, forkedAt: this.#forkedAt, fork: this.#fork});
		return {...batch(from, to, events, facts), cursor};
	}

	#recall(facts: readonly SourceFact[]): void {
		const fact = facts.find(({key}) => key === 'memory');
		this.#memory = fact ? JSON.parse(fact.value) : {launched: 0, counted: 0};
	}
}

/** All events of the blocks that the chain keeps, as one batch. */
export function keptBlocks(seed: number, toBlock: number): EventBatch {
	const events: MarketEvent[] = [];
	let memory: Memory = {launched: 0, counted: 0};
	for (let block = 1; block <= toBlock; block++) {
		const read = blockOf(seed, block, 0, memory);
		events.push(...read.events);
		memory = read.after;
	}
	return batch(1, toBlock, events);
}
