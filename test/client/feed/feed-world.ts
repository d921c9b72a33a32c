import {afterEach, beforeEach} from 'vitest';
import type {Client, ClientOptions} from '../../../source/client/client.ts';
import {createClient} from '../../../source/client/create-client.ts';
import type {Feed, FeedEvent, FeedOptions, FeedRequest} from '../../../source/client/feed/feed-events.ts';
import type {FeedThread} from '../../../source/client/remote/open-feed-thread.ts';
import type {Entry} from '../../../source/contract/entry.ts';
import {PATIENCE_MS} from '../../helpers/patience.ts';
import {PerverseServer} from '../perverse-server.ts';

/** A reader of a feed that keeps the views as the events say, like the monitor. */
export class World {
	readonly views = new Map<string, Map<string, Entry>>();
	readonly events: FeedEvent[] = [];
	readonly client: Client;
	feed: Feed;
	readonly #waiting = new Set<() => void>();

	constructor(
		options: ClientOptions,
		request: FeedRequest,
		feedOptions: Partial<FeedOptions> = {},
		thread?: FeedThread,
	) {
		this.client = createClient(options, thread);
		this.feed = this.client.openFeed({
			request,
			totalsEveryMs: 0,
			pollMinMs: 50,
			pollMaxMs: 200,
			...feedOptions,
			onEvent: event => this.#on(event),
		});
	}

	#on(event: FeedEvent): void {
		this.events.push(event);
		if (event.type === 'snapshot') this.views.set(event.view, new Map(event.entries.map(entry => [entry.key, entry])));
		if (event.type === 'change') {
			const view = this.views.get(event.view);
			if (view === undefined) throw new Error('a change came before any snapshot');
			for (const entry of event.upserts) view.set(entry.key, entry);
			for (const key of event.removed) view.delete(key);
		}
		for (const wake of this.#waiting) wake();
	}

	/** Waits until a condition holds, checked after every event and from time to time. */
	async until(holds: () => boolean, timeoutMs = PATIENCE_MS): Promise<void> {
		const {promise, resolve, reject} = Promise.withResolvers<void>();
		const look = () => holds() && resolve();
		const timer = setTimeout(() => reject(new Error(`waited in vain: ${this.describe()}`)), timeoutMs);
		const looking = setInterval(look, 20);
		this.#waiting.add(look);
		look();
		try {
			await promise;
		} finally {
			clearTimeout(timer);
			clearInterval(looking);
			this.#waiting.delete(look);
		}
	}

	describe(): string {
		const events = this.events.filter(event => event.type !== 'link').slice(-8);
		const believed = [...this.views.keys()].map(view => [view, this.believes(view), this.feed.view(view)]);
		return JSON.stringify({link: this.feed.link, believed, events}, undefined, 1);
	}

	/** Address and market cap of every entry in its view. */
	believes(view: string): Record<string, number | undefined> {
		return Object.fromEntries(
			[...(this.views.get(view)?.values() ?? [])].map(entry => [entry.address, entry.market_cap]).toSorted(),
		);
	}

	agreesWith(server: PerverseServer, view: string, wanted: object = {}): boolean {
		const rows = server.rows({name: view, ...wanted}).map(row => [row.address, row.market_cap]);
		return JSON.stringify(this.believes(view)) === JSON.stringify(Object.fromEntries(rows.toSorted()));
	}

	snapshots(view: string): string[] {
		return this.events.flatMap(event => (event.type === 'snapshot' && event.view === view ? [event.source] : []));
	}

	problems(): string[] {
		return this.events.flatMap(event => (event.type === 'problem' ? [event.error.code] : []));
	}
}

/** Feeds of a perverse server, which is new for each test of the file and starts with three new tokens and a bonding one. */
export interface Feeds {
	readonly server: PerverseServer;
	/** Opens a feed of NEW and BONDING; it is closed after the test. */
	open(options?: Partial<ClientOptions>, feedOptions?: Partial<FeedOptions>): World;
	/** Opens a feed with another request; it is closed after the test. */
	openRequest(options: Partial<ClientOptions>, request: FeedRequest, feedOptions?: Partial<FeedOptions>): World;
	/** Whether both views of a feed are those of the server. */
	agrees(world: World): () => boolean;
}

export function feedsForEachTest(): Feeds {
	let server: PerverseServer;
	let worlds: World[] = [];
	beforeEach(async () => {
		server = await PerverseServer.start();
		for (const i of [1, 2, 3]) server.put('new', {address: `0xa${i}`, market_cap: i});
		server.put('bonding', {address: '0xb1', market_cap: 10});
	});
	afterEach(async () => {
		for (const world of worlds) await world.client.close();
		worlds = [];
		await server.stop();
	});
	function openRequest(
		options: Partial<ClientOptions>,
		request: FeedRequest,
		feedOptions?: Partial<FeedOptions>,
	): World {
		const world = new World({baseUrl: server.url, ...options}, request, feedOptions);
		worlds.push(world);
		return world;
	}
	return {
		get server() {
			return server;
		},
		open: (options = {}, feedOptions = {}) =>
			openRequest(options, {assetMode: true, views: {new: {sortBy: 'created_at'}, bonding: {}}}, feedOptions),
		openRequest,
		agrees: world => () => world.agreesWith(server, 'new') && world.agreesWith(server, 'bonding'),
	};
}

export const isLive = (world: World) => () => world.feed.link.phase === 'live';
