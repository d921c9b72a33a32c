import type {SourceFact} from '../../market/event-source.ts';
import type {Profile, QuoteCoin, Security} from '../../market/events.ts';
import {NOTHING_SEEN, type SeenTrades} from './observed-taxes.ts';
import type {Address, Hex} from './venue.ts';

/** A token that is followed. Plain data: it is stored as a fact. */
export interface FollowedToken {
	readonly token: Address;
	/** The block of the token's creation, or of its first pool. */
	readonly block: number;
	/** Id of the launchpad; null for a token whose pool was made by hand. */
	readonly venue: string | null;
	/** Name of the launchpad, where it launches by the venue. */
	readonly brand?: string;
	/** The launchpad's contract; null like the id. */
	readonly launchpad: Address | null;
	readonly curve: FollowedCurve | null;
	/** Null when unknown. */
	readonly creator: Address | null;
	/** Its safety flags from other sources than trades. */
	readonly security: Security;
	/** The content of its launch event, until that is written; null from then on. */
	readonly waiting: WaitingLaunch | null;
	readonly decimals: number;
	readonly symbol: string | null;
	readonly name: string | null;
	/** Key of the pool (or curve) that its trades count in by default. */
	readonly main: Hex | null;
	/** It has left its curve; the pool it moves to may still have to be seen. */
	readonly isGraduated: boolean;
	/** Other tokens or pools are priced in it: its own price is kept. */
	readonly isQuote: boolean;
}

export interface FollowedCurve {
	readonly address: Address;
	/** Null when it could not be found out. */
	readonly quote: Address | null;
	/** Raw tokens that it sells. */
	readonly sale: string | null;
	/** Raw tokens of the opening that the curve does not sell, where they are known in place of `sale`. */
	readonly kept?: string;
	/** Raw quote coins that it takes to graduate, where progress goes by them. */
	readonly raise?: string;
	/** Raw quote coins in its price that it never holds; missing when unknown, or when what it opened with has them. */
	readonly virtual?: string;
}

/** A token that has no pool with coins in it yet. */
export interface WaitingLaunch {
	readonly supply: string | null;
	readonly profile: Profile;
}

/** A pool of a followed token. Plain data, too. */
export interface FollowedPool {
	/** Its address, or its id in a manager. */
	readonly pool: Hex;
	readonly token: Address;
	/** The other coin; the wrapped one for the native coin. */
	readonly quote: Address;
	readonly isToken0: boolean;
	readonly venue: string;
	/** The contract that made it. */
	readonly factory: Address;
	readonly feePpm: number | null;
	readonly hooks: Address | null;
	/** See PoolMade. */
	readonly isStable?: boolean;
	/** There were coins in it: the market knows it. */
	readonly isOpen: boolean;
}

/** Raw amounts of the two coins of a pool. */
export type PoolHoldings = readonly [amount0: bigint, amount1: bigint];

/** Blocks whose trades count as the same time for the choice of the token that is dropped: half an hour. */
export const ACTIVE_SLOT_MS = 1_800_000;

/**
 * The tokens of one chain that are followed, with their pools. Every change is a fact, so that a restart and a reorganisation
 * find the same state again.
 */
export class FollowedTokens {
	/** By address, in lower case. */
	readonly tokens = new Map<Address, FollowedToken>();
	/** By address or id, in lower case. */
	readonly pools = new Map<Hex, FollowedPool>();
	/** Coins that are no quote coins of the chain and price a pool all the same. */
	readonly coins = new Map<Address, QuoteCoin>();
	/** Tokens that were dropped for want of room since the start. */
	dropped = 0;
	/** Counts up when the addresses that are followed change. */
	version = 0;

	readonly #poolsOf = new Map<Address, readonly Hex[]>();
	/** The slot of a token's last trade. */
	readonly #active = new Map<Address, number>();
	/** Price of tokens that price others, in their own quote coin. */
	readonly #prices = new Map<Address, number>();
	/** Square root prices of pools in managers. */
	readonly #roots = new Map<Hex, bigint>();
	/** Reserves of pools, raw, where no event of a swap says them (`Venue.countsReserves`). */
	readonly #holdings = new Map<Hex, PoolHoldings>();
	/** Taxes and sellers of tokens, as trades showed them. */
	readonly #seen = new Map<Address, SeenTrades>();
	readonly #curves = new Map<Address, number>();
	readonly #changed = new Map<string, () => string>();
	readonly #discarded: Address[] = [];
	readonly #slotBlocks: number;

	/** @param blockMs the usual time between two blocks */
	constructor(blockMs: number) {
		this.#slotBlocks = Math.max(1, Math.round(ACTIVE_SLOT_MS / blockMs));
	}

	/** Replaces the state by what facts say. Facts of unknown kinds are skipped. */
	load(facts: readonly SourceFact[]): void {
		for (const map of [
			this.tokens,
			this.pools,
			this.coins,
			this.#poolsOf,
			this.#active,
			this.#prices,
			this.#roots,
			this.#holdings,
			this.#seen,
		])
			map.clear();
		this.#curves.clear();
		this.#changed.clear();
		for (const {key, value} of facts) this.#read(key.split(':'), JSON.parse(value));
		this.version++;
	}

	/** The pools of a token, oldest first. */
	poolsOf(token: Address): readonly FollowedPool[] {
		return (this.#poolsOf.get(token) ?? []).map(pool => this.pools.get(pool)!);
	}

	putToken(token: FollowedToken): void {
		this.#keepToken(token);
		this.#changed.set(tokenKey(token.token), () => JSON.stringify(token));
	}

	putPool(pool: FollowedPool): void {
		this.#keepPool(pool);
		this.#changed.set(`${tokenKey(pool.token)}:pool:${pool.pool}`, () => JSON.stringify(pool));
	}

	putCoin(coin: QuoteCoin): void {
		this.coins.set(coin.address as Address, coin);
		this.#changed.set(`coin:${coin.address}`, () => JSON.stringify(coin));
	}

	/** Notes a trade of a token: those without one for longest are dropped first. */
	traded(token: Address, block: number): void {
		const slot = Math.floor(block / this.#slotBlocks);
		if (this.#active.get(token) === slot) return;
		this.#active.set(token, slot);
		this.#changed.set(`${tokenKey(token)}:active`, () => String(slot));
	}

	/** The price of a token that prices others, in its own quote coin; undefined before its first trade. */
	priceOf(token: Address): number | undefined {
		return this.#prices.get(token);
	}

	priced(token: Address, price: number): void {
		this.#prices.set(token, price);
		this.#changed.set(`${tokenKey(token)}:price`, () => String(price));
	}

	/** The square root price of a pool in a manager, times 2^96. */
	rootOf(pool: Hex): bigint | undefined {
		return this.#roots.get(pool);
	}

	rooted({token, pool}: FollowedPool, root: bigint): void {
		this.#roots.set(pool, root);
		this.#changed.set(`${tokenKey(token)}:root:${pool}`, () => `"${root}"`);
	}

	/** The reserves of a pool, where they are counted; undefined when unknown. */
	holdingsOf(pool: Hex): PoolHoldings | undefined {
		return this.#holdings.get(pool);
	}

	holds({token, pool}: FollowedPool, holdings: PoolHoldings): void {
		this.#holdings.set(pool, holdings);
		this.#changed.set(`${tokenKey(token)}:holds:${pool}`, () => JSON.stringify(holdings.map(String)));
	}

	/** After blocks that were not seen, what pools hold is unknown where it was counted. */
	forgetHoldings(): void {
		for (const pool of this.#holdings.keys())
			this.#changed.set(`${tokenKey(this.pools.get(pool)!.token)}:holds:${pool}`, () => 'null');
		this.#holdings.clear();
	}

	seenOf(token: Address): SeenTrades {
		return this.#seen.get(token) ?? NOTHING_SEEN;
	}

	saw(token: Address, seen: SeenTrades): void {
		this.#seen.set(token, seen);
		this.#changed.set(`${tokenKey(token)}:seen`, () => JSON.stringify(seen));
	}

	/** Whether an address is the curve of a followed token. */
	isCurve(address: Address): boolean {
		return this.#curves.has(address);
	}

	/** The changes since the last call, as facts of a block. */
	takeFacts(block: number): SourceFact[] {
		const facts = [...this.#changed].map(([key, value]) => ({key, block, value: value()}));
		this.#changed.clear();
		return facts;
	}

	/**
	 * Drops the tokens without a trade for longest until `most` are left. Decided by the chain alone, so that every reader of
	 * the chain drops the same ones.
	 * @returns the dropped ones
	 */
	shrink(most: number): readonly Address[] {
		const tooMany = this.tokens.size - most;
		if (tooMany <= 0) return [];
		const slotOf = ({token, block}: FollowedToken): number =>
			this.#active.get(token) ?? Math.floor(block / this.#slotBlocks);
		const dropped = [...this.tokens.values()]
			.sort((a, b) => slotOf(a) - slotOf(b) || a.block - b.block || (a.token < b.token ? -1 : 1))
			.slice(0, tooMany)
			.map(({token}) => token);
		for (const token of dropped) this.#remove(token);
		this.dropped += dropped.length;
		return dropped;
	}

	/** Follows a token no more that turned out to be none. */
	discard(token: Address): void {
		this.#remove(token);
		this.#discarded.push(token);
	}

	/** The tokens that were discarded since the last call: their facts must go. */
	takeDiscarded(): readonly Address[] {
		return this.#discarded.splice(0);
	}

	#read([kind, address, part, pool]: readonly string[], value: unknown): void {
		const token = address as Address;
		if (kind === 'coin') this.coins.set(token, value as QuoteCoin);
		if (kind !== 'token') return;
		if (part === undefined) this.#keepToken(value as FollowedToken);
		if (part === 'pool') this.#keepPool(value as FollowedPool);
		if (part === 'active') this.#active.set(token, value as number);
		if (part === 'price') this.#prices.set(token, value as number);
		if (part === 'seen') this.#seen.set(token, value as SeenTrades);
		if (part === 'root') this.#roots.set(pool as Hex, BigInt(value as string));
		if (part === 'holds') this.#readHoldings(pool as Hex, value as readonly [string, string] | null);
	}

	/** Null: unknown since blocks were not seen. */
	#readHoldings(pool: Hex, amounts: readonly [string, string] | null): void {
		if (amounts === null) this.#holdings.delete(pool);
		else this.#holdings.set(pool, [BigInt(amounts[0]), BigInt(amounts[1])]);
	}

	#keepToken(token: FollowedToken): void {
		const before = this.tokens.get(token.token);
		this.tokens.set(token.token, token);
		if (before?.curve) this.#countCurve(before.curve.address, -1);
		if (token.curve) this.#countCurve(token.curve.address, 1);
		if (!before || before.waiting !== token.waiting) this.version++;
	}

	#keepPool(pool: FollowedPool): void {
		if (!this.pools.has(pool.pool)) {
			this.#poolsOf.set(pool.token, [...(this.#poolsOf.get(pool.token) ?? []), pool.pool]);
			this.version++;
		}
		this.pools.set(pool.pool, pool);
	}

	#countCurve(curve: Address, by: number): void {
		const count = (this.#curves.get(curve) ?? 0) + by;
		if (count > 0) this.#curves.set(curve, count);
		else this.#curves.delete(curve);
	}

	#remove(token: Address): void {
		const {curve} = this.tokens.get(token)!;
		if (curve) this.#countCurve(curve.address, -1);
		for (const pool of this.#poolsOf.get(token) ?? []) {
			this.pools.delete(pool);
			this.#roots.delete(pool);
			this.#holdings.delete(pool);
		}
		this.#poolsOf.delete(token);
		this.#active.delete(token);
		this.#prices.delete(token);
		this.#seen.delete(token);
		this.tokens.delete(token);
		const prefix = tokenKey(token);
		for (const key of this.#changed.keys()) if (key.startsWith(prefix)) this.#changed.delete(key);
		this.version++;
	}
}

/** How the facts of a token begin. */
function tokenKey(token: Address): string {
	return `token:${token}`;
}
