import {isTerminal} from '../../contract/bridge.ts';
import type {SeenBlock} from '../finality.ts';
import {isPastUse} from '../live-signature.ts';
import type {SendFailure} from '../send-failure.ts';

/*
 * The state of one bridge intent (spec 3, 4.4, 7). Transitions are pure, named in the past tense, and take the time as an
 * argument. A transition that does not fit the state returns the same object.
 *
 * Guarantees:
 * - A batch is POSTed only in `signing`. `signing` is entered only while at most one batch of the intent can be executed:
 *   none left this machine, or the new batch is in the lane of the earlier one, where a chain executes one of the two.
 * - A batch that left this machine can be executed until its deadline, whatever the service responds.
 * - An intent ends only when a chain shows the end. Until then the end is the service's claim.
 * - Nothing has arrived or come back before the origin shows that the tokens left.
 * - An end is taken back when a block that showed it is replaced.
 */

/**
 * - `draft` no quote yet; `quoted`; `reviewed` every local check passed; `confirmed` the person typed the amount;
 *   `signing` the wallet signs
 * - `sending` the intent is in the journal and the POST is under way
 * - `unclear` the batch may have been sent: the status is only read
 * - `retryable` the service says that it sent nothing, or nothing left this machine: the same intent may be signed again,
 *   in the same lane
 * - `unaccepted` the service refused the batch, but can send it until its deadline
 * - `pending`, `deposited`, `filling`, `retrying` reported by the service; `progressing` a status unknown to this program
 * - `claimed` the service reports an end that no chain has shown: see `claim`
 * - ends: `filled`, `settled`, `refunded`, `failed` shown by a chain; `refused` not accepted, and not sent by the
 *   deadline; `lapsed` the deadline passed and no token was taken; `cancelled` by the person, before anything was sent
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

/** An end that a service can report. */
export type BridgeEnd = 'filled' | 'settled' | 'refunded' | 'failed';

export interface BridgeState {
	readonly phase: BridgePhase;
	readonly intentId?: string;
	/** How many batches of this intent were POSTed, or may have been. */
	readonly attempts: number;
	/** Deadline of the newest batch, Unix seconds. */
	readonly deadlineS?: number;
	/** The latest deadline of a batch that left this machine, Unix seconds; undefined when none did. */
	readonly liveUntilS?: number;
	/** When the POST of the newest batch began. */
	readonly sentAtMs?: number;
	readonly depositTxHash?: string;
	readonly fillTxHash?: string;
	/** In `claimed`: the end that the service reports. */
	readonly claim?: BridgeEnd;
	/** In `claimed`: why no chain can show the end. Nothing more is read until a node that can is configured. */
	readonly blind?: string;
	/** The transaction in which the tokens left the account, from the origin's node. */
	readonly leftTxHash?: string;
	/** A deposit transaction that was mined and reverted. The lane was reverted too: the batch is valid until its deadline. */
	readonly revertedTxHash?: string;
	/** The transfer that shows the end: `<hash>:<log index>`. It proves the end of no other intent. */
	readonly proof?: string;
	/** Blocks that show the end and are not final. When one of them is replaced, the end is taken back. */
	readonly seenIn?: readonly SeenBlock[];
	/** An end was taken back, and no chain shows one again. */
	readonly isTakenBack?: true;
	/** A payment of the expected amount that is not shown to be of this intent: its transaction. */
	readonly likeTxHash?: string;
	/** By how much the recipient's balance grew on the destination chain, raw units. Unknown for coins: they leave no log. */
	readonly arrivedRaw?: string;
	/** Less than the promised minimum arrived. */
	readonly isShort?: true;
	/** Decimals of the token that arrived, where known. */
	readonly arrivedDecimals?: number;
	/** How much came back to the account on the origin, raw units of the token that the bridge had taken, which is not the one that was sent where that was swapped. */
	readonly returnedRaw?: string;
	readonly returnedDecimals?: number;
	/** The service's last message or failure reason. Text from outside: clean it before showing it. */
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

/** Whether the status must be read until the intent ends. Until then the only other step is the retry of a `retryable` intent. */
export function isInFlight(state: BridgeState): boolean {
	if (state.phase === 'retryable') return state.liveUntilS !== undefined;
	return IN_FLIGHT.has(state.phase) && !isEnd(state);
}

/** Whether a batch may be signed and sent now. */
export function maySign({phase}: BridgeState): boolean {
	return phase === 'confirmed' || phase === 'retryable';
}

/** A quote came. A quote replaces an earlier quote or an ended intent, never a transfer whose tokens may move. */
export function quoted(state: BridgeState, intentId: string): BridgeState {
	if (isInFlight(state) || state.phase === 'signing') return state;
	return {phase: 'quoted', attempts: 0, intentId};
}

/** Another quote of the same takes the place of the one that was confirmed: nothing of that was signed. */
export function requoted(state: BridgeState, intentId: string): BridgeState {
	return state.phase === 'signing' && state.attempts === 0 ? {...state, intentId} : state;
}

/** Every local check passed. */
export function reviewed(state: BridgeState): BridgeState {
	return state.phase === 'quoted' ? {...state, phase: 'reviewed'} : state;
}

/** A check failed, or the data got old: back to the quote. */
export function reviewWithdrawn(state: BridgeState): BridgeState {
	return state.phase === 'reviewed' || state.phase === 'confirmed' ? {...state, phase: 'quoted'} : state;
}

/** The person typed the confirmation. */
export function confirmed(state: BridgeState): BridgeState {
	return state.phase === 'reviewed' ? {...state, phase: 'confirmed'} : state;
}

/** The person went back before anything was sent, or gave a retry up. */
export function cancelled(state: BridgeState): BridgeState {
	if (isInFlight(state) || isEnd(state)) return state;
	// The batch of an earlier attempt can still be executed.
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

/** The outcome of the POST. */
export type ExecuteOutcome = {readonly kind: 'accepted'; readonly depositTxHash: string} | SendFailure;

/**
 * The POST ended (spec 7). After 409 and 504 the status is only read; 502 and 503 say that nothing was sent: the same
 * intent may be retried in its lane; other 4xx need a new quote. No response is certain: only a batch that never left this
 * machine can't be executed.
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

/** From now on the newest batch can be executed, by the service or by others who saw it. */
function leftThisMachine(state: BridgeState): BridgeState {
	const {deadlineS, liveUntilS} = state;
	if (deadlineS === undefined) return state;
	return {...state, liveUntilS: Math.max(deadlineS, liveUntilS ?? 0)};
}

/** Where a refusal of execute leads. */
function phaseAfterRefusal(status: number): BridgePhase {
	if (status === 502 || status === 503) return 'retryable';
	// The rate limit refuses before the intent is read.
	if (status === 429) return 'retryable';
	if (status === 408 || status === 409) return 'unclear';
	return status >= 400 && status < 500 ? 'unaccepted' : 'unclear';
}

/** A movement on a chain that shows an end; amounts where they are known. */
export interface SeenTransfer {
	readonly txHash: string;
	readonly proof: string;
	readonly amountRaw?: string;
	readonly decimals?: number;
	/** Less than the promised minimum. */
	readonly isShort?: boolean;
}

/** The evidence for an intent on the chains, read from the user's nodes. Undefined: could not be read. */
export interface Evidence {
	/** Whether a batch of the lane was executed. */
	readonly isUsed?: boolean;
	/** The transaction in which the tokens left the account. */
	readonly leftTxHash?: string;
	/** The deposit transaction that the service names was mined and reverted. */
	readonly revertedTxHash?: string;
	/** A batch of the lane was executed, and no token left the account in it. */
	readonly isVoid?: boolean;
	/** The payment of this intent to the recipient, or the deposit that came back: see BridgeState.proof. */
	readonly arrived?: SeenTransfer;
	readonly returned?: SeenTransfer;
	/** See BridgeState. */
	readonly likeTxHash?: string;
	/** The blocks that show the above, where they are known. */
	readonly seenIn?: readonly SeenBlock[];
	/** Why no node can show the arrival on the destination, or the deposit on the origin. */
	readonly blindToArrival?: string;
	readonly blindToOrigin?: string;
}

/** One reading: the service's status, if the service responded, and the evidence on the chains. */
export interface StatusReading {
	/** Undefined when the service did not respond. */
	readonly status?: string;
	readonly depositTxHash?: string;
	readonly fillTxHash?: string;
	readonly said?: string;
	/** Not later than now, even with a wrong service clock: see earlierNowMs. */
	readonly nowMs: number;
	readonly evidence?: Evidence;
}

const PROGRESS: ReadonlySet<string> = new Set(['pending', 'deposited', 'filling', 'retrying']);
/** No token is known to have been taken: only the chain, or a deposit that the service names, changes the phase. */
const UNTAKEN: ReadonlySet<BridgePhase> = new Set(['unclear', 'unaccepted', 'retryable']);
/** The service said why it did not take the batch. */
const REFUSED: ReadonlySet<BridgePhase> = new Set(['unaccepted', 'retryable']);

/** Status and chains were read. The evidence on a chain outranks the word of the service. */
export function statusRead(state: BridgeState, reading: StatusReading): BridgeState {
	if (!isInFlight(state) || state.phase === 'sending') return state;
	const {status, evidence = {}, nowMs} = reading;
	const {isUsed, leftTxHash, revertedTxHash, likeTxHash, arrived, returned} = evidence;
	const {leftTxHash: leftBefore, likeTxHash: _, ...before} = state;
	// A lane that is unused now refutes an earlier reading of its use.
	const left = leftTxHash ?? (isUsed === false ? undefined : leftBefore);
	const next: BridgeState = {
		...before,
		...factsOf(state, reading),
		...(left === undefined ? {} : {leftTxHash: left}),
		...(revertedTxHash === undefined ? {} : {revertedTxHash}),
		...(likeTxHash === undefined ? {} : {likeTxHash}),
		readAtMs: nowMs,
	};
	if (arrived && leftTxHash !== undefined)
		return {...ended(next, reading, status === 'settled' ? 'settled' : 'filled'), ...arrivedFacts(arrived)};
	if (returned && leftTxHash !== undefined) return {...ended(next, reading, 'refunded'), ...returnedFacts(returned)};
	if (isDead(next, evidence, nowMs)) {
		if (status === 'failed' || next.revertedTxHash !== undefined) return ended(next, reading, 'failed');
		return {...endedAt(next, reading), phase: state.phase === 'unaccepted' ? 'refused' : 'lapsed'};
	}
	if (status === 'failed' && evidence.isVoid === true && isPastAll(next, nowMs)) return ended(next, reading, 'failed');
	if (status !== undefined && isTerminal(status)) return claimed(next, reading, status as BridgeEnd);
	return {...next, ...phaseInFlight(next, status)};
}

/** A chain showed how the intent ended. */
function ended(state: BridgeState, reading: StatusReading, phase: BridgeEnd): BridgeState {
	return {...endedAt(withoutOldMessage(state, reading), reading), phase};
}

/** The state at its end: without claims, with the blocks that show the end. */
function endedAt(state: BridgeState, {evidence}: StatusReading): BridgeState {
	const {claim: _, blind: __, likeTxHash: ___, isTakenBack: ____, ...rest} = state;
	return {...rest, ...(evidence?.seenIn && {seenIn: evidence.seenIn})};
}

function arrivedFacts({txHash, proof, amountRaw, decimals, isShort}: SeenTransfer): Partial<BridgeState> {
	return {
		proof,
		...(isShort ? {isShort} : {}),
		fillTxHash: txHash,
		...(amountRaw === undefined ? {} : {arrivedRaw: amountRaw}),
		...(decimals === undefined ? {} : {arrivedDecimals: decimals}),
	};
}

function returnedFacts({proof, amountRaw, decimals}: SeenTransfer): Partial<BridgeState> {
	return {
		proof,
		...(amountRaw === undefined ? {} : {returnedRaw: amountRaw}),
		...(decimals === undefined ? {} : {returnedDecimals: decimals}),
	};
}

/** The service reports an end that no chain shows. */
function claimed(state: BridgeState, reading: StatusReading, claim: BridgeEnd): BridgeState {
	const {blindToArrival, blindToOrigin} = reading.evidence ?? {};
	const blind = claim === 'filled' || claim === 'settled' ? (blindToArrival ?? blindToOrigin) : blindToOrigin;
	const {blind: _, ...rest} = withoutOldMessage(state, reading);
	return {...rest, phase: 'claimed', claim, ...(blind === undefined ? {} : {blind})};
}

/** The message of an earlier, refused attempt says nothing about the end. */
function withoutOldMessage(state: BridgeState, {said}: StatusReading): BridgeState {
	const {said: _, ...rest} = state;
	return said === undefined ? rest : {...rest, said};
}

function phaseInFlight(state: BridgeState, status: string | undefined): Pick<BridgeState, 'phase'> {
	const {phase, depositTxHash, leftTxHash} = state;
	const isTaken = depositTxHash !== undefined || leftTxHash !== undefined;
	if (status === undefined) return {phase: UNTAKEN.has(phase) && leftTxHash !== undefined ? 'deposited' : phase};
	// The service reports `pending` for unknown ids too (contract gaps 4.4), so `pending` does not show that it has no batch.
	if (status === 'pending' && UNTAKEN.has(phase)) {
		return {phase: leftTxHash === undefined ? (isTaken ? 'pending' : phase) : 'deposited'};
	}
	return {phase: PROGRESS.has(status) ? (status as BridgePhase) : 'progressing'};
}

function factsOf(state: BridgeState, reading: StatusReading): Partial<BridgeState> {
	const {depositTxHash, fillTxHash, said} = reading;
	return {
		...(depositTxHash === undefined ? {} : {depositTxHash}),
		...(fillTxHash === undefined ? {} : {fillTxHash}),
		...(said === undefined || saysNothingNew(state, reading) ? {} : {said}),
	};
}

/** An intent that was refused stays `pending` at the service. That status would hide the reason of the refusal. */
function saysNothingNew({phase, said}: BridgeState, {status, depositTxHash, evidence}: StatusReading): boolean {
	const isTaken = depositTxHash !== undefined || evidence?.leftTxHash !== undefined;
	return REFUSED.has(phase) && said !== undefined && status === 'pending' && !isTaken;
}

/** No batch was executed and none can be any more: the chain shows the lane unused after the last deadline. */
function isDead(state: BridgeState, {isUsed}: Evidence, nowMs: number): boolean {
	return isUsed === false && isPastAll(state, nowMs);
}

/** No token is known to have left the account, and no batch can be executed any more. */
function isPastAll({liveUntilS, leftTxHash}: BridgeState, nowMs: number): boolean {
	return leftTxHash === undefined && liveUntilS !== undefined && isPastUse(liveUntilS, nowMs);
}

/** Whether certainly nothing moved, and nothing can any more. */
export function movedNothing({phase, liveUntilS, leftTxHash}: BridgeState): boolean {
	const isUnsent = (phase === 'cancelled' || phase === 'retryable') && liveUntilS === undefined;
	return isUnsent || phase === 'refused' || phase === 'lapsed' || (phase === 'failed' && leftTxHash === undefined);
}

/** A block that showed the end was replaced: the end is taken back, and looked for again. */
export function takenBack(state: BridgeState): BridgeState {
	if (!ENDS.has(state.phase) || state.seenIn === undefined) return state;
	return {...withoutReading(state), phase: 'unclear', isTakenBack: true};
}

/** The members of a state that come from a reading of the chains. */
export const READ = [
	'claim',
	'blind',
	'leftTxHash',
	'revertedTxHash',
	'likeTxHash',
	'proof',
	'seenIn',
	'isTakenBack',
	'arrivedRaw',
	'arrivedDecimals',
	'isShort',
	'returnedRaw',
	'returnedDecimals',
] as const satisfies readonly (keyof BridgeState)[];

/** A state without the results of earlier readings. */
export function withoutReading(state: BridgeState): BridgeState {
	const kept: Partial<Record<keyof BridgeState, unknown>> = {...state};
	for (const name of READ) delete kept[name];
	return kept as BridgeState;
}

/** Every block that showed the end is final. */
export function madeFinal(state: BridgeState): BridgeState {
	const {seenIn, ...rest} = state;
	return seenIn === undefined ? state : rest;
}

/** A node that can show the end is configured now: the end is searched again. */
export function sighted(state: BridgeState): BridgeState {
	if (state.phase !== 'claimed' || state.blind === undefined) return state;
	const {blind: _, ...rest} = state;
	return rest;
}

/**
 * The program restarted. Intents that were sent, or may have been, are only read from now on. All others are cancelled:
 * signatures are never stored.
 */
export function restarted(state: BridgeState): BridgeState {
	if (state.phase === 'sending') return {...leftThisMachine(state), phase: 'unclear'};
	if (state.phase === 'retryable' && isInFlight(state)) return {...state, phase: 'unclear'};
	if (isInFlight(state) || isEnd(state)) return state;
	return {...state, phase: 'cancelled'};
}
