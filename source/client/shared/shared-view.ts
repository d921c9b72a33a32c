import type {Entry} from '../../contract/entry.ts';
import {steadyNow} from '../../steady-clock.ts';
import type {EventQueue} from '../feed/event-queue.ts';
import type {FeedEvent, ViewRequest} from '../feed/feed-events.ts';

type EventOf<Type extends FeedEvent['type']> = Extract<FeedEvent, {readonly type: Type}>;
export type ViewEvent = EventOf<'snapshot' | 'change' | 'total'> | (EventOf<'problem'> & {readonly view: string});

/** A reader of a view. */
export interface ViewReader {
	readonly events: EventQueue<FeedEvent>;
	/** The reader's name of the view. */
	readonly name: string;
	push(event: ViewEvent): void;
}

/** A view that is requested from the service once for all its readers, with its newest entries. */
export class SharedView {
	/** The service's name of the view. */
	readonly name: string;
	readonly key: string;
	readonly request: ViewRequest;
	readonly #readings = new Set<ViewReader>();
	#entries: Map<string, Entry> | undefined;
	#total: EventOf<'total'> | undefined;
	#problem: Extract<ViewEvent, {readonly type: 'problem'}> | undefined;

	constructor(name: string, key: string, request: ViewRequest) {
		this.name = name;
		this.key = key;
		this.request = request;
	}

	get isRead(): boolean {
		return this.#readings.size > 0;
	}

	/** Whether there has been a full view. */
	get isKnown(): boolean {
		return this.#entries !== undefined;
	}

	/** Whether the view has a token. */
	has(key: string): boolean {
		return this.#entries?.has(key) === true;
	}

	/** The names that a reader has for the view. */
	namesOf(events: EventQueue<FeedEvent>): readonly string[] {
		return [...this.#readings].filter(reading => reading.events === events).map(({name}) => name);
	}

	/** Adds a reading, and tells it at once what is known. @param atMs when data last arrived */
	join(reading: ViewReader, atMs: number = steadyNow()): void {
		this.#readings.add(reading);
		const view = this.name;
		if (this.#entries)
			reading.push({type: 'snapshot', view, entries: [...this.#entries.values()], atMs, source: 'sync'});
		if (this.#total) reading.push(this.#total);
		if (this.#problem) reading.push(this.#problem);
	}

	leave(reading: ViewReader): void {
		this.#readings.delete(reading);
	}

	/** Takes an event of the service and hands it on. */
	take(event: ViewEvent): void {
		if (event.type === 'snapshot') {
			this.#entries = new Map(event.entries.map(entry => [entry.key, entry]));
			this.#problem = undefined;
		} else if (event.type === 'change') {
			for (const key of event.removed) this.#entries?.delete(key);
			for (const entry of event.upserts) this.#entries?.set(entry.key, entry);
		} else if (event.type === 'total') this.#total = event;
		else this.#problem = event;
		for (const reading of this.#readings) reading.push(event);
	}
}
