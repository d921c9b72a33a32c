import type {Column, Image} from './image.ts';

/** Makes a longer copy of a typed array: grown parts are zero. */
export function grown<T extends Float64Array | Float32Array | Uint32Array | Int32Array | Uint16Array | Uint8Array>(
	array: T,
	length: number,
): T {
	const Kind = array.constructor as new (length: number) => T;
	const copy = new Kind(length);
	copy.set(array as never);
	return copy;
}

/** A run of slots that moves. */
export interface Move {
	readonly from: number;
	readonly to: number;
	readonly length: number;
}

/** Makes a column in which runs have moved; what is not in one of them is zero. */
export function moved<T extends Column>(column: T, moves: readonly Move[], slots: number, lanes = 1): T {
	const Kind = column.constructor as new (length: number) => T;
	const made = new Kind(slots * lanes);
	for (const {from, to, length} of moves)
		made.set(column.subarray(from * lanes, (from + length) * lanes) as never, to * lanes);
	return made;
}

/**
 * Allocates runs of slots in one shared set of columns, so that thousands of small tables cost no object each. Runs
 * have fixed sizes; a released run is given to the next table of its size.
 */
export class Segments {
	/** Slots in use or on a free list; the columns must be at least this long. */
	top: number;
	readonly #sizes: readonly number[];
	readonly #first: number;
	#free: number[][];

	/**
	 * @param sizes rising run lengths; a class is an index into them
	 * @param first the first slot to give out
	 */
	constructor(sizes: readonly number[], first = 0) {
		this.#sizes = sizes;
		this.#free = sizes.map(() => []);
		this.#first = first;
		this.top = first;
	}

	/** See Image. */
	pass(image: Image): void {
		this.top = image.value(this.top);
		this.#free = image.value(this.#free);
	}

	/**
	 * Gives all runs new places, one behind the other, so that none is free.
	 * @param runs the place and the class of each run in use
	 * @returns the moves, in the order of the runs
	 */
	compact(runs: readonly {readonly offset: number; readonly sizeClass: number}[]): readonly Move[] {
		this.#free = this.#sizes.map(() => []);
		this.top = this.#first;
		return runs.map(({offset, sizeClass}) => ({from: offset, to: this.take(sizeClass), length: this.size(sizeClass)}));
	}

	/** How many slots a run of this class has. */
	size(sizeClass: number): number {
		return this.#sizes[sizeClass]!;
	}

	/** The smallest class with room for `count` slots; the largest one when all are too small. */
	classFor(count: number): number {
		let sizeClass = 0;
		while (sizeClass < this.#sizes.length - 1 && this.#sizes[sizeClass]! < count) sizeClass++;
		return sizeClass;
	}

	/** The first slot of a free run. May raise `top`: then the caller must lengthen its columns. */
	take(sizeClass: number): number {
		const free = this.#free[sizeClass]!.pop();
		if (free !== undefined) return free;
		const offset = this.top;
		this.top += this.#sizes[sizeClass]!;
		return offset;
	}

	/** Frees a run. The caller clears its contents. */
	give(offset: number, sizeClass: number): void {
		this.#free[sizeClass]!.push(offset);
	}
}

/** Rising run lengths from `first` to at least `last`, each about `factor` times the one before. */
export function geometricSizes(first: number, last: number, factor: number): number[] {
	const sizes = [first];
	for (let size = first; size < last; ) {
		size = Math.max(size + 1, Math.ceil(size * factor));
		sizes.push(size);
	}
	return sizes;
}
