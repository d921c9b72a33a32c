import {once} from 'node:events';
import {type MessagePort, Worker} from 'node:worker_threads';
import type {Addresses} from '../addresses.ts';
import type {ClientOptions} from '../client.ts';
import type {LearningClock} from '../clock.ts';
import type {Feed, FeedOptions} from '../feed/feed-events.ts';
import {openRemoteFeed, type RemoteFeed} from './remote-feed.ts';
import type {FromThread, ToThread} from './thread-messages.ts';

/** A thread that runs feeds: it parses frames and posts the changes, at most ten times a second. */
export interface FeedThread {
	/**
	 * Sets the service, once, before the first feed.
	 * @param own.clock is adjusted to the service's time that the feeds measure
	 * @param own.addresses prefer the address that serves the feeds
	 * @returns a function that opens a feed, as `Client.openFeed` does
	 */
	connect(
		options: ClientOptions,
		own: {readonly clock: LearningClock; readonly addresses: Addresses},
	): (options: FeedOptions) => Feed;
	/** Ends the feeds and the thread. */
	close(): Promise<void>;
}

/** How long the thread may take to end before it is terminated. */
const END_MS = 1000;
/** Room for short-lived objects, as in the service's thread. */
const YOUNG_MB = 8;

/**
 * Starts the thread. Messages that are posted before the thread runs are queued. An uncaught error in the thread is an
 * uncaught error of the program.
 * @param entry the thread's file; default: the built one
 */
export function openFeedThread(entry: URL = new URL('../../threads/feed-thread.ts', import.meta.url)): FeedThread {
	const worker = new Worker(entry, {name: 'pulsetop feeds', resourceLimits: {maxYoungGenerationSizeMb: YOUNG_MB}});
	return threadOver(worker, {
		// Not by `once` of node:events, which would also catch the worker's `error` event and hide it.
		ended: new Promise(resolve => worker.once('exit', resolve)),
		cut: () => void worker.terminate(),
	});
}

/** Uses a thread that also runs something else, and serves feeds through this port. */
export function feedsThrough(port: MessagePort): FeedThread {
	return threadOver(port, {ended: once(port, 'close'), cut: () => port.close()});
}

function threadOver(
	line: Worker | MessagePort,
	{ended, cut}: {readonly ended: Promise<unknown>; readonly cut: () => void},
): FeedThread {
	const feeds = new Map<number, RemoteFeed>();
	const send = (message: ToThread): void => line.postMessage(message);
	let opened = 0;
	let closing: Promise<void> | undefined;
	line.on('message', (message: FromThread) => feeds.get(message.feed)?.onMessage(message));

	async function end(): Promise<void> {
		send({kind: 'end'});
		const timer = setTimeout(cut, END_MS);
		await ended;
		clearTimeout(timer);
	}

	return {
		connect(options, own) {
			const {clock: _, ...plain} = options;
			send({kind: 'connect', options: plain});
			return feedOptions => {
				const id = ++opened;
				const feed = openRemoteFeed({id, options: feedOptions, send, ...own, onClose: () => feeds.delete(id)});
				feeds.set(id, feed);
				return feed;
			};
		},
		close() {
			for (const feed of feeds.values()) feed.close();
			closing ??= end();
			return closing;
		},
	};
}
