import {BRIDGE, isTerminal} from '../../contract/bridge.ts';

/*
 * The life of one bridge intent as its user sees it (spec 3, 4.4, 7): pure, past tense, time as an argument. An event that
 * does not fit the state changes nothing and gives the same object back.
 *
 * What it guarantees: a batch is POSTed only from `signing`, and `signing` is reached only while no batch of the intent
 * can be alive: none was sent, or the service said for certain that it sent nothing. After anything unclear it only reads.
 */

/**
 * - `draft` nothing asked yet; `quoted` a quote is there; `reviewed` every local check passed; `confirmed` the person
 *   typed the amount; `signing` the wallet signs
 * - `sending` the intent is in the journal and the POST is under way
 * - `unclear` the batch may have been sent: only the status may be read
 * - `retryable` nothing was sent for certain: the same intent may be signed again, in the same lane
 * - `pending` to `retrying` as the service says, `progressing` a status that is not known here
 * - ends: `filled`, `settled`, `refunded`, `failed` as the service says; `refused` nothing was sent and never will be;
 *   `lapsed` the deadline passed and nothing was taken; `cancelled` by the person, before anything was sent
 */
export type BridgePhase =
	| 'draft'
	| 'quoted'
	| 'reviewed'
	| 'confirmed'
	| 'signing'
	| 'sending'
	| 'unclear'
	| 'retryable'
	| 'pending'
	| 'deposited'
	| 'filling'
	| 'retrying'
	| 'progressing'
	| 'filled'
	| 'settled'
	| 'refunded'
	| 'failed'
	| 'refused'
	| 'lapsed'
	| 'cancelled';

export interface BridgeState {
	readonly phase: BridgePhase;
	readonly intentId?: string;
	/** How many batches of this intent were POSTed, or may have been. */
	readonly attempts: number;
	/** Until when the newest batch can be executed, Unix seconds. */
	readonly deadlineS?: number;
	/** When its POST began. */
	readonly sentAtMs?: number;
	readonly depositTxHash?: string;
	readonly fillTxHash?: string;
	/** What the service said last: a failure's reason, a message. Text from outside, to be cleaned where it is shown. */
	readonly said?: string;
	/** HTTP status of the last refusal. */
	readonly status?: number;
	/** When the status was last read. */
	readonly readAtMs?: number;
}

export const DRAFT: BridgeState = Object.freeze({phase: 'draft', attempts: 0});

const ENDS: ReadonlySet<BridgePhase> = new Set([
	'filled',
	'settled',
	'refunded',
	'failed',
	'refused',
	'lapsed',
	'cancelled',
]);

/** The batch was accepted, or may have been: its tokens may move. */
const IN_FLIGHT: ReadonlySet<BridgePhase> = new Set([
	'sending',
	'unclear',
	'pending',
	'deposited',
	'filling',
	'retrying',
	'progressing',
]);

/** Whether nothing more will happen. */
export function isEnd({phase}: BridgeState): boolean {
	return ENDS.has(phase);
}

/** Whether the status must be read until it ends; then nothing else may be done. */
export function isInFlight({phase}: BridgeState): boolean {
	return IN_FLIGHT.has(phase);
}

/** Whether a batch may be signed and sent now. */
export function maySign({phase}: BridgeState): boolean {
	return phase === 'confirmed' || phase === 'retryable';
}

/** A quote came. It replaces another one, and begins anew after an end, never while tokens may move. */
export function quoted(state: BridgeState, intentId: string): BridgeState {
	if (isInFlight(state) || state.phase === 'signing') return state;
	return {phase: 'quoted', attempts: 0, intentId};
}

/** Every local check passed. */
export function reviewed(state: BridgeState): BridgeState {
	return state.phase === 'quoted' ? {...state, phase: 'reviewed'} : state;
}

/** A check failed after all, or the data got old: back to the quote. */
export function reviewWithdrawn(state: BridgeState): BridgeState {
	return state.phase === 'reviewed' || state.phase === 'confirmed' ? {...state, phase: 'quoted'} : state;
}

/** The person typed what was asked. */
export function confirmed(state: BridgeState): BridgeState {
	return state.phase === 'reviewed' ? {...state, phase: 'confirmed'} : state;
}

/** The person went back before anything was sent, or gave a retry up. */
export function cancelled(state: BridgeState): BridgeState {
	if (isInFlight(state) || isEnd(state)) return state;
	return {...state, phase: 'cancelled'};
}

/** The wallet was asked to sign. */
export function signingStarted(state: BridgeState): BridgeState {
	return maySign(state) ? {...state, phase: 'signing'} : state;
}

/** The wallet did not sign: nothing was sent. */
export function signingFailed(state: BridgeState): BridgeState {
	if (state.phase !== 'signing') return state;
	return {...state, phase: state.attempts === 0 ? 'quoted' : 'retryable'};
}

/** The intent is in the journal; the POST begins. */
export function sendingStarted(
	state: BridgeState,
	{deadlineS, nowMs}: {deadlineS: number; nowMs: number},
): BridgeState {
	if (state.phase !== 'signing') return state;
	return {...state, phase: 'sending', attempts: state.attempts + 1, deadlineS, sentAtMs: nowMs};
}

/** What became of the POST. */
export type ExecuteOutcome =
	| {readonly kind: 'accepted'; readonly depositTxHash: string}
	/** An HTTP status other than a success. */
	| {readonly kind: 'refused'; readonly status: number; readonly said: string}
	/** No connection was made: nothing left this machine. */
	| {readonly kind: 'not-sent'; readonly said: string}
	/** It may have arrived: no answer, or one that cannot be understood. */
	| {readonly kind: 'no-answer'; readonly said: string};

/**
 * The POST ended (spec 7). 409 and 504 only read; 502 and 503 sent nothing and may be tried again; 4xx sent nothing and
 * need a new quote. Everything that is not listed there may have been sent.
 */
export function answered(state: BridgeState, outcome: ExecuteOutcome): BridgeState {
	if (state.phase !== 'sending') return state;
	switch (outcome.kind) {
		case 'accepted':
			return {...state, phase: 'pending', depositTxHash: outcome.depositTxHash};
		case 'not-sent':
			return {...state, phase: 'retryable', said: outcome.said};
		case 'no-answer':
			return {...state, phase: 'unclear', said: outcome.said};
		case 'refused':
			return {...state, phase: phaseAfterRefusal(outcome.status), said: outcome.said, status: outcome.status};
	}
}

/** Where a refusal of execute leads. Only what the spec says about a status is relied on. */
function phaseAfterRefusal(status: number): BridgePhase {
	if (status === 502 || status === 503) return 'retryable';
	// Turned away at the door, before the intent was looked at.
	if (status === 429) return 'retryable';
	if (status === 408 || status === 409) return 'unclear';
	return status >= 400 && status < 500 ? 'refused' : 'unclear';
}

/** What a reading of the status said, and what is known of the lane on the chain. */
export interface StatusReading {
	readonly status: string;
	readonly depositTxHash?: string;
	readonly fillTxHash?: string;
	readonly said?: string;
	readonly nowMs: number;
	/** The chain says that the lane's first batch was executed, or that it was not; undefined when it was not asked. */
	readonly laneUsed?: boolean;
}

const PROGRESS: ReadonlySet<string> = new Set(['pending', 'deposited', 'filling', 'retrying']);

/** How long after its deadline a batch may still turn up in a block, or in the service's books. */
export const LAPSE_MARGIN_MS = 120_000;

/** The status was read. */
export function statusRead(state: BridgeState, reading: StatusReading): BridgeState {
	if (!isInFlight(state) || state.phase === 'sending') return state;
	const {status} = reading;
	// How a try before it was refused has nothing to do with how it ended.
	const {said: _, ...ended} = state;
	const next = {...(isTerminal(status) ? ended : state), ...factsOf(reading), readAtMs: reading.nowMs};
	if (isTerminal(status)) return {...next, phase: status as BridgePhase};
	if (hasLapsed(next, reading)) return {...next, phase: 'lapsed'};
	// An id that the service does not know is `pending` too (contract gaps 4.4): that says nothing of an unclear batch.
	if (status === 'pending' && state.phase === 'unclear' && next.depositTxHash === undefined) return next;
	return {...next, phase: PROGRESS.has(status) ? (status as BridgePhase) : 'progressing'};
}

function factsOf({depositTxHash, fillTxHash, said}: StatusReading): Partial<BridgeState> {
	return {
		...(depositTxHash === undefined ? {} : {depositTxHash}),
		...(fillTxHash === undefined ? {} : {fillTxHash}),
		...(said === undefined ? {} : {said}),
	};
}

/**
 * A batch that nobody has seen and that can no longer be executed: its deadline is past, and either the chain says that
 * its lane is unused or the service's claim has run out too.
 */
function hasLapsed(state: BridgeState, {status, nowMs, laneUsed}: StatusReading): boolean {
	if (state.phase !== 'unclear' || status !== 'pending' || state.depositTxHash !== undefined) return false;
	if (laneUsed === true || state.deadlineS === undefined || state.sentAtMs === undefined) return false;
	if (nowMs < state.deadlineS * 1000 + LAPSE_MARGIN_MS) return false;
	return laneUsed === false || nowMs >= state.sentAtMs + BRIDGE.claimMs + LAPSE_MARGIN_MS;
}

/**
 * The program was started anew. What was sent, or may have been, is only read from now on; of the rest nothing is left,
 * since no signature is ever stored.
 */
export function restarted(state: BridgeState): BridgeState {
	if (state.phase === 'sending' || state.phase === 'retryable') return {...state, phase: 'unclear'};
	if (isInFlight(state) || isEnd(state)) return state;
	return state.attempts > 0 ? {...state, phase: 'unclear'} : {...state, phase: 'cancelled'};
}
