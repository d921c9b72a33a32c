import type {Address} from 'viem';
import {entryKey} from '../../../source/contract/entry.ts';
import type {BridgeOptions} from '../../../source/service/bridge/bridge.ts';
import {createMarket, type LiveMarket} from '../../../source/service/market/create-market.ts';
import type {MarketEvent, Security} from '../../../source/service/market/events.ts';
import type {HeldToken} from '../../../source/service/market/held-token.ts';
import {isUntradable, type OutsideToken} from '../../../source/service/market/outside.ts';
import {mint, newUser, USDC} from '../chain/practice.ts';
import {type Bench, bodyOf, openBench, quoteOf, type User} from './bridge-client.ts';

const BASE = 'evm:8453';

/** The bridge with a market whose clock stands still but when a test moves it. Its launches are on base. */
export interface LaunchBench extends Bench {
	launches: LaunchClock;
}

/** A market by a clock of its own. */
export class LaunchClock {
	nowMs: number;
	readonly market: LiveMarket;
	readonly events: MarketEvent[] = [];
	readonly log: string[] = [];
	readonly #held: ReadonlySet<string>;

	constructor(held: readonly HeldToken[], nowMs = Date.now()) {
		this.nowMs = nowMs;
		this.#held = new Set(held.map(({key}) => key));
		const log = (line: string): unknown => this.log.push(line);
		this.market = createMarket({seed: 5, nowMs: () => this.nowMs, held, log});
		this.market.onEvent(event => this.events.push(event));
	}

	pass(ms: number): void {
		this.nowMs += ms;
		this.market.advance(this.nowMs);
	}

	/** @throws for a token that cannot be traded */
	found({key}: Pick<HeldToken, 'key'>): OutsideToken {
		const token = this.market.outside.find(key);
		if (isUntradable(token)) throw new Error(`${key} is ${token.why}`);
		return token;
	}

	/** A launch of the market itself, on base and without taxes. */
	naturalLaunch(): HeldToken {
		const {table, outside} = this.market;
		for (const row of table.bits.keys()) {
			const token = outside.find(table.key(row));
			const isPlain = !isUntradable(token) && token.chainId === BASE && token.buyTax === 0 && token.sellTax === 0;
			const facts = isPlain && token.reserveUSD > 2000 && !token.isHoneypot && outside.heldFacts(token.key);
			if (facts && !this.#held.has(facts.key)) return facts;
		}
		throw new Error('the market has no such launch');
	}

	/** The trades of a token in the tape. */
	tape({key}: Pick<HeldToken, 'key'>) {
		return this.events.filter(
			event => event.type === 'trade' && entryKey(event.chainId, event.token) === key,
		) as Extract<MarketEvent, {type: 'trade'}>[];
	}

	/** A figure of the token's row. */
	figure({key}: Pick<HeldToken, 'key'>, name: 'latest_price' | 'holders_count'): number {
		return this.market.table.numbers(name)[this.market.table.rowOf(key)!]!;
	}
}

export async function openLaunchBench(
	launches: LaunchClock,
	options: Partial<BridgeOptions> = {},
): Promise<LaunchBench> {
	const bench = await openBench({market: launches.market, now: () => launches.nowMs, ...options});
	return Object.assign(bench, {launches});
}

let made = 0x50;

export interface LaunchWish extends Partial<HeldToken> {
	/** Percent, as the feed has them. */
	readonly buyTax?: string;
	readonly sellTax?: string;
	readonly isHoneypot?: boolean;
}

/** A launch on a curve of base, as an earlier run of the service would have stored it: nothing was sold yet. */
export function curveLaunch({buyTax = '0', sellTax = '0', isHoneypot = false, ...more}: LaunchWish = {}): HeldToken {
	const byte = (++made).toString(16).padStart(2, '0');
	const address = `0x${byte.repeat(20)}`;
	const security: Security = {buyTax, sellTax, isHoneypot};
	const atMs = Date.now();
	return {
		key: entryKey(BASE, address),
		chainId: BASE,
		address,
		launchpad: 'basememe',
		symbol: `T${byte}`,
		name: `Test ${byte}`,
		deployer: `0x${byte.repeat(19)}de`,
		isSupplyReported: true,
		holdersReported: true,
		profile: {security},
		launchMs: atMs - 60_000,
		pool: `0x${byte.repeat(19)}aa`,
		openingToken: 1_000_000_000,
		openingQuote: 0,
		bonded: null,
		isRugged: false,
		reserveToken: 1_073_000_000,
		reserveQuote: 1.6,
		left: 793_100_000,
		quoteUSD: 3120,
		fate: 'dud',
		pace: 0,
		paceFadesS: 60,
		popularS: 0,
		holders: [],
		epoch: 0,
		atMs,
		...more,
	};
}

/** The same in an ordinary pool. */
export function poolLaunch(wish: LaunchWish = {}): HeldToken {
	return curveLaunch({
		launchpad: 'uniswap-v4',
		openingToken: 80_000_000_000,
		openingQuote: 2.8,
		reserveToken: 80_000_000_000,
		reserveQuote: 2.8,
		left: null,
		...wish,
	});
}

/** A user with 1000 USDC on the other chain than the launches. */
export async function fundedBuyer({arbitrum}: Bench): Promise<User> {
	const user = newUser();
	await mint(arbitrum, user.address, 1000n * USDC);
	return user;
}

type More = Parameters<typeof quoteOf>[2];

export function quoteBuy(bench: Bench, user: User, {address}: HeldToken, more: More = {}) {
	return quoteOf(bench, user, {
		originChainId: 'evm:42161',
		originToken: bench.arbitrum.addresses.usdc,
		destinationChainId: BASE,
		destinationToken: address,
		slippage: 10,
		...more,
	});
}

export function quoteSell(bench: Bench, user: User, {address}: HeldToken, more: More) {
	const wish = {originChainId: BASE, originToken: address, destinationChainId: 'evm:42161', slippage: 10, ...more};
	const {amountRaw} = wish;
	// One of the two only.
	return quoteOf(bench, user, amountRaw === undefined ? wish : {...wish, amount: undefined});
}

/** Buys for dollars, to the end of the transfer. */
export async function buy(bench: Bench, user: User, launch: HeldToken, amount: string) {
	const quote = await quoteBuy(bench, user, launch, {amount});
	await bench.bridge.execute(await bodyOf(bench, user, quote, {origin: bench.arbitrum}));
	return {quote, row: await bench.bridge.wait(quote.intentId)};
}

/** Sells raw units, to the end of the transfer. */
export async function sell(bench: Bench, user: User, launch: HeldToken, amountRaw: bigint) {
	const quote = await quoteSell(bench, user, launch, {amountRaw: amountRaw.toString()});
	await bench.bridge.execute(await bodyOf(bench, user, quote, {origin: bench.base}));
	return {quote, row: await bench.bridge.wait(quote.intentId)};
}

export const addressOf = ({address}: HeldToken): Address => address as Address;
