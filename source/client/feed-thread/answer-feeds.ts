import type {MessagePort} from 'node:worker_threads';
import {createFeedClient, type FeedClient} from '../feed-client.ts';
import {type HostedFeed, hostFeed} from './hosted-feed.ts';
import type {FromThread, ToThread} from './thread-messages.ts';

/** Runs the feeds that another thread asks for through this port, until it says that it wants no more. */
export function answerFeeds(port: MessagePort): void {
	const tell = (message: FromThread): void => port.postMessage(message);
	const feeds = new Map<number, HostedFeed>();
	let client: FeedClient | undefined;
	port.on('message', (message: ToThread) => {
		switch (message.kind) {
			case 'connect':
				client = createFeedClient(message.options);
				break;
			case 'open':
				if (client) feeds.set(message.feed, hostFeed(client, message.feed, message.options, tell));
				break;
			case 'command':
				feeds.get(message.feed)?.obey(message.number, message);
				if (message.method === 'close') feeds.delete(message.feed);
				break;
			case 'taken':
				feeds.get(message.feed)?.onTaken();
				break;
			case 'end':
				client?.close();
				port.close();
		}
	});
}
