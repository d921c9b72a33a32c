import {PulsetopError} from '../errors.ts';
import type {SnapshotSource} from './feed-events.ts';
import type {FeedTeller} from './feed-teller.ts';
import type {View, Views} from './feed-view.ts';
import type {Http} from './http.ts';
import type {RestState} from './link-state.ts';
import {createPollPace, setbackOfError} from './poll-pace.ts';
import {askPulse, askTotals, type CommonOptions, type PulseAnswer, pulseBody} from './pulse-rest.ts';
import {WrongAnswer} from './service-errors.ts';
import {createTraffic, type Traffic} from './traffic.ts';

/** The REST side of a feed: full views at once when they are wanted, and again and again where no stream brings them. */
export interface FeedAsking {
	readonly rest: RestState;
	readonly traffic: Traffic;
	/** Answers that came when something newer was known. */
	readonly lateAnswers: number;
	readonly pollEveryMs: number;
	/** `Date.now()` scale; when it is looked next what has to be polled. */
	readonly nextPollAtMs: number | undefined;
	/** Asks for these outside the rhythm of polling; failures are told. */
	askNow(views: readonly View[]): Promise<void>;
	/** The same, for a caller who wants to know. @throws what the service failed with */
	refresh(views: readonly View[]): Promise<void>;
	/** Looks in so many milliseconds what has to be polled, or sooner when that was planned. */
	kick(inMs: number): void;
	/** Asks for totals in so many milliseconds. */
	planTotals(inMs: number): void;
	stop(): void;
}

export interface AskingParts {
	readonly http: Http;
	readonly common: CommonOptions;
	readonly views: Views;
	readonly teller: FeedTeller;
	/** Views that nothing but REST can bring up to date now. */
	readonly due: () => View[];
	/** An answer or a failure came. */
	readonly onOutcome: () => void;
	readonly pollMinMs: number;
	readonly pollMaxMs: number;
	/** 0: never. */
	readonly totalsEveryMs: number;
}

interface Outcome {
	readonly hasChanged: boolean;
	readonly error?: PulsetopError;
}

/** What the service refuses as it stands (a filter that it does not know) is not asked for again before this. */
const BLOCKED_MS = 60_000;
/** How often is looked for something to poll while there is nothing. */
const LOOK_MS = 1_000;
const MAX_VIEWS_A_REQUEST = 10;
/** Totals are a hint: a service that does not give them is left alone for longer. */
const TOTALS_FAILED = 4;

export function createFeedAsking(parts: AskingParts): FeedAsking {
	const {http, common, views, teller, due, onOutcome, pollMinMs, pollMaxMs, totalsEveryMs} = parts;
	const {signal, ...stopping} = stopper();
	const pace = createPollPace(pollMinMs, pollMaxMs);
	const traffic = createTraffic();
	let rest: RestState = {
		succeededMs: undefined,
		failedMs: undefined,
		error: undefined,
		latencyMs: undefined,
		succeededAtMs: undefined,
	};
	let lateAnswers = 0;
	let pollTimer: NodeJS.Timeout | undefined;
	let pollDueMs = Number.POSITIVE_INFINITY;
	let nextPollAtMs: number | undefined;
	let totalsTimer: NodeJS.Timeout | undefined;
	let lastPoll: {readonly of: string; readonly text: string} | undefined;

	/** Asks for full views. Returns whether they differ from those of the last poll. @throws what the service failed with */
	async function ask(asked: readonly View[], source: SnapshotSource): Promise<boolean> {
		const asking = asked.map(view => view.state.ask());
		for (const view of asked) view.asking++;
		try {
			const body = pulseBody(
				common,
				asked.map(view => [view.name, view.request]),
			);
			const answer = await askPulse(http, body, {signal});
			if (signal.aborted) return false;
			succeeded(answer);
			// The same answer as the last time, and nothing else said in between: nothing to read.
			const of = asked.map(view => `${view.name} ${view.state.version}`).join('\n');
			const isSame = source === 'poll' && lastPoll?.of === of && lastPoll.text === answer.text;
			lastPoll = source === 'poll' ? {of, text: answer.text} : undefined;
			for (const [i, view] of asked.entries()) {
				const data = answer.views.get(view.name);
				if (data === undefined) teller.problem(new WrongAnswer('a view that was asked for is missing'), view);
				else if (isSame) view.dataAtMs = Date.now();
				else {
					const updates = view.state.answer(asking[i]!, data);
					if (updates === undefined) {
						lateAnswers++;
						lastPoll = undefined;
					} else for (const update of updates) teller.update(view, update, source);
				}
			}
			return !isSame;
		} finally {
			for (const [i, view] of asked.entries()) {
				view.state.settle(asking[i]!);
				view.asking--;
			}
			if (!signal.aborted) onOutcome();
		}
	}

	function succeeded({bytes, latencyMs}: PulseAnswer): void {
		traffic.add(bytes);
		rest = {...rest, succeededMs: performance.now(), succeededAtMs: Date.now(), latencyMs, error: undefined};
		teller.over();
	}

	/** Asks, and takes a failure in: one bad view must not take the others with it. */
	async function askSafely(asked: readonly View[], source: SnapshotSource): Promise<Outcome> {
		try {
			return {hasChanged: await ask(asked, source)};
		} catch (error) {
			if (signal.aborted) return {hasChanged: false};
			if (!(error instanceof PulsetopError)) throw error;
			if (setbackOfError(error) === 'rejected') return apart(asked, source, error);
			rest = {...rest, failedMs: performance.now(), error};
			teller.problem(error);
			onOutcome();
			return {hasChanged: false, error};
		}
	}

	/** The service is well, it is the request that it does not like: finds the view that is to blame, and blocks it. */
	async function apart(asked: readonly View[], source: SnapshotSource, error: PulsetopError): Promise<Outcome> {
		const [only] = asked;
		if (only && asked.length === 1) {
			rest = {...rest, succeededMs: performance.now(), succeededAtMs: Date.now(), error: undefined};
			only.blockedUntilMs = performance.now() + BLOCKED_MS;
			teller.problem(error, only);
			onOutcome();
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

	async function poll(): Promise<void> {
		pollDueMs = Number.POSITIVE_INFINITY;
		nextPollAtMs = undefined;
		const asked = due().slice(0, MAX_VIEWS_A_REQUEST);
		if (asked.length === 0) return kick(Math.min(LOOK_MS, pollMinMs));
		const startedMs = performance.now();
		const {hasChanged, error} = await askSafely(asked, 'poll');
		const tookMs = performance.now() - startedMs;
		const {rateLimit} = http;
		kick(error ? pace.failed(error) : pace.answered({hasChanged, tookMs, rateLimit, nowMs: Date.now()}));
	}

	function kick(inMs: number): void {
		const atMs = performance.now() + inMs;
		if (signal.aborted || atMs >= pollDueMs) return;
		pollDueMs = atMs;
		nextPollAtMs = Date.now() + inMs;
		clearTimeout(pollTimer);
		pollTimer = setTimeout(() => void poll(), inMs);
	}

	async function pollTotals(): Promise<void> {
		const asked = [...views.values()].filter(view => !view.isPaused && view.blockedUntilMs <= performance.now());
		const generations = new Map(asked.map(view => [view.name, view.state.generation]));
		let waitMs = totalsEveryMs;
		if (asked.length > 0) {
			const named = asked.slice(0, MAX_VIEWS_A_REQUEST).map(view => [view.name, view.request] as const);
			try {
				for (const [name, total] of await askTotals(http, pulseBody(common, named), {signal})) {
					const view = views.get(name);
					// What a service counts that knows no filters is not what was asked for.
					if (!view || view.state.isUnfiltered) continue;
					if (view.state.generation === generations.get(name)) teller.total(view, total);
				}
			} catch {
				// Their absence shows as no total; whether the service is well, polling and stream find out.
				waitMs *= TOTALS_FAILED;
			}
		}
		planTotals(waitMs);
	}

	function planTotals(inMs: number): void {
		clearTimeout(totalsTimer);
		if (totalsEveryMs > 0 && !signal.aborted)
			totalsTimer = setTimeout(() => void pollTotals(), Math.min(inMs, 4 * totalsEveryMs));
	}

	return {
		get rest() {
			return rest;
		},
		traffic,
		get lateAnswers() {
			return lateAnswers;
		},
		get pollEveryMs() {
			return pace.everyMs;
		},
		get nextPollAtMs() {
			return nextPollAtMs;
		},
		async askNow(asked) {
			for (const some of inRequests(asked)) {
				const {error} = await askSafely(some, 'rest');
				if (error) return kick(pace.failed(error));
			}
			kick(pollMinMs);
		},
		async refresh(asked) {
			for (const some of inRequests(asked)) await ask(some, 'rest');
		},
		kick,
		planTotals,
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

/** Views in groups that one request may hold. */
function inRequests(asked: readonly View[]): View[][] {
	const groups: View[][] = [];
	for (let at = 0; at < asked.length; at += MAX_VIEWS_A_REQUEST) groups.push(asked.slice(at, at + MAX_VIEWS_A_REQUEST));
	return groups;
}
