import {addressOfKey, type Entry} from '../../contract/entry.ts';
import type {EventQueue} from '../feed/event-queue.ts';
import type {FeedEvent, ViewRequest} from '../feed/feed-events.ts';
import type {Keeper, KeptTokens} from './kept-tokens.ts';
import type {SharedView, ViewEvent, ViewReader} from './shared-view.ts';

/** The parts of a request: the view, which readers with other tokens share, and the tokens that this reader keeps in it. */
export interface SplitRequest {
	readonly view: ViewRequest;
	readonly tokens: readonly string[];
}

/** Splits the kept tokens off a request. A view without a model is nothing but its tokens and stays whole. */
export function splitRequest(request: ViewRequest): SplitRequest {
	const {includeTokens, ...view} = request;
	if (includeTokens === undefined || view.model === undefined) return {view: request, tokens: []};
	return {view, tokens: [includeTokens].flat()};
}

/** A view as one reader has it: the rows of the shared view, and the tokens that the reader keeps beside them. */
export class Reading implements ViewReader, Keeper {
	readonly events: EventQueue<FeedEvent>;
	readonly name: string;
	readonly #kept: KeptTokens;
	readonly #chains: readonly string[];
	#tokens: ReadonlySet<string>;
	#view: SharedView | undefined;

	/** @param chains kept tokens on other chains are left out; empty for all */
	constructor(
		events: EventQueue<FeedEvent>,
		name: string,
		{tokens, chains, kept}: {tokens: readonly string[]; chains: readonly string[]; kept: KeptTokens},
	) {
		this.events = events;
		this.name = name;
		this.#tokens = new Set(tokens);
		this.#chains = chains;
		this.#kept = kept;
	}

	/** Reads a view from now on. @param atMs when data of the view last arrived */
	join(view: SharedView, atMs?: number): void {
		this.#view = view;
		this.#kept.keep([...this.#tokens], this);
		view.join(this, atMs);
	}

	leave(): void {
		this.#kept.release(this.#tokens, this);
		this.#view?.leave(this);
	}

	/** Keeps these tokens from now on, and no others. @param atMs now */
	keep(addresses: readonly string[], atMs: number): void {
		const before = this.#tokens;
		this.#tokens = new Set(addresses);
		const added = addresses.filter(address => !before.has(address));
		const gone = [...before].filter(address => !this.#tokens.has(address));
		this.#kept.keep(added, this);
		this.#kept.release(gone, this);
		const [upserts, left] = [added, gone].map(list => list.flatMap(address => this.#kept.entriesOf(address)));
		const removed = left!.map(({key}) => key);
		if (upserts!.length + removed.length > 0) this.tokensChanged(upserts!, removed, atMs);
	}

	/** Hands on an event of the shared view. */
	push(event: ViewEvent): void {
		const view = this.name;
		if (event.type === 'snapshot') {
			const kept = [...this.#tokens].flatMap(address => this.#kept.entriesOf(address));
			const beside = kept.filter(entry => this.#isOnChain(entry) && !this.#view!.has(entry.key));
			this.events.push({...event, view, entries: [...event.entries, ...beside]});
		} else if (event.type === 'change') {
			// The same list for all who keep none of the tokens: readers share their work by it.
			const isKept = (key: string): boolean => this.#tokens.has(addressOfKey(key)) && this.#kept.has(key);
			const removed = event.removed.some(isKept) ? event.removed.filter(key => !isKept(key)) : event.removed;
			this.events.push({...event, view, removed});
		} else this.events.push({...event, view});
	}

	tokensChanged(arrived: readonly Entry[], left: readonly string[], atMs: number): void {
		// The first rows bring the kept tokens along.
		if (!this.#view?.isKnown) return;
		const upserts = arrived.filter(entry => this.#isOnChain(entry));
		const removed = left.filter(key => !this.#view!.has(key));
		if (upserts.length + removed.length > 0)
			this.events.push({type: 'change', view: this.name, upserts, removed, atMs});
	}

	#isOnChain({chain_id: chain}: Entry): boolean {
		return this.#chains.length === 0 || this.#chains.includes(chain);
	}
}
