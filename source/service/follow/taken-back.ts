import type {MarketEvent} from '../market/events.ts';

/** For so long an event that was taken back may return in another block. */
const KEPT_MS = 600_000;
const MOST = 10_000;
/** Fields that depend on the block and on what came before the event. */
const OF_PLACE: ReadonlySet<string> = new Set(
	'block timeMs quoteUSD priceUSD valueUSD feeUSD reserves reserveToken reserveQuote'.split(' '),
);

/**
 * Events that a reorganisation took back: most of them return in another block a moment later, and are no news then. An event
 * is the same when all of it is but its place and what follows from that.
 */
export class TakenBack {
	readonly #counts = new Map<string, {count: number; readonly atMs: number}>();

	remember(events: readonly MarketEvent[], nowMs: number): void {
		for (const [sign, {atMs}] of this.#counts) {
			if (atMs > nowMs - KEPT_MS && this.#counts.size < MOST) break;
			this.#counts.delete(sign);
		}
		for (const event of events) {
			const sign = signOf(event);
			this.#counts.set(sign, {count: (this.#counts.get(sign)?.count ?? 0) + 1, atMs: nowMs});
		}
	}

	/** True for an event that was there before, once for each time that it was taken back. */
	returns(event: MarketEvent): boolean {
		if (this.#counts.size === 0) return false;
		const sign = signOf(event);
		const known = this.#counts.get(sign);
		if (known === undefined) return false;
		known.count--;
		if (known.count === 0) this.#counts.delete(sign);
		return true;
	}
}

function signOf(event: MarketEvent): string {
	return JSON.stringify(event, (name, value) => (OF_PLACE.has(name) ? undefined : value));
}
