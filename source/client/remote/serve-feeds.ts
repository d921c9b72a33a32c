import type {MessagePort} from 'node:worker_threads';
import {createFeedClient, type FeedClient} from '../feed/feed-client.ts';
import {createFeedHost, type FeedHost} from './feed-host.ts';
import type {FromThread, ToThread} from './thread-messages.ts';

/** Runs the feeds that another thread opens through this port, until the other thread sends `end`. */
export function serveFeeds(port: MessagePort): void {
	const post = (message: FromThread): void => port.postMessage(message);
	const feeds = new Map<number, FeedHost>();
	let client: FeedClient | undefined;
	port.on('message', (message: ToThread) => {
		switch (message.kind) {
			case 'connect':
				client = createFeedClient(message.options);
				break;
			case 'open':
				if (client) feeds.set(message.feed, createFeedHost(client, message.feed, message.options, post));
				break;
			case 'command':
				feeds.get(message.feed)?.handleCommand(message.number, message);
				if (message.method === 'close') feeds.delete(message.feed);
				break;
			case 'received':
				feeds.get(message.feed)?.onReceived();
				break;
			case 'end':
				client?.close();
				port.close();
		}
	});
}
