import type {ChainGap, EventBatch, SourceReport} from '../market/event-source.ts';

/** What a source of events tells the market, as data: the calls of an EventSink. */
export type LogRecord =
	| {readonly kind: 'batch'; readonly batch: EventBatch}
	| {readonly kind: 'take-back'; readonly chainId: string; readonly fromBlock: number}
	| {readonly kind: 'gap'; readonly gap: ChainGap}
	| {readonly kind: 'forget'; readonly chainId: string; readonly tokens: readonly string[]}
	| {readonly kind: 'report'; readonly report: SourceReport}
	/** Nothing happened: the clock moves on. */
	| {readonly kind: 'clock'};

/** A row of the market log. */
export interface LogEntry {
	/** 1, 2, 3 and so on without a hole: one order for the events of all chains. */
	readonly seq: number;
	/** The database's clock when it was written, Unix ms; never before that of the entry before it. The market's clock stands there. */
	readonly atMs: number;
	readonly record: LogRecord;
}
