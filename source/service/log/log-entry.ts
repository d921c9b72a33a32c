import type {ChainGap, EventBatch, SourceReport} from '../market/event-source.ts';
import type {Profile} from '../market/events.ts';

/** A call of an EventSink as data, or a fact from outside the chain: what is written into the market. */
export type LogRecord =
	| {readonly kind: 'batch'; readonly batch: EventBatch}
	| {readonly kind: 'take-back'; readonly chainId: string; readonly fromBlock: number}
	| {readonly kind: 'gap'; readonly gap: ChainGap}
	| {readonly kind: 'forget'; readonly chainId: string; readonly tokens: readonly string[]}
	| {readonly kind: 'report'; readonly report: SourceReport}
	/** The content of a token's document, which only the leader fetches. */
	| {readonly kind: 'describe'; readonly chainId: string; readonly token: string; readonly profile: Profile}
	/** No event: advances the clock. */
	| {readonly kind: 'clock'};

/** A row of the market log. */
export interface LogEntry {
	/** 1, 2, 3 and so on without a gap: one order for the events of all chains. */
	readonly seq: number;
	/** The database's clock when it was written, Unix ms; never decreases. The market's clock is that of the last applied entry. */
	readonly atMs: number;
	readonly record: LogRecord;
}
