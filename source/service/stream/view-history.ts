import {nameOf, type RowIdentity} from './live-window.ts';

/** How far back a view knows what entered it, in milliseconds. */
const HISTORY_MS = 600_000;
/** Interval at which a replica tells the others that a view is used. */
export const USED_MS = 60_000;
/** How long a view is followed after its last use that is known: the others learn of a use up to an interval late. */
export const KEPT_MS = HISTORY_MS + USED_MS;
/** Most tokens that one view remembers. */
const MAX_TOKENS = 1000;

interface Entered {
	readonly identity: RowIdentity;
	/** The row that it entered in. */
	readonly row: number;
	/** Position in the market log after which it entered. */
	readonly seq: number;
	readonly atMs: number;
}

/**
 * The tokens that entered a view, by the position in the market log: so that a reader whose connection ended learns of tokens that
 * came and went meanwhile. Each token counts with the last time it entered.
 */
export class ViewHistory {
	/** In the order in which they entered. */
	readonly #entered = new Map<string, Entered>();
	/** After this position everything is known. */
	#sinceSeq: number;

	/** @param sinceSeq where the view was filled for the first time */
	constructor(sinceSeq: number) {
		this.#sinceSeq = sinceSeq;
	}

	/** Notes what entered between the last step and this one. */
	add(entered: readonly {readonly identity: RowIdentity; readonly row: number}[], seq: number, nowMs: number): void {
		for (const {identity, row} of entered) {
			const name = nameOf(identity);
			this.#entered.delete(name);
			this.#entered.set(name, {identity, row, seq, atMs: nowMs});
		}
		for (const [name, {seq: oldSeq, atMs}] of this.#entered) {
			if (this.#entered.size <= MAX_TOKENS && nowMs - atMs <= HISTORY_MS) break;
			this.#entered.delete(name);
			this.#sinceSeq = oldSeq;
		}
	}

	/** The tokens that entered after a position, oldest first; undefined where that is no longer known. */
	since(seq: number): readonly Entered[] | undefined {
		if (seq < this.#sinceSeq) return undefined;
		const found = [];
		for (const entered of this.#entered.values()) if (entered.seq > seq) found.push(entered);
		return found;
	}
}
