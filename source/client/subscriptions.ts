import type {Frame} from './frames.ts';

/** A subscription: what was asked, and whom its frames go to. */
export interface Subscription {
	/** Unique; every request gets a new one, so an answer to an old request is known by it. */
	readonly id: string;
	/** Its one view. */
	readonly view: string;
	/** Body of a pulse request with that one view (contract gaps 1.2). */
	readonly payload: object;
	readonly onFrame: (frame: Frame) => void;
}

/** Where a frame belongs. */
export type Route = Subscription | 'late' | 'nobody';

/**
 * The ledger of what the service has to be told again after a reconnect, and of whom its answers belong to.
 * One subscription holds one view: changing the filter of one must not disturb the others.
 */
export interface Ledger {
	add(subscription: Omit<Subscription, 'id'>): Subscription;
	remove(subscription: Subscription): void;
	/** Everything that must be sent on a fresh connection, in order. */
	all(): readonly Subscription[];
	/** Whose this frame is: by its id, or by its view where it has none. */
	route(frame: Frame): Route;
	/** Whether every subscription got its full view on this connection. */
	isAnswered(): boolean;
	/** The connection is new: nothing was answered on it yet. */
	reset(): void;
}

/**
 * @param prefix begins every id; unlike for every run, so that one run never takes another's answers for its own
 */
export function createLedger(prefix: string): Ledger {
	const live = new Map<string, Subscription>();
	/** Those that got a full view on this connection. */
	const answered = new Set<string>();
	let count = 0;

	function byView(frame: Frame): Route {
		const named =
			'view' in frame && frame.view !== undefined ? [frame.view] : 'views' in frame ? [...frame.views.keys()] : [];
		const fitting = [...live.values()].filter(subscription => named.includes(subscription.view));
		// Two views of one name cannot be told apart without an id.
		return fitting.length === 1 ? fitting[0]! : 'nobody';
	}

	return {
		add(subscription) {
			count++;
			const added = {...subscription, id: `${prefix}-${count}`};
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
				const owner = live.get(frame.id) ?? (frame.id.startsWith(`${prefix}-`) ? 'late' : 'nobody');
				if (typeof owner === 'object' && frame.kind === 'full') answered.add(owner.id);
				return owner;
			}
			const owner = byView(frame);
			if (typeof owner !== 'object') return owner;
			if (frame.kind === 'full') answered.add(owner.id);
			// Without an id, a change that comes before the full view may still belong to the request before.
			return answered.has(owner.id) ? owner : 'late';
		},
		isAnswered: () => answered.size === live.size,
		reset() {
			answered.clear();
		},
	};
}

/** The frame that starts a subscription (contract gaps 1.2). */
export function subscribeFrame({id, payload}: Subscription, apiKey: string | undefined): object {
	return {type: 'pulse-v2', ...authorization(apiKey), payload: {...payload, subscriptionId: id}};
}

/** The frame that ends it. */
export function unsubscribeFrame({id}: Subscription, apiKey: string | undefined): object {
	return {type: 'unsubscribe', ...authorization(apiKey), payload: {type: 'pulse-v2', subscriptionId: id}};
}

function authorization(apiKey: string | undefined): {authorization?: string} {
	return apiKey === undefined ? {} : {authorization: apiKey};
}
