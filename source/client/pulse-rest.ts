import type {FeedRequest, ViewRequest} from './feed-events.ts';
import {type ViewData, viewsOf} from './frames.ts';
import type {Http} from './http.ts';
import {WrongAnswer} from './service-errors.ts';
import {isObject, toNumber} from './wire-value.ts';

/*
 * The two REST calls that a feed lives on, beside `call`: no schema library is loaded before the first rows are there, and
 * entries are read by the normaliser, which is tolerant field by field.
 */

export const PULSE_PATH = '/api/2/pulse';
export const TOTALS_PATH = '/api/2/pulse/pagination';

export type NamedView = readonly [name: string, request: ViewRequest];
export type CommonOptions = Omit<FeedRequest, 'views'>;

export interface PulseAnswer {
	readonly views: ReadonlyMap<string, ViewData>;
	readonly text: string;
	readonly bytes: number;
	readonly latencyMs: number;
}

export interface AskOptions {
	readonly signal?: AbortSignal | undefined;
	readonly tries?: number;
}

/** The body of a pulse request, and of a subscription's payload (spec 4.1). */
export function pulseBody(common: CommonOptions, views: readonly NamedView[]): object {
	return {...common, views: views.map(([name, request]) => ({...request, name}))};
}

/**
 * Full views by POST, with or without the envelope (contract gaps 3.3).
 * @throws as Http.json; WrongAnswer when it holds no views at all
 */
export async function askPulse(http: Http, body: object, {signal, tries = 1}: AskOptions = {}): Promise<PulseAnswer> {
	const answer = await http.json({method: 'POST', path: PULSE_PATH, body, retry: 'read', tries, signal});
	const {text, bytes, latencyMs} = answer;
	if (!isObject(answer.body)) throw new WrongAnswer('it holds no views');
	const payload = isObject(answer.body['payload']) ? answer.body['payload'] : answer.body;
	return {views: viewsOf(payload), text, bytes, latencyMs};
}

/** How many items match each view (spec 4.3); views that the service does not tell are missing. */
export async function askTotals(
	http: Http,
	body: object,
	{signal, tries = 1}: AskOptions = {},
): Promise<ReadonlyMap<string, number>> {
	const answer = await http.json({method: 'POST', path: TOTALS_PATH, body, retry: 'read', tries, signal});
	if (!isObject(answer.body)) throw new WrongAnswer('it holds no totals');
	const payload = isObject(answer.body['payload']) ? answer.body['payload'] : answer.body;
	const totals = new Map<string, number>();
	for (const [name, value] of Object.entries(payload)) {
		const total = toNumber(isObject(value) ? value['pagination'] : value);
		if (total !== undefined && total >= 0) totals.set(name, Math.round(total));
	}
	return totals;
}
