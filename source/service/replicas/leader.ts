import type {EventSource} from '../market/event-source.ts';
import type {AppliedMarket} from './applied-market.ts';
import type {EventLog} from './event-log.ts';
import {type Lease, LeaseLost, type Leases} from './lease.ts';
import {LogSink} from './log-sink.ts';

/** Events that one replica at a time reads from their source, and writes into the market log. */
export interface LedStream {
	/** `evm:8453`, `simulated`. Its lease is `market:NAME`. */
	readonly name: string;
	/**
	 * The chain of a source that goes on behind the last batch: what was written behind that, such as a gap, is taken back first
	 * and comes again.
	 */
	readonly chainId?: string;
	/** A new source for each time that this replica leads. */
	open(): Promise<EventSource>;
}

export interface LeadersOptions {
	readonly leases: Leases;
	readonly log: EventLog;
	readonly streams: readonly LedStream[];
	readonly market: AppliedMarket;
	/** How often the clock of the log moves on at least. */
	readonly tickMs?: number;
	/** How long a leader waits for its own market before it lets another lead. */
	readonly catchUpMs?: number;
}

/** What leads streams in this replica. */
export interface Leaders {
	/** Names of the streams that this replica leads now. */
	leading(): readonly string[];
	/** Passed on to the source where this replica leads its chain; see EventSource. */
	holdersWanted(chainId: string, token: string): void;
	/** Stops the sources, then gives their leases back. */
	close(): Promise<void>;
}

/**
 * Takes part in leading streams: each has one leader among the replicas. Whoever leads goes on behind what is in the log, and
 * nothing else counts: not what it knew itself from an earlier time, and not a write whose fate it does not know.
 */
export function startLeaders({
	leases,
	log,
	streams,
	market,
	tickMs = 500,
	catchUpMs = 10_000,
}: LeadersOptions): Leaders {
	const closing = new AbortController();
	const running = new Map<string, EventSource>();

	const lead = async (stream: LedStream, lease: Lease): Promise<void> => {
		// The lease is had: whatever its last owner wrote is in the log by now.
		const {seq} = await log.head();
		const late = AbortSignal.timeout(catchUpMs);
		try {
			await market.untilApplied(seq, AbortSignal.any([lease.signal, late]));
		} catch (error) {
			if (!late.aborted) throw error;
			throw new Error(`the market did not reach entry ${seq} within ${catchUpMs} ms: another replica may lead`);
		}
		const source = await stream.open();
		const sink = new LogSink({log, lease, market, tickMs});
		running.set(stream.name, source);
		try {
			await takeBackRest(stream, sink, market);
			source.start(sink, market.resumeOf());
			const why = await sink.ended;
			if (!(why instanceof LeaseLost)) throw why;
		} finally {
			running.delete(stream.name);
			await source.stop();
		}
	};
	const held = streams.map(stream =>
		// One that is still behind, or reads no more, would keep the others from leading.
		leases.hold(
			`market:${stream.name}`,
			lease => lead(stream, lease),
			closing.signal,
			signal => market.untilWarm(signal),
		),
	);

	return {
		leading: () => [...running.keys()],
		holdersWanted: (chainId, token) => {
			for (const source of running.values()) source.holdersWanted?.(chainId, token);
		},
		async close() {
			closing.abort();
			await Promise.all(held);
		},
	};
}

async function takeBackRest({chainId}: LedStream, sink: LogSink, market: AppliedMarket): Promise<void> {
	const last = chainId === undefined ? undefined : market.resumeOf().get(chainId);
	if (last) await sink.takeBack(chainId!, last.toBlock + 1);
}
