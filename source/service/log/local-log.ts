import {randomBytes} from 'node:crypto';
import type {EventSink} from '../market/event-source.ts';
import type {JournalPosition} from './journal-file.ts';
import type {LogRecord} from './log-entry.ts';
import type {LogMarket} from './log-market.ts';

export interface LocalLogOptions {
	readonly market: () => Pick<LogMarket, 'apply' | 'factsOf'>;
	/** The log's clock, Unix ms. One that falls is waited for. */
	readonly nowMs: () => number;
}

/**
 * The market log of a process that is alone. A record is in the log when the market has applied it, in the same turn of the event
 * loop; the journal has what it amounts to, so that entries need not be kept.
 */
export class LocalLog {
	readonly #options: LocalLogOptions;
	#position: JournalPosition;

	constructor(options: LocalLogOptions) {
		this.#options = options;
		this.#position = this.beginAgain(options.nowMs());
	}

	/** The newest entry. */
	get position(): JournalPosition {
		return this.#position;
	}

	/** Ends the log: what follows is another one, which begins at a time that may be earlier. @returns its beginning */
	beginAgain(atMs: number): JournalPosition {
		this.#position = {epoch: randomBytes(6).toString('hex'), seq: 0, atMs};
		return this.#position;
	}

	/**
	 * Appends a record.
	 * @param nowMs default: the log's clock
	 * @throws what the market throws, see LogMarket: the record is not in the log then
	 */
	write(record: LogRecord, nowMs: number = this.#options.nowMs()): void {
		const {epoch, seq, atMs} = this.#position;
		const entry = {seq: seq + 1, atMs: Math.max(atMs, nowMs), record};
		this.#options.market().apply(entry);
		this.#position = {epoch, seq: entry.seq, atMs: entry.atMs};
	}

	/** The sink of every source of this process. Each call is in the log when it returns. */
	get sink(): EventSink {
		return {
			append: async batch => this.write({kind: 'batch', batch}),
			takeBack: async (chainId, fromBlock) => {
				this.write({kind: 'take-back', chainId, fromBlock});
				return this.#options.market().factsOf(chainId);
			},
			gap: async gap => this.write({kind: 'gap', gap}),
			forget: async (chainId, tokens) => this.write({kind: 'forget', chainId, tokens}),
			report: report => this.write({kind: 'report', report}),
		};
	}
}
