import {PulsetopError} from '../../errors.ts';
import {steadyNow} from '../../steady-clock.ts';
import type {Http} from '../http/http.ts';
import {createTraffic, type Traffic} from '../stream/traffic.ts';
import type {FeedEmitter} from './feed-emitter.ts';
import type {SnapshotSource} from './feed-events.ts';
import type {View, Views} from './feed-view.ts';
import type {RestState} from './link-state.ts';
import {createPollPace, failureOfError} from './poll-pace.ts';
import {type CommonOptions, type PulseResponse, pulseBody, requestPulse, requestTotals} from './pulse-rest.ts';
import {ViewMissing} from './view-refusal.ts';

/** The REST side of a feed: requests full views at once, and polls the views that no stream covers. */
export interface RestPoller {
	readonly rest: RestState;
	readonly traffic: Traffic;
	/** Responses dropped because newer data was known. */
	readonly lateResponses: number;
	readonly pollEveryMs: number;
	/** `steadyNow()` scale; when the next poll is due. */
	readonly nextPollAtMs: number | undefined;
	/** Requests these views now, outside the polling rhythm; failures are reported as events. */
	requestNow(views: readonly View[]): Promise<void>;
	/** Requests these views now. @throws the error of the request */
	refresh(views: readonly View[]): Promise<void>;
	/** Polls the views that are due in `inMs`, or sooner if an earlier poll is scheduled. */
	schedulePoll(inMs: number): void;
	/** Requests totals in `inMs`; replaces an earlier schedule. */
	scheduleTotals(inMs: number): void;
	stop(): void;
}

export interface RestPollerParts {
	readonly http: Http;
	readonly common: CommonOptions;
	readonly views: Views;
	readonly emitter: FeedEmitter;
	/** Views that only REST can update now. */
	readonly dueViews: () => View[];
	/** Called with a view that failed alone: it is missing in the response, or its request was refused. */
	readonly onViewFailure: (view: View, error: PulsetopError) => void;
	/** Called after every response and every failure. */
	readonly onOutcome: () => void;
	readonly pollMinMs: number;
	readonly pollMaxMs: number;
	/** 0 for never. */
	readonly totalsEveryMs: number;
}

interface Outcome {
	readonly hasChanged: boolean;
	readonly error?: PulsetopError;
}

/** A view whose request the service refuses (an unknown filter) is not requested again for this long. */
const BLOCKED_MS = 60_000;
/** How often the poller looks for due views while none is due. */
const IDLE_CHECK_MS = 1_000;
const MAX_VIEWS_A_REQUEST = 10;
/** Totals are a hint: after a failure they are requested this many times more rarely. */
const TOTALS_FAILED_FACTOR = 4;

export function createRestPoller(parts: RestPollerParts): RestPoller {
	const {http, common, views, emitter, dueViews, onViewFailure, onOutcome, pollMinMs, pollMaxMs, totalsEveryMs} = parts;
	const {signal, ...stopping} = stopper();
	const pace = createPollPace(pollMinMs, pollMaxMs);
	const traffic = createTraffic();
	let rest: RestState = {
		succeededMs: undefined,
		failedMs: undefined,
		error: undefined,
		latencyMs: undefined,
	};
	let lateResponses = 0;
	let pollTimer: NodeJS.Timeout | undefined;
	let pollDueMs = Number.POSITIVE_INFINITY;
	let nextPollAtMs: number | undefined;
	let totalsTimer: NodeJS.Timeout | undefined;
	let lastPoll: {readonly of: string; readonly text: string} | undefined;

	/** Requests full views. Returns whether they differ from those of the last poll. @throws the error of the request */
	async function requestViews(requested: readonly View[], source: SnapshotSource): Promise<boolean> {
		const pending = requested.map(view => view.state.startRequest());
		for (const view of requested) view.requestsInFlight++;
		try {
			const body = pulseBody(
				common,
				requested.map(view => [view.name, view.request]),
			);
			const response = await requestPulse(http, body, {signal});
			if (signal.aborted) return false;
			succeeded(response);
			// The same response as the last poll, and no change from the stream in between: nothing to read.
			const of = requested.map(view => `${view.name} ${view.state.version}`).join('\n');
			const isSame = source === 'poll' && lastPoll?.of === of && lastPoll.text === response.text;
			lastPoll = source === 'poll' ? {of, text: response.text} : undefined;
			for (const [i, view] of requested.entries()) {
				const data = response.views.get(view.name);
				if (data === undefined) onViewFailure(view, new ViewMissing());
				else if (isSame) view.dataAtMs = view.staleSinceMs ?? steadyNow();
				else {
					const updates = view.state.applyResponse(pending[i]!, data);
					if (updates === undefined) {
						lateResponses++;
						lastPoll = undefined;
					} else for (const update of updates) emitter.update(view, update, source);
				}
			}
			return !isSame;
		} finally {
			for (const [i, view] of requested.entries()) {
				view.state.endRequest(pending[i]!);
				view.requestsInFlight--;
			}
			if (!signal.aborted) onOutcome();
		}
	}

	function succeeded({bytes, latencyMs}: PulseResponse): void {
		traffic.add(bytes);
		rest = {...rest, succeededMs: performance.now(), latencyMs, error: undefined};
		emitter.clearProblem();
	}

	/** Requests views and reports a failure as an event; a refused request is repeated view by view. */
	async function tryRequestViews(requested: readonly View[], source: SnapshotSource): Promise<Outcome> {
		try {
			return {hasChanged: await requestViews(requested, source)};
		} catch (error) {
			if (signal.aborted) return {hasChanged: false};
			if (!(error instanceof PulsetopError)) throw error;
			if (failureOfError(error) === 'rejected') return blockRefusedView(requested, source, error);
			rest = {...rest, failedMs: performance.now(), error};
			emitter.problem(error);
			onOutcome();
			return {hasChanged: false, error};
		}
	}

	/** The service works but refuses this request: finds the refused view by requesting each alone, and blocks that view. */
	async function blockRefusedView(
		requested: readonly View[],
		source: SnapshotSource,
		error: PulsetopError,
	): Promise<Outcome> {
		const [only] = requested;
		if (only && requested.length === 1) {
			rest = {...rest, succeededMs: performance.now(), error: undefined};
			only.blockedUntilMs = performance.now() + BLOCKED_MS;
			onViewFailure(only, error);
			onOutcome();
			return {hasChanged: false};
		}
		let hasChanged = false;
		for (const view of requested) {
			const outcome = await tryRequestViews([view], source);
			if (outcome.error) return outcome;
			hasChanged ||= outcome.hasChanged;
		}
		return {hasChanged};
	}

	async function poll(): Promise<void> {
		pollDueMs = Number.POSITIVE_INFINITY;
		nextPollAtMs = undefined;
		const requested = dueViews().slice(0, MAX_VIEWS_A_REQUEST);
		if (requested.length === 0) return schedulePoll(Math.min(IDLE_CHECK_MS, pollMinMs));
		const startedMs = performance.now();
		const {hasChanged, error} = await tryRequestViews(requested, 'poll');
		const tookMs = performance.now() - startedMs;
		const {rateLimit} = http;
		schedulePoll(error ? pace.failed(error) : pace.answered({hasChanged, tookMs, rateLimit, nowMs: steadyNow()}));
	}

	function schedulePoll(inMs: number): void {
		const atMs = performance.now() + inMs;
		if (signal.aborted || atMs >= pollDueMs) return;
		pollDueMs = atMs;
		nextPollAtMs = steadyNow() + inMs;
		clearTimeout(pollTimer);
		pollTimer = setTimeout(() => void poll(), inMs);
	}

	async function pollTotals(): Promise<void> {
		const requested = [...views.values()].filter(view => !view.isPaused && view.blockedUntilMs <= performance.now());
		const generations = new Map(requested.map(view => [view.name, view.state.generation]));
		let waitMs = totalsEveryMs;
		if (requested.length > 0) {
			const named = requested.slice(0, MAX_VIEWS_A_REQUEST).map(view => [view.name, view.request] as const);
			try {
				for (const [name, total] of await requestTotals(http, pulseBody(common, named), {signal})) {
					const view = views.get(name);
					// A service that ignores the filters counts non-matching entries as well.
					if (!view || view.state.isUnfiltered) continue;
					if (view.state.generation === generations.get(name)) emitter.total(view, total);
				}
			} catch {
				// A missing total is shown as unknown; polling and stream report whether the service works.
				waitMs *= TOTALS_FAILED_FACTOR;
			}
		}
		scheduleTotals(waitMs);
	}

	function scheduleTotals(inMs: number): void {
		clearTimeout(totalsTimer);
		if (totalsEveryMs > 0 && !signal.aborted)
			totalsTimer = setTimeout(() => void pollTotals(), Math.min(inMs, 4 * totalsEveryMs));
	}

	return {
		get rest() {
			return rest;
		},
		traffic,
		get lateResponses() {
			return lateResponses;
		},
		get pollEveryMs() {
			return pace.everyMs;
		},
		get nextPollAtMs() {
			return nextPollAtMs;
		},
		async requestNow(requested) {
			for (const group of inRequests(requested)) {
				const {error} = await tryRequestViews(group, 'rest');
				if (error) return schedulePoll(pace.failed(error));
			}
			schedulePoll(pollMinMs);
		},
		async refresh(requested) {
			for (const group of inRequests(requested)) await requestViews(group, 'rest');
		},
		schedulePoll,
		scheduleTotals,
		stop() {
			stopping.stop();
			clearTimeout(pollTimer);
			clearTimeout(totalsTimer);
		},
	};
}

function stopper(): {signal: AbortSignal; stop(): void} {
	const controller = new AbortController();
	return {
		signal: controller.signal,
		stop: () => controller.abort(new DOMException('the feed was closed', 'AbortError')),
	};
}

/** Splits views into groups of at most MAX_VIEWS_A_REQUEST. */
function inRequests(requested: readonly View[]): View[][] {
	const groups: View[][] = [];
	for (let at = 0; at < requested.length; at += MAX_VIEWS_A_REQUEST)
		groups.push(requested.slice(at, at + MAX_VIEWS_A_REQUEST));
	return groups;
}
