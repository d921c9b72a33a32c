import type {Abi, Address, Hex} from 'viem';
import {decodeEventLog, encodeAbiParameters, hexToBigInt, hexToNumber, keccak256, numberToHex} from 'viem/utils';
import * as own from '../../contracts/artifacts.generated.ts';
import type {Launched, World} from '../follow-world.ts';
import {TRADER, TRADER_V4} from './places.ts';
import {V3_ABI, V4_ABI} from './uniswap-abi.ts';

/** What happened to a token of the world, counted from balances and states of its chain and from no event of its venue. */
export interface Truth {
	readonly token: Launched;
	readonly supply: number;
	readonly trades: readonly TrueTrade[];
	/** Whole tokens of persons who have any. */
	readonly balances: ReadonlyMap<Address, number>;
	/** Whole coins where it is traded; of a pool of V3 or V4 all that came in and stayed, fees included. */
	readonly reserves: {readonly token: number; readonly quote: number};
	readonly phase: 'bonding' | 'bonded';
	/** 0 to 1 on a curve; null beside one. */
	readonly progress: number | null;
}

/** A trade as the scales of the world's router saw it. */
export interface TrueTrade {
	readonly tx: Hex;
	readonly block: number;
	readonly timeMs: number;
	/** The place it was made at. */
	readonly place: Address;
	readonly wallet: Address;
	readonly side: 'buy' | 'sell';
	/** Whole tokens and quote coins that entered or left the place. */
	readonly amountToken: number;
	readonly amountQuote: number;
	/** Whole tokens that reached or left the wallet: fewer where the token is taxed. */
	readonly walletToken: number;
	/** US dollars for one quote coin at its block; null when it has no price. */
	readonly quoteUSD: number | null;
	readonly valueUSD: number | null;
	/**
	 * Whole quote coins for a token at the place after the trade; null where the place writes no state after a trade. Undefined when a
	 * later trade in the block has covered it.
	 */
	readonly spotQuote: number | null | undefined;
}

interface RawLog {
	readonly topics: [Hex, ...Hex[]];
	readonly data: Hex;
	readonly blockNumber: Hex;
	readonly transactionHash: Hex;
}

interface Traded {
	readonly place: Address;
	readonly token: Address;
	readonly wallet: Address;
	readonly buy: boolean;
	readonly placeToken: bigint;
	readonly placeQuote: bigint;
	readonly walletToken: bigint;
}

/** Every token that stands on the chain now, in the order of their launches. */
export async function truthOf(world: World, people: readonly string[]): Promise<Truth[]> {
	const logs = await world.rpc<RawLog[]>('eth_getLogs', [
		{address: [TRADER, TRADER_V4], fromBlock: '0x0', toBlock: 'latest'},
	]);
	const trades = logs.map(log => ({
		log,
		args: decodeEventLog({abi: own.Trader.abi, topics: log.topics, data: log.data}).args as unknown as Traded,
	}));
	const times = new Map<number, number>();
	const prices = new Map<number, number>();
	for (const number of new Set(logs.map(log => hexToNumber(log.blockNumber)))) {
		const block = await world.rpc<{timestamp: Hex}>('eth_getBlockByNumber', [numberToHex(number), false]);
		times.set(number, hexToNumber(block.timestamp) * 1000);
		prices.set(number, await priceAt(world, number));
	}
	return Promise.all(
		world.launched.map(async token => {
			const ofToken = trades.filter(({args}) => args.token.toLowerCase() === token.address);
			const trueTrades = ofToken.map(async ({log, args}, index) => {
				const block = hexToNumber(log.blockNumber);
				const {dollar, zoraCoin, virtualCoin, stock} = world.places;
				const isUnpriced = [zoraCoin, virtualCoin, stock?.address].includes(token.quote.address);
				const isDollar = token.quote.address === dollar.address;
				const quoteUSD = isUnpriced ? null : isDollar ? 1 : prices.get(block)!;
				const amountQuote = wholeOf(args.placeQuote, token.quote.decimals);
				const isLast = ofToken[index + 1]?.log.blockNumber !== log.blockNumber;
				const place = args.place.toLowerCase() as Address;
				return {
					spotQuote: isLast ? await spotAt(world, token, place, block) : undefined,
					tx: log.transactionHash,
					block,
					timeMs: times.get(block)!,
					place,
					wallet: args.wallet.toLowerCase() as Address,
					side: args.buy ? ('buy' as const) : ('sell' as const),
					amountToken: wholeOf(args.placeToken, token.decimals),
					amountQuote,
					walletToken: wholeOf(args.walletToken, token.decimals),
					quoteUSD,
					valueUSD: quoteUSD === null ? null : amountQuote * quoteUSD,
				};
			});
			const holders = [...new Set([token.creator, ...people.map(world.person)])];
			return {
				token,
				supply: wholeOf(await read(world, token.address, 'totalSupply', []), token.decimals),
				trades: await Promise.all(trueTrades),
				balances: await balancesOf(world, token, holders),
				...(await stateOf(world, token, await Promise.all(trueTrades))),
			};
		}),
	);
}

/** The newest round of the feed at a block, in US dollars. */
async function priceAt(world: World, block: number): Promise<number> {
	const feed = {to: world.places.feed, abi: own.PriceFeed.abi, name: 'latestRoundData', args: []};
	const [, answer] = await world.senders.read<readonly bigint[]>(feed, block);
	return Number(answer) / 1e8;
}

async function balancesOf(
	world: World,
	token: Launched,
	holders: readonly Address[],
): Promise<ReadonlyMap<Address, number>> {
	const amounts = await Promise.all(holders.map(holder => read(world, token.address, 'balanceOf', [holder])));
	const found = holders.map((holder, i) => [holder, wholeOf(amounts[i]!, token.decimals)] as const);
	return new Map(found.filter(([, amount]) => amount > 0));
}

/** The price at a place at the end of a block, from its state and its balances. */
async function spotAt(world: World, token: Launched, place: Address, block: number): Promise<number | null> {
	const {address, decimals, quote, key} = token;
	const {fourMeme, flap} = world.places;
	const at = <T>(to: Address, abi: Abi, name: string, args: readonly unknown[] = []) =>
		world.senders.read<T>({to, abi, name, args}, block);
	// Its event has what was paid on average.
	if (place === fourMeme) return null;
	if (place === flap) {
		const [, , sold, raised] = await at<readonly [boolean, boolean, bigint, bigint]>(place, own.Flap.abi, 'curves', [
			address,
		]);
		return (4 + wholeOf(raised, 18)) / (1_000_000_000 - wholeOf(sold, 18));
	}
	if (place === token.next?.curve) {
		const names = ['phantomQuote', 'raised', 'left'];
		const [phantom, raised, left] = await Promise.all(names.map(name => at<bigint>(place, own.PonsCurve.abi, name)));
		return wholeOf(phantom! + raised!, quote.decimals) / wholeOf(left!, 18);
	}
	const balance = async (coin: Address, unit: number) =>
		wholeOf(await at<bigint>(coin, own.LaunchToken.abi, 'balanceOf', [place]), unit);
	const byRoot = (root: bigint) => {
		const raw = (Number(root) / 2 ** 96) ** 2;
		const isFirst = key ? key.currency0 === address : BigInt(address) < BigInt(quote.address);
		return (isFirst ? raw : 1 / raw) * 10 ** (decimals - quote.decimals);
	};
	if (key) {
		// Where the manager keeps the state of its pools.
		const slot = keccak256(encodeAbiParameters([{type: 'bytes32'}, {type: 'uint256'}], [token.pool, 6n]));
		return byRoot(hexToBigInt(await at<Hex>(place, V4_ABI, 'extsload', [slot])) % 2n ** 160n);
	}
	if (token.venue === 'uniswap-v3') return byRoot((await at<readonly bigint[]>(place, V3_ABI, 'slot0'))[0]!);
	const virtual = token.venue === 'virtuals' ? 6000 : 0;
	return ((await balance(quote.address, quote.decimals)) + virtual) / (await balance(address, decimals));
}

/** How a token stands now. */
type State = Pick<Truth, 'reserves' | 'phase' | 'progress'>;

async function stateOf(world: World, token: Launched, trades: readonly TrueTrade[]): Promise<State> {
	if (token.venue === 'virtuals') return bondingOf(world, token);
	if (token.curve) return curveOf(world, token);
	const progress = token.venue === 'four-meme' || token.venue === 'flap' || token.next ? 1 : null;
	const held = wholeOf(await read(world, token.address, 'balanceOf', [token.place]), token.decimals);
	if (token.key) {
		// Of its own token the manager holds this pool's; quote coins of all pools lie together, so they are summed up.
		const quote = trades.reduce((sum, trade) => sum + (trade.side === 'buy' ? 1 : -1) * trade.amountQuote, 0);
		return {reserves: {token: held, quote: (token.opening ?? 0) + quote}, phase: 'bonded', progress};
	}
	const quote = wholeOf(await read(world, token.quote.address, 'balanceOf', [token.place]), token.quote.decimals);
	return {reserves: {token: held, quote}, phase: 'bonded', progress};
}

/** A pair of Virtuals has 6000 coins more in its price than in its hands, and ends with 125 million tokens. */
async function bondingOf(world: World, {place, address, quote, curve}: Launched): Promise<State> {
	const left = wholeOf(await read(world, address, 'balanceOf', [place]), 18);
	const raised = wholeOf(await read(world, quote.address, 'balanceOf', [place]), 18);
	const progress = curve ? (1_000_000_000 - left) / 875_000_000 : 1;
	return {reserves: {token: left, quote: raised + 6000}, phase: curve ? 'bonding' : 'bonded', progress};
}

/** What a launchpad itself knows of its curve. */
async function curveOf(world: World, {venue, place, address, quote: {decimals}}: Launched): Promise<State> {
	if (venue === 'pons') {
		const ask = (name: string) => world.senders.read<bigint>({to: place, abi: own.PonsCurve.abi, name, args: []});
		const [left, raised, threshold] = [await ask('left'), await ask('raised'), await ask('graduationThreshold')];
		const reserves = {token: wholeOf(left, 18), quote: wholeOf(raised, decimals)};
		return {reserves, phase: 'bonding', progress: Number(raised) / Number(threshold)};
	}
	const isFlap = venue === 'flap';
	const call = isFlap ? {abi: own.Flap.abi, name: 'curves'} : {abi: own.FourMeme.abi, name: 'launches'};
	const state = await world.senders.read<readonly bigint[]>({...call, to: place, args: [address]});
	const left = isFlap ? 800_000_000 - wholeOf(state[2]!, 18) : wholeOf(state[1]!, 18);
	const quote = wholeOf(isFlap ? state[3]! : state[2]!, 18);
	return {reserves: {token: left, quote}, phase: 'bonding', progress: 1 - left / 800_000_000};
}

function read(world: World, to: Address, name: string, args: readonly unknown[]): Promise<bigint> {
	return world.senders.read<bigint>({to, abi: own.LaunchToken.abi, name, args});
}

function wholeOf(raw: bigint, decimals: number): number {
	return Number(raw) / 10 ** decimals;
}
