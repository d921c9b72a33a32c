import type {Entry} from '../../contract/entry.ts';
import type {PulsetopError} from '../../errors.ts';
import {steadyNow} from '../../steady-clock.ts';
import type {Addresses} from '../addresses.ts';
import type {Clock} from '../clock.ts';
import type {Http} from '../http/http.ts';
import {ServiceRefused} from '../http/service-errors.ts';
import type {Frame} from '../stream/frames.ts';
import type {Stream, StreamState} from '../stream/stream.ts';
import type {Normaliser} from '../wire/normalise.ts';
import {refusalText} from '../wire/wire-refusal.ts';
import {createFeedEmitter} from './feed-emitter.ts';
import type {Feed, FeedOptions, LinkState, ViewRequest} from './feed-events.ts';
import {createView, isUnsorted, type View, type Views} from './feed-view.ts';
import {isSameLink, linkOf} from './link-state.ts';
import {pulseBody} from './pulse-rest.ts';
import {createRecovery} from './recovery.ts';
import {createRestPoller} from './rest-poller.ts';
import {ViewNotServed, viewFailure} from './view-refusal.ts';

export interface FeedParts {
	readonly addresses: Addresses;
	readonly http: Http;
	readonly clock: Clock;
	/** Undefined for a service without a stream: then every view is polled. */
	readonly stream: Stream | undefined;
	readonly normaliser: Normaliser;
	/** Texts to remove from messages. */
	readonly secrets: readonly string[];
	readonly onClose: () => void;
}

/** The feed with the methods for its client alone. */
export interface RunningFeed extends Feed {
	/** The machine slept or the clock jumped: all data may be old. */
	onTimeGap(): void;
}

/** How long a subscription may take to its first full view before REST is requested. */
const INIT_MS = 3_000;
/** A stream that connects for longer is not waited for: then REST decides the state of the link. */
const CONNECT_MS = 1_000;
/** A view without a full view from the stream is subscribed again after this, then twice as long, up to the limit. */
const RESUBSCRIBE_MS = 10_000;
const RESUBSCRIBE_LIMIT_MS = 5 * 60_000;
/** A view that got only changes for this long is requested in full, which repairs unnoticed losses. */
const AUDIT_MS = 90_000;
/** A frame that cannot be parsed may have been a change: views are requested again, at most this often. */
const BAD_FRAME_REFETCH_MS = 5_000;
/** Clients that lost the stream together request REST spread over this time. */
const SPREAD_MS = 1_000;
const TICK_MS = 1_000;
/** Delay of the totals after a view changed: the user may still be typing. */
const TOTALS_SOON_MS = 500;

/** Opens a feed; the snapshot is requested before this returns. */
export function createFeed(
	{addresses, http, clock, stream, normaliser, secrets, onClose}: FeedParts,
	options: FeedOptions,
): RunningFeed {
	const {request, totalsEveryMs = 15_000, pollMinMs = 2_000, pollMaxMs = 15_000} = options;
	const {views: requests, ...common} = request;
	const views: Views = new Map(
		Object.entries(requests).map(([name, view]) => [name, createView(name, view, {normaliser, clock})]),
	);
	const emitter = createFeedEmitter(views, options.onEvent);
	const poller = createRestPoller({
		http,
		common,
		views,
		emitter,
		dueViews,
		onViewFailure,
		onOutcome,
		pollMinMs,
		pollMaxMs,
		totalsEveryMs,
	});
	const recovery = createRecovery(addresses.all.length > 1);
	let isClosed = false;
	/** The service begins a subscription with a full view; not every service does. */
	let hasInit = false;
	/** Monotonic; when the stream last opened, and when it was lost. */
	let openedMs = 0;
	let lostMs: number | undefined;
	const startedMs = performance.now();
	let wasOpen = false;
	/** The address of the last open stream. */
	let servedBy: string | undefined;
	let wasRestFailing = false;
	/** The bad frames seen at the last refetch, and when that refetch was (monotonic). */
	let refetched = {badFrames: 0, atMs: Number.NEGATIVE_INFINITY};
	let link: LinkState;

	// ---- the link

	function readLink(): LinkState {
		const state = stream?.state;
		const nowMs = performance.now();
		const active = unpaused().filter(view => view.blockedUntilMs <= nowMs);
		return linkOf({
			isClosed,
			stream: state,
			lostMs,
			isCovered: active.every(view => isCovered(view) || isJustChanged(view)),
			isSettling: isSettling(state, nowMs),
			rest: poller.rest,
			restTraffic: poller.traffic,
			droppedEntries: [...views.values()].reduce((sum, view) => sum + view.state.droppedEntries, 0),
			lateResponses: poller.lateResponses,
			pollEveryMs: poller.pollEveryMs,
			nextPollAtMs: poller.nextPollAtMs,
			rateLimit: http.rateLimit,
			addresses,
		});
	}

	/** Whether the first data of the stream is still on its way. A network that lets no stream through does not refuse it either. */
	function isSettling(state: StreamState | undefined, nowMs: number): boolean {
		if (state?.phase === 'open') return nowMs - openedMs < INIT_MS;
		return state?.phase === 'connecting' && state.attempt === 0 && nowMs - (lostMs ?? startedMs) < CONNECT_MS;
	}

	function onOutcome(): void {
		const {succeededMs = 0, failedMs = 0} = poller.rest;
		const isRestFailing = failedMs > succeededMs;
		if (wasRestFailing && !isRestFailing) stream?.serviceIsBack();
		wasRestFailing = isRestFailing;
		emitLink();
	}

	function emitLink(): void {
		if (isClosed) return;
		const next = readLink();
		if (isSameLink(link, next)) return;
		link = next;
		emitter.link(link);
	}

	function tick(): void {
		resubscribeSilent();
		endRecovery();
		refetchAfterBadFrames();
		const before = link;
		emitLink();
		if (link !== before) return;
		link = readLink();
		const hasMoved = link.bytesIn !== before.bytesIn || link.bytesPerSecond !== before.bytesPerSecond;
		if (hasMoved || link.latencyMs !== before.latencyMs) emitter.link(link);
	}

	// ---- the stream

	/** Whether the stream sent the full view on this connection, so that its changes keep the view up to date. */
	function isCovered(view: View): boolean {
		const state = stream?.state;
		return state?.phase === 'open' && view.syncedOn === state.connection;
	}

	/** Whether the view was just subscribed on an open connection: its full view is due any moment. */
	function isJustChanged(view: View): boolean {
		const isOpen = stream?.state.phase === 'open';
		return isOpen && hasInit && view.subscribedMs > openedMs && performance.now() - view.subscribedMs < INIT_MS;
	}

	/** @param at where an earlier subscription with the same request stood */
	function subscribe(view: View, at?: string): void {
		const old = view.subscription;
		view.syncedOn = undefined;
		view.subscribedMs = performance.now();
		const payload = pulseBody(common, [[view.name, view.request]]);
		view.subscription = stream?.subscribe({view: view.name, payload, at, onFrame: frame => onFrame(view, frame)});
		if (old) stream?.unsubscribe(old);
	}

	function onFrame(view: View, frame: Frame): void {
		switch (frame.kind) {
			case 'full': {
				noteStaleness(view, frame.staleMs);
				const alone = frame.views.size === 1 ? frame.views.values().next().value : undefined;
				const data = frame.views.get(view.name) ?? alone;
				if (data === undefined) return;
				hasInit ||= frame.source === 'init';
				const isFirst = !isCovered(view);
				// Only a response to `resume` can name the missed changes.
				const missed = isFirst && view.subscription?.at !== undefined ? missedIn(view, frame) : [];
				if (isFirst) recovery.answered(view.name, frame.recovered, missed);
				view.keysAtLoss = undefined;
				view.syncedOn = stream?.state.connection;
				view.resubscriptions = 0;
				const wasUnjudged = view.state.order === undefined;
				emitter.update(view, view.state.replace(data), frame.source, missed);
				if (wasUnjudged && view.state.order === 'unproven') void poller.requestNow([view]);
				emitLink();
				endRecovery();
				return;
			}
			case 'put':
			case 'drop':
				if (frame.view === undefined || frame.view === view.name) {
					emitter.update(view, view.state.apply(frame), 'sync');
				}
				return;
			case 'merge':
				noteStaleness(view, frame.staleMs);
				emitter.update(view, view.state.apply(frame), 'sync');
				return;
			case 'problem': {
				const failure = viewFailure(new ServiceRefused(0, refusalText(frame.body, secrets)), view.request);
				view.syncedOn = undefined;
				// A stream may lack a view that REST has: REST is read next, and its response counts.
				if (failure instanceof ViewNotServed) unsubscribe(view);
				else emitter.problem(failure, view);
				poller.schedulePoll(0);
				return;
			}
			default:
				return;
		}
	}

	/** Tokens that came and went while the stream was lost; the positions of a service may lie a little before what arrived here. */
	function missedIn({name, state, keysAtLoss}: View, {missed}: Frame & {kind: 'full'}): readonly Entry[] {
		const data = missed?.get(name)?.data;
		if (data === undefined) return [];
		const keys = state.keys();
		return normaliser.entries(data).entries.filter(({key}) => !keys.has(key) && !keysAtLoss?.has(key));
	}

	/** A service whose market stands still sends nothing, which does not mean that nothing changed. */
	function noteStaleness(view: View, staleMs: number | undefined): void {
		const wasStale = view.staleSinceMs !== undefined;
		view.staleSinceMs = staleMs === undefined ? undefined : steadyNow() - staleMs;
		if (wasStale === (staleMs !== undefined) || isClosed) return;
		link = readLink();
		emitter.link(link);
	}

	/** Reports the end of a loss when every view has its full view, or when some take long. */
	function endRecovery(): void {
		if (servedBy === undefined || stream?.state.phase !== 'open') return;
		const isWhole = unpaused().every(view => view.subscription === undefined || isCovered(view));
		if (!isWhole && performance.now() - openedMs < INIT_MS) return;
		const resumed = recovery.finished(servedBy, steadyNow(), isWhole);
		if (resumed) emitter.resumed(resumed);
	}

	function onStreamChange(): void {
		const isOpen = stream?.state.phase === 'open';
		if (isOpen && !wasOpen) {
			servedBy = stream?.state.address;
			openedMs = performance.now();
			lostMs = undefined;
			// Totals may have changed or failed in the meantime; the response also carries the service's time.
			poller.scheduleTotals(TOTALS_SOON_MS + Math.random() * SPREAD_MS);
		}
		if (!isOpen && wasOpen) {
			lostMs = performance.now();
			if (servedBy !== undefined) recovery.lost(servedBy, stream?.state.receivedAtMs);
			for (const view of views.values()) {
				view.source = view.snapshotAtMs === undefined ? 'none' : 'poll';
				view.keysAtLoss ??= view.state.keys();
			}
			poller.schedulePoll(Math.random() * SPREAD_MS);
		}
		wasOpen = isOpen;
		emitLink();
	}

	/** Subscribes views again whose first full view does not come, at growing intervals. */
	function resubscribeSilent(): void {
		if (stream?.state.phase !== 'open') return;
		for (const view of views.values()) {
			if (view.subscription === undefined || isCovered(view)) continue;
			const waitMs = Math.min(RESUBSCRIBE_LIMIT_MS, RESUBSCRIBE_MS * 2 ** view.resubscriptions);
			if (performance.now() - Math.max(view.subscribedMs, openedMs) < waitMs) continue;
			view.resubscriptions++;
			subscribe(view, view.subscription.at);
		}
	}

	function refetchAfterBadFrames(): void {
		const badFrames = stream?.state.badFrames ?? 0;
		if (badFrames === refetched.badFrames || performance.now() - refetched.atMs < BAD_FRAME_REFETCH_MS) return;
		refetched = {badFrames, atMs: performance.now()};
		void poller.requestNow(unpaused().filter(isCovered));
	}

	// ---- views

	function dueViews(): View[] {
		return unpaused().filter(view => {
			if (view.requestsInFlight > 0 || view.blockedUntilMs > performance.now()) return false;
			if (isCovered(view)) return steadyNow() - (view.snapshotAtMs ?? 0) > AUDIT_MS;
			return !isJustChanged(view);
		});
	}

	/** Requests a view: from the stream if it sends full views, else from REST as well. */
	function startView(view: View): void {
		subscribe(view);
		if (isJustChanged(view)) poller.schedulePoll(INIT_MS);
		else void poller.requestNow([view]);
		poller.scheduleTotals(TOTALS_SOON_MS);
	}

	/** A view that the service does not have is not requested again until the user retries. */
	function onViewFailure(view: View, error: PulsetopError): void {
		const failure = viewFailure(error, view.request);
		if (failure instanceof ViewNotServed) {
			view.blockedUntilMs = Number.POSITIVE_INFINITY;
			unsubscribe(view);
		}
		emitter.problem(failure, view);
	}

	/** Ends the subscription of a view. */
	function unsubscribe(view: View): void {
		view.syncedOn = undefined;
		if (view.subscription) stream?.unsubscribe(view.subscription);
		view.subscription = undefined;
	}

	function unpaused(names: Iterable<string> = views.keys()): View[] {
		return [...names].map(name => views.get(name)).filter(view => view !== undefined && !view.isPaused) as View[];
	}

	function requestAll(): void {
		for (const view of unpaused()) {
			view.blockedUntilMs = 0;
			if (stream && view.subscription === undefined) subscribe(view);
		}
		void poller.requestNow(unpaused());
	}

	function changeRequest(view: View, viewRequest: ViewRequest): void {
		view.request = viewRequest;
		view.state.renew();
		view.total = undefined;
		view.blockedUntilMs = 0;
		view.resubscriptions = 0;
		emitter.clearProblem(view);
		if (!view.isPaused) startView(view);
	}

	link = readLink();
	emitter.link(link);
	const release = stream?.hold();
	const stopListening = stream?.onChange(onStreamChange);
	wasOpen = stream?.state.phase === 'open';
	if (views.size > 0) void poller.requestNow(unpaused());
	for (const view of views.values()) subscribe(view);
	poller.scheduleTotals(TICK_MS);
	const ticker = setInterval(tick, TICK_MS);
	ticker.unref();

	return {
		get link() {
			return readLink();
		},
		view(name) {
			const view = views.get(name);
			if (view === undefined) return undefined;
			// Silence on a live stream means that nothing changed.
			const receivedAtMs = isCovered(view) ? stream?.state.receivedAtMs : undefined;
			return {
				lastDataAtMs:
					view.staleSinceMs ??
					(receivedAtMs === undefined ? view.dataAtMs : Math.max(receivedAtMs, view.dataAtMs ?? 0)),
				lastSnapshotAtMs: view.snapshotAtMs,
				source: view.source,
				generation: view.state.generation,
				isPending: view.state.isPending,
				isPaused: view.isPaused,
				...(view.staleSinceMs !== undefined && {staleSinceMs: view.staleSinceMs}),
				isUnfiltered: view.state.isUnfiltered,
				isUnsorted: isUnsorted(view),
				total: view.total,
			};
		},
		setView(name, viewRequest) {
			if (isClosed) return;
			const known = views.get(name);
			if (known === undefined) {
				const view = createView(name, viewRequest, {normaliser, clock});
				views.set(name, view);
				startView(view);
			} else if (JSON.stringify(known.request) !== JSON.stringify(viewRequest)) changeRequest(known, viewRequest);
		},
		removeView(name) {
			const view = views.get(name);
			views.delete(name);
			if (view?.subscription) stream?.unsubscribe(view.subscription);
		},
		pause(names) {
			for (const view of unpaused(names)) {
				view.isPaused = true;
				unsubscribe(view);
			}
			emitLink();
		},
		resume(names = views.keys().toArray()) {
			for (const name of names) {
				const view = views.get(name);
				if (!view?.isPaused || isClosed) continue;
				view.isPaused = false;
				view.state.renew();
				startView(view);
			}
			emitLink();
		},
		retryNow() {
			if (isClosed) return;
			stream?.retryNow();
			requestAll();
		},
		async refresh(names) {
			const requested = unpaused(names);
			for (const view of requested) view.blockedUntilMs = 0;
			await poller.refresh(requested);
		},
		onTimeGap: requestAll,
		close() {
			if (isClosed) return;
			isClosed = true;
			emitter.close();
			poller.stop();
			clearInterval(ticker);
			stopListening?.();
			for (const view of views.values()) if (view.subscription) stream?.unsubscribe(view.subscription);
			release?.();
			onClose();
		},
	};
}
