import {getOrInsert} from '../../get-or-insert.ts';
import type {MarketEvent} from '../market/events.ts';
import {FIRST_TOKENS} from '../market/simulator/history.ts';
import {Simulator} from '../market/simulator/simulator.ts';

export interface SimulationOptions {
	readonly seed: number;
	readonly rate: number;
	/** Time of the service's first start, Unix ms. */
	readonly startMs: number;
	/** Number of tokens launched before the start: the newest and those that are seen first; default HISTORY_TOKENS. */
	readonly historyTokens?: number | undefined;
}

/** The events of one chain that the market log has. */
export interface WrittenEvents {
	/** Number of events since the start. */
	readonly count: number;
	/** The log has all events up to this time of the simulation, Unix ms. */
	readonly atMs: number;
	/** The last event; see eventFingerprint. */
	readonly last: string;
}

/** Events of one chain that are computed and possibly not written. */
interface ChainQueue {
	/** Number of computed events. */
	made: number;
	written: number;
	/** An event that the log already has and that is not computed yet, to compare the two. */
	expected: WrittenEvents | undefined;
	readonly events: MarketEvent[];
}

/** Simulated time of one step, which bounds how long a step computes. */
const STEP_MS = 1000;
/** Number of tokens at the start, including the coins that others are priced in. */
const AT_START = FIRST_TOKENS + 1;
/**
 * Every event of the history is written, read and stored by each replica. That of a process alone has 6,000 tokens with 700,000
 * events: three replicas on two cores worked on it for two minutes, and subscribers waited meanwhile.
 */
const HISTORY_TOKENS = 400;
/**
 * The rest of the history is spread over some seconds, so that no replica is overloaded. Its tokens come at fixed times of the
 * simulation, since the order of tokens decides which of them introduces a wallet.
 */
const LOADED_EVERY_MS = 100;
const LOADED_TOKENS = 4;

/**
 * The simulated market as one sequence of events for each chain. The sequence follows from seed, rate and start, so that every
 * replica can compute it and go on behind the events of another.
 */
export class Simulation {
	readonly #options: SimulationOptions;
	readonly #simulator: Simulator;
	readonly #chains = new Map<string, ChainQueue>();
	#tokens = 0;
	#nowMs: number;
	/** When the next tokens of the history are added. */
	#loadMs: number;
	#differs = false;

	constructor(options: SimulationOptions) {
		this.#options = options;
		this.#nowMs = options.startMs;
		this.#loadMs = options.startMs + LOADED_EVERY_MS;
		this.#simulator = new Simulator({...options, emit: event => this.#add(event)});
	}

	/** Time up to which events are computed, Unix ms. */
	get nowMs(): number {
		return this.#nowMs;
	}

	/** Whether tokens of the history are still missing. */
	get hasHistory(): boolean {
		return this.#simulator.hasHistory && this.#tokens < (this.#options.historyTokens ?? HISTORY_TOKENS);
	}

	/** Whether the log has other events than these: another version of the program, which computes others, wrote it. */
	get differs(): boolean {
		return this.#differs;
	}

	/** The known wallets of the simulation. */
	get crowd(): Simulator['crowd'] {
		return this.#simulator.crowd;
	}

	/** Computes one step towards a time. @returns false when the time is reached */
	step(toMs: number): boolean {
		if (this.#tokens < AT_START && this.hasHistory) {
			this.#load(1);
			return true;
		}
		if (toMs <= this.#nowMs) return false;
		const loadMs = this.hasHistory ? this.#loadMs : Number.POSITIVE_INFINITY;
		this.#nowMs = Math.min(toMs, this.#nowMs + STEP_MS, loadMs);
		this.#simulator.run(this.#nowMs);
		if (this.#nowMs === loadMs) {
			this.#load(LOADED_TOKENS);
			this.#loadMs += LOADED_EVERY_MS;
		}
		return true;
	}

	#load(tokens: number): void {
		for (let n = 0; n < tokens && this.hasHistory; n++) {
			this.#tokens++;
			this.#simulator.emitNext(this.#nowMs);
		}
	}

	/** Drops the events of a chain that the log has. */
	written(chainId: string, written: WrittenEvents): void {
		const chain = this.#chain(chainId);
		if (written.count <= chain.written) return;
		const last = chain.events[written.count - chain.written - 1];
		if (last !== undefined) {
			this.#compare(last, written);
			chain.events.splice(0, written.count - chain.written);
		} else {
			// Compared when it is computed; the first one is enough.
			chain.expected ??= written;
			chain.events.length = 0;
		}
		chain.written = written.count;
	}

	/** Chains with events that are possibly not written. */
	*waiting(): Generator<string, void> {
		for (const [chainId, {events}] of this.#chains) if (events.length > 0) yield chainId;
	}

	/** Events of a chain that are possibly not written. @param offset number of events to skip */
	eventsOf(chainId: string, offset: number, limit: number): readonly MarketEvent[] {
		return this.#chain(chainId).events.slice(offset, offset + limit);
	}

	/** Number of events of a chain that the log is known to have. */
	writtenOf(chainId: string): number {
		return this.#chain(chainId).written;
	}

	/** Continues from a log that has another simulation: the events computed so far count as written. */
	continueFromLog(): void {
		for (const chain of this.#chains.values()) {
			chain.events.length = 0;
			chain.made = chain.written;
			chain.expected = undefined;
		}
		this.#differs = false;
	}

	#add(event: MarketEvent): void {
		const chain = this.#chain(event.chainId);
		chain.made++;
		if (chain.made === chain.expected?.count) {
			this.#compare(event, chain.expected);
			chain.expected = undefined;
		}
		// After a difference the count of the log says nothing about these events.
		if (chain.made > chain.written && !this.#differs) chain.events.push(event);
	}

	#compare(event: MarketEvent, {last}: WrittenEvents): void {
		if (eventFingerprint(event) !== last) this.#differs = true;
	}

	#chain(chainId: string): ChainQueue {
		return getOrInsert(this.#chains, chainId, () => ({made: 0, written: 0, expected: undefined, events: []}));
	}
}

/** Distinguishes an event from the other events of its simulation. */
export function eventFingerprint(event: MarketEvent): string {
	return `${event.type} ${'token' in event ? event.token : event.wallet} ${event.timeMs}`;
}
