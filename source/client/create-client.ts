import {createCall} from './call.ts';
import type {Client, ClientOptions} from './client.ts';
import {createFeedClient} from './feed-client.ts';
import type {FeedThread} from './feed-thread/open-feed-thread.ts';
import {fetchServiceFacts} from './health.ts';
import {createLabelBook} from './labels.ts';
import {createMarketWatch, type MarketWatch} from './market-watch.ts';
import {fetchSparkline} from './sparkline.ts';
import {fetchToken, watchToken} from './token.ts';

/**
 * Makes a client of one service. Nothing is asked before a method is called; connections are kept and shared.
 * @param thread reads the feeds elsewhere, so that a flood of them costs this thread little; the client ends it
 * @throws BadAddress
 */
export function createClient(options: ClientOptions, thread?: FeedThread): Client {
	const own = createFeedClient(options);
	const {clock, http, normaliser, streamUrl: url} = own;
	const watches = new Set<MarketWatch>();
	const openFeed = thread?.connect(options, clock) ?? own.openFeed;
	const labels = createLabelBook(http);

	return {
		clock,
		call: createCall(http, options.provider?.answerAliases),
		facts: ({signal} = {}) => fetchServiceFacts(http, signal),
		openFeed,
		fetchToken: (token, {signal} = {}) => fetchToken(http, normaliser, token, signal),
		watchToken: (token, onEntry) => watchToken(openFeed, token, onEntry),
		labels: (addresses, lookUp) => labels.lookUp(addresses, lookUp),
		sparkline: (query, {signal} = {}) => fetchSparkline(http, query, signal),
		watchMarkets(onQuote) {
			if (url === undefined) return undefined;
			const {apiKey, silenceMs} = options;
			const watch = createMarketWatch({url, apiKey, onQuote, ...(silenceMs !== undefined && {silenceMs})});
			watches.add(watch);
			return {
				...watch,
				close() {
					watches.delete(watch);
					watch.close();
				},
			};
		},
		async close() {
			for (const watch of watches) watch.close();
			own.close();
			await thread?.close();
		},
	};
}
