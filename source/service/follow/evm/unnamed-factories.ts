import type {EvmChain} from '../../../chains/evm-chains.ts';
import {POOL_TYPES} from '../../../contract/system-metadata.ts';
import {PulsetopError} from '../../../errors.ts';
import type {EvmNode} from '../../../rpc/evm/node.ts';
import {toQuantity} from '../../../rpc/evm/quantities.ts';
import {NodeAnswerWrong, NodeRefused, NodeUnanswered} from '../../../rpc/node-errors.ts';
import {readHeader} from './header.ts';
import {RangeSize} from './range-size.ts';
import {readLogs, type TimedLog} from './read-logs.ts';
import type {Address, Hex} from './venue.ts';
import {readTransfer, TRANSFER, VenueReader} from './venue-reader.ts';
import {VENUES, venuesOf} from './venues.ts';

/** A contract that makes pools or tokens and that no venue names. */
export interface UnnamedFactory {
	readonly address: Address;
	readonly makes: 'pools' | 'tokens';
	/** First topic of the event that says so. */
	readonly topic: Hex;
	readonly count: number;
	/** Share of all pools that were made, or of all new tokens that were looked at: 0 to 1. */
	readonly share: number;
	/** One that has the event. */
	readonly transaction: Hex;
}

/** Pools and tokens of a chain's newest blocks, and who made them. */
export interface FactoryCounts {
	readonly fromBlock: number;
	readonly toBlock: number;
	readonly pools: {readonly made: number; readonly named: number};
	/** `made`: tokens that one transaction alone minted. Of these some are looked at; null when the node gives no receipts. */
	readonly tokens: {readonly made: number; readonly looked: number; readonly named: number} | null;
	/** Most first. */
	readonly factories: readonly UnnamedFactory[];
}

/** Receipts that are looked at: more say nothing new of a launchpad worth following. */
const MAX_RECEIPTS = 200;
const RECEIPTS_AT_ONCE = 20;
const MAX_FACTORIES = 20;
/** A contract that names one new token only may be its own pool. */
const MIN_TOKENS = 2;
const FROM_NOBODY: Hex = `0x${'0'.repeat(64)}`;
/** Names every token that is approved by it. */
const PERMIT2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3';

/** First topics that exchanges of any chain make pools with. A fork that nobody names writes them from an address of its own. */
const POOL_TOPICS: readonly Hex[] = [
	...new Set(
		VENUES.filter(({poolType}) => (POOL_TYPES.pool as readonly string[]).includes(poolType)).flatMap(
			({events}) => Object.keys(events) as Hex[],
		),
	),
];

/**
 * Counts the contracts that made pools and tokens in the newest blocks of a chain and that no venue names: pools by the events of known
 * exchanges at other addresses; tokens by any event that names a new token in the transaction that minted it.
 * @param blocks how many
 * @throws NodeRefused, NodeUnanswered, NodeAnswerWrong
 */
export async function countUnnamedFactories(node: EvmNode, chain: EvmChain, blocks: number): Promise<FactoryCounts> {
	const head = readHeader(await node.call('eth_getBlockByNumber', ['latest', false]));
	if (!head) throw new NodeAnswerWrong('eth_getBlockByNumber', 'there is no newest block');
	const range = {from: Math.max(0, head.number - blocks + 1), to: head.number};
	const reader = new VenueReader(venuesOf(chain.number), chain.number);
	const made = await readRange(node, [POOL_TOPICS], range);
	const mints = await readRange(node, [[TRANSFER], [FROM_NOBODY]], range);
	const foreign = made.filter(({address}) => !reader.contracts.has(address));
	const tokens = await countTokens(node, reader, {made, mints, range});
	return {
		fromBlock: range.from,
		toBlock: range.to,
		pools: {made: made.length, named: made.length - foreign.length},
		tokens: tokens && {made: tokens.made, looked: tokens.looked, named: tokens.named},
		factories: [
			...tally(
				foreign.map(log => ({log, what: `${log.blockNumber} ${log.logIndex}`})),
				'pools',
				made.length,
			),
			...(tokens ? tally(tokens.namings, 'tokens', tokens.looked) : []).filter(({count}) => count >= MIN_TOKENS),
		]
			.sort((a, b) => b.count - a.count)
			.slice(0, MAX_FACTORIES),
	};
}

interface Range {
	readonly from: number;
	readonly to: number;
}

/** An event of a contract about something that was made. */
interface Naming {
	readonly log: TimedLog;
	readonly what: string;
}

/** Logs of any address with these topics, in as many calls as the node needs. */
async function readRange(node: EvmNode, topics: readonly (readonly Hex[])[], {from, to}: Range): Promise<TimedLog[]> {
	const size = new RangeSize();
	const logs: TimedLog[] = [];
	for (let at = from; at <= to; ) {
		const end = Math.min(to, at + size.blocks - 1);
		const blocks = end - at + 1;
		try {
			const answer = await node.call('eth_getLogs', [{fromBlock: toQuantity(at), toBlock: toQuantity(end), topics}]);
			const [first = [], second] = topics;
			const filter = {addresses: [], topics: first, ...(second && {second})};
			logs.push(...readLogs(answer, {filter, fromBlock: at, toBlock: end, hashes: new Map()}));
			size.answered(blocks);
			at = end + 1;
		} catch (error) {
			const refusal = error instanceof NodeRefused ? error.meaning : undefined;
			// Fewer blocks would be refused alike.
			const isFinal = refusal !== undefined && ['unknown-method', 'never', 'too-old', 'lagging'].includes(refusal.kind);
			const isTooMuch = refusal !== undefined || (error instanceof NodeUnanswered && error.tooMuch);
			if (!isTooMuch || isFinal || blocks === 1) throw error;
			size.refused(blocks, refusal?.kind === 'range' ? refusal.blocks : undefined);
		}
	}
	return logs;
}

interface TokenCounts {
	readonly made: number;
	readonly looked: number;
	readonly named: number;
	readonly namings: readonly Naming[];
}

async function countTokens(
	node: EvmNode,
	reader: VenueReader,
	{made, mints, range}: {made: readonly TimedLog[]; mints: readonly TimedLog[]; range: Range},
): Promise<TokenCounts | null> {
	const pools = new Set<Hex>(made.map(log => poolOf(log)).filter(pool => pool !== undefined));
	const minted = Map.groupBy(
		mints.filter(log => readTransfer(log) && !pools.has(log.address)),
		({address}) => address,
	);
	// A token that is minted repeatedly is no launch.
	const tokens = [...minted].filter(([, logs]) => new Set(logs.map(log => log.transactionHash)).size === 1);
	const every = Math.max(1, tokens.length / MAX_RECEIPTS);
	const sample = Array.from(
		{length: Math.min(MAX_RECEIPTS, tokens.length)},
		(_, at) => tokens[Math.floor(at * every)]!,
	);
	const namings: Naming[] = [];
	let [looked, named] = [0, 0];
	for (let at = 0; at < sample.length; at += RECEIPTS_AT_ONCE) {
		const part = sample.slice(at, at + RECEIPTS_AT_ONCE);
		const calls = part.map(([, [log]]) => ({method: 'eth_getTransactionReceipt', params: [log!.transactionHash]}));
		for (const [index, outcome] of (await node.calls(calls)).entries()) {
			const logs = outcome.ok ? receiptLogs(outcome.result, range) : undefined;
			if (!logs) continue;
			looked++;
			const [token] = part[index]!;
			const isNamed = logs.some(log => reader.contracts.has(log.address) && isLaunchOf(token, log, reader));
			if (isNamed) named++;
			else namings.push(...namingsOf(token, logs, reader));
		}
	}
	return sample.length > 0 && looked === 0 ? null : {made: tokens.length, looked, named, namings};
}

/** The address of a pool that is a contract of its own: some are tokens, too. */
function poolOf(log: TimedLog): Hex | undefined {
	const topic = log.topics[0]!;
	for (const {events} of VENUES) {
		try {
			const event = events[topic]?.(log);
			if (event?.kind === 'pool') return event.pool;
		} catch (error) {
			if (!(error instanceof PulsetopError)) throw error;
		}
	}
	return undefined;
}

function isLaunchOf(token: Address, log: TimedLog, reader: VenueReader): boolean {
	const event = reader.contractEvent(log)?.event;
	return event?.kind === 'token' && event.token === token;
}

/** Events that have a token's address in them, of contracts that no venue names. */
function namingsOf(token: Address, logs: readonly TimedLog[], reader: VenueReader): Naming[] {
	const word = token.slice(2).padStart(64, '0');
	const isNaming = ({address, topics: [topic, ...others], data}: TimedLog): boolean =>
		topic !== TRANSFER &&
		address !== token &&
		address !== PERMIT2 &&
		!reader.isOfVenue(address) &&
		(others.includes(`0x${word}`) || data.includes(word));
	return logs.filter(isNaming).map(log => ({log, what: token}));
}

/** Undefined for what is no receipt of a block in the range. */
function receiptLogs(receipt: unknown, {from, to}: Range): TimedLog[] | undefined {
	const {logs} = (receipt ?? {}) as {logs?: unknown};
	try {
		const filter = {addresses: [], topics: []};
		return readLogs(logs, {filter, fromBlock: from, toBlock: to, hashes: new Map()});
	} catch (error) {
		if (error instanceof PulsetopError) return undefined;
		throw error;
	}
}

/** By contract, each with the event that it wrote most. */
function tally(namings: readonly Naming[], makes: UnnamedFactory['makes'], all: number): UnnamedFactory[] {
	const byContract = Map.groupBy(namings, ({log}) => log.address);
	return [...byContract].map(([address, ofContract]) => {
		const byTopic = [...Map.groupBy(ofContract, ({log}) => log.topics[0]!)].map(([topic, ofTopic]) => {
			const count = new Set(ofTopic.map(({what}) => what)).size;
			return {topic, count, transaction: ofTopic[0]!.log.transactionHash};
		});
		const most = byTopic.reduce((best, next) => (next.count > best.count ? next : best));
		return {address, makes, ...most, share: most.count / all};
	});
}
