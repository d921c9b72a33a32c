import {steadyNow} from '../../steady-clock.ts';
import {createEventQueue, type EventQueue} from '../feed/event-queue.ts';
import {
	type Feed,
	type FeedEvent,
	type FeedOptions,
	type FeedRequest,
	FIRST_LINK,
	type LinkState,
	type ViewRequest,
	type ViewStatus,
} from '../feed/feed-events.ts';
import {KeptTokens, LINGER_MS} from './kept-tokens.ts';
import {Reading, type SplitRequest, splitRequest} from './reading.ts';
import {TooManyViews} from './shared-errors.ts';
import {SharedView} from './shared-view.ts';

/** One socket of the service carries 100 views. */
const MAX_VIEWS = 90;
const MAX_FEEDS = 4;
const RETRY_EVERY_MS = 5000;
/** The service's name for the view of the tokens that readers keep. */
const TOKENS = 'tokens';

/** One connection to the service for many readers. */
export interface SharedFeeds {
	/** Opens a feed for one reader, which names, filters and sorts its views as in a feed of its own. */
	open(options: FeedOptions): Feed;
	/** How many views the service is asked for. */
	readonly views: number;
	close(): void;
}

/**
 * Shares feeds between readers: equal requests are one view of the service, its entries go to all readers by reference, and a
 * reader who comes later gets at once what is known.
 * @param openFeed opens a feed of the service
 */
export function shareFeeds(openFeed: (options: FeedOptions) => Feed): SharedFeeds {
	/** By the options that all views of a feed have in common. */
	const sources = new Map<string, Source>();
	return {
		open({request: {views, ...common}, onEvent}) {
			const key = canonical(common);
			const source = sources.get(key) ?? new Source(openFeed, common);
			sources.set(key, source);
			return new Reader(source, views, onEvent);
		},
		get views() {
			return [...sources.values()].reduce((sum, {size}) => sum + size, 0);
		},
		close() {
			for (const source of sources.values()) source.close();
			sources.clear();
		},
	};
}

/** The views of the service that readers want: on one feed, and on further feeds when the first has no room. */
class Source {
	readonly #openFeed: (options: FeedOptions) => Feed;
	readonly #common: Omit<FeedRequest, 'views'>;
	readonly #byRequest = new Map<string, SharedView>();
	readonly #byName = new Map<string, SharedView>();
	/** The timers that end views without a reader. */
	readonly #unread = new Map<SharedView, NodeJS.Timeout>();
	readonly #readers = new Set<EventQueue<FeedEvent>>();
	readonly kept = new KeptTokens(request => {
		if (request) this.#feeds[0]?.setView(TOKENS, request);
		else this.#feeds[0]?.removeView(TOKENS);
	});
	/** The first one stays, and says how the service is connected. */
	readonly #feeds: Feed[] = [];
	readonly #feedOf = new Map<SharedView, Feed>();
	#named = 0;
	#retriedMs = Number.NEGATIVE_INFINITY;

	constructor(openFeed: (options: FeedOptions) => Feed, common: Omit<FeedRequest, 'views'>) {
		this.#openFeed = openFeed;
		this.#common = common;
	}

	get size(): number {
		return this.#byRequest.size + (this.kept.isRead ? 1 : 0);
	}

	get link(): LinkState {
		return withoutAddresses(this.#feeds[0]?.link ?? FIRST_LINK);
	}

	/** Takes a reader, which hears of the connection from now on. */
	enter(events: EventQueue<FeedEvent>): void {
		this.#readers.add(events);
		if (this.link.phase !== 'connecting') events.push({type: 'link', link: this.link});
	}

	exit(events: EventQueue<FeedEvent>): void {
		this.#readers.delete(events);
	}

	/** Has a request read. @returns its view; undefined where the service is asked for as many as it takes */
	read(request: ViewRequest, reading: Reading): SharedView | undefined {
		const key = canonical(request);
		const view = this.#byRequest.get(key) ?? this.#add(key, request);
		if (!view) return undefined;
		clearTimeout(this.#unread.get(view));
		this.#unread.delete(view);
		reading.join(view, this.status(view)?.lastDataAtMs);
		return view;
	}

	/** The chains of a request, which a feed may have for all its views; empty for every chain. */
	chainsOf({chainId = this.#common.chainId ?? []}: ViewRequest): readonly string[] {
		return [chainId].flat();
	}

	unread(view: SharedView, reading: Reading): void {
		reading.leave();
		if (view.isRead || this.#unread.has(view)) return;
		this.#unread.set(view, setTimeout(() => this.#drop(view), LINGER_MS).unref());
	}

	status(view: SharedView): ViewStatus | undefined {
		return this.#feedOf.get(view)?.view(view.name);
	}

	/** Connects now; many readers who press the key are one attempt. */
	retryNow(): void {
		const nowMs = steadyNow();
		if (nowMs - this.#retriedMs < RETRY_EVERY_MS) return;
		this.#retriedMs = nowMs;
		for (const feed of this.#feeds) feed.retryNow();
	}

	async refresh(views: readonly SharedView[]): Promise<void> {
		const byFeed = Map.groupBy(views, view => this.#feedOf.get(view));
		await Promise.all([...byFeed].map(([feed, own]) => feed?.refresh(own.map(({name}) => name))));
	}

	close(): void {
		for (const timer of this.#unread.values()) clearTimeout(timer);
		this.kept.close();
		for (const feed of this.#feeds) feed.close();
		for (const events of this.#readers) events.close();
		this.#readers.clear();
	}

	#add(key: string, request: ViewRequest): SharedView | undefined {
		if (this.#byRequest.size >= MAX_VIEWS * MAX_FEEDS) {
			const [unread] = this.#unread.keys();
			if (!unread) return undefined;
			this.#drop(unread);
		}
		const name = `v${++this.#named}`;
		const view = new SharedView(name, key, request);
		this.#byRequest.set(key, view);
		this.#byName.set(name, view);
		this.#feedOf.set(view, this.#carry(name, request));
		return view;
	}

	/** Requests a view on a feed with room, or on a new one. */
	#carry(name: string, request: ViewRequest): Feed {
		const roomy = this.#feeds.find(feed => this.#viewsOn(feed) < MAX_VIEWS);
		if (roomy) {
			roomy.setView(name, request);
			return roomy;
		}
		const isFirst = this.#feeds.length === 0;
		const feed = this.#openFeed({
			request: {...this.#common, views: {[name]: request}},
			onEvent: event => {
				if (isFirst || ('view' in event && event.view !== undefined)) this.#take(event);
			},
		});
		this.#feeds.push(feed);
		return feed;
	}

	#viewsOn(feed: Feed): number {
		return this.#feedOf
			.values()
			.filter(other => other === feed)
			.reduce(count => count + 1, 0);
	}

	#drop(view: SharedView): void {
		clearTimeout(this.#unread.get(view));
		this.#unread.delete(view);
		this.#byRequest.delete(view.key);
		this.#byName.delete(view.name);
		const feed = this.#feedOf.get(view)!;
		this.#feedOf.delete(view);
		feed.removeView(view.name);
		if (feed === this.#feeds[0] || this.#viewsOn(feed) > 0) return;
		feed.close();
		this.#feeds.splice(this.#feeds.indexOf(feed), 1);
	}

	/** Hands an event of the service to the readers whom it concerns. */
	#take(event: FeedEvent): void {
		if (event.type === 'resumed') {
			const {movedTo: _, ...rest} = event;
			for (const events of this.#readers) {
				const missed = event.missed.flatMap(({view, entry}) =>
					(this.#byName.get(view)?.namesOf(events) ?? []).map(name => ({view: name, entry})),
				);
				events.push({...rest, missed});
			}
		} else if (event.type === 'link') {
			const link = withoutAddresses(event.link);
			for (const events of this.#readers) events.push({...event, link});
		} else if (event.view === undefined) {
			for (const events of this.#readers) events.push(event);
		} else if (event.view === TOKENS) this.kept.take(event);
		else this.#byName.get(event.view)?.take({...event, view: event.view});
	}
}

/** The connection without the addresses of the service: they are the operator's. */
function withoutAddresses({address: _, addresses: __, ...link}: LinkState): LinkState {
	return link;
}

/** The feed of one reader. */
class Reader implements Feed {
	readonly #source: Source;
	readonly #events: EventQueue<FeedEvent>;
	readonly #views = new Map<string, {request: SplitRequest; readonly reading: Reading; view?: SharedView}>();
	readonly #paused = new Set<string>();
	#generation = 0;

	constructor(source: Source, views: FeedRequest['views'], onEvent: FeedOptions['onEvent']) {
		this.#source = source;
		this.#events = createEventQueue(onEvent);
		source.enter(this.#events);
		for (const [name, request] of Object.entries(views)) this.setView(name, request);
	}

	get link(): LinkState {
		return this.#source.link;
	}

	view(name: string): ViewStatus | undefined {
		const view = this.#views.get(name)?.view;
		const status = view && this.#source.status(view);
		if (!status) return undefined;
		const isPending = status.isPending || !view.isKnown;
		return {...status, generation: this.#generation, isPaused: this.#paused.has(name), isPending};
	}

	setView(name: string, whole: ViewRequest): void {
		const known = this.#views.get(name);
		const request = splitRequest(whole);
		if (known && canonical(known.request) === canonical(request)) return;
		this.#generation++;
		if (known?.view && canonical(known.request.view) === canonical(request.view)) {
			known.request = request;
			known.reading.keep(request.tokens, steadyNow());
			return;
		}
		// The new view first: the service keeps a view that both requests share.
		const {kept} = this.#source;
		const chains = this.#source.chainsOf(request.view);
		const reading = new Reading(this.#events, name, {tokens: request.tokens, chains, kept});
		this.#views.set(name, {request, reading});
		if (!this.#paused.has(name)) this.#join(name);
		if (known?.view) this.#source.unread(known.view, known.reading);
	}

	removeView(name: string): void {
		this.#leave(name);
		this.#views.delete(name);
		this.#paused.delete(name);
	}

	pause(names: readonly string[] = [...this.#views.keys()]): void {
		for (const name of names) {
			this.#paused.add(name);
			this.#leave(name);
		}
	}

	resume(names: readonly string[] = [...this.#paused]): void {
		for (const name of names) if (this.#paused.delete(name)) this.#join(name);
	}

	retryNow(): void {
		this.#source.retryNow();
	}

	async refresh(names: readonly string[] = [...this.#views.keys()]): Promise<void> {
		await this.#source.refresh(names.flatMap(name => this.#views.get(name)?.view ?? []));
	}

	close(): void {
		this.#events.close();
		this.#source.exit(this.#events);
		for (const name of this.#views.keys()) this.#leave(name);
		this.#views.clear();
	}

	#join(name: string): void {
		const known = this.#views.get(name);
		if (!known) return;
		const view = this.#source.read(known.request.view, known.reading);
		if (view) known.view = view;
		else this.#events.push({type: 'problem', error: new TooManyViews(), view: name, atMs: steadyNow()});
	}

	#leave(name: string): void {
		const known = this.#views.get(name);
		if (known?.view) this.#source.unread(known.view, known.reading);
		if (known) delete known.view;
	}
}

/** The same text for equal requests, in whatever order their members were written. */
function canonical(value: unknown): string {
	return JSON.stringify(value, (_, member: unknown) =>
		typeof member === 'object' && member !== null && !Array.isArray(member)
			? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
			: member,
	);
}
