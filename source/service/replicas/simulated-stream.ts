import {setImmediate as nextTurn, setTimeout as pause} from 'node:timers/promises';
import {PulsetopError} from '../../errors.ts';
import {PACING_MS} from '../../pacing.ts';
import type {ChainResume, EventBatch, EventSink, EventSource} from '../market/event-source.ts';
import type {MarketEvent} from '../market/events.ts';
import {eventFingerprint, Simulation, type SimulationOptions, type WrittenEvents} from './simulation.ts';

export interface SimulatedStreamOptions extends SimulationOptions {
	/** The database's clock, Unix ms: read when a leader starts. */
	readonly clock: () => Promise<number>;
	/** Called with a line for operators. */
	readonly fault: (line: string) => void;
}

/** Maximum number of events in a batch, which is applied in a few milliseconds. */
const MAX_EVENTS = 1000;
/** Maximum number of concurrent appends. */
const MAX_APPENDS = 8;
const SLICE_MS = 8;
const CLOCK_RETRY_MS = 500;
/** A standby computes the simulation this far behind the log. */
const STANDBY_MS = 10_000;
/** Time between two steps of a standby. */
const STANDBY_EVERY_MS = 250;

/** State of the simulation in a batch, from which another leader continues. */
interface Cursor extends WrittenEvents {
	/** Some tokens of the history come later. */
	readonly isHistory?: true;
}

/**
 * The simulated market for replicas: the leader writes its events, the others compute the same simulation some seconds behind, so
 * that each of them can take over at once.
 */
export class SimulatedStream {
	readonly name = 'simulated';
	readonly #options: SimulatedStreamOptions;
	readonly #simulation: Simulation;
	readonly #stopping = new AbortController();
	/** Time of the newest batch in the log. */
	#writtenMs: number;
	#hasHistory = true;
	#hasBegun = false;
	#isLeading = false;
	#standby: Promise<void> | undefined;

	constructor(options: SimulatedStreamOptions) {
		this.#options = options;
		this.#simulation = new Simulation(options);
		this.#writtenMs = options.startMs;
	}

	get crowd(): Simulation['crowd'] {
		return this.#simulation.crowd;
	}

	/** Whether a part of the history is missing in the log. */
	get hasHistory(): boolean {
		return this.#hasHistory;
	}

	/** Whether the log has the first tokens of the history. */
	get hasBegun(): boolean {
		return this.#hasBegun;
	}

	/** Whether this replica can take over at once: its simulation lags the log by less than a minute. */
	get isWarm(): boolean {
		return this.#hasBegun && this.#writtenMs - this.#simulation.nowMs < 60_000;
	}

	/** To be called with the cursor of each batch in the log. */
	written(chainId: string, cursor: string): void {
		const written = JSON.parse(cursor) as Cursor;
		this.#simulation.written(chainId, written);
		this.#writtenMs = Math.max(this.#writtenMs, written.atMs);
		this.#hasBegun = true;
		if (!written.isHistory) this.#hasHistory = false;
	}

	/** Follows the log in the background until stopped. */
	start(): void {
		this.#standby ??= this.#follow();
	}

	async stop(): Promise<void> {
		this.#stopping.abort();
		await this.#standby;
	}

	/** A source that continues after the last batch of the log; one at a time. */
	async open(): Promise<EventSource> {
		return new SimulatedSource({
			simulation: this.#simulation,
			options: this.#options,
			ended: () => {
				this.#isLeading = false;
			},
			began: () => {
				this.#isLeading = true;
			},
		});
	}

	async #follow(): Promise<void> {
		const {signal} = this.#stopping;
		while (!signal.aborted) {
			const toMs = this.#writtenMs - STANDBY_MS;
			const untilMs = performance.now() + SLICE_MS;
			let isBehind = !this.#isLeading;
			while (isBehind && performance.now() < untilMs) isBehind = this.#simulation.step(toMs);
			// Catching up takes only a part of the time, since requests come first.
			const waitMs = isBehind ? SLICE_MS : STANDBY_EVERY_MS;
			await pause(waitMs, undefined, {ref: false, signal}).catch(() => {});
		}
	}
}

interface SourceParts {
	readonly simulation: Simulation;
	readonly options: SimulatedStreamOptions;
	readonly began: () => void;
	readonly ended: () => void;
}

/** Writes the events of the simulation while this replica leads. */
class SimulatedSource implements EventSource {
	readonly #parts: SourceParts;
	readonly #stopping = new AbortController();
	readonly #ended = Promise.withResolvers<unknown>();
	readonly ended = this.#ended.promise;
	/** Number of events of each chain that were passed to the sink. */
	readonly #sent = new Map<string, number>();
	/** Last block of each chain. */
	readonly #blocks = new Map<string, number>();
	#sink!: EventSink;
	#running: Promise<void> | undefined;

	constructor(parts: SourceParts) {
		this.#parts = parts;
	}

	start(sink: EventSink, resume: ReadonlyMap<string, ChainResume>): void {
		this.#sink = sink;
		const {simulation, began, ended} = this.#parts;
		let fromMs = simulation.nowMs;
		for (const [chainId, {cursor, toBlock}] of resume) {
			const written = JSON.parse(cursor) as Cursor;
			simulation.written(chainId, written);
			fromMs = Math.max(fromMs, written.atMs);
			this.#blocks.set(chainId, toBlock);
		}
		began();
		this.#running = this.#run(fromMs)
			.catch((error: unknown) => {
				// After a failed write the sink has reported it, and another source continues from the log.
				if (!(error instanceof PulsetopError))
					this.#parts.options.fault(`the simulated market: ${(error as Error).stack}`);
				this.#ended.resolve(error);
			})
			.finally(ended);
	}

	async stop(): Promise<void> {
		this.#stopping.abort();
		await this.#running;
	}

	/** @param fromMs events up to this time are in the log, of some chains at least */
	async #run(fromMs: number): Promise<void> {
		const {simulation, options} = this.#parts;
		const {signal} = this.#stopping;
		await this.#compute(fromMs);
		if (simulation.differs) {
			options.fault(
				'this program computes another simulated market than the one in the log, which another version of it or of Node wrote: its own goes on from here',
			);
			simulation.continueFromLog();
		}
		await this.#write(fromMs);
		const offsetMs = await this.#clockOffset();
		while (!signal.aborted) {
			// Never earlier than the log: clocks differ by some milliseconds.
			const toMs = Math.max(fromMs, Math.floor(offsetMs + performance.now()));
			await this.#compute(toMs);
			await this.#write(toMs);
			const waitMs = PACING_MS.market - ((offsetMs + performance.now() - toMs) % PACING_MS.market);
			await pause(Math.max(1, waitMs), undefined, {ref: false, signal}).catch(() => {});
		}
	}

	/** Offset of the database's clock from the monotonic clock; waits for the database. */
	async #clockOffset(): Promise<number> {
		const {signal} = this.#stopping;
		while (!signal.aborted) {
			try {
				return (await this.#parts.options.clock()) - performance.now();
			} catch (error) {
				if (!(error instanceof PulsetopError)) throw error;
				await pause(CLOCK_RETRY_MS, undefined, {ref: false, signal}).catch(() => {});
			}
		}
		return 0;
	}

	/** Computes the events up to a time, in slices. */
	async #compute(toMs: number): Promise<void> {
		const {simulation} = this.#parts;
		let untilMs = performance.now() + SLICE_MS;
		while (!this.#stopping.signal.aborted && simulation.step(toMs)) {
			if (performance.now() < untilMs) continue;
			await nextTurn();
			untilMs = performance.now() + SLICE_MS;
		}
	}

	/** Writes all computed events. */
	async #write(atMs: number): Promise<void> {
		const {simulation} = this.#parts;
		const {signal} = this.#stopping;
		for (;;) {
			const batches: Promise<void>[] = [];
			for (const chainId of simulation.waiting()) {
				for (let events = this.#next(chainId); events.length > 0; events = this.#next(chainId)) {
					if (signal.aborted) break;
					batches.push(this.#sink.append(this.#batch(chainId, events, atMs)));
					if (batches.length === MAX_APPENDS) break;
				}
				if (batches.length === MAX_APPENDS) break;
			}
			if (batches.length === 0) return;
			await Promise.all(batches);
		}
	}

	#next(chainId: string): readonly MarketEvent[] {
		const {simulation} = this.#parts;
		// Events that the market has read from the log meanwhile have left the queue.
		const sent = Math.max(this.#sent.get(chainId) ?? 0, simulation.writtenOf(chainId));
		return simulation.eventsOf(chainId, sent - simulation.writtenOf(chainId), MAX_EVENTS);
	}

	#batch(chainId: string, events: readonly MarketEvent[], atMs: number): EventBatch {
		const {simulation} = this.#parts;
		const count = Math.max(this.#sent.get(chainId) ?? 0, simulation.writtenOf(chainId)) + events.length;
		this.#sent.set(chainId, count);
		const blocks = events.flatMap(event => ('block' in event ? [event.block] : []));
		const fromBlock = Math.min(...blocks, this.#blocks.get(chainId) ?? Number.POSITIVE_INFINITY);
		const toBlock = Math.max(...blocks, this.#blocks.get(chainId) ?? 0);
		this.#blocks.set(chainId, toBlock);
		const cursor: Cursor = {
			count,
			atMs,
			last: eventFingerprint(events.at(-1)!),
			...(simulation.hasHistory && {isHistory: true}),
		};
		return {
			chainId,
			fromBlock: Number.isFinite(fromBlock) ? fromBlock : toBlock,
			toBlock,
			isPart: true,
			events,
			facts: [],
			cursor: JSON.stringify(cursor),
		};
	}
}
