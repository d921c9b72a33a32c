import {isTerminal} from '../../contract/bridge.ts';
import {isPastUse} from '../live-signature.ts';
import type {SendFailure} from '../send-failure.ts';

/*
 * The life of one bridge intent as its user sees it (spec 3, 4.4, 7): pure, past tense, time as an argument. An event that
 * does not fit the state changes nothing and gives the same object back.
 *
 * What it guarantees: a batch is POSTed only from `signing`, and `signing` is reached only while no batch of the intent
 * can be executed beside it: none left this machine, or the one that did stands in the same lane, so that one of the two
 * is executed at most. A batch that left this machine can be executed until its deadline, whatever the service answers.
 * And it ends only as a chain shows it: what the service says until then is a claim.
 */

/**
 * - `draft` nothing asked yet; `quoted` a quote is there; `reviewed` every local check passed; `confirmed` the person
 *   typed the amount; `signing` the wallet signs
 * - `sending` the intent is in the journal and the POST is under way
 * - `unclear` the batch may have been sent: nothing may be done but read
 * - `retryable` the service says that it sent nothing, or nothing left this machine: the same intent may be signed again,
 *   in the same lane
 * - `unaccepted` the service refused the batch, and can still send it until its deadline
 * - `pending` to `retrying` as the service says, `progressing` a status that is not known here
 * - `claimed` an end as the service says it, which no chain has shown yet: see `claim`
 * - ends: `filled`, `settled`, `refunded`, `failed` as a chain shows it; `refused` not accepted, and never sent by its
 *   deadline; `lapsed` the deadline passed and nothing was taken; `cancelled` by the person, before anything was sent
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
	| 'unaccepted'
	| 'pending'
	| 'deposited'
	| 'filling'
	| 'retrying'
	| 'progressing'
	| 'claimed'
	| 'filled'
	| 'settled'
	| 'refunded'
	| 'failed'
	| 'refused'
	| 'lapsed'
	| 'cancelled';

/** An end that a service can say. */
export type BridgeEnd = 'filled' | 'settled' | 'refunded' | 'failed';

export interface BridgeState {
	readonly phase: BridgePhase;
	readonly intentId?: string;
	/** How many batches of this intent were POSTed, or may have been. */
	readonly attempts: number;
	/** Until when the newest batch can be executed, Unix seconds. */
	readonly deadlineS?: number;
	/** The latest deadline of a batch that left this machine, Unix seconds; undefined when none did. */
	readonly liveUntilS?: number;
	/** When its POST began. */
	readonly sentAtMs?: number;
	readonly depositTxHash?: string;
	readonly fillTxHash?: string;
	/** The end that the service says, of `claimed`. */
	readonly claim?: BridgeEnd;
	/** Why no chain can show it, of `claimed`: nothing more is to be found out, until a node is configured that can. */
	readonly blind?: string;
	/** Where the origin's node showed the tokens leave the account. */
	readonly leftTxHash?: string;
	/** A transaction of it that was mined and reverted. Its lane went back too: the batch lives on until its deadline. */
	readonly revertedTxHash?: string;
	/** The movement that shows the end, on the chain where it happened: `<hash>:<log index>`. No other intent may use it. */
	readonly proof?: string;
	/** How much of a token arrived, raw units, as the destination chain shows it. Unknown for coins: they leave no log. */
	readonly arrivedRaw?: string;
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
	'unaccepted',
	'pending',
	'deposited',
	'filling',
	'retrying',
	'progressing',
	'claimed',
]);

/** Whether nothing more will happen, or nothing more can be found out. */
export function isEnd({phase, blind}: BridgeState): boolean {
	return ENDS.has(phase) || (phase === 'claimed' && blind !== undefined);
}

/** Whether it must be read until it ends. Then nothing else may be done, but to try again what is `retryable`. */
export function isInFlight(state: BridgeState): boolean {
	if (state.phase === 'retryable') return state.liveUntilS !== undefined;
	return IN_FLIGHT.has(state.phase) && !isEnd(state);
}

/** Whether a batch may be signed and sent now. */
export function maySign({phase}: BridgeState): boolean {
	return phase === 'confirmed' || phase === 'retryable';
}

/** A quote came. It replaces an earlier quote or an end, never a transfer whose tokens may move. */
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
	// A batch of a try before can still be executed.
	return {...state, phase: state.liveUntilS === undefined ? 'cancelled' : 'retryable'};
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
export type ExecuteOutcome = {readonly kind: 'accepted'; readonly depositTxHash: string} | SendFailure;

/**
 * The POST ended (spec 7). 409 and 504 only read; 502 and 503 say that nothing was sent: the same intent may be tried
 * again, in its own lane; other 4xx need a new quote. None of that is certain: only what never left this machine is dead.
 */
export function answered(state: BridgeState, outcome: ExecuteOutcome): BridgeState {
	if (state.phase !== 'sending') return state;
	if (outcome.kind === 'not-sent') return {...state, phase: 'retryable', said: outcome.said};
	const live = leftThisMachine(state);
	switch (outcome.kind) {
		case 'accepted':
			return {...live, phase: 'pending', depositTxHash: outcome.depositTxHash};
		case 'no-answer':
			return {...live, phase: 'unclear', said: outcome.said};
		case 'refused':
			return {...live, phase: phaseAfterRefusal(outcome.status), said: outcome.said, status: outcome.status};
	}
}

/** The newest batch can be executed by anybody who saw it. */
function leftThisMachine(state: BridgeState): BridgeState {
	const {deadlineS, liveUntilS} = state;
	if (deadlineS === undefined) return state;
	return {...state, liveUntilS: Math.max(deadlineS, liveUntilS ?? 0)};
}

/** Where a refusal of execute leads. */
function phaseAfterRefusal(status: number): BridgePhase {
	if (status === 502 || status === 503) return 'retryable';
	// Turned away at the door, before the intent was looked at.
	if (status === 429) return 'retryable';
	if (status === 408 || status === 409) return 'unclear';
	return status >= 400 && status < 500 ? 'unaccepted' : 'unclear';
}

/** What the chains show of an intent, read on the nodes that the user chose. What could not be read is undefined. */
export interface Evidence {
	/** Whether a batch of the lane was executed. */
	readonly isUsed?: boolean;
	/** The transaction in which the tokens left the account. */
	readonly leftTxHash?: string;
	/** The transaction that the service names was mined, and reverted. */
	readonly revertedTxHash?: string;
	/** A batch of the lane was executed, and no token left the account in it. */
	readonly isVoid?: boolean;
	/** At least the minimum arrived at the recipient, or the deposit came back: see BridgeState.proof. */
	readonly arrived?: {readonly txHash: string; readonly proof: string; readonly amountRaw?: string};
	readonly returned?: {readonly txHash: string; readonly proof: string};
	/** Why it can't be seen on the destination, or on the origin: nothing there can be asked. */
	readonly blindToArrival?: string;
	readonly blindToOrigin?: string;
}

/** What a reading brought: what the service says, if it answered, and what the chains show. */
export interface StatusReading {
	/** Undefined when the service did not answer. */
	readonly status?: string;
	readonly depositTxHash?: string;
	readonly fillTxHash?: string;
	readonly said?: string;
	/** No later than now, whatever the service's clock says: see earlierNowMs. */
	readonly nowMs: number;
	readonly evidence?: Evidence;
}

const PROGRESS: ReadonlySet<string> = new Set(['pending', 'deposited', 'filling', 'retrying']);
/** Nothing is known to have been taken: only the chain, or a deposit that the service names, leads on from here. */
const UNTAKEN: ReadonlySet<BridgePhase> = new Set(['unclear', 'unaccepted', 'retryable']);

/** The status was read, and the chains. What a chain shows counts before what the service says. */
export function statusRead(state: BridgeState, reading: StatusReading): BridgeState {
	if (!isInFlight(state) || state.phase === 'sending') return state;
	const {status, evidence = {}, nowMs} = reading;
	const {leftTxHash, revertedTxHash, arrived, returned} = evidence;
	const next: BridgeState = {
		...state,
		...factsOf(reading),
		...(leftTxHash === undefined ? {} : {leftTxHash}),
		...(revertedTxHash === undefined ? {} : {revertedTxHash}),
		readAtMs: nowMs,
	};
	if (arrived)
		return ended(next, reading, status === 'settled' ? 'settled' : 'filled', {fillTxHash: arrived.txHash, ...arrived});
	if (returned) return ended(next, reading, 'refunded', returned);
	if (isDead(next, evidence, nowMs)) {
		if (status === 'failed' || next.revertedTxHash !== undefined) return ended(next, reading, 'failed');
		return {...next, phase: state.phase === 'unaccepted' ? 'refused' : 'lapsed'};
	}
	if (status === 'failed' && evidence.isVoid === true && isPastAll(next, nowMs)) return ended(next, reading, 'failed');
	if (status !== undefined && isTerminal(status)) return claimed(next, reading, status as BridgeEnd);
	return {...next, ...phaseInFlight(next, status)};
}

/** A chain showed how it ended. */
function ended(
	state: BridgeState,
	reading: StatusReading,
	phase: BridgeEnd,
	seen: {readonly proof?: string; readonly fillTxHash?: string; readonly amountRaw?: string} = {},
): BridgeState {
	const {claim: _, blind: __, ...rest} = withoutOldWords(state, reading);
	const {proof, fillTxHash = rest.fillTxHash, amountRaw} = seen;
	return {
		...rest,
		phase,
		...(proof === undefined ? {} : {proof}),
		...(fillTxHash === undefined ? {} : {fillTxHash}),
		...(amountRaw === undefined ? {} : {arrivedRaw: amountRaw}),
	};
}

/** The service says that it ended, and no chain shows it. */
function claimed(state: BridgeState, reading: StatusReading, claim: BridgeEnd): BridgeState {
	const {blindToArrival, blindToOrigin} = reading.evidence ?? {};
	const blind = claim === 'filled' || claim === 'settled' ? blindToArrival : blindToOrigin;
	const {blind: _, ...rest} = withoutOldWords(state, reading);
	return {...rest, phase: 'claimed', claim, ...(blind === undefined ? {} : {blind})};
}

/** How a try before it was refused has nothing to do with how it ended. */
function withoutOldWords(state: BridgeState, {said}: StatusReading): BridgeState {
	const {said: _, ...rest} = state;
	return said === undefined ? rest : {...rest, said};
}

function phaseInFlight(state: BridgeState, status: string | undefined): Pick<BridgeState, 'phase'> {
	const {phase, depositTxHash, leftTxHash} = state;
	const isTaken = depositTxHash !== undefined || leftTxHash !== undefined;
	if (status === undefined) return {phase: UNTAKEN.has(phase) && leftTxHash !== undefined ? 'deposited' : phase};
	// An id that the service does not know is `pending` too (contract gaps 4.4): that says nothing of a batch it may have.
	if (status === 'pending' && UNTAKEN.has(phase)) {
		return {phase: leftTxHash === undefined ? (isTaken ? 'pending' : phase) : 'deposited'};
	}
	return {phase: PROGRESS.has(status) ? (status as BridgePhase) : 'progressing'};
}

function factsOf({depositTxHash, fillTxHash, said}: StatusReading): Partial<BridgeState> {
	return {
		...(depositTxHash === undefined ? {} : {depositTxHash}),
		...(fillTxHash === undefined ? {} : {fillTxHash}),
		...(said === undefined ? {} : {said}),
	};
}

/** A batch that was not executed and no longer can be: the chain shows its lane unused past the last deadline. */
function isDead(state: BridgeState, {isUsed}: Evidence, nowMs: number): boolean {
	return isUsed === false && isPastAll(state, nowMs);
}

/** No token is known to have left, and no batch can be executed any more. */
function isPastAll({liveUntilS, leftTxHash}: BridgeState, nowMs: number): boolean {
	return leftTxHash === undefined && liveUntilS !== undefined && isPastUse(liveUntilS, nowMs);
}

/** A node that can show the end was configured since: it is looked for again. */
export function sighted(state: BridgeState): BridgeState {
	if (state.phase !== 'claimed' || state.blind === undefined) return state;
	const {blind: _, ...rest} = state;
	return rest;
}

/**
 * The program was started again. What was sent, or may have been, is only read from now on; of the rest nothing is left,
 * since no signature is ever stored.
 */
export function restarted(state: BridgeState): BridgeState {
	if (state.phase === 'sending') return {...leftThisMachine(state), phase: 'unclear'};
	if (state.phase === 'retryable' && isInFlight(state)) return {...state, phase: 'unclear'};
	if (isInFlight(state) || isEnd(state)) return state;
	return {...state, phase: 'cancelled'};
}
