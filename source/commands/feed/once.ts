import type {Client} from '../../client/client.ts';
import type {Feed, FeedEvent, FeedRequest, ViewRequest} from '../../client/feed/feed-events.ts';
import type {Entry} from '../../contract/entry.ts';
import {compareValues, parseSort} from '../../contract/sort.ts';
import {PulsetopError} from '../../errors.ts';

/** A view as it was when it was asked for. */
export interface View {
	/** In the order that was asked for. */
	readonly entries: readonly Entry[];
	/** How many tokens match on the service; undefined when it did not say. */
	readonly total: number | undefined;
}

/** The service answers, but not with all that was asked for. */
class FeedIncomplete extends PulsetopError {
	readonly code = 'feed-incomplete';
}

/** How long the first full answers may take, and how long the totals, which not every service has, after them. */
const PATIENCE_MS = 20_000;
const TOTALS_PATIENCE_MS = 3_000;
/** Totals are first asked for after four times this, and again until they are there. */
const TOTALS_EVERY_MS = 50;

/**
 * Gives every view of the request once.
 * @param options.totals whether to wait for the totals, too
 * @throws what the client throws; FeedIncomplete when a view does not come
 */
export async function readViews(
	client: Client,
	request: FeedRequest,
	{totals: wantsTotals}: {totals: boolean},
): Promise<ReadonlyMap<string, View>> {
	const names = Object.keys(request.views);
	const entries = new Map<string, readonly Entry[]>();
	const totals = new Map<string, number>();
	const {promise, resolve, reject} = Promise.withResolvers<void>();
	const patience = setTimeout(() => {
		const missing = names.filter(name => !entries.has(name)).join(', ');
		const why = `nothing came for ${missing} within ${PATIENCE_MS / 1000} s`;
		reject(new FeedIncomplete('The service did not give every view', {why, next: 'retry-later'}));
	}, PATIENCE_MS);
	let totalsPatience: NodeJS.Timeout | undefined;
	const onEvent = (event: FeedEvent) => {
		if (event.type === 'snapshot') entries.set(event.view, event.entries);
		if (event.type === 'total') totals.set(event.view, event.total);
		const failure = failureIn(event);
		if (failure) reject(failure);
		if (!names.every(name => entries.has(name))) return;
		if (!wantsTotals || names.every(name => totals.has(name))) resolve();
		totalsPatience ??= setTimeout(resolve, TOTALS_PATIENCE_MS);
	};
	let feed: Feed | undefined;
	try {
		feed = client.openFeed({request, onEvent, totalsEveryMs: wantsTotals ? TOTALS_EVERY_MS : 0});
		await promise;
	} finally {
		feed?.close();
		clearTimeout(patience);
		clearTimeout(totalsPatience);
	}
	const wanted = Object.entries(request.views);
	return new Map(
		wanted.map(([name, view]) => [name, {entries: asAsked(entries.get(name) ?? [], view), total: totals.get(name)}]),
	);
}

/** Not every service knows every sort, and some send more than was asked for. What is equal stays in the service's order. */
function asAsked(entries: readonly Entry[], {sortBy, sortOrder, limit}: ViewRequest): readonly Entry[] {
	const {field, order} = parseSort(sortBy, sortOrder);
	return entries.toSorted((a, b) => compareValues(a[field.name], b[field.name], order)).slice(0, limit);
}

/** What can't be mended by waiting: a view that was refused, a service that neither streams nor answers. */
function failureIn(event: FeedEvent): PulsetopError | undefined {
	if (event.type === 'problem') return event.view === undefined ? undefined : event.error;
	if (event.type !== 'link') return undefined;
	const {phase, error} = event.link;
	return phase === 'offline' || phase === 'refused' ? error : undefined;
}
