import {PERP_SKEW_MS} from '../../contract/perp.ts';
import type {SendFailure} from '../send-failure.ts';

/*
 * One cancel of an order, as its user sees it: pure, past tense. A second cancel does no harm, so a cancel may be tried again:
 * the exchange refuses the second, and a chain mines one transaction of a nonce. A cancel is done when the chain shows its
 * transaction, or, without a transaction, when the listing is without the order. Until then the service's word is a claim.
 */

/**
 * `choosing` an order is looked for; `built` the payload is there, a check has failed; `reviewed` all passed; `signing`;
 * `sending`; `running` the service works on it; `claimed` the service says how it ended: see `claim`; `unaccepted` the
 * service says that it did not take it, and can still execute it; `unclear` it may have been executed; ends, as list and
 * chain show them: `done`, `refused` not taken, and void by now or never sent, `failed` not cancelled.
 */
export type CancelPhase =
	| 'choosing'
	| 'built'
	| 'reviewed'
	| 'signing'
	| 'sending'
	| 'running'
	| 'claimed'
	| 'unaccepted'
	| 'unclear'
	| 'done'
	| 'refused'
	| 'failed';

export interface CancelState {
	readonly phase: CancelPhase;
	/** See CancelTarget. */
	readonly key?: string;
	readonly processId?: string;
	/** Hash of the wallet's transaction. For an exchange without a transaction, the hash that the service reports. */
	readonly txHash?: string;
	/** Where the own transaction would be mined, and its number there; undefined without one. */
	readonly chainId?: string;
	readonly nonce?: number;
	/** Hashes of earlier attempts with the same nonce: at most one of them is mined. */
	readonly earlier?: readonly string[];
	/** An earlier attempt may still be executed. */
	readonly isRetry?: true;
	/** The end that the service says, of `claimed`. */
	readonly claim?: 'done' | 'failed';
	/** The source that showed the end of `done`, `failed` and `refused`; undefined for a cancel that was never sent. */
	readonly seenOn?: 'chain' | 'listing';
	/** HTTP status of a refusal. */
	readonly status?: number;
	/** The service's reason; text from outside. */
	readonly said?: string;
	/** When the POST began, server time. */
	readonly sentAtMs?: number;
}

export const CHOOSING: CancelState = Object.freeze({phase: 'choosing'});

/** Whether something was sent whose end is not known yet. */
export function isUnderWay({phase}: CancelState): boolean {
	return UNDER_WAY.has(phase);
}

const UNDER_WAY: ReadonlySet<CancelPhase> = new Set(['sending', 'running', 'claimed', 'unaccepted', 'unclear']);

/**
 * Whether another attempt may be signed although this attempt may still be executed: the service says that it failed. Of two cancels
 * of an order at most one takes effect, and a chain mines one transaction for each nonce.
 */
export function mayRetry({phase, claim}: CancelState): boolean {
	return phase === 'unaccepted' || (phase === 'claimed' && claim === 'failed');
}

/** A payload for an order came. */
export function built(state: CancelState, key: string): CancelState {
	return (isUnderWay(state) && !mayRetry(state)) || state.phase === 'signing' ? state : {phase: 'built', key};
}

/** The person went back. */
export function dismissed(state: CancelState): CancelState {
	return isUnderWay(state) && !mayRetry(state) ? state : CHOOSING;
}

/** The transaction that is sent along with a cancel. */
export interface OwnTransaction {
	readonly txHash: string;
	readonly chainId: string;
	/** Records of earlier versions lack it. */
	readonly nonce?: number;
}

/** The cancel is in the journal; the POST begins. */
export function sendingStarted(
	state: CancelState,
	{nowMs, transaction, before}: {nowMs: number; transaction?: OwnTransaction; before?: AttemptsBefore},
): CancelState {
	if (state.phase !== 'signing') return state;
	return {...state, phase: 'sending', sentAtMs: nowMs, ...transaction, ...before};
}

/** Earlier attempts of the same cancel that may still be executed. */
export type AttemptsBefore = Pick<CancelState, 'earlier' | 'isRetry'>;

/** The outcome of the POST. */
export type CancelOutcome =
	| {readonly kind: 'executed'; readonly txHash?: string}
	| {readonly kind: 'running'; readonly processId: string}
	| {readonly kind: 'failed'; readonly said: string}
	| SendFailure;

export function answered(state: CancelState, outcome: CancelOutcome): CancelState {
	if (state.phase !== 'sending') return state;
	switch (outcome.kind) {
		case 'executed':
			// A hash that the service names shows nothing where the own transaction has one.
			return {
				...state,
				phase: 'claimed',
				claim: 'done',
				...(outcome.txHash === undefined ? {} : {txHash: state.txHash ?? outcome.txHash}),
			};
		case 'running':
			return {...state, phase: 'running', processId: outcome.processId};
		case 'failed':
			return {...state, phase: 'claimed', claim: 'failed', said: outcome.said};
		case 'not-sent':
			// Nothing left this machine now, but an earlier attempt may have.
			return {...state, phase: state.isRetry ? 'unaccepted' : 'refused', said: outcome.said};
		case 'no-answer':
			return {...state, phase: 'unclear', said: outcome.said};
		case 'refused': {
			// Refused for time, signature, shape or key: by the service's word nothing was executed (spec 7). The rest may have been.
			const isTurnedAway =
				outcome.status >= 400 && outcome.status < 500 && outcome.status !== 408 && outcome.status !== 409;
			return {...state, phase: isTurnedAway ? 'unaccepted' : 'unclear', status: outcome.status, said: outcome.said};
		}
	}
}

/** The service said how a running execution stands (contract gaps 5.3). */
export function processRead(state: CancelState, {status, said}: {status: string; said?: string}): CancelState {
	if (state.phase !== 'running') return state;
	if (status === 'settled') return {...state, phase: 'claimed', claim: 'done'};
	if (status === 'failed') return {...state, phase: 'claimed', claim: 'failed', ...(said === undefined ? {} : {said})};
	return state;
}

/** The service no longer knows the process: the listing decides. */
export function processLost(state: CancelState): CancelState {
	return state.phase === 'running' ? {...state, phase: 'unclear'} : state;
}

/** How long after its POST a cancel may still be executed: its signature is void after 30 s, a block takes a while. */
export const UNCLEAR_MS = PERP_SKEW_MS * 2 + 60_000;

/** The outcome of the own transaction: mined, or replaced by another with its nonce. */
export type OwnEnd = 'success' | 'reverted' | 'replaced';

/** A reading of a cancel: whether its order is still listed, and the outcome of the own transaction on its chain. */
export interface CancelSight {
	/** Undefined where the list can't be read for the order. */
	readonly isListed: boolean | undefined;
	/** Whether the chain of the own transaction can be read: then the list, which is the service's, shows no end of it. */
	readonly isChainRead: boolean;
	/** Undefined while it may still be mined, and without one. */
	readonly ownEnd?: OwnEnd;
	readonly nowMs: number;
}

/** Until when the signed message of a cancel can be executed, Unix seconds; a transaction can be until its number is used. */
export function liveUntilS({sentAtMs = 0}: CancelState): number {
	return Math.ceil((sentAtMs + UNCLEAR_MS) / 1000);
}

/** Listing and chain were read. */
export function endRead(state: CancelState, {isListed, isChainRead, ownEnd, nowMs}: CancelSight): CancelState {
	const {phase, claim} = state;
	if (phase !== 'unclear' && phase !== 'claimed' && phase !== 'unaccepted') return state;
	if (ownEnd === 'success') return ended(state, 'done', 'chain');
	const undone = phase === 'unaccepted' ? 'refused' : 'failed';
	if (ownEnd === 'reverted' || (ownEnd === 'replaced' && isListed)) return ended(state, undone, 'chain');
	const mayBeMined = isChainRead && ownEnd === undefined;
	if (isListed === undefined) return state;
	if (!isListed) return mayBeMined ? state : ended(state, 'done', 'listing');
	// The list of an exchange may lag behind the end that it reports. A transaction is not void by time.
	const isVoid = nowMs >= liveUntilS(state) * 1000 && !(mayBeMined && state.nonce !== undefined);
	const isDoneByWord = phase === 'claimed' && claim !== 'failed';
	return isVoid && !isDoneByWord ? ended(state, undone, 'listing') : state;
}

function ended({claim: _, ...state}: CancelState, phase: CancelPhase, seenOn: 'chain' | 'listing'): CancelState {
	return {...state, phase, seenOn};
}
