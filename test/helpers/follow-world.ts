import type {Address, Hex} from 'viem';
import * as own from '../contracts/artifacts.generated.ts';
import {rawOf} from './world/amounts.ts';
import {createHands} from './world/hands.ts';
import {createLauncher, idOf, type Launched, type LaunchOptions} from './world/launches.ts';
import {startNode, type WorldNode} from './world/node.ts';
import {PLACES, type Places, TRADER, TRADER_V4, type WorldChain} from './world/places.ts';
import {createSenders, type MinedBlock, placeContracts, type Senders} from './world/senders.ts';
import {V2_ABI} from './world/uniswap-abi.ts';

export type {Launched, LaunchOptions, WorldVenue} from './world/launches.ts';

/**
 * A chain of its own with the contracts of a real one at their addresses: Uniswap's own code, and stand-ins for launchpads that
 * write the same events. Every verb makes transactions and mines them as a block; inside `together` they share one.
 */
export interface World {
	readonly places: Places;
	readonly url: string;
	readonly wsUrl: string;
	/** Every token that stands on the chain. */
	readonly launched: readonly Launched[];
	/** Address of a person of that name. */
	person(name: string): Address;
	/** A new round of a price feed: US dollars for the native coin, or for another one. */
	setPrice(usd: number, feed?: Address): Promise<void>;
	launch(options?: LaunchOptions): Promise<Launched>;
	/**
	 * @param quotes whole quote coins, the pool's fee included; a curve takes its fee on top
	 * @param options.through the tokens make a halt at the router on their way (V2)
	 */
	buy(token: Launched, by: string, quotes: number, options?: {readonly through?: boolean}): Promise<void>;
	/** @param share of what the person has */
	sell(token: Launched, by: string, share?: number): Promise<void>;
	transfer(token: Launched, from: string, to: string, share?: number): Promise<void>;
	/** Liquidity on top, of a V2 pool: whole quote coins and as much of the tokens. */
	addLiquidity(token: Launched, by: string, quotes: number): Promise<void>;
	/** Buys the rest of a curve, and moves the token to its pool. */
	graduate(token: Launched, by?: string): Promise<void>;
	/** Makes the pool of a token of Pons whose curve was closed by a transaction before. */
	makePool(token: Launched): Promise<void>;
	/** Taxes trades with the token's pool from now on, in parts per million; its owner is who launched it. */
	tax(token: Launched, buyPpm: number, sellPpm: number): Promise<void>;
	/** Mines blocks, empty ones unless something waits. */
	mine(blocks?: number, seconds?: number): Promise<MinedBlock>;
	/** What is done inside is mined as one block. */
	together(work: () => Promise<void>): Promise<void>;
	/** From now on blocks have the time of the clock. */
	goLive(): void;
	/** Takes the newest blocks back, at most those since the opening, and mines others, one more. Tokens launched in them are gone. */
	reorg(depth: number): Promise<MinedBlock>;
	head(): Promise<MinedBlock>;
	/** Time of the newest block, Unix ms. */
	nowMs(): number;
	readonly senders: Senders;
	rpc<T>(method: string, params?: readonly unknown[]): Promise<T>;
	close(): Promise<void>;
}

export interface WorldOptions {
	readonly chain?: WorldChain;
	/** Time of the first block; default ten minutes ago. */
	readonly startMs?: number;
	/** Blocks have the time of the clock instead of the chain's pace. */
	readonly live?: boolean;
	/** US dollars for the native coin. */
	readonly price?: number;
	/** Blocks behind the head that are final; default 64. */
	readonly finalAfter?: number;
}

const FIRST_PRICE: Readonly<Record<WorldChain, number>> = {base: 3000, bnb: 900, robinhood: 3000};
const FIRST_VENUE = {base: 'uniswap-v2', bnb: 'four-meme', robinhood: 'pons'} as const;

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

async function createWorld(node: WorldNode, places: Places, options: WorldOptions): Promise<World> {
	const senders = createSenders(node);
	const hands = createHands(places, senders);
	const {person, call} = hands;
	const launched: Launched[] = [];
	let newest = await senders.head();
	let openedAt = newest.number;
	let isTogether = false;
	let isLive = options.live ?? false;
	let lastName = 0;

	const mineNext = async (seconds: number = places.blockS) => {
		const wantedS = isLive ? Math.floor(Date.now() / 1000) : newest.timeS + seconds;
		newest = await senders.mine(Math.max(wantedS, newest.timeS + 1));
	};
	const mineUnlessTogether = async () => {
		if (!isTogether) await mineNext();
	};
	/** What cannot share its block: it reads what the block before has made. */
	const mineAlone = async () => {
		if (isTogether) throw new Error('this has to be in blocks of its own, outside of together()');
		await mineNext();
	};
	const launch = createLauncher(hands, senders, mineAlone);
	const partOf = (whole: bigint, share: number) => (whole * BigInt(Math.round(share * 1e9))) / 1_000_000_000n;
	const hasCode = async (address: Address) => (await node.rpc.call<Hex>('eth_getCode', [address, 'latest'])) !== '0x';

	/** The pair of a token that has left its curve; undefined while it has not. */
	const pairOf = async (token: Launched): Promise<Address | undefined> => {
		const args = [token.address, places.wrapped];
		const pair = await senders.read<Address>(call(places.pancakeFactory!, 'getPair', args, V2_ABI));
		return BigInt(pair) === 0n ? undefined : (pair.toLowerCase() as Address);
	};

	/** A pair of Virtuals is empty once its token has moved on. */
	const hasEnded = async ({place, quote}: Launched) =>
		(await hands.balanceOf(quote.address, place)) === 0n &&
		(await senders.read<bigint>(call(place, 'reserve1', [], own.VirtualsPair.abi))) > 6000n * 10n ** 18n;

	const isOpen = (curve: Address) => senders.read<boolean>(call(curve, 'isOpen', [], own.PonsCurve.abi));

	/** Brings the list of tokens in line with the chain after a reorg. */
	const readAgain = async () => {
		for (const token of [...launched]) {
			const isThere = (await hasCode(token.address)) && (await hasCode(token.place));
			if (token.venue === 'virtuals' && isThere) token.curve = !(await hasEnded(token));
			if (token.next && isThere && (await isOpen(token.next.curve)))
				Object.assign(token, {curve: true, place: token.next.curve, pool: token.next.curve, key: undefined});
			const onCurve = token.venue === 'four-meme' || token.venue === 'flap';
			if (onCurve && (await hasCode(token.address))) {
				const pair = await pairOf(token);
				token.curve = pair === undefined;
				token.place = pair ?? (token.venue === 'flap' ? places.flap! : places.fourMeme!);
				token.pool = token.place;
			} else if (!isThere) {
				launched.splice(launched.indexOf(token), 1);
			}
		}
	};

	const isOnPons = ({venue, curve}: Launched) => venue === 'pons' && curve;
	const isNative = ({quote}: Launched) => quote.address === places.wrapped;
	const moveToPool = (token: Launched) => {
		if (!token.next) throw new Error(`${token.symbol} has no pool to go to`);
		const {key} = token.next;
		Object.assign(token, {curve: false, place: places.v4Manager, pool: idOf(key), key});
	};

	const world: World = {
		places,
		url: node.url,
		wsUrl: node.wsUrl,
		launched,
		person,
		async setPrice(usd, feed = places.feed) {
			const answer = BigInt(Math.round(usd * 1e8));
			await hands.send(person('oracle'), call(feed, 'update', [answer], own.PriceFeed.abi));
			await mineUnlessTogether();
		},
		async launch(o = {}) {
			const {venue = FIRST_VENUE[places.name], by = 'creator'} = o;
			const {name = `Token ${++lastName}`, symbol = `TOK${lastName}`} = o;
			const token = await launch({venue, name, symbol, creator: person(by)}, o);
			launched.push(token);
			// The launch of a pair or a pool of V3 has mined its block already.
			if (token.curve || token.key) await mineUnlessTogether();
			return token;
		},
		async buy(token, by, quotes, {through = false} = {}) {
			const wallet = person(by);
			const {address, place, quote} = token;
			const amount = rawOf(quotes, quote.decimals);
			if (token.venue === 'virtuals' || (isOnPons(token) && !isNative(token))) {
				await hands.fund(quote, TRADER, wallet, amount);
				const seller = token.venue === 'virtuals' ? places.virtuals : place;
				await hands.trade(wallet, 'buyBonding', [seller, place, address, quote.address, amount]);
			} else if (token.curve) {
				await hands.trade(wallet, 'buyCurve', [place, address, amount], (amount * 112n) / 100n);
			} else if (token.key) {
				const value = await hands.fund(quote, TRADER_V4, wallet, amount);
				await hands.tradeV4(wallet, 'buy', [token.key, address, amount], value);
			} else {
				const value = await hands.fund(quote, TRADER, wallet, amount);
				const isV3 = token.venue === 'uniswap-v3';
				const args = [place, address, quote.address, amount];
				await hands.trade(wallet, isV3 ? 'buyV3' : 'buyV2', isV3 ? args : [...args, through], value);
			}
			await mineUnlessTogether();
			if (isOnPons(token) && !isTogether && !token.next?.later && !(await isOpen(place))) moveToPool(token);
		},
		async sell(token, by, share = 1) {
			const wallet = person(by);
			const {address, place, quote} = token;
			const amount = partOf(await hands.balanceOf(address, wallet), share);
			if (token.venue === 'virtuals' || (isOnPons(token) && !isNative(token))) {
				const buyer = token.venue === 'virtuals' ? places.virtuals! : place;
				await hands.allow(address, buyer, wallet);
				await hands.trade(wallet, 'sellBonding', [buyer, place, address, quote.address, amount]);
			} else if (token.curve) {
				await hands.allow(address, place, wallet);
				await hands.trade(wallet, 'sellCurve', [place, address, amount]);
			} else if (token.key) {
				await hands.allow(address, TRADER_V4, wallet);
				await hands.tradeV4(wallet, 'sell', [token.key, address, amount]);
			} else {
				await hands.allow(address, TRADER, wallet);
				const name = token.venue === 'uniswap-v3' ? 'sellV3' : 'sellV2';
				await hands.trade(wallet, name, [place, address, quote.address, amount]);
			}
			await mineUnlessTogether();
		},
		async transfer(token, from, to, share = 1) {
			const amount = partOf(await hands.balanceOf(token.address, person(from)), share);
			await hands.send(person(from), call(token.address, 'transfer', [person(to), amount]));
			await mineUnlessTogether();
		},
		async addLiquidity(token, by, quotes) {
			const wallet = person(by);
			const {address, place, quote} = token;
			const amount = rawOf(quotes, quote.decimals);
			const [inPool, quotesInPool] = [
				await hands.balanceOf(address, place),
				await hands.balanceOf(quote.address, place),
			];
			const value = await hands.fund(quote, TRADER, wallet, amount);
			await hands.allow(address, TRADER, wallet);
			const tokens = (inPool * amount) / quotesInPool;
			await hands.trade(wallet, 'addV2', [place, address, quote.address, tokens, amount], value);
			await mineUnlessTogether();
		},
		async graduate(token, by = 'whale') {
			if (!token.curve) throw new Error(`${token.symbol} is on no curve`);
			if (token.venue === 'virtuals') {
				// Sells what is over the threshold, and ends the token; another one goes on.
				await world.buy(token, by, 43_000);
				token.curve = false;
				return;
			}
			if (token.next) {
				// More than what is left costs; the rest comes back.
				await world.buy(token, by, token.next.raise * 2);
				if (token.curve && !token.next.later) moveToPool(token);
				return;
			}
			const {fourMeme} = places;
			// More than any curve takes.
			await hands.trade(person(by), 'buyCurve', [token.place, token.address, rawOf(20, 18)], rawOf(21, 18));
			await mineAlone();
			if (token.venue === 'four-meme') {
				await hands.send(person('operator'), call(fourMeme!, 'addLiquidity', [token.address], own.FourMeme.abi));
				await mineNext();
			}
			await readAgain();
		},
		async makePool(token) {
			await hands.send(person('operator'), call(places.pons!, 'makePool', [token.address], own.Pons.abi));
			await mineUnlessTogether();
			moveToPool(token);
		},
		async tax(token, buyPpm, sellPpm) {
			await hands.send(token.creator, call(token.address, 'setTax', [token.place, BigInt(buyPpm), BigInt(sellPpm)]));
			await mineUnlessTogether();
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
		goLive() {
			isLive = true;
		},
		async reorg(wanted) {
			const depth = Math.min(wanted, newest.number - openedAt);
			if (depth > 0) await node.rpc.call('anvil_rollback', [depth]);
			newest = await senders.head();
			// Another time makes another hash, even of a block that is empty in both.
			await mineNext(places.blockS + 1);
			for (let i = 0; i < depth; i++) await mineNext();
			await readAgain();
			return newest;
		},
		head: () => senders.head(),
		nowMs: () => newest.timeS * 1000,
		senders,
		rpc: (method, params = []) => node.rpc.call(method, params),
		close: () => node.close(),
	};
	await world.setPrice(options.price ?? FIRST_PRICE[places.name]);
	await world.mine(2);
	openedAt = newest.number;
	return world;
}
