import type {Address, Hex} from 'viem';
import {decodeEventLog, hexToNumber, numberToHex} from 'viem/utils';
import * as own from '../../contracts/artifacts.generated.ts';
import type {Launched, World} from '../follow-world.ts';
import {TRADER} from './places.ts';
import {V2_ABI} from './uniswap-abi.ts';

/** What happened to a token of the world, counted from balances and states of its chain and from no event of its venue. */
export interface Truth {
	readonly token: Launched;
	readonly supply: number;
	readonly trades: readonly TrueTrade[];
	/** Whole tokens of persons who have any. */
	readonly balances: ReadonlyMap<Address, number>;
	/** Whole coins where it is traded; of a V3 pool what it holds at all. */
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
	/** US dollars for one quote coin at its block. */
	readonly quoteUSD: number;
	readonly valueUSD: number;
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
	const logs = await world.rpc<RawLog[]>('eth_getLogs', [{address: TRADER, fromBlock: '0x0', toBlock: 'latest'}]);
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
			const trueTrades = ofToken.map(({log, args}) => {
				const block = hexToNumber(log.blockNumber);
				const isDollar = token.quote.address === world.places.dollar.address;
				const quoteUSD = isDollar ? 1 : prices.get(block)!;
				const amountQuote = wholeOf(args.placeQuote, token.quote.decimals);
				return {
					tx: log.transactionHash,
					block,
					timeMs: times.get(block)!,
					place: args.place.toLowerCase() as Address,
					wallet: args.wallet.toLowerCase() as Address,
					side: args.buy ? ('buy' as const) : ('sell' as const),
					amountToken: wholeOf(args.placeToken, token.decimals),
					amountQuote,
					walletToken: wholeOf(args.walletToken, token.decimals),
					quoteUSD,
					valueUSD: amountQuote * quoteUSD,
				};
			});
			const holders = [...new Set([token.creator, ...people.map(world.person)])];
			return {
				token,
				supply: wholeOf(await read(world, token.address, 'totalSupply', []), token.decimals),
				trades: trueTrades,
				balances: await balancesOf(world, token, holders),
				...(await stateOf(world, token)),
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

async function stateOf(world: World, token: Launched): Promise<Pick<Truth, 'reserves' | 'phase' | 'progress'>> {
	const {place, quote, decimals} = token;
	if (token.curve) {
		const call = {to: place, abi: own.FourMeme.abi, name: 'launches', args: [token.address]};
		const [, offers, funds] = await world.senders.read<readonly bigint[]>(call);
		const left = wholeOf(offers!, decimals);
		const reserves = {token: left, quote: wholeOf(funds!, quote.decimals)};
		return {reserves, phase: 'bonding', progress: 1 - left / 800_000_000};
	}
	if (token.venue === 'uniswap-v3') {
		const held = await Promise.all([token.address, quote.address].map(coin => read(world, coin, 'balanceOf', [place])));
		const reserves = {token: wholeOf(held[0]!, decimals), quote: wholeOf(held[1]!, quote.decimals)};
		return {reserves, phase: 'bonded', progress: null};
	}
	const pair = {to: place, abi: V2_ABI, args: []};
	const [reserve0, reserve1] = await world.senders.read<readonly [bigint, bigint]>({...pair, name: 'getReserves'});
	const token0 = await world.senders.read<Address>({...pair, name: 'token0'});
	const isFirst = token0.toLowerCase() === token.address;
	const reserves = {
		token: wholeOf(isFirst ? reserve0 : reserve1, decimals),
		quote: wholeOf(isFirst ? reserve1 : reserve0, quote.decimals),
	};
	return {reserves, phase: 'bonded', progress: token.venue === 'four-meme' ? 1 : null};
}

function read(world: World, to: Address, name: string, args: readonly unknown[]): Promise<bigint> {
	return world.senders.read<bigint>({to, abi: own.LaunchToken.abi, name, args});
}

function wholeOf(raw: bigint, decimals: number): number {
	return Number(raw) / 10 ** decimals;
}
