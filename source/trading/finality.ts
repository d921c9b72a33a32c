import {findChain} from '../chains/chains.ts';
import {readBlockNumber} from './chain-proof.ts';
import {type ChainReader, ChainUnread, orRefused} from './chain-reader.ts';
import {quantity} from './evm-words.ts';

/** A block in which a node showed something. A reorganisation can replace the block, and then its transactions are gone. */
export interface SeenBlock {
	readonly chainId: string;
	readonly number: number;
	/** In lower case, like `first`. */
	readonly hash: string;
	/** Hash of the chain's first block: a chain that was made again begins with another one. */
	readonly first?: string;
}

/**
 * `final`: no reorganisation can replace the block; `there`: it is in its place; `gone`: another one is, or none.
 * `other`: the node serves another chain under the same number, such as a practice chain that was reset.
 */
export type Standing = 'final' | 'there' | 'gone' | 'other';

/** After how many blocks one is taken for final on a chain of which that is not known: 20 minutes of the fastest rollups. */
const FINAL_AFTER_UNKNOWN = 4800;

/**
 * The block of a receipt, as it stands on the chain now.
 * @returns undefined when another block is in its place: the receipt is of a fork
 * @throws ChainUnread
 */
export async function seenBlock(
	chains: ChainReader,
	chainId: string,
	{block, blockHash}: {readonly block: bigint; readonly blockHash?: string},
): Promise<SeenBlock | undefined> {
	const [found, first] = await Promise.all([blockAtTag(chains, chainId, hexOf(block)), firstHash(chains, chainId)]);
	if (found === undefined) throw new ChainUnread(chainId, `its node does not know the block ${block}`);
	if (blockHash !== undefined && found.hash !== blockHash) return undefined;
	return {chainId, number: Number(block), hash: found.hash, ...(first !== undefined && {first})};
}

/** The newest block. @throws ChainUnread */
export async function newestBlock(chains: ChainReader, chainId: string): Promise<SeenBlock> {
	const [found, first] = await Promise.all([blockAtTag(chains, chainId, 'latest'), firstHash(chains, chainId)]);
	if (found === undefined) throw new ChainUnread(chainId, 'its node does not know its newest block');
	return {chainId, number: Number(found.number), hash: found.hash, ...(first !== undefined && {first})};
}

/** Reads at one node at a time: public nodes refuse a flood. */
const CALLS_AT_ONCE = 6;

/**
 * The present state of blocks of one chain. A chain that ends before a block does not have the block, whether blocks were taken back
 * or the node is behind: the block is `gone` until the node shows it.
 * @returns by the blocks' hashes
 * @throws ChainUnread
 */
export async function standingsOf(
	chains: ChainReader,
	chainId: string,
	blocks: readonly SeenBlock[],
): Promise<ReadonlyMap<string, Standing>> {
	const final = await finalNumber(chains, chainId);
	const waiting = [...new Map(blocks.map(block => [block.hash, block])).values()];
	const standings = new Map<string, Standing>();
	const work = async () => {
		for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
			standings.set(next.hash, await standingOf(chains, next, final));
	};
	await Promise.all(Array.from({length: CALLS_AT_ONCE}, work));
	return standings;
}

async function standingOf(chains: ChainReader, seen: SeenBlock, final: bigint): Promise<Standing> {
	const {chainId, number} = seen;
	const found = await blockAtTag(chains, chainId, hexOf(BigInt(number)));
	if (found === undefined && (await readBlockNumber(chains, chainId)) >= BigInt(number))
		throw new ChainUnread(chainId, `its node does not know the block ${number}`);
	if (found?.hash !== seen.hash) {
		const first = seen.first === undefined ? undefined : await firstHash(chains, chainId);
		return first !== undefined && first !== seen.first ? 'other' : 'gone';
	}
	return BigInt(number) <= final ? 'final' : 'there';
}

/** The newest block that no reorganisation can replace. @throws ChainUnread */
async function finalNumber(chains: ChainReader, chainId: string): Promise<bigint> {
	const named = await orRefused(() => blockAtTag(chains, chainId, 'finalized'));
	if (named !== undefined) return named.number;
	return (await readBlockNumber(chains, chainId)) - BigInt(findChain(chainId)?.finalAfter ?? FINAL_AFTER_UNKNOWN);
}

/** Undefined when the node does not give it: a node may have pruned its first blocks. @throws ChainUnread */
async function firstHash(chains: ChainReader, chainId: string): Promise<string | undefined> {
	return (await orRefused(() => blockAtTag(chains, chainId, '0x0')))?.hash;
}

interface Block {
	readonly number: bigint;
	readonly hash: string;
}

/** Undefined for a block that the node does not have. @throws ChainUnread for an answer that does not fit the question */
async function blockAtTag(chains: ChainReader, chainId: string, tag: string): Promise<Block | undefined> {
	const block = await chains.request(chainId, 'eth_getBlockByNumber', [tag, false]);
	if (block === null || block === undefined) return undefined;
	const {hash, number} = block as Record<string, unknown>;
	const at = quantity(number);
	const asked = quantity(tag);
	if (typeof hash !== 'string' || at === undefined || (asked !== undefined && asked !== at))
		throw new ChainUnread(chainId, `its node's answer about the block ${tag} cannot be read`);
	return {number: at, hash: hash.toLowerCase()};
}

function hexOf(block: bigint): string {
	return `0x${block.toString(16)}`;
}
