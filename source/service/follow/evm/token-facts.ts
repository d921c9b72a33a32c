import type {EvmNode} from '../../../rpc/evm/node.ts';
import type {QuoteCoin, Security} from '../../market/events.ts';
import {readContracts} from './contract-calls.ts';
import {AbiWords, DecodeFailed} from './event-data.ts';
import type {Address, Hex, LaunchFacts, SaidOfLaunch, TokenMade} from './venue.ts';

/** Facts of a token from calls. Null is unknown. */
export interface TokenFacts {
	readonly symbol: string | null;
	readonly name: string | null;
	readonly decimals: number | null;
	/** Raw. */
	readonly supply: bigint | null;
	/** Facts that its launchpad gives beside its events. */
	readonly launch: SaidOfLaunch | null;
	/** Who sent the transaction that opened a pool made by hand. */
	readonly sender: Address | null;
	/** Null also for a token without one. */
	readonly owner: Address | null;
	readonly security: Security;
}

/** A token that is asked about. */
export interface TokenToAsk {
	readonly token: Address;
	/** The block that decides: its supply is asked as of then. */
	readonly block: number;
	readonly launch: {readonly made: TokenMade; readonly facts: LaunchFacts} | undefined;
	/** The transaction whose sender made the pool by hand. */
	readonly transaction: Hex | undefined;
}

/** Longest name or symbol that is kept, in bytes. */
const MAX_TEXT_BYTES = 256;
const SYMBOL: Hex = '0x95d89b41';
const NAME: Hex = '0x06fdde03';
const DECIMALS: Hex = '0x313ce567';
const SUPPLY: Hex = '0x18160ddd';
const OWNER: Hex = '0x8da5cb5b';
const CALLS: readonly Hex[] = [SYMBOL, NAME, DECIMALS, SUPPLY, OWNER];
const BURNT = /^0x0{40}$|^0x0{36}dead$/;

/**
 * Asks tokens for their names, decimals, supply and owner, as of the block of each. Where a node has no state of that block any more
 * the newest is asked.
 * @throws NodeUnanswered
 */
export async function askTokens(
	node: EvmNode,
	{multicall, chain}: {multicall: Address; chain: number},
	tokens: readonly TokenToAsk[],
): Promise<ReadonlyMap<Address, TokenFacts>> {
	const found = new Map<Address, TokenFacts>();
	for (const [block, ofBlock] of Map.groupBy(tokens, ({block}) => block)) {
		const facts = await askAt(node, {multicall, chain}, ofBlock, block);
		const isSilent = [...facts.values()].every(({decimals, supply}) => decimals === null && supply === null);
		const answers = isSilent ? await askAt(node, {multicall, chain}, ofBlock, 'latest') : facts;
		for (const [token, fact] of answers) found.set(token, fact);
	}
	return await withSenders(node, tokens, found);
}

/** Asks coins that price a pool for what is needed to read amounts; those that do not answer are missing. */
export async function askCoins(
	node: EvmNode,
	multicall: Address,
	coins: readonly Address[],
): Promise<ReadonlyMap<Address, QuoteCoin>> {
	const found = new Map<Address, QuoteCoin>();
	const calls = coins.flatMap(to => [SYMBOL, NAME, DECIMALS].map(data => ({to, data})));
	const answers = await readContracts(node, multicall, calls, 'latest');
	for (const [index, address] of coins.entries()) {
		const [symbol, name, decimals] = answers.slice(index * 3, index * 3 + 3);
		const places = readDecimals(decimals);
		if (places === null) continue;
		found.set(address, {address, symbol: readText(symbol) ?? '?', name: readText(name) ?? '?', decimals: places});
	}
	return found;
}

async function askAt(
	node: EvmNode,
	{multicall, chain}: {multicall: Address; chain: number},
	tokens: readonly TokenToAsk[],
	block: number | 'latest',
): Promise<ReadonlyMap<Address, TokenFacts>> {
	const found = new Map<Address, TokenFacts>();
	const calls = tokens.flatMap(({token, launch}) => [
		...CALLS.map(data => ({to: token, data})),
		...(launch?.facts.calls(launch.made, chain) ?? []),
	]);
	const answers = [...(await readContracts(node, multicall, calls, block))];
	for (const {token, launch} of tokens) {
		const [symbol, name, decimals, supply, ownerWord] = answers.splice(0, CALLS.length);
		const owner = readOwner(ownerWord);
		const said = launch && answers.splice(0, launch.facts.calls(launch.made, chain).length);
		found.set(token, {
			symbol: readText(symbol),
			name: readText(name),
			decimals: readDecimals(decimals),
			supply: readUint(supply),
			launch: launch && said?.some(answer => answer !== undefined) ? readLaunch(launch.facts, said) : null,
			sender: null,
			owner: owner !== null && BURNT.test(owner) ? null : owner,
			security: ownerFlags(owner),
		});
	}
	return found;
}

/** The creator of a pool where no event names one: the sender of the transaction. */
async function withSenders(
	node: EvmNode,
	tokens: readonly TokenToAsk[],
	facts: ReadonlyMap<Address, TokenFacts>,
): Promise<ReadonlyMap<Address, TokenFacts>> {
	const asked = tokens.filter(({transaction}) => transaction !== undefined);
	if (asked.length === 0) return facts;
	const outcomes = await node.calls(
		asked.map(({transaction}) => ({method: 'eth_getTransactionByHash', params: [transaction]})),
	);
	const found = new Map(facts);
	for (const [index, {token}] of asked.entries()) {
		const outcome = outcomes[index];
		const sender = outcome?.ok ? senderOf(outcome.result) : null;
		const known = found.get(token);
		if (known) found.set(token, {...known, sender});
	}
	return found;
}

function senderOf(transaction: unknown): Address | null {
	const from =
		typeof transaction === 'object' && transaction !== null && 'from' in transaction ? transaction.from : null;
	return typeof from === 'string' && /^0x[0-9a-fA-F]{40}$/.test(from) ? (from.toLowerCase() as Address) : null;
}

/** A text as `string`, or as `bytes32` of older contracts; null for anything else. Not cleaned. */
function readText(answer: Hex | undefined): string | null {
	if (!answer) return null;
	if (answer.length === 66) return bytes32Text(answer);
	return attempt(() => new AbiWords(padded(answer), 2).text(0, MAX_TEXT_BYTES));
}

function bytes32Text(answer: Hex): string | null {
	const text = Buffer.from(answer.slice(2).replace(/(?:00)+$/, ''), 'hex').toString('utf8');
	return text === '' ? null : text;
}

/** Contracts that end their answer within a word. */
function padded(answer: Hex): Hex {
	return `0x${answer.slice(2).padEnd(Math.ceil((answer.length - 2) / 64) * 64, '0')}`;
}

function readDecimals(answer: Hex | undefined): number | null {
	return answer ? attempt(() => Number(new AbiWords(answer, 1).uint(0, 8))) : null;
}

function readUint(answer: Hex | undefined): bigint | null {
	return answer ? attempt(() => new AbiWords(answer, 1).uint(0)) : null;
}

function readLaunch(facts: LaunchFacts, answers: readonly (Hex | undefined)[]): SaidOfLaunch | null {
	return attempt(() => {
		const {sale, ...others} = facts.read(answers);
		return sale ? {sale, ...others} : others;
	});
}

function readOwner(answer: Hex | undefined): Address | null {
	return answer ? attempt(() => new AbiWords(answer, 1).address(0)) : null;
}

/** A token without `owner()` may have other keys: nothing follows from that. */
function ownerFlags(owner: Address | null): Security {
	return owner === null ? {} : {renounced: BURNT.test(owner)};
}

function attempt<T>(read: () => T): T | null {
	try {
		return read();
	} catch (error) {
		if (error instanceof DecodeFailed) return null;
		throw error;
	}
}
