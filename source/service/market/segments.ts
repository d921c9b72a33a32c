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

/**
 * Allocates runs of slots in one shared set of columns, so that thousands of small tables cost no object each. Runs
 * have fixed sizes; a released run is given to the next table of its size.
 */
export class Segments {
	/** Slots in use or on a free list; the columns must be at least this long. */
	top: number;
	readonly #sizes: readonly number[];
	readonly #free: number[][];

	/**
	 * @param sizes rising run lengths; a class is an index into them
	 * @param first the first slot to give out
	 */
	constructor(sizes: readonly number[], first = 0) {
		this.#sizes = sizes;
		this.#free = sizes.map(() => []);
		this.top = first;
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
