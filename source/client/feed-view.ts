import type {ViewRequest, ViewStatus} from './feed-events.ts';
import type {Normaliser} from './normalise.ts';
import type {Subscription} from './subscriptions.ts';
import {sieveOf} from './view-sieve.ts';
import {createViewState, type ViewState} from './view-state.ts';

/** One view of a feed: what was asked, what is known, and how it is being fed. */
export interface View {
	readonly name: string;
	request: ViewRequest;
	readonly state: ViewState;
	subscription: Subscription | undefined;
	/** Monotonic; when it was last subscribed. */
	subscribedMs: number;
	/** The connection on which the stream gave all of this view for the current request. */
	syncedOn: number | undefined;
	/** How often it was subscribed again because no full view came. */
	retries: number;
	isPaused: boolean;
	/** How many REST requests for it are under way. */
	asking: number;
	/** Monotonic; refused by the service as it stands, left alone until then. */
	blockedUntilMs: number;
	total: number | undefined;
	/** `Date.now()` scale. */
	dataAtMs: number | undefined;
	snapshotAtMs: number | undefined;
	source: ViewStatus['source'];
}

export type Views = Map<string, View>;

/** The service's own default is 30, and 50 in the default model; it allows no more than this. */
const LARGEST_LIMIT = 100;

/** A view of which nothing is known yet. */
export function createView(name: string, request: ViewRequest, normaliser: Normaliser): View {
	const view: View = {
		name,
		request,
		state: createViewState(
			name,
			normaliser,
			() => capacityOf(view.request),
			() => sieveOf(view.request),
		),
		subscription: undefined,
		subscribedMs: 0,
		syncedOn: undefined,
		retries: 0,
		isPaused: false,
		asking: 0,
		blockedUntilMs: 0,
		total: undefined,
		dataAtMs: undefined,
		snapshotAtMs: undefined,
		source: 'none',
	};
	return view;
}

/** Twice the window and what is always included: enough for a service that tells new rows before those that left. */
function capacityOf({limit = LARGEST_LIMIT, includeTokens = []}: ViewRequest): number {
	return 2 * (Math.max(1, limit) + [includeTokens].flat().length);
}

/** Keeps the ages of a view's data when `Date.now()` was set back: old data must not look fresh. */
export function shiftAges(view: View, byMs: number): void {
	if (view.dataAtMs !== undefined) view.dataAtMs += byMs;
	if (view.snapshotAtMs !== undefined) view.snapshotAtMs += byMs;
}
