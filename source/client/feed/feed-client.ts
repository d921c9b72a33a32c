import {type Addresses, createAddresses} from '../addresses.ts';
import type {ClientOptions} from '../client.ts';
import {createClock, externalClock, type LearningClock} from '../clock.ts';
import {createHttp, type Http} from '../http/http.ts';
import {createStream} from '../stream/stream.ts';
import {watchForTimeGaps} from '../time-gap.ts';
import {createNormaliser, type Normaliser} from '../wire/normalise.ts';
import {createFeed, type RunningFeed} from './feed.ts';
import type {Feed, FeedOptions} from './feed-events.ts';

/** The part of a client that feeds need: one stream and one pool of HTTP connections, shared by all feeds. */
export interface FeedClient {
	readonly clock: LearningClock;
	readonly http: Http;
	readonly normaliser: Normaliser;
	readonly addresses: Addresses;
	openFeed(options: FeedOptions): Feed;
	/** Ends every request, feed and connection. */
	close(): void;
}

const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/**
 * Makes the part of a client that feeds need. No request is sent before a feed is opened.
 * @throws BadAddress
 */
export function createFeedClient(options: ClientOptions): FeedClient {
	const {apiKey, provider, timeoutMs = TIMEOUT_MS, maxResponseBytes = MAX_RESPONSE_BYTES} = options;
	const addresses = createAddresses(options);
	const secrets = apiKey === undefined ? [] : [apiKey];
	const clock = options.clock ? externalClock(options.clock) : createClock();
	const http = createHttp({addresses, apiKey, clock, timeoutMs, maxBytes: maxResponseBytes, secrets});
	const {silenceMs} = options;
	const stream =
		addresses.current.streamUrl && createStream({addresses, apiKey, ...(silenceMs !== undefined && {silenceMs})});
	const normaliser = createNormaliser(provider?.fieldAliases);
	const feeds = new Set<RunningFeed>();
	const stopWatching = watchForTimeGaps(() => {
		clock.forget();
		stream?.restart();
		for (const feed of feeds) feed.onTimeGap();
	});

	return {
		addresses,
		clock,
		http,
		normaliser,
		openFeed(feedOptions) {
			const feed = createFeed(
				{addresses, http, clock, stream, normaliser, secrets, onClose: () => feeds.delete(feed)},
				feedOptions,
			);
			feeds.add(feed);
			return feed;
		},
		close() {
			stopWatching();
			for (const feed of feeds) feed.close();
			stream?.close();
			http.close();
		},
	};
}
