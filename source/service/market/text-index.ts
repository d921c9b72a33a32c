import type {Image} from './image.ts';
import {grown} from './segments.ts';

const FIRST_SLOTS = 1 << 12;
/** Above this share of used slots the table is made twice as long. */
const MAX_LOAD = 0.7;

/**
 * Finds rows by a text, an address for example, without keeping the text: twelve bytes a row, where a Map takes fifty
 * and keeps its keys. Two texts may have the same hash, so the caller checks each row found. A row is in the index once
 * at most.
 */
export class TextIndex {
	/** Row + 1, 0 = empty. Its length is a power of two. */
	#slots = new Uint32Array(FIRST_SLOTS);
	#count = 0;
	/** By row; arbitrary for a row that is not in the index. */
	#hashes = new Uint32Array(0);

	/** Makes room for rows. */
	reserveRows(rows: number): void {
		this.#hashes = grown(this.#hashes, rows);
	}

	/** See Image. */
	pass(image: Image): void {
		this.#slots = image.column(this.#slots);
		this.#count = image.value(this.#count);
		this.#hashes = image.column(this.#hashes);
	}

	/** The first row with this text's hash for which `isIt` is true, or undefined. */
	find(text: string, isIt: (row: number) => boolean): number | undefined {
		const hash = hashOf(text);
		const mask = this.#slots.length - 1;
		for (let at = hash & mask; ; at = (at + 1) & mask) {
			const row = this.#slots[at]! - 1;
			if (row < 0) return undefined;
			if (this.#hashes[row] === hash && isIt(row)) return row;
		}
	}

	/** Adds a row that is not in the index yet. */
	add(text: string, row: number): void {
		if (this.#count + 1 > this.#slots.length * MAX_LOAD) this.#lengthen();
		this.#hashes[row] = hashOf(text);
		this.#insert(row);
		this.#count++;
	}

	/** Removes a row; false when it is not in the index. */
	remove(row: number): boolean {
		const mask = this.#slots.length - 1;
		let hole = this.#hashes[row]! & mask;
		while (this.#slots[hole] !== row + 1) {
			if (this.#slots[hole] === 0) return false;
			hole = (hole + 1) & mask;
		}
		// A later entry that may move into the hole does, so that no search ends too early.
		for (let at = (hole + 1) & mask; this.#slots[at] !== 0; at = (at + 1) & mask) {
			const home = this.#hashes[this.#slots[at]! - 1]! & mask;
			if (((at - home) & mask) < ((at - hole) & mask)) continue;
			this.#slots[hole] = this.#slots[at]!;
			hole = at;
		}
		this.#slots[hole] = 0;
		this.#count--;
		return true;
	}

	#insert(row: number): void {
		const mask = this.#slots.length - 1;
		let at = this.#hashes[row]! & mask;
		while (this.#slots[at] !== 0) at = (at + 1) & mask;
		this.#slots[at] = row + 1;
	}

	#lengthen(): void {
		const before = this.#slots;
		this.#slots = new Uint32Array(before.length * 2);
		for (const slot of before) if (slot !== 0) this.#insert(slot - 1);
	}
}

/** Texts from this length on are addresses, whose characters are random. */
const ADDRESS_LENGTH = 40;
/** The last characters of an address all count: some addresses are numbers behind zeros. */
const TAIL = 8;

/** FNV-1a, with the upper half folded into the lower one, which picks the slot. A part of an address is enough, in half of the time. */
function hashOf(text: string): number {
	const tail = text.length < ADDRESS_LENGTH ? 0 : text.length - TAIL;
	let hash = 0x811c9dc5;
	for (let i = 0; i < text.length; i += i < tail ? 4 : 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
	return (hash ^ (hash >>> 15)) >>> 0;
}
