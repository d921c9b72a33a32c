import type {MarketEvent} from '../market/events.ts';

/** Time within which an event that was taken back may return in another block. */
const KEPT_MS = 600_000;
const MAX_EVENTS = 10_000;
/** Fields that depend on the block and on the events before. */
const BLOCK_FIELDS: ReadonlySet<string> = new Set(
	'block timeMs quoteUSD priceUSD valueUSD feeUSD spotQuote reserves reserveToken reserveQuote'.split(' '),
);

/**
 * Events that a reorganisation took back. Most of them return in another block a moment later and must not be reported again. Two
 * events are the same when all fields are equal except those that depend on the block.
 */
export class TakenBack {
	readonly #counts = new Map<string, {count: number; readonly atMs: number}>();

	remember(events: readonly MarketEvent[], nowMs: number): void {
		for (const [key, {atMs}] of this.#counts) {
			if (atMs > nowMs - KEPT_MS && this.#counts.size < MAX_EVENTS) break;
			this.#counts.delete(key);
		}
		for (const event of events) {
			const key = fingerprint(event);
			this.#counts.set(key, {count: (this.#counts.get(key)?.count ?? 0) + 1, atMs: nowMs});
		}
	}

	/** Whether an event was taken back before; true once for each time. */
	returns(event: MarketEvent): boolean {
		if (this.#counts.size === 0) return false;
		const key = fingerprint(event);
		const known = this.#counts.get(key);
		if (known === undefined) return false;
		known.count--;
		if (known.count === 0) this.#counts.delete(key);
		return true;
	}
}

function fingerprint(event: MarketEvent): string {
	return JSON.stringify(event, (name, value) => (BLOCK_FIELDS.has(name) ? undefined : value));
}
