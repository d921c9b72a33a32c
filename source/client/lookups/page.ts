import type {Entry} from '../../contract/entry.ts';
import type {Clock} from '../clock.ts';
import {clientFilterOf} from '../feed/client-filter.ts';
import type {ViewRequest} from '../feed/feed-events.ts';
import {pulseBody, requestPulse} from '../feed/pulse-rest.ts';
import type {Http} from '../http/http.ts';
import type {Normaliser} from '../wire/normalise.ts';

/** Rows of a view from an offset on, at one moment. */
export interface ViewPage {
	/** In the service's order, without entries that certainly do not match the request. */
	readonly entries: readonly Entry[];
	/** Rows of the response, including dropped ones: the offset to the next page. */
	readonly size: number;
}

const VIEW = 'page';

/**
 * One page of a view, over REST (spec 4.3: the same request with another `offset`).
 * @param request with `offset` and `limit`, at most 100
 * @throws as Http.json; InvalidResponse when the response has no views
 */
export async function fetchPage(
	{http, normaliser, clock}: {readonly http: Http; readonly normaliser: Normaliser; readonly clock: Clock},
	request: ViewRequest,
	signal?: AbortSignal,
): Promise<ViewPage> {
	const response = await requestPulse(http, pulseBody({assetMode: true}, [[VIEW, request]]), {signal});
	const {entries, dropped} = normaliser.entries(response.views.get(VIEW)?.data);
	const isNonMatching = clientFilterOf(request, clock);
	return {
		entries: isNonMatching ? entries.filter(entry => !isNonMatching(entry)) : entries,
		size: entries.length + dropped,
	};
}
