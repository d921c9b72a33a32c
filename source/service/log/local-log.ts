import type {EventSink} from '../market/event-source.ts';
import type {LogRecord} from './log-entry.ts';
import type {LogMarket} from './log-market.ts';

/**
 * The market log of a process that is alone. A record is applied when it is written, in the same turn of the event loop; the journal
 * has what it amounts to, so that entries need not be kept.
 */
export class LocalLog {
	readonly #market: Pick<LogMarket, 'position' | 'apply' | 'factsOf'>;
	readonly #nowMs: () => number;

	/** @param nowMs the log's clock, Unix ms; one that falls is waited for */
	constructor(market: Pick<LogMarket, 'position' | 'apply' | 'factsOf'>, nowMs: () => number) {
		this.#market = market;
		this.#nowMs = nowMs;
	}

	/**
	 * Appends a record.
	 * @param nowMs default: the log's clock
	 * @throws the errors of LogMarket.apply
	 */
	write(record: LogRecord, nowMs: number = this.#nowMs()): void {
		const {seq, atMs} = this.#market.position;
		this.#market.apply({seq: seq + 1, atMs: Math.max(atMs, nowMs), record});
	}

	/** The sink of every source of this process. Each call is applied when it returns. */
	get sink(): EventSink {
		return {
			append: async batch => this.write({kind: 'batch', batch}),
			takeBack: async (chainId, fromBlock) => {
				this.write({kind: 'take-back', chainId, fromBlock});
				return this.#market.factsOf(chainId);
			},
			gap: async gap => this.write({kind: 'gap', gap}),
			forget: async (chainId, tokens) => this.write({kind: 'forget', chainId, tokens}),
			report: report => this.write({kind: 'report', report}),
		};
	}
}
