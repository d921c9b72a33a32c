import {AsyncLocalStorage} from 'node:async_hooks';
import type {EndpointId} from '../../contract/endpoints.ts';
import {steadyNow} from '../../steady-clock.ts';
import type {Client} from '../client.ts';
import type {Feed} from '../feed/feed-events.ts';
import {watchToken} from '../lookups/token.ts';
import {NotForViewers, TooFast} from './shared-errors.ts';
import {shareFeeds} from './shared-feed.ts';

/** Equal look-ups share an answer for so long, ms. */
const SHARED_MS = 5000;
/** The state of the service is read each second by each viewer of a followed chain, ms. */
const FACTS_MS = 900;
/** Answers that are kept for others, the newest. */
const MAX_ANSWERS = 500;
/** The calls that only read the market. */
const READING: ReadonlySet<EndpointId> = new Set([
	'marketsBatch',
	'marketDetails',
	'pulsePagination',
	'systemMetadata',
]);

/** A client for many monitors. */
export interface SharedClient {
	/** A client that only reads, over the connection of all. @param mayLookUp whether one more look-up is allowed now */
	forViewer(mayLookUp: () => boolean): Client;
	/** How many views the service is asked for. */
	readonly views: number;
	/** Ends the connection for all. */
	close(): Promise<void>;
}

/** Shares a client between monitors: one connection, one view for equal requests, one answer for equal look-ups. */
export function shareClient(client: Client): SharedClient {
	// Connections and timers are those of all viewers: none belongs to the first viewer.
	const outside = AsyncLocalStorage.snapshot();
	const feeds = shareFeeds(options => outside(() => client.openFeed(options)));
	const answers = new Map<string, {readonly atMs: number; readonly answer: Promise<unknown>}>();

	/** The answer to a look-up, which other viewers may share: no viewer's signal ends it. A failure is not kept. */
	function shared<T>(key: string, mayLookUp: () => boolean, ask: () => Promise<T>, forMs = SHARED_MS): Promise<T> {
		const known = answers.get(key);
		if (known && steadyNow() - known.atMs < forMs) return known.answer as Promise<T>;
		if (!mayLookUp()) return Promise.reject(new TooFast());
		const answer = outside(ask);
		answer.catch(() => answers.delete(key));
		answers.delete(key);
		const asked = {atMs: steadyNow(), answer};
		answers.set(key, asked);
		// A page of rows is large: an answer that nobody takes any more does not stay.
		setTimeout(() => {
			if (answers.get(key) === asked) answers.delete(key);
		}, SHARED_MS).unref();
		if (answers.size > MAX_ANSWERS) answers.delete(answers.keys().next().value!);
		return answer;
	}

	return {
		forViewer(mayLookUp) {
			const open = new Set<Feed>();
			let isClosed = false;
			const openFeed: Client['openFeed'] = options => {
				const feed = feeds.open(options);
				// A look-up that was on its way when the screen closed.
				if (isClosed) feed.close();
				else open.add(feed);
				return feed;
			};
			const look = <T>(name: string, input: unknown, ask: () => Promise<T>): Promise<T> =>
				shared(`${name} ${JSON.stringify(input)}`, mayLookUp, ask);
			return {
				clock: client.clock,
				call: (id, input, {timeoutMs} = {}) => {
					if (!READING.has(id)) return Promise.reject(new NotForViewers());
					const limit = timeoutMs === undefined ? {} : {timeoutMs};
					return look(id, input, () => client.call(id, input, limit));
				},
				// The state of the service costs no look-up: it is read with the first rows.
				facts: () =>
					shared(
						'facts',
						() => true,
						() => client.facts(),
						FACTS_MS,
					),
				openFeed,
				fetchToken: token => look('token', token, () => client.fetchToken(token)),
				fetchPage: request => look('page', request, () => client.fetchPage(request)),
				watchToken: (token, onEntry) => watchToken(openFeed, token, onEntry),
				labels: (addresses, {token, maxAgeMs} = {}) => {
					const options = {...(token !== undefined && {token}), ...(maxAgeMs !== undefined && {maxAgeMs})};
					return look('labels', {addresses, ...options}, () => client.labels(addresses, options));
				},
				sparkline: query => look('sparkline', query, () => client.sparkline(query)),
				close: async () => {
					isClosed = true;
					for (const feed of open) feed.close();
					open.clear();
				},
			};
		},
		get views() {
			return feeds.views;
		},
		async close() {
			feeds.close();
			await client.close();
		},
	};
}
