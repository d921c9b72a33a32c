import type {TokenProcess} from './token-process.ts';

/**
 * Processes by the time of their next event: a binary heap whose first element can be moved in place. tinyqueue, which has to
 * pop and push it, takes 7 to 30 % longer for 2 million events, and orders ties differently: another market for each seed.
 */
export class DueQueue {
	readonly #heap: TokenProcess[] = [];

	peek(): TokenProcess | undefined {
		return this.#heap[0];
	}

	push(process: TokenProcess): void {
		const heap = this.#heap;
		let at = heap.length;
		heap.push(process);
		for (let up = (at - 1) >> 1; at > 0 && heap[up]!.nextMs > process.nextMs; up = (at - 1) >> 1) {
			heap[at] = heap[up]!;
			at = up;
		}
		heap[at] = process;
	}

	/** Moves the first process, whose time has changed, to its position; a dead one is removed. */
	settle(): void {
		const heap = this.#heap;
		const last = heap[0]!.nextMs === Number.POSITIVE_INFINITY ? heap.pop()! : heap[0]!;
		if (heap.length === 0) return;
		let at = 0;
		for (;;) {
			let down = 2 * at + 1;
			if (down >= heap.length) break;
			if (down + 1 < heap.length && heap[down + 1]!.nextMs < heap[down]!.nextMs) down++;
			if (heap[down]!.nextMs >= last.nextMs) break;
			heap[at] = heap[down]!;
			at = down;
		}
		heap[at] = last;
	}
}
