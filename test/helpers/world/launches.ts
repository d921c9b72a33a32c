import type {Abi, Address, Hex} from 'viem';
import {encodeAbiParameters, keccak256} from 'viem/utils';
import * as own from '../../contracts/artifacts.generated.ts';
import {fullRange, oneSided, type Range, rawOf} from './amounts.ts';
import {type Hands, madeAt, NATIVE, type Quote} from './hands.ts';
import {FEES, HOOK, PONS_HOOK, TRADER, TRADER_V4} from './places.ts';
import type {Senders} from './senders.ts';
import {V2_ABI, V3_ABI} from './uniswap-abi.ts';

/** Where a token of the world is launched and traded. */
export type WorldVenue =
	| 'uniswap-v2'
	| 'uniswap-v3'
	| 'uniswap-v4'
	| 'pancake-v2'
	| 'four-meme'
	| 'flap'
	| 'clanker'
	| 'zora'
	| 'virtuals'
	| 'doppler'
	| 'pons';

/** What names a pool of V4. */
export interface PoolKey {
	readonly currency0: Address;
	readonly currency1: Address;
	readonly fee: number;
	readonly tickSpacing: number;
	readonly hooks: Address;
}

/** A token that the world launched. */
export interface Launched {
	readonly venue: WorldVenue;
	readonly address: Address;
	readonly name: string;
	readonly symbol: string;
	readonly decimals: number;
	/** Who launched it. */
	readonly creator: Address;
	/** Of a curve of Pons with the native coin: the wrapped one, in which trades are counted. */
	readonly quote: Quote;
	/** The contract that holds what is traded: launchpad, pair, pool, manager. Another one once the token has graduated. */
	place: Address;
	/** Address of the pool, or its id in the manager; a curve's place. */
	pool: Hex;
	/** On a curve. */
	curve: boolean;
	/** Of a pool of V4; a token of Pons gets it when it graduates. */
	key?: PoolKey;
	/** Of a curve of Pons: the pool that it graduates to, at so many whole quote coins; by a transaction of its own. */
	readonly next?: {readonly curve: Address; readonly key: PoolKey; readonly raise: number; readonly later: boolean};
	/** Whole quote coins that a pool of V4 opened with. */
	readonly opening?: number;
}

/** The catch of a token, as `TrapToken` numbers them. */
const TRAPS = {
	'cannot be sold': 1n,
	'sold for nothing': 2n,
	'not sold in the same block': 3n,
	'takes every call': 4n,
	'mints by amount': 5n,
	'sold while its owner is no contract': 6n,
} as const;
export type Trap = keyof typeof TRAPS;

/** What a launch may say; everything else has a default. */
export interface LaunchOptions {
	readonly venue?: WorldVenue;
	readonly name?: string;
	readonly symbol?: string;
	/** Name of the person. */
	readonly by?: string;
	/** Of a pool that is made directly. */
	readonly decimals?: number;
	/** Whole tokens; of a pool that is made directly. */
	readonly supply?: bigint;
	/** Whole quote coins that the pool opens with. */
	readonly quotes?: number;
	readonly quote?: 'wrapped' | 'dollar' | 'native' | 'zora' | 'stock' | Launched;
	/** Of a curve of Pons: whole quote coins that the creator buys for in the launch. */
	readonly firstBuy?: number;
	/** The same: percent that its creator takes of each trade; its pool is made by a transaction of its own. */
	readonly tax?: number;
	readonly later?: boolean;
	/** Of Doppler: who launches by it. */
	readonly integrator?: Address;
	/** The contract that launches it, in place of the launchpad's own. */
	readonly at?: Address;
	/** A token with a catch. */
	readonly trap?: Trap;
	/** Texts and decimals as raw answers of the token: bytes that need not be what they should. */
	readonly strange?: {readonly name: Hex; readonly symbol: Hex; readonly decimals: Hex; readonly supply: bigint};
}

/** What every launch has decided. */
interface Named {
	readonly venue: WorldVenue;
	readonly name: string;
	readonly symbol: string;
	readonly creator: Address;
}

const UNIT = 10n ** 18n;
const BILLION = 1_000_000_000n * UNIT;
const KEY_TYPE = [{type: 'address'}, {type: 'address'}, {type: 'uint24'}, {type: 'int24'}, {type: 'address'}] as const;

/** Sends what launches a token. Its block is not mined, unless the pool's address has to be read from it. */
export function createLauncher(hands: Hands, senders: Senders, mineNow: () => Promise<void>) {
	const {places, wrapped, native} = hands;

	const quoteOf = (kind: LaunchOptions['quote']): Quote => {
		if (typeof kind === 'object') return kind;
		if (kind === 'dollar') return places.dollar;
		if (kind === 'stock') return at(places.stock, 'a stock', 'robinhood');
		if (kind === 'native') return native;
		if (kind === 'zora') return {address: at(places.zoraCoin, 'ZORA', 'base'), symbol: 'ZORA', decimals: 18};
		return wrapped;
	};

	/** Where the token is sold from a curve of the launchpad. */
	async function onCurve(named: Named): Promise<Launched> {
		const isFlap = named.venue === 'flap';
		const place = at(isFlap ? places.flap : places.fourMeme, named.venue, 'bnb');
		const salt = hands.salt();
		const call = [isFlap ? 'newToken' : 'createToken', [salt, named.name, named.symbol]] as const;
		await hands.send(named.creator, hands.call(place, ...call, isFlap ? own.Flap.abi : own.FourMeme.abi));
		const address = madeAt(place, salt, own.LaunchToken, [named.name, named.symbol, 18, BILLION, place, place]);
		// The pair that it goes to has the wrapped coin.
		const quote = {...native, address: wrapped.address};
		return {...named, address, decimals: 18, quote, place, pool: place, curve: true};
	}

	/** Where the curve is a pair of its own. */
	async function onPair(named: Named): Promise<Launched> {
		const bonding = at(places.virtuals, 'virtuals', 'base');
		const coin = at(places.virtualCoin, 'VIRTUAL', 'base');
		const salt = hands.salt();
		await hands.send(named.creator, hands.call(bonding, 'launch', [salt, named.name, named.symbol], own.Virtuals.abi));
		const made = [named.name, named.symbol, 18, BILLION, bonding, bonding];
		const address = madeAt(bonding, salt, own.LaunchToken, made);
		const pool = madeAt(bonding, salt, own.VirtualsPair, [address, coin]);
		const quote = {address: coin, symbol: 'VIRTUAL', decimals: 18};
		return {...named, address, decimals: 18, quote, place: pool, pool, curve: true};
	}

	/** A curve of its own that graduates to a pool of V4. */
	async function onCurveOfPons(named: Named, o: LaunchOptions): Promise<Launched> {
		const factory = o.at ?? at(places.pons, 'pons', 'robinhood');
		const quote = quoteOf(o.quote ?? 'native');
		const [phantom, threshold] = [
			rawOf(1.68 * (o.quotes ?? 1), quote.decimals),
			rawOf(4.2 * (o.quotes ?? 1), quote.decimals),
		];
		const taxBps = BigInt((o.tax ?? 0) * 100);
		const salt = hands.salt();
		const curve = madeAt(factory, salt, own.PonsCurve, [FEES, quote.address, phantom, threshold, taxBps]);
		const address = madeAt(factory, salt, own.LaunchToken, [named.name, named.symbol, 18, BILLION, curve, factory]);
		const kept = (BILLION * phantom) / (phantom + threshold);
		const inPool = (kept * threshold) / (phantom + threshold);
		const key = keyOf(address, quote.address, 0, PONS_HOOK);
		const range = key.currency0 === address ? fullRange(inPool, threshold) : fullRange(threshold, inPool);
		const first = rawOf(o.firstBuy ?? 0, quote.decimals);
		const terms = {quote: quote.address, phantom, threshold, taxBps, later: o.later ?? false, firstBuy: first};
		const args = [salt, named.name, named.symbol, terms, {key, ...range}];
		const value = quote.address === NATIVE ? (first * 120n) / 100n : 0n;
		await hands.send(named.creator, hands.call(factory, 'launch', args, own.Pons.abi, value));
		const counted = quote.address === NATIVE ? {...native, address: wrapped.address} : quote;
		const next = {curve, key, raise: 4.2 * (o.quotes ?? 1), later: o.later ?? false};
		return {...named, address, decimals: 18, quote: counted, place: curve, pool: curve, curve: true, next};
	}

	/** A launchpad that puts the whole supply into a pool of V4. */
	async function inPoolOfV4(
		named: Named,
		{quote: kind, integrator = NATIVE, at: other}: LaunchOptions,
	): Promise<Launched> {
		const isZora = named.venue === 'zora';
		const isDoppler = named.venue === 'doppler';
		const usual = isZora
			? at(places.zora, 'zora', 'base')
			: isDoppler
				? at(places.airlock, 'Doppler', 'base')
				: places.clanker;
		const maker = other ?? usual;
		const quote = quoteOf(kind ?? (isZora ? 'zora' : 'wrapped'));
		const supply = isZora ? BILLION : 100n * BILLION;
		const salt = hands.salt();
		const made = [named.name, named.symbol, 18, supply, maker, isDoppler ? maker : named.creator];
		const address = madeAt(maker, salt, own.LaunchToken, made);
		const key = keyOf(address, quote.address, isZora ? 10_000 : 0x800000, HOOK);
		const isFirst = key.currency0 === address;
		const forSale = isZora ? (supply / 100n) * 99n : supply;
		const opening = {key, ...oneSided(forSale, isZora ? 1e-3 : 1e-10, isFirst)};
		const args = [salt, named.name, named.symbol, supply];
		const call = isZora
			? hands.call(maker, 'deploy', [...args, opening], own.Zora.abi)
			: isDoppler
				? hands.call(maker, 'create', [...args, integrator, opening], own.Airlock.abi)
				: hands.call(maker, 'deployToken', [...args, opening.lower, opening], own.Clanker.abi);
		await hands.send(named.creator, call);
		return {...named, address, decimals: 18, quote, place: places.v4Manager, pool: idOf(key), curve: false, key};
	}

	/** A token of the person's own. */
	async function makeToken({creator, name, symbol}: Named, o: LaunchOptions, supply: bigint): Promise<Address> {
		const salt = hands.salt();
		if (o.strange) {
			const args = [o.strange.name, o.strange.symbol, o.strange.decimals, o.strange.supply];
			await hands.trade(creator, 'makeStrange', [salt, ...args]);
			return madeAt(TRADER, salt, own.StrangeToken, [...args, creator]);
		}
		if (o.trap) {
			const args = [TRAPS[o.trap], name, symbol, o.decimals ?? 18, supply];
			await hands.trade(creator, 'makeTrap', [salt, ...args]);
			return madeAt(TRADER, salt, own.TrapToken, [...args, creator]);
		}
		const args = [name, symbol, o.decimals ?? 18, supply];
		await hands.trade(creator, 'make', [salt, ...args]);
		return madeAt(TRADER, salt, own.LaunchToken, [...args, creator, creator]);
	}

	/** A pool that a person makes without a launchpad. */
	async function inOwnPool(named: Named, o: LaunchOptions): Promise<Launched> {
		const {venue, creator} = named;
		const decimals = o.decimals ?? 18;
		const supply = o.strange?.supply ?? (o.supply ?? 1_000_000_000n) * 10n ** BigInt(decimals);
		const quote = quoteOf(o.quote);
		const quotes = rawOf(o.quotes ?? 2, quote.decimals);
		const address = await makeToken(named, o, supply);
		// A pool cannot hold more than 2^112 of a token.
		const tokens = supply < 2n ** 111n ? supply : 2n ** 111n;
		const router = venue === 'uniswap-v4' ? TRADER_V4 : TRADER;
		await hands.allow(address, router, creator);
		const value = await hands.fund(quote, router, creator, quotes);
		const token = {...named, address, decimals, quote, curve: false};
		const isFirst = BigInt(address) < BigInt(quote.address);
		const range = isFirst ? fullRange(tokens, quotes) : fullRange(quotes, tokens);
		const pair = isFirst ? [address, quote.address] : [quote.address, address];
		if (venue === 'uniswap-v4') {
			const key = keyOf(address, quote.address, 3000, NATIVE);
			await hands.tradeV4(creator, 'openPool', [{key, ...range}], value);
			return {
				...token,
				place: places.v4Manager,
				pool: idOf(key),
				key,
				opening: spentOn(range, isFirst, quote.decimals),
			};
		}
		if (venue === 'uniswap-v3') {
			const opening = {factory: places.v3Factory, token: address, quote: quote.address, fee: 10_000, ...range};
			await hands.trade(creator, 'openV3', [opening], value);
			const pool = await poolOf(places.v3Factory, V3_ABI, 'getPool', [...pair, 10_000]);
			return {...token, place: pool, pool};
		}
		const factory = venue === 'pancake-v2' ? at(places.pancakeFactory, 'Pancake', 'bnb') : places.v2Factory;
		await hands.trade(creator, 'openV2', [factory, address, quote.address, tokens, quotes], value);
		const pool = await poolOf(factory, V2_ABI, 'getPair', pair);
		return {...token, place: pool, pool};
	}

	/** A pool's address, from the block that comes. */
	async function poolOf(factory: Address, abi: Abi, name: string, args: readonly unknown[]): Promise<Address> {
		await mineNow();
		const pool = await senders.read<Address>(hands.call(factory, name, args, abi));
		return pool.toLowerCase() as Address;
	}

	return (named: Named, o: LaunchOptions): Promise<Launched> => {
		if (named.venue === 'four-meme' || named.venue === 'flap') return onCurve(named);
		if (named.venue === 'virtuals') return onPair(named);
		if (named.venue === 'pons') return onCurveOfPons(named, o);
		if (named.venue === 'clanker' || named.venue === 'zora' || named.venue === 'doppler') return inPoolOfV4(named, o);
		return inOwnPool(named, o);
	};
}

/** Whole quote coins in a position over all prices. */
function spentOn({liquidity, sqrtPriceX96}: Range, isFirst: boolean, decimals: number): number {
	const raw = isFirst ? (liquidity * sqrtPriceX96) >> 96n : (liquidity << 96n) / sqrtPriceX96;
	return Number(raw) / 10 ** decimals;
}

function at<T>(place: T | undefined, name: string, chain: string): T {
	if (!place) throw new Error(`${name} is on ${chain}`);
	return place;
}

function keyOf(token: Address, quote: Address, fee: number, hooks: Address): PoolKey {
	const isFirst = BigInt(token) < BigInt(quote);
	const [currency0, currency1] = isFirst ? [token, quote] : [quote, token];
	return {currency0, currency1, fee, tickSpacing: 200, hooks};
}

export function idOf({currency0, currency1, fee, tickSpacing, hooks}: PoolKey): Hex {
	return keccak256(encodeAbiParameters(KEY_TYPE, [currency0, currency1, fee, tickSpacing, hooks]));
}
