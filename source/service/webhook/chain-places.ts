import {createHash} from 'node:crypto';
import {BASE58} from '../../address.ts';
import type {MarketEvent} from '../market/events.ts';

/** The position of an event in its chain. */
export interface Place {
	/** Of the transaction in its block. */
	readonly transactionIndex: number;
	/** Of the event in its block. */
	readonly logIndex: number;
	readonly blockHash: string;
	readonly transactionHash: string;
	/** The event is the first one seen of its block. */
	readonly isFirst: boolean;
}

interface Block {
	readonly height: number;
	readonly hash: string;
	logs: number;
	readonly transactions: Map<string, number>;
}

/** Blocks of a chain whose numbering is remembered: events of different tokens come in slightly different order. */
const BLOCKS = 32;

/**
 * Numbers events within their blocks, in the order in which they arrive. The market's events name a block by its height
 * alone; its hash follows from chain and height, so that all events of a block agree.
 */
export class ChainPlaces {
	readonly #chains = new Map<string, Block[]>();

	/** @param height the event's block */
	place(event: MarketEvent, height: number): Place {
		const blocks = this.#blocksOf(event.chainId);
		let block = blocks.find(known => known.height === height);
		const isFirst = block === undefined;
		if (block === undefined) {
			block = {height, hash: hashOn(event.chainId, `block ${height}`), logs: 0, transactions: new Map()};
			blocks.unshift(block);
			if (blocks.length > BLOCKS) blocks.pop();
		}
		const logIndex = block.logs++;
		const transactionHash = ('tx' in event ? event.tx : null) ?? hashOn(event.chainId, `event ${height} ${logIndex}`);
		const transactionIndex = block.transactions.get(transactionHash) ?? block.transactions.size;
		block.transactions.set(transactionHash, transactionIndex);
		return {transactionIndex, logIndex, blockHash: block.hash, transactionHash, isFirst};
	}

	#blocksOf(chainId: string): Block[] {
		const known = this.#chains.get(chainId);
		if (known) return known;
		const blocks: Block[] = [];
		this.#chains.set(chainId, blocks);
		return blocks;
	}
}

/**
 * A hash in the chain's form, for transactions and blocks without a name in the source of events: 32 bytes of hex, or
 * base58 of them.
 */
function hashOn(chainId: string, what: string): string {
	const hex = createHash('sha256').update(`${chainId} ${what}`).digest('hex');
	return chainId.startsWith('evm:') ? `0x${hex}` : base58(BigInt(`0x${hex}`));
}

function base58(value: bigint): string {
	let text = '';
	for (let rest = value; rest > 0n; rest /= 58n) text = BASE58[Number(rest % 58n)]! + text;
	return text;
}
