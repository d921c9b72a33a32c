import type {BlockMark} from './block-stream.ts';

/** Distances from the newest block at which a trail has marks. */
const TRAIL = [128, 64, 32, 16, 8, 4, 3, 2, 1];

/** Blocks that were read, by number and hash, oldest first: where the chain is compared with what was read of it. */
export class BlockMarks {
	#marks: BlockMark[] = [];

	/** All of them, oldest first. */
	get all(): readonly BlockMark[] {
		return this.#marks;
	}

	get last(): BlockMark | undefined {
		return this.#marks.at(-1);
	}

	/** Replaces all marks by others, in the order of their numbers. */
	reset(marks: readonly BlockMark[]): void {
		this.#marks = [...marks];
	}

	/** Adds the marks of the next blocks, in order. */
	add(marks: readonly BlockMark[]): void {
		for (const {number, hash} of marks) this.#marks.push({number, hash});
	}

	/** Forgets blocks above a number. */
	cut(above: number): void {
		while (this.#marks.length > 0 && this.#marks.at(-1)!.number > above) this.#marks.pop();
	}

	/** Forgets blocks below a number, but for the last of them. */
	prune(below: number): void {
		const first = this.#marks.findIndex(({number}) => number > below);
		if (first > 1) this.#marks.splice(0, first - 1);
	}

	/**
	 * A few marks of the past as they would be with the next blocks, oldest first; the last block left out.
	 * @param finalized newest block that is final
	 */
	trailWith(next: readonly BlockMark[], finalized: number): BlockMark[] {
		const marks = [...this.#marks, ...next];
		const last = marks.pop();
		if (last === undefined) return [];
		const numbers = new Set(TRAIL.map(distance => last.number - distance));
		const lastFinal = marks.findLastIndex(({number}) => number <= finalized);
		return marks
			.filter((mark, i) => i === lastFinal || i === this.#marks.length - 1 || numbers.has(mark.number))
			.map(({number, hash}) => ({number, hash, ...(number <= finalized && {isFinal: true})}));
	}
}
