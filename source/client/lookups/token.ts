import {type Entry, entryKey} from '../../contract/entry.ts';
import type {Feed, FeedOptions, FeedRequest, ViewRequest} from '../feed/feed-events.ts';
import {pulseBody, requestPulse} from '../feed/pulse-rest.ts';
import type {Http} from '../http/http.ts';
import type {Normaliser} from '../wire/normalise.ts';

export interface TokenId {
	readonly chainId: string;
	readonly address: string;
}

const VIEW = 'token';

/**
 * A view of exactly these tokens: the filter matches no token, since none was created before 1970, and `includeTokens`
 * bypasses filters (spec 4.1).
 */
export function viewOfTokens(addresses: readonly string[]): ViewRequest {
	return {includeTokens: addresses, limit: 1, filters: {created_at: {lt: '1970-01-02T00:00:00.000Z'}}};
}

function requestOf({chainId, address}: TokenId): FeedRequest {
	return {assetMode: true, views: {[VIEW]: {chainId, ...viewOfTokens([address])}}};
}

/**
 * One token with all its fields; undefined for a token that the service does not know.
 * @throws as Http.json
 */
export async function fetchToken(
	http: Http,
	normaliser: Normaliser,
	token: TokenId,
	signal?: AbortSignal,
): Promise<Entry | undefined> {
	const {views, ...common} = requestOf(token);
	const response = await requestPulse(http, pulseBody(common, Object.entries(views)), {signal, attempts: 3});
	const key = entryKey(token.chainId, token.address);
	return normaliser.entries(response.views.get(VIEW)?.data).entries.find(entry => entry.key === key);
}

/** Opens a feed of one token: calls back with the entry now and at every change; undefined while the service does not know the token. */
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
