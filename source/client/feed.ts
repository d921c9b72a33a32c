import {createFeedAsking} from './feed-asking.ts';
import type {Feed, FeedOptions, LinkState, ViewRequest} from './feed-events.ts';
import {createFeedTeller} from './feed-teller.ts';
import {createView, shiftAges, type View, type Views} from './feed-view.ts';
import type {Frame} from './frames.ts';
import type {Http} from './http.ts';
import {isSameLink, linkOf} from './link-state.ts';
import type {Normaliser} from './normalise.ts';
import {pulseBody} from './pulse-rest.ts';
import {ServiceRefused} from './service-errors.ts';
import type {Stream} from './stream.ts';
import type {Wake} from './wake.ts';
import {refusalText} from './wire-refusal.ts';

export interface FeedParts {
	readonly http: Http;
	/** Undefined where there is no stream: then polling is all there is. */
	readonly stream: Stream | undefined;
	readonly normaliser: Normaliser;
	/** Never to be seen in a message. */
	readonly secrets: readonly string[];
	readonly onClose: () => void;
}

/** A feed as its client holds it. */
export interface RunningFeed extends Feed {
	/** There was a gap in time: everything may be old. */
	woke(wake: Wake): void;
}

/** After a subscription, so long for its first full view; then REST is asked. */
const INIT_MS = 3_000;
/** A view without a full view of the stream is subscribed again after this, then twice as long, up to the limit. */
const RESUBSCRIBE_MS = 10_000;
const RESUBSCRIBE_LIMIT_MS = 5 * 60_000;
/** A view that only changed for this long is asked for in full: whatever went wrong unseen is put right by it. */
const AUDIT_MS = 90_000;
/** A frame that cannot be read may have been a change: views are asked for anew, at most so often. */
const ANEW_MS = 5_000;
/** Those who lost the stream together ask REST spread over this. */
const SPREAD_MS = 1_000;
const TICK_MS = 1_000;
/** After a change of a view its total is wanted soon; the person may still be typing. */
const TOTALS_SOON_MS = 500;

/** Opens a feed; the snapshot is asked for before this returns. */
export function createFeed({http, stream, normaliser, secrets, onClose}: FeedParts, options: FeedOptions): RunningFeed {
	const {request, totalsEveryMs = 15_000, pollMinMs = 2_000, pollMaxMs = 15_000} = options;
	const {views: wanted, ...common} = request;
	const views: Views = new Map(
		Object.entries(wanted).map(([name, view]) => [name, createView(name, view, normaliser)]),
	);
	const teller = createFeedTeller(views, options.onEvent);
	const asking = createFeedAsking({
		http,
		common,
		views,
		teller,
		due,
		onOutcome,
		pollMinMs,
		pollMaxMs,
		totalsEveryMs,
	});
	let isClosed = false;
	/** This service begins a subscription with a full view; not all do. */
	let hasInit = false;
	/** Monotonic; when the stream was last opened and last lost. */
	let openedMs = 0;
	let lostMs: number | undefined;
	let wasOpen = false;
	let wasRestFailing = false;
	/** Frames that could not be read when views were last asked for because of that, and when (monotonic). */
	let unread = {frames: 0, askedMs: Number.NEGATIVE_INFINITY};
	let link: LinkState;

	// ---- the link

	function readLink(): LinkState {
		const state = stream?.state;
		const nowMs = performance.now();
		const flowing = unpaused().filter(view => view.blockedUntilMs <= nowMs);
		return linkOf({
			isClosed,
			stream: state,
			lostMs,
			isCovered: flowing.every(view => isCovered(view) || isJustChanged(view)),
			isSettling:
				state?.phase === 'open' ? nowMs - openedMs < INIT_MS : state?.phase === 'connecting' && state.attempt === 0,
			rest: asking.rest,
			restTraffic: asking.traffic,
			droppedEntries: [...views.values()].reduce((sum, view) => sum + view.state.droppedEntries, 0),
			lateAnswers: asking.lateAnswers,
			pollEveryMs: asking.pollEveryMs,
			nextPollAtMs: asking.nextPollAtMs,
			rateLimit: http.rateLimit,
		});
	}

	function onOutcome(): void {
		const {succeededMs = 0, failedMs = 0} = asking.rest;
		const isRestFailing = failedMs > succeededMs;
		if (wasRestFailing && !isRestFailing) stream?.serviceIsBack();
		wasRestFailing = isRestFailing;
		tellLink();
	}

	function tellLink(): void {
		if (isClosed) return;
		const next = readLink();
		if (isSameLink(link, next)) return;
		link = next;
		teller.link(link);
	}

	function tick(): void {
		resubscribeSilent();
		askForUnread();
		const before = link;
		tellLink();
		if (link !== before) return;
		link = readLink();
		const hasMoved = link.bytesIn !== before.bytesIn || link.bytesPerSecond !== before.bytesPerSecond;
		if (hasMoved || link.latencyMs !== before.latencyMs) teller.link(link);
	}

	// ---- the stream

	/** Whether the stream has given all of the view on this connection, so that its changes are enough. */
	function isCovered(view: View): boolean {
		const state = stream?.state;
		return state?.phase === 'open' && view.syncedOn === state.connection;
	}

	/** Asked anew on a connection that answers: its full view is due any moment. */
	function isJustChanged(view: View): boolean {
		const isOpen = stream?.state.phase === 'open';
		return isOpen && hasInit && view.subscribedMs > openedMs && performance.now() - view.subscribedMs < INIT_MS;
	}

	function subscribe(view: View): void {
		const old = view.subscription;
		view.syncedOn = undefined;
		view.subscribedMs = performance.now();
		const payload = pulseBody(common, [[view.name, view.request]]);
		view.subscription = stream?.subscribe({view: view.name, payload, onFrame: frame => onFrame(view, frame)});
		if (old) stream?.unsubscribe(old);
	}

	function onFrame(view: View, frame: Frame): void {
		switch (frame.kind) {
			case 'full': {
				const alone = frame.views.size === 1 ? frame.views.values().next().value : undefined;
				const data = frame.views.get(view.name) ?? alone;
				if (data === undefined) return;
				hasInit ||= frame.source === 'init';
				view.syncedOn = stream?.state.connection;
				view.retries = 0;
				teller.update(view, view.state.replace(data), frame.source);
				tellLink();
				return;
			}
			case 'put':
			case 'drop':
				if (frame.view === undefined || frame.view === view.name) {
					teller.update(view, view.state.apply(frame), 'sync');
				}
				return;
			case 'merge':
				teller.update(view, view.state.apply(frame), 'sync');
				return;
			case 'problem':
				view.syncedOn = undefined;
				teller.problem(new ServiceRefused(0, refusalText(frame.body, secrets)), view);
				asking.kick(0);
				return;
			default:
				return;
		}
	}

	function onStreamChange(): void {
		const isOpen = stream?.state.phase === 'open';
		if (isOpen && !wasOpen) {
			openedMs = performance.now();
			lostMs = undefined;
			// They may have changed or failed in the meantime; their answer also tells the service's time.
			asking.planTotals(TOTALS_SOON_MS + Math.random() * SPREAD_MS);
		}
		if (!isOpen && wasOpen) {
			lostMs = performance.now();
			for (const view of views.values()) view.source = view.snapshotAtMs === undefined ? 'none' : 'poll';
			asking.kick(Math.random() * SPREAD_MS);
		}
		wasOpen = isOpen;
		tellLink();
	}

	/** A view whose first full view never comes is asked for again, ever more rarely. */
	function resubscribeSilent(): void {
		if (stream?.state.phase !== 'open') return;
		for (const view of views.values()) {
			if (view.subscription === undefined || isCovered(view)) continue;
			const patienceMs = Math.min(RESUBSCRIBE_LIMIT_MS, RESUBSCRIBE_MS * 2 ** view.retries);
			if (performance.now() - Math.max(view.subscribedMs, openedMs) < patienceMs) continue;
			view.retries++;
			subscribe(view);
		}
	}

	function askForUnread(): void {
		const frames = stream?.state.badFrames ?? 0;
		if (frames === unread.frames || performance.now() - unread.askedMs < ANEW_MS) return;
		unread = {frames, askedMs: performance.now()};
		void asking.askNow(unpaused().filter(isCovered));
	}

	// ---- views

	function due(): View[] {
		return unpaused().filter(view => {
			if (view.asking > 0 || view.blockedUntilMs > performance.now()) return false;
			if (isCovered(view)) return Date.now() - (view.snapshotAtMs ?? 0) > AUDIT_MS;
			return !isJustChanged(view);
		});
	}

	/** Begins a request of a view: over the stream where it is known to give full views, else by REST as well. */
	function begin(view: View): void {
		subscribe(view);
		if (isJustChanged(view)) asking.kick(INIT_MS);
		else void asking.askNow([view]);
		asking.planTotals(TOTALS_SOON_MS);
	}

	function unpaused(names: Iterable<string> = views.keys()): View[] {
		return [...names].map(name => views.get(name)).filter(view => view !== undefined && !view.isPaused) as View[];
	}

	function askAll(): void {
		for (const view of views.values()) view.blockedUntilMs = 0;
		void asking.askNow(unpaused());
	}

	function change(view: View, viewRequest: ViewRequest): void {
		view.request = viewRequest;
		view.state.renew();
		view.total = undefined;
		view.blockedUntilMs = 0;
		view.retries = 0;
		teller.over(view);
		if (!view.isPaused) begin(view);
	}

	link = readLink();
	teller.link(link);
	const letGo = stream?.hold();
	const stopListening = stream?.onChange(onStreamChange);
	wasOpen = stream?.state.phase === 'open';
	if (views.size > 0) void asking.askNow(unpaused());
	for (const view of views.values()) subscribe(view);
	asking.planTotals(TICK_MS);
	const ticker = setInterval(tick, TICK_MS);
	ticker.unref();

	return {
		get link() {
			return readLink();
		},
		view(name) {
			const view = views.get(name);
			if (view === undefined) return undefined;
			// On a stream that is alive silence means that nothing changed.
			const heardAtMs = isCovered(view) ? stream?.state.heardAtMs : undefined;
			return {
				lastDataAtMs: heardAtMs === undefined ? view.dataAtMs : Math.max(heardAtMs, view.dataAtMs ?? 0),
				lastSnapshotAtMs: view.snapshotAtMs,
				source: view.source,
				generation: view.state.generation,
				isPending: view.state.isPending,
				isPaused: view.isPaused,
				isUnfiltered: view.state.isUnfiltered,
				total: view.total,
			};
		},
		setView(name, viewRequest) {
			if (isClosed) return;
			const known = views.get(name);
			if (known === undefined) {
				const view = createView(name, viewRequest, normaliser);
				views.set(name, view);
				begin(view);
			} else if (JSON.stringify(known.request) !== JSON.stringify(viewRequest)) change(known, viewRequest);
		},
		removeView(name) {
			const view = views.get(name);
			views.delete(name);
			if (view?.subscription) stream?.unsubscribe(view.subscription);
		},
		pause(names) {
			for (const view of unpaused(names)) {
				view.isPaused = true;
				view.syncedOn = undefined;
				if (view.subscription) stream?.unsubscribe(view.subscription);
				view.subscription = undefined;
			}
			tellLink();
		},
		resume(names = views.keys().toArray()) {
			for (const name of names) {
				const view = views.get(name);
				if (!view?.isPaused || isClosed) continue;
				view.isPaused = false;
				view.state.renew();
				begin(view);
			}
			tellLink();
		},
		retryNow() {
			if (isClosed) return;
			stream?.retryNow();
			askAll();
		},
		async refresh(names) {
			const asked = unpaused(names);
			for (const view of asked) view.blockedUntilMs = 0;
			await asking.refresh(asked);
		},
		woke({clockJumpMs}) {
			if (clockJumpMs < 0) for (const view of views.values()) shiftAges(view, clockJumpMs);
			askAll();
		},
		close() {
			if (isClosed) return;
			isClosed = true;
			teller.close();
			asking.stop();
			clearInterval(ticker);
			stopListening?.();
			for (const view of views.values()) if (view.subscription) stream?.unsubscribe(view.subscription);
			letGo?.();
			onClose();
		},
	};
}
