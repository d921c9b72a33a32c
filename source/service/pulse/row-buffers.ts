/**
 * Reused memory for row lists and marks. Without reuse each query leaves lists of four bytes a row to the garbage
 * collector: over 100,000 rows the p99 of a page goes from 2 to 17 ms (`npm run bench -- pulse`). Lists and marks must be
 * released before the caller awaits anything.
 */
export class RowBuffers {
	#lists: Int32Array[] = [];
	#marks: Uint8Array[] = [];

	/** A list of at least this many row numbers; its content is arbitrary. */
	list(size: number): Int32Array {
		const list = this.#lists.pop();
		return list && list.length >= size ? list : new Int32Array(roomFor(size));
	}

	releaseList(list: Int32Array): void {
		if (this.#lists.length < POOLED) this.#lists.push(list);
	}

	/** A byte for each row, all 0. */
	marks(size: number): Uint8Array {
		const marks = this.#marks.pop();
		return marks && marks.length >= size ? marks : new Uint8Array(roomFor(size));
	}

	/** Takes marks back; the caller has set them to 0 again. */
	releaseMarks(marks: Uint8Array): void {
		if (this.#marks.length < POOLED) this.#marks.push(marks);
	}
}

const POOLED = 8;

function roomFor(size: number): number {
	return Math.max(1024, Math.ceil(size * 1.25));
}
