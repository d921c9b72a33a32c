import {createHash} from 'node:crypto';
import {BASE58} from '../../address.ts';
import {getOrInsert} from '../../get-or-insert.ts';
import type {MarketEvent} from '../market/events.ts';

/** The position of an event in its chain. Hashes are computed when they are read: of most events only the numbers are needed. */
export class Place {
	/** Index of the transaction in its block. */
	readonly transactionIndex: number;
	/** Index of the event in its block. */
	readonly logIndex: number;
	/** The event is the first one seen of its block. */
	readonly isFirst: boolean;
	readonly #block: Block;
	readonly #transaction: string | null;

	/** Takes the next numbers of a block. @param transaction null for an event without one */
	constructor(block: Block, transaction: string | null) {
		this.isFirst = block.logs === 0;
		this.logIndex = block.logs++;
		this.transactionIndex = block.transactionIndex(transaction);
		this.#block = block;
		this.#transaction = transaction;
	}

	get blockHash(): string {
		return this.#block.hash;
	}

	get transactionHash(): string {
		const {chainId, height} = this.#block;
		return this.#transaction ?? hashOn(chainId, `event ${height} ${this.logIndex}`);
	}
}

/** A block with the numbers given so far. */
class Block {
	readonly chainId: string;
	readonly height: number;
	logs = 0;
	#transactionCount = 0;
	readonly #transactions = new Map<string, number>();
	#hash: string | undefined;

	constructor(chainId: string, height: number) {
		this.chainId = chainId;
		this.height = height;
	}

	get hash(): string {
		this.#hash ??= hashOn(this.chainId, `block ${this.height}`);
		return this.#hash;
	}

	/** @param transaction null: one without a name, which no other event is of */
	transactionIndex(transaction: string | null): number {
		if (transaction === null) return this.#transactionCount++;
		return getOrInsert(this.#transactions, transaction, () => this.#transactionCount++);
	}
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
		const blocks = getOrInsert(this.#chains, event.chainId, () => []);
		let block = blocks.find(known => known.height === height);
		if (block === undefined) {
			block = new Block(event.chainId, height);
			blocks.unshift(block);
			if (blocks.length > BLOCKS) blocks.pop();
		}
		return new Place(block, 'tx' in event ? event.tx : null);
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
