import type {PulsetopError} from '../../errors.ts';
import type {Addresses} from '../addresses.ts';
import type {RateLimit} from '../http/http.ts';
import {ServiceRefused} from '../http/service-errors.ts';
import type {StreamState} from '../stream/stream.ts';
import type {Traffic} from '../stream/traffic.ts';
import type {LinkPhase, LinkState} from './feed-events.ts';

/** The outcome of the REST requests so far. Times are monotonic milliseconds. */
export interface RestState {
	readonly succeededMs: number | undefined;
	readonly failedMs: number | undefined;
	readonly error: PulsetopError | undefined;
	readonly latencyMs: number | undefined;
}

/** The facts that a link state is derived from. */
export interface LinkFacts {
	readonly isClosed: boolean;
	/** Undefined for a service without a stream. */
	readonly stream: StreamState | undefined;
	/** Monotonic; when the stream was lost; undefined while it is open. */
	readonly lostMs: number | undefined;
	/** The stream feeds every active view. */
	readonly isCovered: boolean;
	/** The stream opened a moment ago; its first full views may still be on their way. */
	readonly isSettling: boolean;
	readonly rest: RestState;
	readonly restTraffic: Traffic;
	readonly droppedEntries: number;
	readonly lateResponses: number;
	readonly pollEveryMs: number;
	/** `steadyNow()` scale. */
	readonly nextPollAtMs: number | undefined;
	readonly rateLimit: RateLimit | undefined;
	readonly addresses: Addresses;
}

/** The phase of the link (see LinkPhase). */
function phaseOf({isClosed, stream, lostMs, isCovered, isSettling, rest}: LinkFacts): LinkPhase {
	if (isClosed) return 'closed';
	if (stream?.phase === 'open' && isCovered) return 'live';
	const hasFailed = rest.failedMs !== undefined && rest.failedMs >= (rest.succeededMs ?? 0);
	const isResponding = rest.succeededMs !== undefined && !hasFailed && rest.succeededMs >= (lostMs ?? 0);
	const isFirst = stream === undefined || (stream.connection <= 1 && stream.attempt === 0);
	if (stream !== undefined && isSettling) return isFirst ? 'connecting' : 'reconnecting';
	if (isResponding) return 'polling';
	const isRefused = rest.error instanceof ServiceRefused && (rest.error.status === 401 || rest.error.status === 403);
	if (stream?.isRefused || (hasFailed && isRefused)) return 'refused';
	if (hasFailed && stream?.phase !== 'open') return 'offline';
	return isFirst ? 'connecting' : 'reconnecting';
}

/** The link state that a feed reports. */
export function linkOf(facts: LinkFacts): LinkState {
	const {stream, rest, restTraffic} = facts;
	const phase = phaseOf(facts);
	const isPolling = phase === 'polling';
	const error = stream?.error ?? (rest.error && phase !== 'live' ? rest.error : undefined);
	const nextPollAtMs = phase === 'offline' ? facts.nextPollAtMs : undefined;
	const latencyMs = isPolling ? rest.latencyMs : phase === 'live' ? (stream?.latencyMs ?? rest.latencyMs) : undefined;
	return {
		phase,
		attempt: stream?.attempt ?? 0,
		...(stream?.nextTryAtMs === undefined ? {} : {nextTryAtMs: stream.nextTryAtMs}),
		...(nextPollAtMs === undefined ? {} : {nextPollAtMs}),
		...(latencyMs === undefined ? {} : {latencyMs: Math.round(latencyMs * 10) / 10}),
		bytesIn: restTraffic.bytesIn + (stream?.traffic.bytesIn ?? 0),
		bytesPerSecond: restTraffic.bytesPerSecond + (stream?.traffic.bytesPerSecond ?? 0),
		framesIn: stream?.traffic.framesIn ?? 0,
		framesPerSecond: stream?.traffic.framesPerSecond ?? 0,
		droppedEntries: facts.droppedEntries,
		badFrames: stream?.badFrames ?? 0,
		lateFrames: (stream?.lateFrames ?? 0) + facts.lateResponses,
		reconnects: Math.max(0, (stream?.connection ?? 0) - 1),
		...(isPolling ? {pollEveryMs: Math.round(facts.pollEveryMs)} : {}),
		...(facts.rateLimit === undefined ? {} : {rateLimit: facts.rateLimit}),
		...(error === undefined ? {} : {error}),
		...addressesOf(facts, phase),
	};
}

/** The address that serves; nothing for a service with one. */
function addressesOf({addresses, stream}: LinkFacts, phase: LinkPhase): Pick<LinkState, 'address' | 'addresses'> {
	if (addresses.all.length === 1) return {};
	const address = phase === 'live' ? stream?.address : phase === 'polling' ? addresses.current.name : undefined;
	return {addresses: addresses.states(), ...(address !== undefined && {address})};
}

/** Whether two states differ in more than their figures. */
export function isSameLink(a: LinkState, b: LinkState): boolean {
	const isSameWait = a.nextTryAtMs === b.nextTryAtMs && a.nextPollAtMs === b.nextPollAtMs;
	const isSameAddress = a.address === b.address && a.addresses === b.addresses;
	return a.phase === b.phase && a.attempt === b.attempt && isSameWait && a.error === b.error && isSameAddress;
}
