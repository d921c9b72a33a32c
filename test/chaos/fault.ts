/** One thing that goes wrong on the way between a program and its service. Several may be in force at once. */
export type Fault =
	| {readonly kind: 'latency' | 'jitter'; readonly ms: number}
	| {readonly kind: 'drip'; readonly bytesPerSecond: number}
	| {readonly kind: 'cut'; readonly withinMs: number}
	| {readonly kind: 'clock-jump'; readonly byMs: number}
	| {readonly kind: 'too-many-requests'; readonly part: number; readonly retryAfterS: number}
	| {readonly kind: 'unavailable' | 'truncate' | 'garbage' | 'duplicate' | 'reorder'; readonly part: number}
	| {readonly kind: 'stall' | 'half-open'};

export type FaultKind = Fault['kind'];

/** What is known of a kind of fault. */
export interface FaultFacts {
	/** What it does, for people; `part` is the chance of each request, response or frame, from 0 to 1. */
	readonly help: string;
	/**
	 * The promise of the monitor: at most this long after the end of a fault of a few seconds, ms, the screen shows the data of
	 * the service again. The tests check it, and `npm run bench -- faults` prints the measured time.
	 */
	readonly rightWithinMs: number;
}

/** A silent stream is closed after 15 s and opened again, ms. */
const SILENCE_FOUND_MS = 17_000;
/** After some failed attempts in a row the next one may be this far away, ms. */
const NEXT_TRY_MS = 10_000;
/** Nothing on the wire shows that changes came in the wrong order: the next snapshot of the service corrects it, once a minute, ms. */
const FULL_VIEW_MS = 61_000;

/** Every kind of fault, and how long it may be felt after its end. */
export const FAULTS: Readonly<Record<FaultKind, FaultFacts>> = {
	latency: {help: 'Everything comes later by `ms`, both ways.', rightWithinMs: 3_000},
	jitter: {help: 'Everything comes later by up to `ms`, now more, now less, in its order.', rightWithinMs: 3_000},
	drip: {help: 'Each connection brings `bytesPerSecond` and no more.', rightWithinMs: 5_000},
	stall: {help: 'Nothing passes; when it is over everything comes at once.', rightWithinMs: 5_000},
	cut: {
		help: 'Each connection is cut at some moment `withinMs` after it began; 0: at once.',
		rightWithinMs: NEXT_TRY_MS,
	},
	'half-open': {
		help: 'Connections stay, and nothing ever passes on them again; new ones are taken and never answered.',
		rightWithinMs: SILENCE_FOUND_MS + NEXT_TRY_MS,
	},
	truncate: {help: 'An answer or frame ends in the middle, and its connection with it.', rightWithinMs: NEXT_TRY_MS},
	garbage: {
		help: 'Bytes of an answer or frame are replaced by others.',
		// Some look like the head of a long frame, which swallows all that follows: the stream falls silent.
		rightWithinMs: SILENCE_FOUND_MS,
	},
	duplicate: {help: 'A frame comes twice.', rightWithinMs: 3_000},
	reorder: {help: 'A frame comes after some of those that follow it.', rightWithinMs: FULL_VIEW_MS},
	'too-many-requests': {
		help: 'A request is refused with 429 and `Retry-After: retryAfterS`.',
		rightWithinMs: NEXT_TRY_MS,
	},
	unavailable: {help: 'A request is refused with 503.', rightWithinMs: NEXT_TRY_MS},
	'clock-jump': {help: 'The `Date` of answers is off by `byMs`.', rightWithinMs: 20_000},
};

/** The fault of a kind that is in force, if one is. */
export function faultOf<K extends FaultKind>(faults: readonly Fault[], kind: K): (Fault & {kind: K}) | undefined {
	return faults.find((fault): fault is Fault & {kind: K} => fault.kind === kind);
}
