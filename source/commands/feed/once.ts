import type {Client} from '../../client/client.ts';
import type {Feed, FeedEvent, FeedRequest, ViewStatus} from '../../client/feed/feed-events.ts';
import type {Entry} from '../../contract/entry.ts';
import type {FieldName} from '../../contract/fields.ts';
import {compareValues, parseSort, type SortOrder} from '../../contract/sort.ts';
import {PulsetopError} from '../../errors.ts';

/** A view at one moment. */
export interface View {
	/** In the requested order. */
	readonly entries: readonly Entry[];
	/** How many tokens match on the service; undefined when not reported. */
	readonly total: number | undefined;
	/** The service does not filter: the filter was applied here, to the rows loaded. */
	readonly isLocal: boolean;
	/** The service does not sort: the entries are the rows loaded, not the first ones of all. */
	readonly isUnsorted: boolean;
	/** None of several entries has the figure of the sort: the order says nothing. */
	readonly lacksFigure?: boolean;
}

/** Rows of the service that are not shown. */
export const UNREAD_ROWS = "rows of the service can't be read and are left out: they have no address or no chain";

/** The views of a feed, read once. */
export interface FeedRead {
	readonly views: ReadonlyMap<string, View>;
	/** Rows were left out, since they have no address or no chain. */
	readonly hasUnread: boolean;
}

/** The service did not send every view. */
class FeedIncomplete extends PulsetopError {
	readonly code = 'feed-incomplete';
}

/** Maximum time for the first full views. */
const TIMEOUT_MS = 20_000;
/** Maximum time for the totals after the views: not every service has totals. */
const TOTALS_TIMEOUT_MS = 3_000;
/** Totals are first requested after four times this. */
const TOTALS_EVERY_MS = 50;

/**
 * Reads every view of the request once.
 * @param options.totals whether to wait for the totals, too
 * @throws FeedIncomplete when a view does not arrive; the errors of the client
 */
export async function readViews(
	client: Client,
	request: FeedRequest,
	{totals: hasTotals}: {totals: boolean},
): Promise<FeedRead> {
	const names = Object.keys(request.views);
	const entries = new Map<string, readonly Entry[]>();
	const totals = new Map<string, number>();
	const {promise, resolve, reject} = Promise.withResolvers<void>();
	const timeout = setTimeout(() => {
		const missing = names.filter(name => !entries.has(name)).join(', ');
		const why = `nothing came for ${missing} within ${TIMEOUT_MS / 1000} s`;
		reject(new FeedIncomplete('The service did not give every view', {why, next: 'retry-later'}));
	}, TIMEOUT_MS);
	let totalsTimeout: NodeJS.Timeout | undefined;
	const onEvent = (event: FeedEvent) => {
		if (event.type === 'snapshot') entries.set(event.view, event.entries);
		if (event.type === 'total') totals.set(event.view, event.total);
		const failure = failureIn(event);
		if (failure) reject(failure);
		if (!names.every(name => entries.has(name))) return;
		if (!hasTotals || names.every(name => totals.has(name))) resolve();
		totalsTimeout ??= setTimeout(resolve, TOTALS_TIMEOUT_MS);
	};
	let feed: Feed | undefined;
	let hasUnread = false;
	const statuses = new Map<string, ViewStatus | undefined>();
	try {
		feed = client.openFeed({request, onEvent, totalsEveryMs: hasTotals ? TOTALS_EVERY_MS : 0});
		await promise;
		hasUnread = feed.link.droppedEntries > 0;
		for (const name of names) statuses.set(name, feed.view(name));
	} finally {
		feed?.close();
		clearTimeout(timeout);
		clearTimeout(totalsTimeout);
	}
	const requested = Object.entries(request.views);
	const views = new Map(
		requested.map(([name, view]) => {
			const {isUnfiltered: isLocal = false, isUnsorted = false} = statuses.get(name) ?? {};
			const {field, order} = parseSort(view.sortBy, view.sortOrder);
			const rows = sorted(entries.get(name) ?? [], field.name, order).slice(0, view.limit);
			const lacksFigure = rows.length > 1 && rows[0]![field.name] === undefined;
			return [name, {entries: rows, total: totals.get(name), isLocal, isUnsorted, lacksFigure}];
		}),
	);
	return {views, hasUnread};
}

/** Sorts here, since not every service knows every sort: unknown figures last, equal tokens in the service's order. */
function sorted(entries: readonly Entry[], field: FieldName, order: SortOrder): readonly Entry[] {
	return entries.toSorted((a, b) => compareValues(a[field], b[field], order));
}

/** The error of an event that ends the wait: a refused view, or a service that neither streams nor responds. */
function failureIn(event: FeedEvent): PulsetopError | undefined {
	if (event.type === 'problem') return event.view === undefined ? undefined : event.error;
	if (event.type !== 'link') return undefined;
	const {phase, error} = event.link;
	return phase === 'offline' || phase === 'refused' ? error : undefined;
}
