import {type EvmChain, NATIVE} from '../../../chains/evm-chains.ts';
import type {BlockBatch, LogFilter} from './block-stream.ts';
import type {FollowedToken, FollowedTokens} from './followed-tokens.ts';
import type {Log} from './log.ts';
import type {TokenToAsk} from './token-facts.ts';
import type {Address, Hex, PoolMade, TokenMade} from './venue.ts';
import {
	type FilterParts,
	type ReadLog,
	readTokenLog,
	TOKEN_TOPICS,
	type VenueLog,
	type VenueReader,
} from './venue-reader.ts';

/** All logs of a batch that matter, and what still has to be asked to understand them. */
export interface BatchReading {
	/** In the order of the chain. */
	readonly logs: readonly ReadLog[];
	/** Tokens that may be launched in the batch. */
	readonly tokens: readonly TokenToAsk[];
	/** Pairs with the wrapped native coin that tokens may be launched in, or move to, in the batch. */
	readonly pairs: readonly OpenedPair[];
	/** Coins that price new pools and are not known. */
	readonly coins: readonly Address[];
	/** It has trades or launches: prices are needed. */
	readonly isPriced: boolean;
}

/** A pair that gets its first coins. */
export interface OpenedPair {
	readonly token: Address;
	readonly pair: Address;
	readonly block: number;
}

/** Tokens and pools that a batch makes, beside those that are followed already. More rather than fewer. */
interface Found {
	readonly tokens: Set<Address>;
	/** Its venue by pool. */
	readonly pools: Map<Hex, string>;
	readonly coins: Set<Address>;
}

/** Reads a batch: its logs, and the logs of the tokens and pools made in it and of pools in managers. */
export async function readBatch(
	batch: BlockBatch,
	{chain, reader, state}: {chain: EvmChain; reader: VenueReader; state: FollowedTokens},
): Promise<BatchReading> {
	const made = batch.logs.map(log => reader.contractEvent(log)).filter(read => read !== undefined);
	const found = find(made, state, chain);
	const managed = await readManaged(batch, reader, state, found);
	const readVenueLog = (log: Log): VenueLog | undefined => {
		const venue = state.pools.get(log.address)?.venue ?? found.pools.get(log.address);
		return venue ? reader.poolEvent(log, venue) : reader.contractEvent(log);
	};
	const waiting = waitingTokens([...batch.logs, ...managed], state);
	const missing = [...found.tokens, ...waiting, ...found.pools.keys()].filter(address => address.length === 42);
	const more = missing.length === 0 ? [] : await batch.more({addresses: missing as Address[], topics: reader.topics});
	const logs: ReadLog[] = [];
	for (const log of inOrder([...batch.logs, ...managed, ...more])) {
		const read = isOfToken(log) ? readTokenLog(log) : readVenueLog(log);
		if (read) logs.push(read);
	}
	return {
		logs,
		tokens: tokensToAsk(logs, found, state),
		pairs: openedPairs(logs, state, chain),
		coins: [...found.coins],
		isPriced: logs.some(read => read.kind === 'venue'),
	};
}

function isOfToken({topics: [topic]}: Log): boolean {
	return topic !== undefined && TOKEN_TOPICS.includes(topic);
}

/** Logs of tokens and of pools that are contracts of their own. */
export function followedFilter(
	reader: VenueReader,
	tokens: ReadonlySet<Address>,
	pools: ReadonlyMap<Hex, string>,
): LogFilter & {readonly parts: FilterParts} {
	const parts = [{addresses: [...tokens], topics: [...TOKEN_TOPICS]}];
	const contracts = [...pools].filter((pool): pool is [Address, string] => pool[0].length === 42);
	for (const [venue, ofVenue] of Map.groupBy(contracts, ([, venue]) => venue))
		parts.push({addresses: ofVenue.map(([pool]) => pool), topics: [...reader.poolTopics(venue)]});
	return {addresses: parts.flatMap(({addresses}) => addresses), topics: reader.topics, parts};
}

function find(made: readonly VenueLog[], state: FollowedTokens, chain: EvmChain): Found {
	const found: Found = {tokens: new Set(), pools: new Map(), coins: new Set()};
	for (const {event} of made) if (event.kind === 'token') findToken(event, found, chain, state);
	for (const {event, venue} of made) if (event.kind === 'pool') findPool(event, venue.id, found, chain, state);
	return found;
}

function findToken({token, curve, pool}: TokenMade, found: Found, chain: EvmChain, state: FollowedTokens): void {
	found.tokens.add(token);
	if (pool) found.pools.set(pool.pool, pool.venue);
	for (const quote of [curve?.quote, pool?.quote]) {
		if (quote && quote !== 'native') findCoin(quote, found, chain, state);
	}
}

function findPool(
	{pool, token0, token1}: PoolMade,
	venue: string,
	found: Found,
	chain: EvmChain,
	state: FollowedTokens,
): void {
	const isFollowed = (coin: Address): boolean => state.tokens.has(coin) || found.tokens.has(coin);
	const isQuote = (coin: Address): boolean => coin === NATIVE || chain.quotes.some(({address}) => address === coin);
	const coins = [token0, token1];
	if (!coins.some(isFollowed) && isQuote(token0) === isQuote(token1)) return;
	found.pools.set(pool, venue);
	for (const coin of coins) {
		if (isQuote(coin)) continue;
		if (coins.some(isFollowed) && !isFollowed(coin)) findCoin(coin, found, chain, state);
		else found.tokens.add(coin);
	}
}

function findCoin(coin: Address, {tokens, coins}: Found, {quotes}: EvmChain, state: FollowedTokens): void {
	const isKnown = coin === NATIVE || state.coins.has(coin) || state.tokens.has(coin) || tokens.has(coin);
	if (!isKnown && !quotes.some(({address}) => address === coin)) coins.add(coin);
}

async function readManaged(
	batch: BlockBatch,
	reader: VenueReader,
	state: FollowedTokens,
	found: Found,
): Promise<readonly Log[]> {
	const managers = reader.managers();
	if (managers.addresses.length === 0) return [];
	const ids = [...state.pools.keys(), ...found.pools.keys()].filter(pool => pool.length === 66);
	return ids.length === 0 ? [] : await batch.more({...managers, second: ids});
}

/** Tokens that wait for coins in their pools, of pools that wrote something. */
function waitingTokens(logs: readonly Log[], state: FollowedTokens): readonly Address[] {
	const tokens = new Set<Address>();
	for (const {address, topics} of logs) {
		const pool = state.pools.get(address) ?? (topics[1] && state.pools.get(topics[1]));
		const token = pool && !pool.isOpen ? state.tokens.get(pool.token) : undefined;
		if (token?.waiting) tokens.add(token.token);
	}
	return [...tokens];
}

/** In the order of the chain, each once. */
function inOrder(logs: readonly Log[]): readonly Log[] {
	const sorted = logs.toSorted((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
	return sorted.filter((log, index) => {
		const before = sorted[index - 1];
		return before?.logIndex !== log.logIndex || before.blockNumber !== log.blockNumber;
	});
}

/** Tokens that the batch may launch: tokens of launchpads, and tokens whose pools got their first coins. */
function tokensToAsk(logs: readonly ReadLog[], found: Found, state: FollowedTokens): readonly TokenToAsk[] {
	const asked = new Map<Address, TokenToAsk>();
	const tokenOf = new Map<Hex, readonly Address[]>();
	for (const read of logs) {
		if (read.kind !== 'venue') continue;
		const {event, log, venue} = read;
		if (event.kind === 'token' && !state.tokens.has(event.token)) {
			asked.set(event.token, {
				token: event.token,
				block: log.blockNumber,
				launch: venue.launchFacts && {made: event, facts: venue.launchFacts},
				transaction: undefined,
			});
		}
		if (event.kind === 'pool') {
			tokenOf.set(
				event.pool,
				[event.token0, event.token1].filter(coin => found.tokens.has(coin)),
			);
		}
		if (event.kind !== 'liquidity' && event.kind !== 'reserves' && event.kind !== 'swap') continue;
		const known = state.pools.get(event.pool);
		for (const token of known ? [known.token] : (tokenOf.get(event.pool) ?? [])) {
			const isLaunched = state.tokens.has(token) && state.tokens.get(token)!.waiting === null;
			if (asked.has(token) || isLaunched) continue;
			const transaction = state.tokens.get(token)?.venue ? undefined : log.transactionHash;
			asked.set(token, {token, block: log.blockNumber, launch: undefined, transaction});
		}
	}
	return [...asked.values()];
}

/** Pairs of Uniswap V2 and its forks with their first coins; none beside the main pool of a token. */
function openedPairs(
	logs: readonly ReadLog[],
	state: FollowedTokens,
	{native: {wrapped}}: EvmChain,
): readonly OpenedPair[] {
	const opened = new Map<Hex, OpenedPair>();
	const tokenOf = new Map<Hex, Address>();
	for (const read of logs) {
		if (read.kind !== 'venue' || read.venue.poolType !== 'uniswap-v2') continue;
		const {event, log} = read;
		if (event.kind === 'pool') {
			if (event.token0 === wrapped) tokenOf.set(event.pool, event.token1);
			if (event.token1 === wrapped) tokenOf.set(event.pool, event.token0);
		}
		const hasCoins = event.kind === 'swap' || (event.kind === 'reserves' && event.reserve0 > 0n && event.reserve1 > 0n);
		if (!hasCoins || opened.has(event.pool)) continue;
		const pool = state.pools.get(event.pool);
		if (pool?.isOpen || (pool && pool.quote !== wrapped)) continue;
		const token = pool?.token ?? tokenOf.get(event.pool);
		if (token && mayMove(state.tokens.get(token)))
			opened.set(event.pool, {token, pair: log.address, block: log.blockNumber});
	}
	return [...opened.values()];
}

/** Whether the next pool is a token's main one: it has none yet, or is on its curve. */
function mayMove(token: FollowedToken | undefined): boolean {
	return !token || token.waiting !== null || (token.curve !== null && token.main === token.curve.address);
}
