import {type MessagePort, parentPort} from 'node:worker_threads';
import {keepCompiledCode} from '../../compiled-code.ts';
import {keepHeapTidy} from '../../tidy-heap.ts';
import type {FeedClient} from '../feed-client.ts';
import type {HostedFeed} from './hosted-feed.ts';
import type {FromThread, ToThread} from './thread-messages.ts';

/* The entry of the thread that openFeedThread starts: it runs the feeds that the screen's thread asks for. */

keepCompiledCode();
keepHeapTidy();
const loading = Promise.all([import('../feed-client.ts'), import('./hosted-feed.ts')]);
if (parentPort) await answer(parentPort);

async function answer(port: MessagePort): Promise<void> {
	const [{createFeedClient}, {hostFeed}] = await loading;
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
			case 'end':
				client?.close();
				port.close();
		}
	});
}
