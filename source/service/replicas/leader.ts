import {setTimeout as pause} from 'node:timers/promises';
import type {AppliedMarket} from '../log/applied-market.ts';
import {EntryWriter, MarketLags} from '../log/entry-writer.ts';
import type {EventLog} from '../log/event-log.ts';
import {takeBackRest} from '../log/take-back-rest.ts';
import type {EventSource} from '../market/event-source.ts';
import type {Profile, TokenPlace} from '../market/events.ts';
import {type Lease, LeaseLost, type Leases} from '../store/lease.ts';

/** Events that one replica at a time reads from their source, and writes into the market log. */
export interface LedStream {
	/** `evm:8453`, `simulated`. Its lease is `market:NAME`. */
	readonly name: string;
	/**
	 * The chain of a source that continues after the last batch. Records after that batch, such as a gap, are taken back first,
	 * and the source writes them again.
	 */
	readonly chainId?: string;
	/** Opens a new source each time this replica becomes the leader. */
	open(): Promise<EventSource>;
}

export interface LeadersOptions {
	readonly leases: Leases;
	readonly log: EventLog;
	readonly streams: readonly LedStream[];
	readonly market: AppliedMarket;
	/** Longest time between two entries, which advance the clock of the log, in milliseconds. */
	readonly tickMs?: number;
	/** How long a leader waits for its own market before it releases the lease, in milliseconds. */
	readonly catchUpMs?: number;
}

/** After the source of a stream has ended by itself, this replica lets the others lead it for this time, in milliseconds. */
const REST_MS = 5000;

/** A stream that this replica leads. */
interface Running {
	readonly chainId: string | undefined;
	readonly source: EventSource;
	readonly sink: EntryWriter;
}

/** The streams that this replica leads or stands by for. */
export interface Leaders {
	/** Names of the streams that this replica leads now. */
	leading(): readonly string[];
	/** Whether this replica leads a chain now. */
	leads(chainId: string): boolean;
	/** Forwarded to the source when this replica leads its chain; see EventSource. */
	holdersWanted(chainId: string, token: string): void;
	/** Appends the content of a token's document to the log, if this replica leads the chain. A failed write is not repeated. */
	describe(token: TokenPlace, profile: Profile): void;
	/** Stops the sources, then releases their leases. */
	close(): Promise<void>;
}

/**
 * Competes for the leadership of each stream; a stream has one leader among the replicas. A new leader continues after the last
 * entry of the log and trusts nothing else: neither its own earlier state nor a write without an answer.
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
	const running = new Map<string, Running>();
	/** Until when this replica does not compete for a stream, by the monotonic clock. */
	const rests = new Map<string, number>();

	const lead = async (stream: LedStream, lease: Lease): Promise<void> => {
		// Read after the lease is acquired: all that the last leader wrote is in the log by now.
		const {seq} = await log.head();
		const late = AbortSignal.timeout(catchUpMs);
		try {
			await market.untilApplied(seq, AbortSignal.any([lease.signal, late]));
		} catch (error) {
			if (!late.aborted) throw error;
			throw new MarketLags(lease.name, {seq: market.appliedSeq(), ms: catchUpMs});
		}
		const source = await stream.open();
		const sink = new EntryWriter({log, lease, market, tickMs, catchUpMs});
		running.set(stream.name, {chainId: stream.chainId, source, sink});
		try {
			if (stream.chainId !== undefined) await takeBackRest(stream.chainId, sink, market);
			source.start(sink, market.resumeOf());
			if (stream.chainId !== undefined) market.beganToLead(stream.chainId);
			const why = await Promise.race([sink.ended, source.ended ?? sink.ended]);
			// The source ended by itself: the missing thing may be there when it is opened again.
			if (!sink.hasEnded) rests.set(stream.name, performance.now() + REST_MS);
			if (!(why instanceof LeaseLost)) throw why;
		} finally {
			running.delete(stream.name);
			await source.stop();
		}
	};
	const held = streams.map(stream =>
		// A replica that lags, or no longer reads the log, must not keep the others from leading.
		leases.hold(`market:${stream.name}`, lease => lead(stream, lease), closing.signal, {
			ready: async signal => {
				const restMs = (rests.get(stream.name) ?? 0) - performance.now();
				if (restMs > 0) await pause(restMs, undefined, {ref: false, signal});
				await market.untilWarm(signal);
			},
			isFenced: true,
		}),
	);

	return {
		leading: () => [...running.keys()],
		leads: chainId => [...running.values()].some(one => one.chainId === chainId),
		holdersWanted: (chainId, token) => {
			for (const {source} of running.values()) source.holdersWanted?.(chainId, token);
		},
		describe: (token, profile) => {
			for (const {chainId, sink} of running.values())
				if (chainId === token.chainId) sink.describe(token, profile).catch(() => {});
		},
		async close() {
			closing.abort();
			await Promise.all(held);
		},
	};
}
