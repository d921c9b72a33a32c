import {PulsetopError} from '../../errors.ts';
import type {ClientOptions} from '../client.ts';
import {createClock, externalClock, type LearningClock} from '../clock.ts';
import {createHttp, type Http} from '../http/http.ts';
import {createStream} from '../stream/stream.ts';
import {watchForTimeGaps} from '../time-gap.ts';
import {createNormaliser, type Normaliser} from '../wire/normalise.ts';
import {createFeed, type RunningFeed} from './feed.ts';
import type {Feed, FeedOptions} from './feed-events.ts';

/** A service address of the configuration that is not a URL of the expected protocol. */
export class BadAddress extends PulsetopError {
	readonly code = 'bad-address';
}

/** The part of a client that feeds need: one stream and one pool of HTTP connections, shared by all feeds. */
export interface FeedClient {
	readonly clock: LearningClock;
	readonly http: Http;
	readonly normaliser: Normaliser;
	/** Undefined for a service without a stream. */
	readonly streamUrl: URL | undefined;
	openFeed(options: FeedOptions): Feed;
	/** Ends every request, feed and connection. */
	close(): void;
}

const TIMEOUT_MS = 10_000;
const SILENCE_MS = 15_000;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/**
 * Makes the part of a client that feeds need. No request is sent before a feed is opened.
 * @throws BadAddress
 */
export function createFeedClient(options: ClientOptions): FeedClient {
	const {apiKey, provider, timeoutMs = TIMEOUT_MS, maxResponseBytes = MAX_RESPONSE_BYTES} = options;
	const baseUrl = addressOf(options.baseUrl, ['http:', 'https:'], 'base');
	const streamUrl = options.streamUrl === null ? undefined : streamAddress(options.streamUrl, baseUrl);
	const secrets = apiKey === undefined ? [] : [apiKey];
	const clock = options.clock ? externalClock(options.clock) : createClock();
	const http = createHttp({baseUrl, apiKey, clock, timeoutMs, maxBytes: maxResponseBytes, secrets});
	const stream = streamUrl && createStream({url: streamUrl, apiKey, silenceMs: options.silenceMs ?? SILENCE_MS});
	const normaliser = createNormaliser(provider?.fieldAliases);
	const feeds = new Set<RunningFeed>();
	const stopWatching = watchForTimeGaps(gap => {
		clock.forget();
		stream?.restart();
		for (const feed of feeds) feed.onTimeGap(gap);
	});

	return {
		clock,
		http,
		normaliser,
		streamUrl,
		openFeed(feedOptions) {
			const feed = createFeed({http, stream, normaliser, secrets, onClose: () => feeds.delete(feed)}, feedOptions);
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

/** The stream's address: the host of the base address, path `/` (contract gaps 1.1), unless another is given. */
function streamAddress(given: string | undefined, baseUrl: URL): URL {
	if (given !== undefined) return addressOf(given, ['ws:', 'wss:', 'http:', 'https:'], 'stream');
	return new URL(`${baseUrl.protocol === 'https:' ? 'wss' : 'ws'}://${baseUrl.host}/`);
}

function addressOf(text: string, protocols: readonly string[], which: 'base' | 'stream'): URL {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined || !protocols.includes(url.protocol)) {
		const schemes = which === 'base' ? 'http:// or https://' : 'ws:// or wss://';
		throw new BadAddress(`The ${which} address of the service is not one`, {
			why: `it must begin with ${schemes}`,
			next: 'fix-input',
		});
	}
	return url;
}
