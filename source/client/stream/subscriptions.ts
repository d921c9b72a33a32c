import type {Frame} from './frames.ts';

/** A subscription to one view. */
export interface Subscription {
	/** Unique a request, so that a frame for an old request is recognised. */
	readonly id: string;
	/** The name of the view. */
	readonly view: string;
	/** Body of a pulse request with that one view (contract gaps 1.2). */
	readonly payload: object;
	readonly onFrame: (frame: Frame) => void;
	/**
	 * The position in the service's market log up to which the receiver has everything; sent as `resume` when the
	 * subscription is sent again. Undefined before the first, and for a service without positions.
	 */
	at: string | undefined;
}

/** The parts of a subscription. */
export type NewSubscription = Omit<Subscription, 'id' | 'at'> & {readonly at?: string | undefined};

/** The receiver of a frame: a subscription; none because its request was replaced; or none known. */
export type Route = Subscription | 'late' | 'unknown';

/**
 * The open subscriptions: sent again after a reconnect, and used to route frames.
 * One subscription holds one view, so that changing the filter of one view does not disturb the others.
 */
export interface SubscriptionRegistry {
	add(subscription: NewSubscription): Subscription;
	remove(subscription: Subscription): void;
	/** All subscriptions, in the order in which they are sent on a new connection. */
	all(): readonly Subscription[];
	/** The receiver of a frame: by the frame's id, or by its view where the frame has no id. */
	route(frame: Frame): Route;
	/** The receiver has applied a frame: the position counts once it has the full view of this connection. */
	applied(subscription: Subscription, frame: Frame): void;
	/** Whether every subscription got its full view on this connection. */
	isAnswered(): boolean;
	/** Call for a new connection: no subscription has got its full view yet. */
	reset(): void;
}

/**
 * @param prefix begins every id; different in every run, so that a run never takes frames of another for its own
 */
export function createSubscriptionRegistry(prefix: string): SubscriptionRegistry {
	const live = new Map<string, Subscription>();
	/** Ids of subscriptions that got a full view on this connection. */
	const answered = new Set<string>();
	let count = 0;

	function byView(frame: Frame): Route {
		const named =
			'view' in frame && frame.view !== undefined ? [frame.view] : 'views' in frame ? [...frame.views.keys()] : [];
		const fitting = [...live.values()].filter(subscription => named.includes(subscription.view));
		// Without an id, two views of one name cannot be distinguished.
		return fitting.length === 1 ? fitting[0]! : 'unknown';
	}

	return {
		add(subscription) {
			count++;
			const added = {...subscription, at: subscription.at, id: `${prefix}-${count}`};
			live.set(added.id, added);
			return added;
		},
		remove({id}) {
			live.delete(id);
			answered.delete(id);
		},
		all: () => [...live.values()],
		route(frame) {
			if (frame.id !== undefined) {
				const owner = live.get(frame.id) ?? (frame.id.startsWith(`${prefix}-`) ? 'late' : 'unknown');
				if (typeof owner === 'object' && holdsViews(frame)) answered.add(owner.id);
				return owner;
			}
			const owner = byView(frame);
			if (typeof owner !== 'object') return owner;
			if (holdsViews(frame)) answered.add(owner.id);
			// Without an id, a change that arrives before the full view may still belong to the previous request.
			return answered.has(owner.id) ? owner : 'late';
		},
		applied(subscription, {at}) {
			if (at !== undefined && answered.has(subscription.id)) subscription.at = at;
		},
		isAnswered: () => answered.size === live.size,
		reset() {
			answered.clear();
		},
	};
}

/** Whether a frame brings full views: a `sync` without any only says whether the service's market is up to date. */
function holdsViews(frame: Frame): boolean {
	return frame.kind === 'full' && frame.views.size > 0;
}

/** The frame that starts a subscription (contract gaps 1.2). */
export function subscribeFrame({id, payload, at}: Subscription, apiKey: string | undefined): object {
	const resume = at === undefined ? {} : {resume: at};
	return {type: 'pulse-v2', ...authorization(apiKey), payload: {...payload, subscriptionId: id, ...resume}};
}

/** The frame that ends a subscription. */
export function unsubscribeFrame({id}: Subscription, apiKey: string | undefined): object {
	return {type: 'unsubscribe', ...authorization(apiKey), payload: {type: 'pulse-v2', subscriptionId: id}};
}

function authorization(apiKey: string | undefined): {authorization?: string} {
	return apiKey === undefined ? {} : {authorization: apiKey};
}
