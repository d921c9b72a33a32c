import type {SourceFact} from '../../market/event-source.ts';
import type {MarketEvent} from '../../market/events.ts';
import type {Surroundings, Transaction} from './surroundings.ts';
import {transactionEvents} from './transaction-events.ts';
import type {Address} from './venue.ts';
import type {ReadLog} from './venue-reader.ts';

export interface BatchEvents {
	readonly events: readonly MarketEvent[];
	readonly facts: readonly SourceFact[];
	/** Tokens that are no longer followed. */
	readonly dropped: readonly Address[];
}

/**
 * The market's events of the logs of whole blocks. Nothing depends on where a batch begins or ends.
 * @param logs in the order of the chain
 */
export function batchEvents(
	logs: readonly ReadLog[],
	{timeOf, maxTokens, ...around}: Surroundings & {timeOf(block: number): number; maxTokens: number},
): BatchEvents {
	const events: MarketEvent[] = [];
	const facts: SourceFact[] = [];
	const dropped: Address[] = [];
	const endBlock = (block: number): void => {
		dropped.push(...around.state.takeDiscarded(), ...around.state.shrink(maxTokens));
		facts.push(...around.state.takeFacts(block));
	};
	let last: number | undefined;
	for (const transaction of transactions(logs, timeOf)) {
		if (last !== undefined && last !== transaction.block) endBlock(last);
		last = transaction.block;
		events.push(...transactionEvents(transaction, around));
	}
	if (last !== undefined) endBlock(last);
	return {events, facts, dropped};
}

function* transactions(logs: readonly ReadLog[], timeOf: (block: number) => number): Generator<Transaction> {
	let start = 0;
	for (let end = 1; end <= logs.length; end++) {
		const {log} = logs[start]!;
		const next = logs[end]?.log;
		if (next?.transactionHash === log.transactionHash && next.blockNumber === log.blockNumber) continue;
		const timeMs = timeOf(log.blockNumber);
		yield {block: log.blockNumber, timeMs, hash: log.transactionHash, logs: logs.slice(start, end)};
		start = end;
	}
}
