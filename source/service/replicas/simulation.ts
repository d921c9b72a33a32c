import type {MarketEvent} from '../market/events.ts';
import {FIRST_TOKENS} from '../market/simulator/history.ts';
import {Simulator} from '../market/simulator/simulator.ts';

export interface SimulationOptions {
	readonly seed: number;
	readonly rate: number;
	/** When the service began, Unix ms. */
	readonly startMs: number;
	/** How many tokens of the 24 hours before the start are there; default: all. */
	readonly historyTokens?: number | undefined;
}

/** What is in the market log of one chain. */
export interface WrittenEvents {
	/** Events since the beginning. */
	readonly count: number;
	/** All events up to this time of the simulation are among them, Unix ms. */
	readonly atMs: number;
	/** See signOf, of the last one. */
	readonly last: string;
}

/** Events of one chain that are computed and not known to be written. */
interface ChainQueue {
	/** How many events were computed. */
	made: number;
	written: number;
	/** What the event of a number must be, where the log has said so. */
	expected: WrittenEvents | undefined;
	readonly events: MarketEvent[];
}

/** The simulation goes on in steps of so much time, so that a step is short. */
const STEP_MS = 1000;
/** Tokens of the history that are there at the start, with the coins that others are priced in. */
const AT_START = FIRST_TOKENS + 1;
/**
 * The others follow at a pace that is calm for every replica: all of them within three minutes. They come at set times of the
 * simulation, since the order of tokens decides which of them introduces a wallet.
 */
const LOADED_EVERY_MS = 100;
const LOADED_TOKENS = 4;

/**
 * The simulated market as one sequence of events for each chain. It follows from seed, rate and start alone, so that every replica
 * can compute it, and go on behind what another one wrote.
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

	/** Whether some tokens of the history are not there yet. */
	get hasHistory(): boolean {
		return this.#simulator.hasHistory && this.#tokens < (this.#options.historyTokens ?? Number.POSITIVE_INFINITY);
	}

	/** Whether the log has other events than these: it was written by a program that computes them otherwise. */
	get differs(): boolean {
		return this.#differs;
	}

	/** The known wallets of the simulation. */
	get crowd(): Simulator['crowd'] {
		return this.#simulator.crowd;
	}

	/** Computes a part of what happens up to a time. @returns false when nothing is left */
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

	/** Notes what the log has of a chain: these events are forgotten here. */
	written(chainId: string, written: WrittenEvents): void {
		const chain = this.#chain(chainId);
		if (written.count <= chain.written) return;
		const last = chain.events[written.count - chain.written - 1];
		if (last !== undefined) {
			this.#compare(last, written);
			chain.events.splice(0, written.count - chain.written);
		} else {
			// Compared when it is computed; one of them is enough.
			chain.expected ??= written;
			chain.events.length = 0;
		}
		chain.written = written.count;
	}

	/** Chains with events that are not known to be written. */
	*waiting(): Generator<string, void> {
		for (const [chainId, {events}] of this.#chains) if (events.length > 0) yield chainId;
	}

	/** Events of a chain that are not known to be written. @param after how many of them are left out */
	eventsOf(chainId: string, after: number, most: number): readonly MarketEvent[] {
		return this.#chain(chainId).events.slice(after, after + most);
	}

	/** How many events of a chain are known to be written. */
	writtenOf(chainId: string): number {
		return this.#chain(chainId).written;
	}

	/**
	 * Goes on from what the log has where the simulation is another one than that of the log: what is computed up to now counts as
	 * written.
	 */
	goOn(): void {
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
		// Of another simulation than that of the log nothing is known to be written, ever.
		if (chain.made > chain.written && !this.#differs) chain.events.push(event);
	}

	#compare(event: MarketEvent, {last}: WrittenEvents): void {
		if (signOf(event) !== last) this.#differs = true;
	}

	#chain(chainId: string): ChainQueue {
		let chain = this.#chains.get(chainId);
		if (chain === undefined) {
			chain = {made: 0, written: 0, expected: undefined, events: []};
			this.#chains.set(chainId, chain);
		}
		return chain;
	}
}

/** What tells an event from others of its simulation. */
export function signOf(event: MarketEvent): string {
	return `${event.type} ${'token' in event ? event.token : event.wallet} ${event.timeMs}`;
}
