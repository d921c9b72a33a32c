import {PulsetopError} from '../errors.ts';
import {createEventQueue} from './event-queue.ts';
import type {Feed, FeedEvent, FeedOptions, LinkState, SnapshotSource, ViewRequest, ViewStatus} from './feed-events.ts';
import type {Frame} from './frames.ts';
import type {Http} from './http.ts';
import {isSameLink, linkOf, type RestState} from './link-state.ts';
import type {Normaliser} from './normalise.ts';
import {createPollPace, setbackOfError} from './poll-pace.ts';
import {askPulse, askTotals, pulseBody} from './pulse-rest.ts';
import {ServiceRefused, WrongAnswer} from './service-errors.ts';
import type {Stream} from './stream.ts';
import type {Subscription} from './subscriptions.ts';
import {createTraffic} from './traffic.ts';
import {createViewState, type ViewState, type ViewUpdate} from './view-state.ts';
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

interface View {
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
	/** REST is being asked for it. */
	asking: number;
	/** Monotonic; refused by the service as it stands, left alone until then. */
	blockedUntilMs: number;
	total: number | undefined;
	/** `Date.now()` scale. */
	dataAtMs: number | undefined;
	snapshotAtMs: number | undefined;
	source: ViewStatus['source'];
}

/** After a subscription, so long for its first full view; then REST is asked. */
const INIT_MS = 3_000;
/** A view without a full view of the stream is subscribed again after this, then twice as long, up to the limit. */
const RESUBSCRIBE_MS = 10_000;
const RESUBSCRIBE_LIMIT_MS = 5 * 60_000;
/** A view that only changed for this long is asked for in full: whatever went wrong unseen is put right by it. */
const AUDIT_MS = 90_000;
/** What the service refuses as it stands (a filter it does not know) is not asked for again before this. */
const BLOCKED_MS = 60_000;
const SPREAD_MS = 1_000;
const TICK_MS = 1_000;
const MAX_VIEWS_A_REQUEST = 10;
const DEFAULT_LIMIT = 100;

/** Opens a feed; the snapshot is asked for before this returns. */
export function createFeed(parts: FeedParts, options: FeedOptions): RunningFeed {
	const {http, stream, normaliser, secrets} = parts;
	const {request, totalsEveryMs = 15_000, pollMinMs = 2_000, pollMaxMs = 15_000} = options;
	const {views: wanted, ...common} = request;
	const queue = createEventQueue<FeedEvent>(options.onEvent);
	const pace = createPollPace(pollMinMs, pollMaxMs);
	const restTraffic = createTraffic();
	const closing = new AbortController();
	const views = new Map<string, View>();
	const told = new Map<string, string>();
	let rest: RestState = {
		succeededMs: undefined,
		failedMs: undefined,
		error: undefined,
		latencyMs: undefined,
		succeededAtMs: undefined,
	};
	let pollTimer: NodeJS.Timeout | undefined;
	let pollDueMs = Number.POSITIVE_INFINITY;
	let totalsTimer: NodeJS.Timeout | undefined;
	let lateAnswers = 0;
	let hasInit = false;
	let openedMs = 0;
	let lostMs: number | undefined;
	let wasOpen = false;
	let lastPoll: {readonly of: string; readonly text: string} | undefined;
	let link: LinkState;

	// ---- what is told

	function tellUpdate(view: View, update: ViewUpdate | undefined, source: SnapshotSource): void {
		if (views.get(view.name) !== view) return;
		const atMs = Date.now();
		view.dataAtMs = atMs;
		if (update === undefined) return;
		if (update.kind === 'change') {
			queue.push({type: 'change', view: view.name, upserts: update.upserts, removed: update.removed, atMs});
			return;
		}
		view.snapshotAtMs = atMs;
		view.source = source === 'init' || source === 'sync' ? 'stream' : 'poll';
		told.delete(view.name);
		queue.push({type: 'snapshot', view: view.name, entries: update.entries, atMs, source});
		if (update.total !== undefined) tellTotal(view, update.total);
	}

	function tellTotal(view: View, total: number): void {
		if (view.total === total) return;
		view.total = total;
		queue.push({type: 'total', view: view.name, total, atMs: Date.now()});
	}

	/** The same trouble is told once, until it is over. */
	function tellProblem(error: PulsetopError, view?: View): void {
		const about = view?.name ?? '';
		const words = `${error.code} ${error.message} ${error.why}`;
		if (told.get(about) === words) return;
		told.set(about, words);
		queue.push({type: 'problem', error, ...(view ? {view: view.name} : {}), atMs: Date.now()});
	}

	function readLink(): LinkState {
		const state = stream?.state;
		const nowMs = performance.now();
		const flowing = [...views.values()].filter(view => !view.isPaused && view.blockedUntilMs <= nowMs);
		return linkOf({
			isClosed: closing.signal.aborted,
			stream: state,
			lostMs,
			isCovered: flowing.every(view => isCovered(view) || isJustChanged(view, nowMs)),
			isSettling:
				state?.phase === 'open' ? nowMs - openedMs < INIT_MS : state?.phase === 'connecting' && state.attempt === 0,
			rest,
			restTraffic,
			droppedEntries: [...views.values()].reduce((sum, view) => sum + view.state.droppedEntries, 0),
			lateAnswers,
			pollEveryMs: pace.everyMs,
			rateLimit: http.rateLimit,
		});
	}

	function tellLink(isTick = false): void {
		const next = readLink();
		const isSame = isSameLink(link, next);
		const hasMoved =
			next.bytesIn !== link.bytesIn ||
			next.bytesPerSecond !== link.bytesPerSecond ||
			next.lateFrames !== link.lateFrames;
		link = next;
		if (!isSame || (isTick && hasMoved)) queue.push({type: 'link', link});
	}

	// ---- the stream

	/** Whether the stream has given all of the view on this connection, so that its changes are enough. */
	function isCovered(view: View): boolean {
		const state = stream?.state;
		return state?.phase === 'open' && view.syncedOn === state.connection;
	}

	/** Asked anew on a connection that answers: its full view is due any moment. */
	function isJustChanged(view: View, nowMs: number): boolean {
		return hasInit && view.subscribedMs > openedMs && nowMs - view.subscribedMs < INIT_MS;
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
				const data = frame.views.get(view.name) ?? (frame.views.size === 1 ? [...frame.views.values()][0] : undefined);
				if (data === undefined) return;
				hasInit ||= frame.source === 'init';
				view.syncedOn = stream?.state.connection;
				view.retries = 0;
				tellUpdate(view, view.state.replace(data), frame.source);
				tellLink();
				return;
			}
			case 'put':
			case 'drop':
				if (frame.view !== undefined && frame.view !== view.name) return;
				tellUpdate(view, view.state.apply(frame), 'sync');
				return;
			case 'merge':
				tellUpdate(view, view.state.apply(frame), 'sync');
				return;
			case 'problem':
				view.syncedOn = undefined;
				tellProblem(new ServiceRefused(0, refusalText(frame.body, secrets)), view);
				kick(0);
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
		}
		if (!isOpen && wasOpen) {
			lostMs = performance.now();
			for (const view of views.values()) view.source = view.snapshotAtMs === undefined ? 'none' : 'poll';
			// Everybody else who lost it asks now as well.
			kick(Math.random() * SPREAD_MS);
		}
		wasOpen = isOpen;
		tellLink();
	}

	/** A view whose first full view never comes is asked for again, ever more rarely. */
	function resubscribeSilent(): void {
		if (stream?.state.phase !== 'open') return;
		const nowMs = performance.now();
		for (const view of views.values()) {
			if (view.subscription === undefined || isCovered(view)) continue;
			const patienceMs = Math.min(RESUBSCRIBE_LIMIT_MS, RESUBSCRIBE_MS * 2 ** view.retries);
			if (nowMs - Math.max(view.subscribedMs, openedMs) < patienceMs) continue;
			view.retries++;
			subscribe(view);
		}
	}

	// ---- REST

	/** Asks for full views. @throws what the service failed with */
	async function ask(asked: readonly View[], source: 'rest' | 'poll'): Promise<boolean> {
		const pairs = asked.map(view => ({view, asking: view.state.ask()}));
		for (const view of asked) view.asking++;
		try {
			const body = pulseBody(
				common,
				asked.map(view => [view.name, view.request]),
			);
			const answer = await askPulse(http, body, {signal: closing.signal});
			if (closing.signal.aborted) return false;
			restTraffic.add(answer.bytes);
			rest = {
				...rest,
				succeededMs: performance.now(),
				succeededAtMs: Date.now(),
				latencyMs: answer.latencyMs,
				error: undefined,
			};
			told.delete('');
			const of = pairs.map(({view, asking}) => `${view.name} ${asking.generation}`).join('\n');
			const isSame = !wasOpen && lastPoll?.of === of && lastPoll.text === answer.text;
			lastPoll = {of, text: answer.text};
			for (const {view, asking} of pairs) {
				const data = answer.views.get(view.name);
				if (data === undefined) {
					view.state.fail(asking);
					tellProblem(new WrongAnswer('a view that was asked for is missing'), view);
				} else if (isSame && !view.state.isPending) {
					view.state.fail(asking);
					view.dataAtMs = Date.now();
				} else {
					const updates = view.state.answer(asking, data);
					if (updates === undefined) lateAnswers++;
					else for (const update of updates) tellUpdate(view, update, source);
				}
			}
			return !isSame;
		} catch (error) {
			for (const {view, asking} of pairs) view.state.fail(asking);
			throw error;
		} finally {
			for (const view of asked) view.asking--;
			if (!closing.signal.aborted) tellLink();
		}
	}

	/** Asks, and takes a failure in: one bad view must not take the others with it. @returns the failure */
	async function askSafely(
		asked: readonly View[],
		source: 'rest' | 'poll',
	): Promise<{hasChanged: boolean; error?: PulsetopError}> {
		try {
			return {hasChanged: await ask(asked, source)};
		} catch (error) {
			if (closing.signal.aborted) return {hasChanged: false};
			if (!(error instanceof PulsetopError)) throw error;
			if (setbackOfError(error) !== 'rejected') {
				rest = {...rest, failedMs: performance.now(), error};
				tellProblem(error);
				tellLink();
				return {hasChanged: false, error};
			}
			const only = asked.length === 1 ? asked[0] : undefined;
			if (only) {
				// The service is there and answers: it is the request that it does not like.
				rest = {...rest, succeededMs: performance.now(), succeededAtMs: Date.now(), error: undefined};
				only.blockedUntilMs = performance.now() + BLOCKED_MS;
				tellProblem(error, only);
				tellLink();
				return {hasChanged: false};
			}
			let hasChanged = false;
			for (const view of asked) {
				const outcome = await askSafely([view], source);
				if (outcome.error) return outcome;
				hasChanged ||= outcome.hasChanged;
			}
			return {hasChanged};
		}
	}

	/** Views that only REST can bring up to date now. */
	function due(nowMs: number): View[] {
		return [...views.values()].filter(view => {
			if (view.isPaused || view.asking > 0 || view.blockedUntilMs > nowMs) return false;
			if (isCovered(view)) return Date.now() - (view.snapshotAtMs ?? 0) > AUDIT_MS;
			return !isJustChanged(view, nowMs);
		});
	}

	async function poll(): Promise<void> {
		pollDueMs = Number.POSITIVE_INFINITY;
		const asked = due(performance.now()).slice(0, MAX_VIEWS_A_REQUEST);
		if (asked.length === 0) return kick(Math.min(TICK_MS, pollMinMs));
		const startedMs = performance.now();
		const {hasChanged, error} = await askSafely(asked, 'poll');
		if (closing.signal.aborted) return;
		const nowMs = Date.now();
		const tookMs = performance.now() - startedMs;
		kick(error ? pace.failed(error) : pace.answered({hasChanged, tookMs, rateLimit: http.rateLimit, nowMs}));
	}

	/** Polls in so many milliseconds, or sooner when that was planned. */
	function kick(inMs: number): void {
		if (closing.signal.aborted) return;
		const atMs = performance.now() + inMs;
		if (atMs >= pollDueMs) return;
		pollDueMs = atMs;
		clearTimeout(pollTimer);
		pollTimer = setTimeout(poll, inMs);
	}

	/** Asks for views outside the rhythm of polling. */
	async function askNow(asked: readonly View[]): Promise<void> {
		for (let at = 0; at < asked.length; at += MAX_VIEWS_A_REQUEST) {
			const {error} = await askSafely(asked.slice(at, at + MAX_VIEWS_A_REQUEST), 'rest');
			if (!error || closing.signal.aborted) continue;
			kick(pace.failed(error));
			return;
		}
		kick(pollMinMs);
	}

	async function pollTotals(): Promise<void> {
		const asked = [...views.values()].filter(view => !view.isPaused && view.blockedUntilMs <= performance.now());
		const generations = new Map(asked.map(view => [view.name, view.state.generation]));
		let waitMs = totalsEveryMs;
		if (asked.length > 0) {
			const body = pulseBody(
				common,
				asked.slice(0, MAX_VIEWS_A_REQUEST).map(view => [view.name, view.request]),
			);
			try {
				const totals = await askTotals(http, body, {signal: closing.signal});
				for (const [name, total] of totals) {
					const view = views.get(name);
					if (view && view.state.generation === generations.get(name)) tellTotal(view, total);
				}
			} catch {
				// A hint only: its absence shows as no total. Whether the service is well, polling and stream find out.
				waitMs *= 4;
			}
		}
		planTotals(waitMs);
	}

	function planTotals(inMs: number): void {
		clearTimeout(totalsTimer);
		if (totalsEveryMs > 0 && !closing.signal.aborted) totalsTimer = setTimeout(pollTotals, inMs);
	}

	// ---- views

	/** Begins a request of a view: over the stream where it is known to give full views, else by REST as well. */
	function begin(view: View): void {
		subscribe(view);
		const isStreamEnough = hasInit && stream?.state.phase === 'open';
		if (isStreamEnough) kick(INIT_MS);
		else void askNow([view]);
		planTotals(Math.min(500, totalsEveryMs));
	}

	function createView(name: string, viewRequest: ViewRequest): View {
		const view: View = {
			name,
			request: viewRequest,
			state: createViewState(name, normaliser, () => capacityOf(view.request)),
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
		views.set(name, view);
		return view;
	}

	function named(names: readonly string[] | undefined): View[] {
		return names === undefined
			? [...views.values()]
			: names.map(name => views.get(name)).filter(view => view !== undefined);
	}

	for (const [name, viewRequest] of Object.entries(wanted)) createView(name, viewRequest);
	const letGo = stream?.hold();
	const stopListening = stream?.onChange(onStreamChange);
	link = readLink();
	queue.push({type: 'link', link});
	if (views.size > 0) void askNow([...views.values()]);
	for (const view of views.values()) subscribe(view);
	planTotals(Math.min(1_000, totalsEveryMs));
	const ticker = setInterval(() => {
		resubscribeSilent();
		tellLink(true);
	}, TICK_MS);
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
				total: view.total,
			};
		},
		setView(name, viewRequest) {
			if (closing.signal.aborted) return;
			const known = views.get(name);
			if (known === undefined) {
				begin(createView(name, viewRequest));
				return;
			}
			if (JSON.stringify(known.request) === JSON.stringify(viewRequest)) return;
			known.request = viewRequest;
			known.state.renew();
			known.total = undefined;
			known.blockedUntilMs = 0;
			known.retries = 0;
			told.delete(name);
			if (!known.isPaused) begin(known);
		},
		removeView(name) {
			const view = views.get(name);
			views.delete(name);
			if (view?.subscription) stream?.unsubscribe(view.subscription);
		},
		pause(names) {
			for (const view of named(names)) {
				view.isPaused = true;
				view.syncedOn = undefined;
				if (view.subscription) stream?.unsubscribe(view.subscription);
				view.subscription = undefined;
			}
			tellLink();
		},
		resume(names) {
			for (const view of named(names)) {
				if (!view.isPaused) continue;
				view.isPaused = false;
				view.state.renew();
				begin(view);
			}
			tellLink();
		},
		retryNow() {
			for (const view of views.values()) view.blockedUntilMs = 0;
			stream?.retryNow();
			void askNow(named(undefined).filter(view => !view.isPaused));
		},
		async refresh(names) {
			const asked = named(names).filter(view => !view.isPaused);
			for (const view of asked) view.blockedUntilMs = 0;
			for (let at = 0; at < asked.length; at += MAX_VIEWS_A_REQUEST) {
				await ask(asked.slice(at, at + MAX_VIEWS_A_REQUEST), 'rest');
			}
		},
		woke({clockJumpMs}) {
			// Ages are differences of `Date.now()`: a clock that was set back would make old data look fresh.
			if (clockJumpMs < 0) for (const view of views.values()) shift(view, clockJumpMs);
			void askNow(named(undefined).filter(view => !view.isPaused));
		},
		close() {
			if (closing.signal.aborted) return;
			queue.close();
			closing.abort(new DOMException('the feed was closed', 'AbortError'));
			clearTimeout(pollTimer);
			clearTimeout(totalsTimer);
			clearInterval(ticker);
			stopListening?.();
			for (const view of views.values()) if (view.subscription) stream?.unsubscribe(view.subscription);
			letGo?.();
			parts.onClose();
		},
	};
}

function shift(view: View, byMs: number): void {
	if (view.dataAtMs !== undefined) view.dataAtMs += byMs;
	if (view.snapshotAtMs !== undefined) view.snapshotAtMs += byMs;
}

/** Twice the window and what is always included: enough for a service that tells new rows before those that left. */
function capacityOf({limit = DEFAULT_LIMIT, includeTokens = []}: ViewRequest): number {
	return 2 * (Math.max(1, limit) + [includeTokens].flat().length);
}
