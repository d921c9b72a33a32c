import type {Abi, Address, Hex} from 'viem';
import {encodeDeployData, getContractAddress, keccak256, numberToHex, stringToBytes} from 'viem/utils';
import * as own from '../contracts/artifacts.generated.ts';
import {startNode} from './world/node.ts';
import {PLACES, type Places, TRADER} from './world/places.ts';
import {createSenders, type MinedBlock, placeContracts, type Senders} from './world/senders.ts';
import {V2_ABI, V3_ABI} from './world/uniswap-abi.ts';

/** Where a token of the world is launched and traded. */
export type WorldVenue = 'uniswap-v2' | 'uniswap-v3' | 'pancake-v2' | 'four-meme';

/** A token that the world launched. */
export interface Launched {
	readonly venue: WorldVenue;
	readonly address: Address;
	readonly name: string;
	readonly symbol: string;
	readonly decimals: number;
	/** Who launched it. */
	readonly creator: Address;
	readonly quote: QuoteCoin;
	/** Where it is traded: its curve, its pool. Another one once it has graduated. */
	place: Address;
	/** On a curve. */
	curve: boolean;
}

export interface QuoteCoin {
	readonly address: Address;
	readonly symbol: string;
	readonly decimals: number;
}

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
	readonly quote?: 'wrapped' | 'dollar';
	/** Texts and decimals as raw answers of the token: bytes that need not be what they should. */
	readonly strange?: {readonly name: Hex; readonly symbol: Hex; readonly decimals: Hex; readonly supply: bigint};
}

/**
 * A chain of its own with the contracts of a real one at their addresses: Uniswap's own code, and stand-ins for launchpads that
 * write the same events. Every verb makes transactions and mines them as a block; inside `together` they share one.
 */
export interface World {
	readonly places: Places;
	readonly url: string;
	readonly wsUrl: string;
	readonly launched: readonly Launched[];
	/** Address of a person of that name. */
	person(name: string): Address;
	/** A new round of the price feed: US dollars for the native coin. */
	setPrice(usd: number): Promise<void>;
	launch(options?: LaunchOptions): Promise<Launched>;
	/** @param quotes whole quote coins, the pool's fee included; a curve takes its fee on top */
	buy(token: Launched, by: string, quotes: number, options?: {readonly through?: boolean}): Promise<void>;
	/** @param share of what the person has */
	sell(token: Launched, by: string, share?: number): Promise<void>;
	transfer(token: Launched, from: string, to: string, share?: number): Promise<void>;
	/** Liquidity on top, of a V2 pool: whole quote coins and as much of the tokens. */
	addLiquidity(token: Launched, by: string, quotes: number): Promise<void>;
	/** Buys the rest of a curve, and moves the token to its pool. */
	graduate(token: Launched, by?: string): Promise<void>;
	/** Mines blocks, empty ones unless something waits. */
	mine(blocks?: number, seconds?: number): Promise<MinedBlock>;
	/** What is done inside is mined as one block. */
	together(work: () => Promise<void>): Promise<void>;
	/** Takes the newest blocks back and mines others, one more. Tokens launched in them are gone. */
	reorg(depth: number): Promise<MinedBlock>;
	head(): Promise<MinedBlock>;
	/** Time of the newest block, Unix ms. */
	nowMs(): number;
	readonly senders: Senders;
	rpc<T>(method: string, params?: readonly unknown[]): Promise<T>;
	close(): Promise<void>;
}

export interface WorldOptions {
	readonly chain?: 'base' | 'bnb';
	/** Time of the first block; default ten minutes ago. */
	readonly startMs?: number;
	/** Blocks have the time of the clock instead of the chain's pace. */
	readonly live?: boolean;
	/** US dollars for the native coin. */
	readonly price?: number;
	/** Blocks behind the head that are final; default 64. */
	readonly finalAfter?: number;
}

const FIRST_PRICE = {base: 3000, bnb: 900};
const MAX = 2n ** 256n - 1n;
const TOKEN_ABI: Abi = own.LaunchToken.abi;
const UNIT = 10n ** 18n;

/** Starts a world. Close it: it is a process. */
export async function openWorld(options: WorldOptions = {}): Promise<World> {
	const places = PLACES[options.chain ?? 'base'];
	const startS = Math.floor((options.startMs ?? Date.now() - 600_000) / 1000);
	const node = await startNode({chainNumber: places.number, startS, finalAfter: options.finalAfter ?? 64});
	try {
		await placeContracts(node, places);
		return await createWorld(node, places, options);
	} catch (error) {
		await node.close();
		throw error;
	}
}

async function createWorld(
	node: Awaited<ReturnType<typeof startNode>>,
	places: Places,
	options: WorldOptions,
): Promise<World> {
	const senders = createSenders(node);
	const launched: Launched[] = [];
	const wrapped: QuoteCoin = {address: places.wrapped, symbol: `W${places.coin}`, decimals: 18};
	let newest = await senders.head();
	let isTogether = false;
	let lastSalt = 0;

	const person = (name: string): Address => `0x${keccak256(stringToBytes(`person ${name}`)).slice(-40)}`;
	const mineNext = async (seconds: number = places.blockS) => {
		const wantedS = options.live ? Math.floor(Date.now() / 1000) : newest.timeS + seconds;
		newest = await senders.mine(Math.max(wantedS, newest.timeS + 1));
	};
	const mineUnlessTogether = async () => {
		if (!isTogether) await mineNext();
	};
	const call = (to: Address, name: string, args: readonly unknown[], abi: Abi = TOKEN_ABI, value = 0n) => ({
		to,
		abi,
		name,
		args,
		value,
	});
	const balanceOf = (coin: Address, of: Address) => senders.read<bigint>(call(coin, 'balanceOf', [of]));
	const partOf = (whole: bigint, share: number) => (whole * BigInt(Math.round(share * 1e9))) / 1_000_000_000n;
	const allow = async (coin: Address, by: Address) => {
		await senders.send(by, call(coin, 'approve', [TRADER, MAX]));
	};
	/** Gives quote coins to a person where the trader cannot wrap native ones, and says what to send along. */
	const fund = async (quote: QuoteCoin, by: Address, amount: bigint): Promise<bigint> => {
		if (quote.address === places.wrapped) return amount;
		await senders.send(by, call(quote.address, 'mint', [by, amount], own.QuoteCoin.abi));
		await allow(quote.address, by);
		return 0n;
	};
	const trader = (by: Address, name: string, args: readonly unknown[], value = 0n) =>
		senders.send(by, call(TRADER, name, args, own.Trader.abi, value));
	const saltOf = () => numberToHex(++lastSalt, {size: 32});
	const addressOf = (maker: Address, salt: Hex, abi: Abi, init: Hex, args: readonly unknown[]) =>
		getContractAddress({
			opcode: 'CREATE2',
			from: maker,
			salt,
			bytecode: encodeDeployData({abi, bytecode: init, args: [...args]}),
		}).toLowerCase() as Address;

	async function launchOnFourMeme(name: string, symbol: string, creator: Address): Promise<Launched> {
		const {fourMeme} = places;
		if (!fourMeme) throw new Error('four.meme is on bnb');
		const salt = saltOf();
		const args = [name, symbol, 18, 1_000_000_000n * UNIT, fourMeme, fourMeme];
		await senders.send(creator, call(fourMeme, 'createToken', [salt, name, symbol], own.FourMeme.abi));
		const address = addressOf(fourMeme, salt, own.LaunchToken.abi, own.LaunchToken.init, args);
		const native: QuoteCoin = {...wrapped, symbol: places.coin};
		return {
			venue: 'four-meme',
			address,
			name,
			symbol,
			decimals: 18,
			creator,
			quote: native,
			place: fourMeme,
			curve: true,
		};
	}

	/** Makes a token of the person's own. */
	async function makeToken(creator: Address, name: string, symbol: string, o: LaunchOptions, supply: bigint) {
		const salt = saltOf();
		if (o.strange) {
			const args = [o.strange.name, o.strange.symbol, o.strange.decimals, o.strange.supply];
			await trader(creator, 'makeStrange', [salt, ...args]);
			return addressOf(TRADER, salt, own.StrangeToken.abi, own.StrangeToken.init, [...args, creator]);
		}
		const args = [name, symbol, o.decimals ?? 18, supply];
		await trader(creator, 'make', [salt, ...args]);
		return addressOf(TRADER, salt, own.LaunchToken.abi, own.LaunchToken.init, [...args, creator, creator]);
	}

	async function launchPool(
		venue: WorldVenue,
		name: string,
		symbol: string,
		creator: Address,
		o: LaunchOptions,
	): Promise<Launched> {
		const decimals = o.decimals ?? 18;
		const supply = o.strange?.supply ?? (o.supply ?? 1_000_000_000n) * 10n ** BigInt(decimals);
		const quote = o.quote === 'dollar' ? places.dollar : wrapped;
		const quotes = rawOf(o.quotes ?? 2, quote.decimals);
		const address = await makeToken(creator, name, symbol, o, supply);
		// A pool cannot hold more than 2^112 of a token.
		const tokens = supply < 2n ** 111n ? supply : 2n ** 111n;
		await allow(address, creator);
		const value = await fund(quote, creator, quotes);
		const token = {venue, address, name, symbol, decimals, creator, quote, curve: false};
		const [token0, token1] = sorted(address, quote.address);
		if (venue === 'uniswap-v3') {
			const position = fullRange(address === token0 ? [tokens, quotes] : [quotes, tokens]);
			const opening = {factory: places.v3Factory, token: address, quote: quote.address, fee: 10_000, ...position};
			await trader(creator, 'openV3', [opening], value);
			return {...token, place: await poolOf(places.v3Factory, V3_ABI, 'getPool', [token0, token1, 10_000])};
		}
		const factory = venue === 'pancake-v2' ? places.pancakeFactory : places.v2Factory;
		if (!factory) throw new Error('Pancake is on bnb');
		await trader(creator, 'openV2', [factory, address, quote.address, tokens, quotes], value);
		return {...token, place: await poolOf(factory, V2_ABI, 'getPair', [token0, token1])};
	}

	/** A pool's address; it is in the block that comes. */
	async function poolOf(factory: Address, abi: Abi, name: string, args: readonly unknown[]): Promise<Address> {
		if (isTogether) throw new Error('a pool is made in a block of its own: launch it outside of together()');
		await mineNext();
		const pool = await senders.read<Address>(call(factory, name, args, abi));
		return pool.toLowerCase() as Address;
	}

	const world: World = {
		places,
		url: node.url,
		wsUrl: node.wsUrl,
		launched,
		person,
		async setPrice(usd) {
			const answer = BigInt(Math.round(usd * 1e8));
			await senders.send(person('oracle'), call(places.feed, 'update', [answer], own.PriceFeed.abi));
			await mineUnlessTogether();
		},
		async launch(o = {}) {
			const {venue = places.name === 'bnb' ? 'four-meme' : 'uniswap-v2', by = 'creator'} = o;
			const {name = `Token ${lastSalt + 1}`, symbol = `TOK${lastSalt + 1}`} = o;
			const token =
				venue === 'four-meme'
					? await launchOnFourMeme(name, symbol, person(by))
					: await launchPool(venue, name, symbol, person(by), o);
			launched.push(token);
			if (token.curve) await mineUnlessTogether();
			return token;
		},
		async buy(token, by, quotes, {through = false} = {}) {
			const wallet = person(by);
			const {address, place, quote} = token;
			const amount = rawOf(quotes, quote.decimals);
			if (token.curve) {
				await trader(wallet, 'buyCurve', [place, address, amount], (amount * 102n) / 100n);
			} else {
				const value = await fund(quote, wallet, amount);
				const isV3 = token.venue === 'uniswap-v3';
				const args = [place, address, quote.address, amount];
				await trader(wallet, isV3 ? 'buyV3' : 'buyV2', isV3 ? args : [...args, through], value);
			}
			await mineUnlessTogether();
		},
		async sell(token, by, share = 1) {
			const wallet = person(by);
			const {address, place, quote} = token;
			const amount = partOf(await balanceOf(address, wallet), share);
			if (token.curve) {
				await senders.send(wallet, call(address, 'approve', [place, MAX]));
				await trader(wallet, 'sellCurve', [place, address, amount]);
			} else {
				await allow(address, wallet);
				const name = token.venue === 'uniswap-v3' ? 'sellV3' : 'sellV2';
				await trader(wallet, name, [place, address, quote.address, amount]);
			}
			await mineUnlessTogether();
		},
		async transfer(token, from, to, share = 1) {
			const amount = partOf(await balanceOf(token.address, person(from)), share);
			await senders.send(person(from), call(token.address, 'transfer', [person(to), amount]));
			await mineUnlessTogether();
		},
		async addLiquidity(token, by, quotes) {
			const wallet = person(by);
			const {address, place, quote} = token;
			const amount = rawOf(quotes, quote.decimals);
			const [inPool, quotesInPool] = [await balanceOf(address, place), await balanceOf(quote.address, place)];
			const value = await fund(quote, wallet, amount);
			await allow(address, wallet);
			const tokens = (inPool * amount) / quotesInPool;
			await trader(wallet, 'addV2', [place, address, quote.address, tokens, amount], value);
			await mineUnlessTogether();
		},
		async graduate(token, by = 'whale') {
			const {fourMeme, pancakeFactory} = places;
			if (!token.curve || !fourMeme || !pancakeFactory) throw new Error(`${token.symbol} has no curve`);
			if (isTogether) throw new Error('a token graduates in blocks of its own');
			await world.buy(token, by, 18);
			await senders.send(person('operator'), call(fourMeme, 'addLiquidity', [token.address], own.FourMeme.abi));
			await mineNext();
			token.place = await poolAt(pancakeFactory, token.address);
			token.curve = false;
		},
		async mine(blocks = 1, seconds) {
			for (let i = 0; i < blocks; i++) await mineNext(seconds);
			return newest;
		},
		async together(work) {
			isTogether = true;
			try {
				await work();
			} finally {
				isTogether = false;
			}
			await mineNext();
		},
		async reorg(depth) {
			await node.rpc.call('anvil_rollback', [depth]);
			newest = await senders.head();
			// Another time makes another hash, even of a block that is empty in both.
			await mineNext(places.blockS + 1);
			for (let i = 0; i < depth; i++) await mineNext();
			await forgetUndone();
			return newest;
		},
		head: () => senders.head(),
		nowMs: () => newest.timeS * 1000,
		senders,
		rpc: (method, params = []) => node.rpc.call(method, params),
		close: () => node.close(),
	};

	async function poolAt(factory: Address, token: Address): Promise<Address> {
		const pool = await senders.read<Address>(call(factory, 'getPair', [token, places.wrapped], V2_ABI));
		return pool.toLowerCase() as Address;
	}

	/** Tokens whose launch is no more are gone, and those whose graduation is no more are back on their curve. */
	async function forgetUndone(): Promise<void> {
		for (const token of [...launched]) {
			const code = await node.rpc.call<Hex>('eth_getCode', [
				token.place === places.fourMeme ? token.address : token.place,
				'latest',
			]);
			if (code !== '0x') continue;
			if (
				token.venue === 'four-meme' &&
				(await node.rpc.call<Hex>('eth_getCode', [token.address, 'latest'])) !== '0x'
			) {
				token.place = places.fourMeme!;
				token.curve = true;
			} else {
				launched.splice(launched.indexOf(token), 1);
			}
		}
	}

	await world.setPrice(options.price ?? FIRST_PRICE[places.name]);
	await world.mine(2);
	return world;
}

/** Raw units of whole ones. */
function rawOf(whole: number, decimals: number): bigint {
	const digits = Math.min(decimals, 9);
	return BigInt(Math.round(whole * 10 ** digits)) * 10n ** BigInt(decimals - digits);
}

function sorted(a: Address, b: Address): [Address, Address] {
	return BigInt(a) < BigInt(b) ? [a, b] : [b, a];
}

/** A V3 position over all prices with the two amounts in it, a little less: the pool rounds in its own favour. */
function fullRange([amount0, amount1]: readonly [bigint, bigint]) {
	const sqrtPriceX96 = root((amount1 << 192n) / amount0);
	const liquidity = (root(amount0 * amount1) * 999n) / 1000n;
	return {sqrtPriceX96, lower: -887_200, upper: 887_200, liquidity};
}

/** Square root, rounded down. */
function root(n: bigint): bigint {
	if (n < 2n) return n;
	let x = 1n << BigInt(Math.ceil(n.toString(2).length / 2));
	for (;;) {
		const next = (x + n / x) >> 1n;
		if (next >= x) return x;
		x = next;
	}
}
