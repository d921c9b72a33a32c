import {type Entry, entryKey} from '../contract/entry.ts';
import type {Feed, FeedOptions, FeedRequest} from './feed-events.ts';
import type {Http} from './http.ts';
import type {Normaliser} from './normalise.ts';
import {askPulse, pulseBody} from './pulse-rest.ts';

export interface TokenId {
	readonly chainId: string;
	readonly address: string;
}

const VIEW = 'token';

/**
 * A view that holds one token and nothing else: no token is created before 1970, and what is included bypasses all
 * filters (spec 4.1, `includeTokens`).
 */
function requestOf({chainId, address}: TokenId): FeedRequest {
	return {
		assetMode: true,
		views: {
			[VIEW]: {
				chainId,
				includeTokens: [address],
				limit: 1,
				filters: {created_at: {lt: '1970-01-02T00:00:00.000Z'}},
			},
		},
	};
}

/**
 * One token with all its fields; undefined when the service does not know it.
 * @throws as Http.json
 */
export async function fetchToken(
	http: Http,
	normaliser: Normaliser,
	token: TokenId,
	signal?: AbortSignal,
): Promise<Entry | undefined> {
	const {views, ...common} = requestOf(token);
	const answer = await askPulse(http, pulseBody(common, Object.entries(views)), {signal, tries: 3});
	const key = entryKey(token.chainId, token.address);
	return normaliser.entries(answer.views.get(VIEW)?.data).entries.find(entry => entry.key === key);
}

/** A feed of one token: tells its entry now and at every change, undefined while the service does not know it. */
export function watchToken(
	open: (options: FeedOptions) => Feed,
	token: TokenId,
	onEntry: (entry: Entry | undefined) => void,
): Feed {
	const key = entryKey(token.chainId, token.address);
	return open({
		request: requestOf(token),
		totalsEveryMs: 0,
		onEvent(event) {
			if (event.type === 'snapshot') onEntry(event.entries.find(entry => entry.key === key));
			if (event.type !== 'change') return;
			if (event.removed.includes(key)) onEntry(undefined);
			const changed = event.upserts.findLast(entry => entry.key === key);
			if (changed) onEntry(changed);
		},
	});
}
