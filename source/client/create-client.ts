import type {Client, ClientOptions} from './client.ts';
import {createFeedClient} from './feed/feed-client.ts';
import {createCall} from './http/call.ts';
import {fetchServiceFacts} from './http/health.ts';
import {createLabelCache} from './lookups/labels.ts';
import {fetchPage} from './lookups/page.ts';
import {fetchSparkline} from './lookups/sparkline.ts';
import {fetchToken, watchToken} from './lookups/token.ts';
import type {FeedThread} from './remote/open-feed-thread.ts';

/**
 * Makes a client of one service. No request is sent before a method is called; connections are kept alive and shared.
 * @param thread runs the feeds in another thread, which takes the parsing off this one; the client ends the thread
 * @throws BadAddress
 */
export function createClient(options: ClientOptions, thread?: FeedThread): Client {
	const own = createFeedClient(options);
	const {addresses, clock, http, normaliser} = own;
	const openFeed = thread?.connect(options, {clock, addresses}) ?? own.openFeed;
	const labels = createLabelCache(http);

	return {
		clock,
		call: createCall(http, options.provider?.answerAliases),
		facts: ({signal} = {}) => fetchServiceFacts(http, signal),
		openFeed,
		fetchToken: (token, {signal} = {}) => fetchToken(http, normaliser, token, signal),
		fetchPage: (request, {signal} = {}) => fetchPage({http, normaliser, clock}, request, signal),
		watchToken: (token, onEntry) => watchToken(openFeed, token, onEntry),
		labels: (addresses, lookUp) => labels.lookUp(addresses, lookUp),
		sparkline: (query, {signal} = {}) => fetchSparkline(http, query, signal),
		async close() {
			own.close();
			await thread?.close();
		},
	};
}
