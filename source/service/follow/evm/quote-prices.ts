import type {EvmChain, EvmQuote} from '../../../chains/evm-chains.ts';
import type {EvmNode} from '../../../rpc/evm/node.ts';
import {readContracts} from './contract-calls.ts';
import {AbiWords, DecodeFailed} from './event-data.ts';
import {PoolPrices} from './pool-prices.ts';
import {NodeBehind} from './stream-failures.ts';
import type {Address, Hex} from './venue.ts';

/** Time beyond its heartbeat for which a price counts. */
const GRACE_MS = 300_000;
/** Earlier rounds asked for at once, and at most for one step. */
const ROUNDS_AT_ONCE = 16;
const MAX_ROUNDS = 512;
/** Rounds kept a feed: a day of a feed with a round a minute. */
const KEPT_ROUNDS = 2048;

/** `latestRoundData()`, `getRoundData(uint80)`, and Multicall3's `getCurrentBlockTimestamp()`. */
const LATEST_ROUND: Hex = '0xfeaf968c';
const ROUND = '9a6fc8f5';
const BLOCK_TIME: Hex = '0x0f28c97d';

interface Feed {
	readonly coin: Address;
	readonly address: Address;
	readonly decimals: number;
	readonly heartbeatMs: number;
	/** Newest first, without a gap. */
	rounds: readonly Round[];
}

interface Round {
	readonly id: bigint;
	readonly atMs: number;
	readonly price: number;
}

/** The node's newest block is older than the blocks that it gave: asked later it will have caught up. */
export class StateTooOld extends NodeBehind {
	constructor() {
		super('its state is older than its blocks');
	}
}

/**
 * Prices of the quote coins of a chain in US dollars, by the rounds of Chainlink, and by pools for coins without a feed. The price at
 * a time is that of the newest round until then: a chain that is read later gives the same prices as one that is read while it grows.
 */
export class QuotePrices {
	readonly #chain: EvmChain;
	readonly #node: EvmNode;
	readonly #feeds: readonly Feed[];
	readonly #coins: ReadonlyMap<Address, EvmQuote>;
	readonly pools: PoolPrices;
	/** Rounds up to this time have been read. */
	#readMs = Number.NEGATIVE_INFINITY;

	constructor(chain: EvmChain, node: EvmNode) {
		this.#chain = chain;
		this.#node = node;
		this.#coins = new Map(chain.quotes.map(quote => [quote.address, quote]));
		this.pools = new PoolPrices(chain);
		this.#feeds = chain.quotes.flatMap(({address, price}) =>
			price?.kind === 'chainlink'
				? [
						{
							coin: address,
							address: price.feed,
							decimals: price.decimals,
							heartbeatMs: price.heartbeatS * 1000,
							rounds: [],
						},
					]
				: [],
		);
	}

	/**
	 * Reads the rounds that decide the prices between two times of blocks.
	 * @throws NodeUnanswered, StateTooOld
	 */
	async prepare(fromMs: number, toMs: number): Promise<void> {
		if (this.#feeds.length === 0) return;
		if (toMs > this.#readMs) await this.#readNewest(toMs);
		for (const feed of this.#feeds) await this.#readBack(feed, fromMs);
	}

	/** US dollars for one coin at a time that was prepared; null when unknown. */
	at(coin: Address, timeMs: number): number | null {
		const price = this.#coins.get(coin)?.price;
		if (!price) return null;
		if (price.kind === 'dollar') return 1;
		if (price.kind === 'pool') return this.#poolUSD(coin, timeMs);
		const feed = this.#feeds.find(feed => feed.coin === coin)!;
		const round = feed.rounds.find(({atMs}) => this.#isBefore(atMs, timeMs));
		return round && timeMs - round.atMs <= feed.heartbeatMs + GRACE_MS ? round.price : null;
	}

	/** By two steps: the pool's other coin has a price of its own. */
	#poolUSD(coin: Address, timeMs: number): number | null {
		const known = this.pools.at(coin, timeMs);
		const usd = known && this.at(known.in, timeMs);
		return known && usd ? known.price * usd : null;
	}

	/** Forgets the rounds that were read: the chain was reorganised. */
	clear(): void {
		this.#readMs = Number.NEGATIVE_INFINITY;
		for (const feed of this.#feeds) feed.rounds = [];
	}

	/** Symbols of the quote coins with and without a known price at a time. */
	known(timeMs: number): {readonly priced: string[]; readonly unpriced: string[]} {
		const priced = [...this.#coins.values()].filter(({address}) => this.at(address, timeMs) !== null);
		const unpriced = [...this.#coins.values()].filter(coin => !priced.includes(coin));
		return {priced: priced.map(({symbol}) => symbol), unpriced: unpriced.map(({symbol}) => symbol)};
	}

	async #readNewest(needMs: number): Promise<void> {
		const {multicall3} = this.#chain;
		const calls = this.#feeds.map(({address}) => ({to: address, data: LATEST_ROUND}));
		const time = {to: multicall3, data: BLOCK_TIME};
		const [now, ...answers] = await readContracts(this.#node, multicall3, [time, ...calls], 'latest');
		const nowMs = now === undefined ? await this.#headMs() : Number(new AbiWords(now, 1).uint(0, 64)) * 1000;
		if (nowMs < needMs) throw new StateTooOld();
		for (const [index, feed] of this.#feeds.entries()) {
			const newest = readRound(answers[index], feed);
			if (newest && newest.id !== feed.rounds[0]?.id) await this.#join(feed, newest);
		}
		this.#readMs = nowMs;
	}

	/** Puts a newer round before those that are known, with all rounds in between; or in their place, when these are too many. */
	async #join(feed: Feed, newest: Round): Promise<void> {
		const known = feed.rounds[0];
		const between = known ? newest.id - known.id - 1n : -1n;
		if (!known || between < 0n || between > MAX_ROUNDS) {
			feed.rounds = [newest];
			return;
		}
		const ids = Array.from({length: Number(between)}, (_, index) => newest.id - 1n - BigInt(index));
		const rounds = await this.#rounds(feed, ids);
		feed.rounds = rounds.length === ids.length ? [newest, ...rounds, ...feed.rounds].slice(0, KEPT_ROUNDS) : [newest];
	}

	/** Reads earlier rounds until one is not after a time. Where a feed has none, the price is unknown. */
	async #readBack(feed: Feed, untilMs: number): Promise<void> {
		for (let read = 0; read < MAX_ROUNDS; read += ROUNDS_AT_ONCE) {
			const oldest = feed.rounds.at(-1);
			if (!oldest || this.#isBefore(oldest.atMs, untilMs)) return;
			const ids = Array.from({length: ROUNDS_AT_ONCE}, (_, index) => oldest.id - 1n - BigInt(index));
			// The upper 16 bits are the phase: rounds of an earlier one cannot be counted back to.
			const rounds = await this.#rounds(
				feed,
				ids.filter(id => id > 0n && id >> 64n === oldest.id >> 64n && (id & 0xffff_ffff_ffff_ffffn) > 0n),
			);
			if (rounds.length === 0) return;
			feed.rounds = [...feed.rounds, ...rounds];
		}
	}

	/**
	 * Whether a round counts at a time. Where a second has several blocks a round of the same second may still come, behind a trade
	 * that was read: there it counts from the next second on.
	 */
	#isBefore(roundMs: number, timeMs: number): boolean {
		return this.#chain.blockMs < 1000 ? roundMs < timeMs : roundMs <= timeMs;
	}

	/** Rounds of falling ids, up to the first that is missing. */
	async #rounds(feed: Feed, ids: readonly bigint[]): Promise<readonly Round[]> {
		const calls = ids.map(id => ({to: feed.address, data: `0x${ROUND}${id.toString(16).padStart(64, '0')}` as Hex}));
		const rounds: Round[] = [];
		for (const answer of await readContracts(this.#node, this.#chain.multicall3, calls, 'latest')) {
			const round = readRound(answer, feed);
			if (!round) break;
			rounds.push(round);
		}
		return rounds;
	}

	async #headMs(): Promise<number> {
		const block = await this.#node.call('eth_getBlockByNumber', ['latest', false]);
		const time = typeof block === 'object' && block !== null && 'timestamp' in block ? block.timestamp : null;
		return typeof time === 'string' && /^0x[0-9a-f]{1,12}$/i.test(time) ? Number(time) * 1000 : Number.NaN;
	}
}

/** Undefined for a missing round, and for a price that cannot be one. */
function readRound(answer: Hex | undefined, {decimals}: Feed): Round | undefined {
	if (!answer) return undefined;
	try {
		const words = new AbiWords(answer, 5);
		const price = Number(words.int(1)) / 10 ** decimals;
		const atMs = Number(words.uint(3, 64)) * 1000;
		return price > 0 && atMs > 0 ? {id: words.uint(0, 80), atMs, price} : undefined;
	} catch (error) {
		if (error instanceof DecodeFailed) return undefined;
		throw error;
	}
}
