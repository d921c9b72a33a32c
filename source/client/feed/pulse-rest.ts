import type {Http} from '../http/http.ts';
import {CHECK_ADDRESS, InvalidResponse} from '../http/service-errors.ts';
import {type ViewData, viewsOf} from '../stream/frames.ts';
import {isObject, toNumber} from '../wire/wire-value.ts';
import type {FeedRequest, ViewRequest} from './feed-events.ts';

/*
 * The two REST requests of a feed. They do not go through `call`: the schema library would be loaded before the first rows,
 * and the normaliser reads entries tolerantly, field by field.
 */

const PULSE_PATH = '/api/2/pulse';
const TOTALS_PATH = '/api/2/pulse/pagination';

export type NamedView = readonly [name: string, request: ViewRequest];
export type CommonOptions = Omit<FeedRequest, 'views'>;

export interface PulseResponse {
	readonly views: ReadonlyMap<string, ViewData>;
	readonly text: string;
	readonly bytes: number;
	readonly latencyMs: number;
}

export interface PulseRequestOptions {
	readonly signal?: AbortSignal | undefined;
	readonly attempts?: number;
}

/** The body of a pulse request, and of a subscription's payload (spec 4.1). */
export function pulseBody(common: CommonOptions, views: readonly NamedView[]): object {
	return {...common, views: views.map(([name, request]) => ({...request, name}))};
}

/**
 * Full views by POST, with or without the envelope (contract gaps 3.3).
 * @throws as Http.json; InvalidResponse when it holds no views at all
 */
export async function requestPulse(
	http: Http,
	body: object,
	{signal, attempts = 1}: PulseRequestOptions = {},
): Promise<PulseResponse> {
	const response = await http.json({method: 'POST', path: PULSE_PATH, body, retry: 'read', attempts, signal});
	const {text, bytes, latencyMs} = response;
	if (!isObject(response.body)) throw new InvalidResponse('it holds no views', {advice: CHECK_ADDRESS});
	const payload = isObject(response.body['payload']) ? response.body['payload'] : response.body;
	return {views: viewsOf(payload), text, bytes, latencyMs};
}

/** How many items match each view (spec 4.3); views that the service does not count are missing. */
export async function requestTotals(
	http: Http,
	body: object,
	{signal, attempts = 1}: PulseRequestOptions = {},
): Promise<ReadonlyMap<string, number>> {
	const response = await http.json({method: 'POST', path: TOTALS_PATH, body, retry: 'read', attempts, signal});
	if (!isObject(response.body)) throw new InvalidResponse('it holds no totals');
	const payload = isObject(response.body['payload']) ? response.body['payload'] : response.body;
	const totals = new Map<string, number>();
	for (const [name, value] of Object.entries(payload)) {
		const total = toNumber(isObject(value) ? value['pagination'] : value);
		if (total !== undefined && total >= 0) totals.set(name, Math.round(total));
	}
	return totals;
}
