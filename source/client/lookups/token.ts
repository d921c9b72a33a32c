import {isSameAddress} from '../../address.ts';
import {type Entry, entryKey} from '../../contract/entry.ts';
import type {Feed, FeedOptions, FeedRequest, ViewRequest} from '../feed/feed-events.ts';
import {pulseBody, requestPulse} from '../feed/pulse-rest.ts';
import type {Http} from '../http/http.ts';
import {InvalidResponse} from '../http/service-errors.ts';
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
 * @throws as Http.json; InvalidResponse where the service ignores `includeTokens`: then it may know the token
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
	const {entries} = normaliser.entries(response.views.get(VIEW)?.data);
	const found = entries.find(entry => entry.key === key);
	if (found === undefined && entries.some(({address}) => !isSameAddress(address, token.address)))
		throw new InvalidResponse('it has other tokens, not the one asked for', {
			next: 'fix-input',
			advice: 'The service may know the token, and looks up no single ones: find it by a filter or in a column.',
		});
	return found;
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
