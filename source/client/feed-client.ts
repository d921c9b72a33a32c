import {PulsetopError} from '../errors.ts';
import type {ClientOptions} from './client.ts';
import {createClock, type LearningClock, toldClock} from './clock.ts';
import {createFeed, type RunningFeed} from './feed.ts';
import type {Feed, FeedOptions} from './feed-events.ts';
import {createHttp, type Http} from './http.ts';
import {createNormaliser, type Normaliser} from './normalise.ts';
import {createStream} from './stream.ts';
import {watchForWake} from './wake.ts';

/** An address in the configuration that is none. */
export class BadAddress extends PulsetopError {
	readonly code = 'bad-address';
}

/** The part of a client that feeds need: one stream and one set of kept connections, which all of them share. */
export interface FeedClient {
	readonly clock: LearningClock;
	readonly http: Http;
	readonly normaliser: Normaliser;
	/** Undefined where there is none. */
	readonly streamUrl: URL | undefined;
	openFeed(options: FeedOptions): Feed;
	/** Ends every request, feed and connection. */
	close(): void;
}

const TIMEOUT_MS = 10_000;
const SILENCE_MS = 15_000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/**
 * Makes the part of a client that feeds need. Nothing is asked before a feed is opened.
 * @throws BadAddress
 */
export function createFeedClient(options: ClientOptions): FeedClient {
	const {apiKey, provider, timeoutMs = TIMEOUT_MS, maxAnswerBytes = MAX_ANSWER_BYTES} = options;
	const baseUrl = addressOf(options.baseUrl, ['http:', 'https:'], 'base');
	const streamUrl = options.streamUrl === null ? undefined : streamAddress(options.streamUrl, baseUrl);
	const secrets = apiKey === undefined ? [] : [apiKey];
	const clock = options.clock ? toldClock(options.clock) : createClock();
	const http = createHttp({baseUrl, apiKey, clock, timeoutMs, maxBytes: maxAnswerBytes, secrets});
	const stream = streamUrl && createStream({url: streamUrl, apiKey, silenceMs: options.silenceMs ?? SILENCE_MS});
	const normaliser = createNormaliser(provider?.fieldAliases);
	const feeds = new Set<RunningFeed>();
	const stopWatching = watchForWake(wake => {
		clock.forget();
		stream?.restart();
		for (const feed of feeds) feed.woke(wake);
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
		const wanted = which === 'base' ? 'http:// or https://' : 'ws:// or wss://';
		throw new BadAddress(`The ${which} address of the service is not one`, {
			why: `it must begin with ${wanted}`,
			next: 'fix-input',
		});
	}
	return url;
}
