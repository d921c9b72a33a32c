import {once} from 'node:events';
import {type MessagePort, Worker} from 'node:worker_threads';
import type {ClientOptions} from '../client.ts';
import type {LearningClock} from '../clock.ts';
import type {Feed, FeedOptions} from '../feed-events.ts';
import {type DistantFeed, distantFeed} from './distant-feed.ts';
import type {FromThread, ToThread} from './thread-messages.ts';

/** A thread that reads feeds: it takes frames apart and hands over what changed, ten times a second. */
export interface FeedThread {
	/**
	 * Names the service, once, before the first feed.
	 * @param clock learns what the feeds' answers say of the service's time
	 * @returns what opens a feed, as `Client.openFeed` does
	 */
	connect(options: ClientOptions, clock: LearningClock): (options: FeedOptions) => Feed;
	/** Ends the feeds and the thread. */
	close(): Promise<void>;
}

/** How long a thread that was asked to end may take. */
const END_MS = 1000;
/** Room for short-lived objects, as in the service's thread. */
const YOUNG_MB = 8;

/**
 * Starts the thread; what it does not know yet, it waits for. A fault in it is one of the program.
 * @param entry its file, where it is not the built one
 */
export function openFeedThread(entry: URL = new URL('./feed-thread.ts', import.meta.url)): FeedThread {
	const worker = new Worker(entry, {name: 'pulsetop feeds', resourceLimits: {maxYoungGenerationSizeMb: YOUNG_MB}});
	return threadOver(worker, {
		// Not by `once` of Node's events: that would hear a fault as well, and keep it.
		ended: new Promise(resolve => worker.once('exit', resolve)),
		cut: () => void worker.terminate(),
	});
}

/** Feeds that are read by a thread which runs for something else as well: it answers them through this port. */
export function feedsThrough(port: MessagePort): FeedThread {
	return threadOver(port, {ended: once(port, 'close'), cut: () => port.close()});
}

function threadOver(
	line: Worker | MessagePort,
	{ended, cut}: {readonly ended: Promise<unknown>; readonly cut: () => void},
): FeedThread {
	const feeds = new Map<number, DistantFeed>();
	const send = (message: ToThread): void => line.postMessage(message);
	let opened = 0;
	let closing: Promise<void> | undefined;
	line.on('message', (message: FromThread) => feeds.get(message.feed)?.hear(message));

	async function end(): Promise<void> {
		send({kind: 'end'});
		const timer = setTimeout(cut, END_MS);
		await ended;
		clearTimeout(timer);
	}

	return {
		connect(options, clock) {
			const {clock: _, ...plain} = options;
			send({kind: 'connect', options: plain});
			return feedOptions => {
				const id = ++opened;
				const feed = distantFeed({id, options: feedOptions, send, clock, onClose: () => feeds.delete(id)});
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
