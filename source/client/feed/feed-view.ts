import type {Clock} from '../clock.ts';
import type {Subscription} from '../stream/subscriptions.ts';
import type {Normaliser} from '../wire/normalise.ts';
import {clientFilterOf} from './client-filter.ts';
import {isOutOfOrder} from './client-order.ts';
import type {ViewRequest, ViewStatus} from './feed-events.ts';
import {createViewState, type ViewState} from './view-state.ts';

/** One view of a feed: its request, its entries, and the state of its sources. */
export interface View {
	readonly name: string;
	request: ViewRequest;
	readonly state: ViewState;
	subscription: Subscription | undefined;
	/** The keys of the view when the stream was lost; undefined once a full view came. */
	keysAtLoss: ReadonlySet<string> | undefined;
	/** Monotonic; when the view was last subscribed. */
	subscribedMs: number;
	/** The connection on which the stream sent the full view of the current request. */
	syncedOn: number | undefined;
	/** How often the view was subscribed again because no full view came. */
	resubscriptions: number;
	isPaused: boolean;
	/** REST requests for the view that are under way. */
	requestsInFlight: number;
	/** Monotonic; the service refused the request of this view: no request until then. */
	blockedUntilMs: number;
	total: number | undefined;
	/** `steadyNow()` scale. */
	dataAtMs: number | undefined;
	snapshotAtMs: number | undefined;
	/** `steadyNow()` scale; since when the service's market has not moved on; undefined while it is up to date. */
	staleSinceMs: number | undefined;
	source: ViewStatus['source'];
}

export type Views = Map<string, View>;

/** The service's own default is 30, and 50 in the default model; it allows no more than this. */
const LARGEST_LIMIT = 100;

/** A view without data. */
export function createView(
	name: string,
	request: ViewRequest,
	{normaliser, clock}: {readonly normaliser: Normaliser; readonly clock: Clock},
): View {
	const view: View = {
		name,
		request,
		state: createViewState(
			name,
			normaliser,
			() => capacityOf(view.request),
			() => clientFilterOf(view.request, clock),
			entries => isOutOfOrder(entries, view.request),
		),
		subscription: undefined,
		keysAtLoss: undefined,
		subscribedMs: 0,
		syncedOn: undefined,
		resubscriptions: 0,
		isPaused: false,
		requestsInFlight: 0,
		blockedUntilMs: 0,
		total: undefined,
		dataAtMs: undefined,
		snapshotAtMs: undefined,
		staleSinceMs: undefined,
		source: 'none',
	};
	return view;
}

/** The service ignores the view's sort, and has more rows than it sent: those here are not the first ones of all. */
export function isUnsorted({request: {limit}, state, total = 0}: View): boolean {
	return state.order === 'ignored' && (limit === undefined || state.size >= limit || total > state.size);
}

/** Entries to keep: twice the limit, enough for a service that sends new rows before it removes the old ones. */
function capacityOf({limit = LARGEST_LIMIT, includeTokens = []}: ViewRequest): number {
	return 2 * (Math.max(1, limit) + [includeTokens].flat().length);
}
