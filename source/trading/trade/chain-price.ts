import {encodeFunctionData, parseAbi} from 'viem/utils';
import {findChain} from '../../chains/chains.ts';
import {type EvmChain, type EvmQuote, findEvmChain} from '../../chains/evm-chains.ts';
import {priceFromSqrt} from '../../chains/ticks.ts';
import {type ChainReader, ChainUnread} from '../chain-reader.ts';
import {PRACTICE_VENUE} from '../known-contracts.ts';
import {readViews, type ViewCall} from '../read-views.ts';
import type {ChainPrice} from './own-prices.ts';

/*
 * The price of a token by the person's own node: of its deepest pool with a coin whose price is known. Pools come from the
 * factories that this program knows, never from the service, which could name a pool of its own making.
 */

const ABI = parseAbi([
	'function getPair(address, address)',
	'function getPool(address, address, uint24)',
	'function getPool(address, address, bool)',
	'function getReserves()',
	'function slot0()',
	'function liquidity()',
	'function balanceOf(address)',
	'function latestRoundData()',
	'function pools(address)',
]);

type Hex = `0x${string}`;

/** Fees of pools with ranges that launches are traded in, millionths. */
const FEES = [500, 2500, 3000, 10_000];
/** Money of a pool under which it says nothing of a price: it costs little to move, or to make. */
const MIN_DEPTH_USD = 1000;
/** How long a price of Chainlink counts behind its heartbeat. */
const GRACE_MS = 300_000;
/** How long a review waits for the node. */
const PATIENCE_MS = 2500;

/** A token whose price is asked for. */
export interface PricedToken {
	readonly chainId: string;
	readonly address: string;
	readonly decimals: number;
}

/**
 * Reads the price of a token on the node of its chain. Waits no longer than a review may take.
 * @param nowMs server time: how old a price of Chainlink is
 */
export async function readChainPrice(
	chains: ChainReader,
	{chainId, address, decimals}: PricedToken,
	{isPractice, nowMs}: {readonly isPractice: boolean; readonly nowMs: number},
): Promise<ChainPrice> {
	// As the feed wrote it, whose capitals need not be a checksum.
	const token = {chainId, address: address.toLowerCase(), decimals};
	const {promise: late, resolve} = Promise.withResolvers<ChainPrice>();
	const timer = setTimeout(() => resolve({kind: 'unread', why: 'your node did not say in time'}), PATIENCE_MS);
	const read = isPractice ? practicePrice(chains, token, nowMs) : deepestPrice(chains, token, nowMs);
	try {
		return await Promise.race([read, late]);
	} catch (error) {
		if (!(error instanceof ChainUnread)) throw error;
		return {kind: 'unread', why: error.why};
	} finally {
		clearTimeout(timer);
	}
}

/** A launch has a pool on a practice chain only in the moment of a trade: the reserves of before say nothing. */
async function practicePrice(
	chains: ChainReader,
	{chainId, address, decimals}: PricedToken,
	nowMs: number,
): Promise<ChainPrice> {
	const data = encodeFunctionData({abi: ABI, functionName: 'pools', args: [address as Hex]});
	const [pool] = await readViews(chains, chainId, [{to: PRACTICE_VENUE, data}]);
	const [tokens = 0n, usd = 0n, , , validUntilS = 0n] = pool ?? [];
	if (tokens === 0n || Number(validUntilS) * 1000 < nowMs)
		return {kind: 'unread', why: 'the practice market has a pool only in the moment of a trade'};
	const depthUSD = Number(usd) / 1e6;
	return {kind: 'read', usd: depthUSD / (Number(tokens) / 10 ** decimals), place: 'the practice market', depthUSD};
}

/** A pool of the token with a quote coin. */
interface Pool {
	readonly place: string;
	readonly address: string;
	readonly quote: EvmQuote;
	readonly hasRanges: boolean;
}

async function deepestPrice(chains: ChainReader, token: PricedToken, nowMs: number): Promise<ChainPrice> {
	const chain = findEvmChain(token.chainId);
	if (chain === undefined) return {kind: 'unread', why: 'no pools of its chain are known'};
	const factories = factoryCalls(chain, token.address);
	const coins = coinCalls(chain);
	const found = await readViews(
		chains,
		token.chainId,
		[...factories, ...coins].map(({call}) => call),
	);
	const prices = pricesOf(chain, coins, found.slice(factories.length), nowMs);
	const pools = factories.flatMap(({place, quote, hasRanges}, at): readonly Pool[] => {
		const word = found[at]?.[0] ?? 0n;
		return word === 0n ? [] : [{place, quote, hasRanges, address: addressOf(word)}];
	});
	const priced = pools.filter(({quote}) => prices.has(quote.address));
	if (priced.length === 0) return {kind: 'unread', why: 'your node has no pool of it that is known here'};
	const reads = priced.map(pool => poolCalls(pool));
	const answers = await readViews(chains, token.chainId, reads.flat());
	let at = 0;
	const read = priced.flatMap((pool, index) => {
		const own = answers.slice(at, at + reads[index]!.length);
		at += reads[index]!.length;
		return poolPrice(pool, token, own, prices.get(pool.quote.address)!) ?? [];
	});
	const [deepest] = read.toSorted((a, b) => b.depthUSD - a.depthUSD);
	if (deepest === undefined || deepest.depthUSD < MIN_DEPTH_USD)
		return {kind: 'unread', why: 'its pools on your node hold too little to say a price'};
	return {kind: 'read', ...deepest};
}

/** The question to each factory for its pool of the token with each priced coin. */
function factoryCalls(
	{id, quotes}: EvmChain,
	token: string,
): readonly (Omit<Pool, 'address'> & {readonly call: ViewCall})[] {
	const a = token as Hex;
	const {v2, v3, solidly} = findChain(id)?.exchanges ?? {};
	const contractsOf = (exchanges: Readonly<Record<string, readonly Hex[]>> = {}) =>
		Object.entries(exchanges).flatMap(([place, contracts]) => contracts.map(to => ({place, to})));
	return quotes
		.filter(({price, address}) => price !== null && address !== token)
		.flatMap(quote => {
			const b = quote.address;
			const pairs = contractsOf(v2).map(({place, to}) => {
				const data = encodeFunctionData({abi: ABI, functionName: 'getPair', args: [a, b]});
				return {place, quote, hasRanges: false, call: {to, data}};
			});
			const volatile = contractsOf(solidly).map(({place, to}) => {
				const data = encodeFunctionData({abi: ABI, functionName: 'getPool', args: [a, b, false]});
				return {place, quote, hasRanges: false, call: {to, data}};
			});
			const ranges = contractsOf(v3).flatMap(({place, to}) =>
				FEES.map(fee => {
					const data = encodeFunctionData({abi: ABI, functionName: 'getPool', args: [a, b, fee]});
					return {place, quote, hasRanges: true, call: {to, data}};
				}),
			);
			return [...pairs, ...volatile, ...ranges];
		});
}

/** The question for the price of each quote coin that is no dollar. */
function coinCalls({quotes}: EvmChain): readonly {readonly quote: EvmQuote; readonly call: ViewCall}[] {
	return quotes.flatMap(quote => {
		if (quote.price?.kind === 'chainlink') {
			return [
				{quote, call: {to: quote.price.feed, data: encodeFunctionData({abi: ABI, functionName: 'latestRoundData'})}},
			];
		}
		if (quote.price?.kind !== 'pool') return [];
		return [{quote, call: {to: quote.price.pool, data: encodeFunctionData({abi: ABI, functionName: 'slot0'})}}];
	});
}

/** US dollars for one of each quote coin, by its address; coins without a price of now are left out. */
function pricesOf(
	{quotes}: EvmChain,
	coins: ReturnType<typeof coinCalls>,
	answers: readonly (readonly bigint[] | undefined)[],
	nowMs: number,
): ReadonlyMap<string, number> {
	const dollars = quotes.filter(({price}) => price?.kind === 'dollar');
	const prices = new Map<string, number>(dollars.map(({address}) => [address, 1]));
	// Coins priced by a pool come behind the coins priced by a feed: the pool's price is counted in such a coin.
	const order = coins
		.map((coin, at) => ({...coin, words: answers[at]}))
		.toSorted((a, b) => Number(a.quote.price?.kind === 'pool') - Number(b.quote.price?.kind === 'pool'));
	for (const {quote, words} of order) {
		const {price} = quote;
		if (words === undefined) continue;
		if (price?.kind === 'chainlink') {
			const ageMs = nowMs - Number(words[3]) * 1000;
			const usd = Number(BigInt.asIntN(256, words[1]!)) / 10 ** price.decimals;
			if (usd > 0 && ageMs <= price.heartbeatS * 1000 + GRACE_MS) prices.set(quote.address, usd);
		} else if (price?.kind === 'pool') {
			const other = quotes.find(({address}) => address === price.in);
			const otherUSD = prices.get(price.in);
			const ratio = other && priceBySqrt(words[0]!, quote, other);
			if (ratio !== undefined && otherUSD !== undefined) prices.set(quote.address, ratio * otherUSD);
		}
	}
	return prices;
}

function poolCalls({address, quote, hasRanges}: Pool): readonly ViewCall[] {
	const to = address;
	if (!hasRanges) return [{to, data: encodeFunctionData({abi: ABI, functionName: 'getReserves'})}];
	return [
		{to, data: encodeFunctionData({abi: ABI, functionName: 'slot0'})},
		{to, data: encodeFunctionData({abi: ABI, functionName: 'liquidity'})},
		{to: quote.address, data: encodeFunctionData({abi: ABI, functionName: 'balanceOf', args: [address as Hex]})},
	];
}

/** Price and money of a pool; undefined for an empty one. */
function poolPrice(
	{place, quote, hasRanges}: Pool,
	own: PricedToken,
	words: readonly (readonly bigint[] | undefined)[],
	quoteUSD: number,
): Omit<Extract<ChainPrice, {kind: 'read'}>, 'kind'> | undefined {
	if (words.some(answer => answer === undefined)) return undefined;
	const whole = (raw: bigint, {decimals}: {readonly decimals: number}) => Number(raw) / 10 ** decimals;
	if (hasRanges) {
		const [[root], [liquidity], [held]] = words as [bigint[], bigint[], bigint[]];
		const price = priceBySqrt(root!, own, quote);
		if (price === undefined || liquidity === 0n) return undefined;
		return {usd: price * quoteUSD, place, depthUSD: whole(held!, quote) * quoteUSD};
	}
	const [reserve0 = 0n, reserve1 = 0n] = words[0]!;
	const [tokens, coins] = own.address < quote.address ? [reserve0, reserve1] : [reserve1, reserve0];
	if (tokens === 0n || coins === 0n) return undefined;
	const depthUSD = whole(coins, quote) * quoteUSD;
	return {usd: depthUSD / whole(tokens, own), place, depthUSD};
}

interface Coin {
	readonly address: string;
	readonly decimals: number;
}

/** How many of another coin one coin costs in a pool with ranges; undefined where the pool has no price. */
function priceBySqrt(root: bigint, coin: Coin, other: Coin): number | undefined {
	const isFirst = coin.address < other.address;
	const [first, second] = isFirst ? [coin, other] : [other, coin];
	const price = priceFromSqrt(root, first.decimals, second.decimals);
	if (price === null || !(price > 0)) return undefined;
	return isFirst ? price : 1 / price;
}

function addressOf(word: bigint): string {
	return `0x${(word % 2n ** 160n).toString(16).padStart(40, '0')}`;
}
