import {PERP_SKEW_MS} from '../../contract/perp.ts';

/*
 * One cancel of an order, as its user sees it: pure, past tense. A cancel moves nothing twice (the exchange refuses the
 * second, and of two transactions with one nonce one is mined), so it may be tried again. It is done when the chain shows
 * the own transaction, or the listing is without the order: what the service says before that is a claim.
 */

/**
 * `choosing` an order is looked for; `built` the payload is there, some check is open; `reviewed` all passed; `signing`;
 * `sending`; `running` the service works on it; `claimed` the service says that it is cancelled; `unclear` it may have been
 * executed; ends: `done`, `refused` the service did not take it, `failed` the exchange or the chain said no.
 */
export type CancelPhase =
	| 'choosing'
	| 'built'
	| 'reviewed'
	| 'signing'
	| 'sending'
	| 'running'
	| 'claimed'
	| 'unclear'
	| 'done'
	| 'refused'
	| 'failed';

export interface CancelState {
	readonly phase: CancelPhase;
	/** See CancelTarget. */
	readonly key?: string;
	readonly processId?: string;
	/** Of the own transaction; for an exchange without one what the service says. */
	readonly txHash?: string;
	/** Where the own transaction would be mined; undefined without one. */
	readonly chainId?: string;
	/** HTTP status of a refusal. */
	readonly status?: number;
	/** What the service said; text from outside. */
	readonly said?: string;
	/** When the POST began, server time. */
	readonly sentAtMs?: number;
}

export const CHOOSING: CancelState = Object.freeze({phase: 'choosing'});

/** Whether something was sent whose end is not known yet. */
export function isUnderWay({phase}: CancelState): boolean {
	return phase === 'sending' || phase === 'running' || phase === 'claimed' || phase === 'unclear';
}

/** A payload for an order came. */
export function built(state: CancelState, key: string): CancelState {
	return isUnderWay(state) || state.phase === 'signing' ? state : {phase: 'built', key};
}

/** Every check passed, or one failed. */
export function checked(state: CancelState, isReady: boolean): CancelState {
	if (state.phase !== 'built' && state.phase !== 'reviewed') return state;
	const phase = isReady ? 'reviewed' : 'built';
	return state.phase === phase ? state : {...state, phase};
}

/** The person went back. */
export function dismissed(state: CancelState): CancelState {
	return isUnderWay(state) ? state : CHOOSING;
}

export function signingStarted(state: CancelState): CancelState {
	return state.phase === 'reviewed' ? {...state, phase: 'signing'} : state;
}

export function signingFailed(state: CancelState): CancelState {
	return state.phase === 'signing' ? {...state, phase: 'built'} : state;
}

/** The transaction that is sent along with a cancel. */
export interface OwnTransaction {
	readonly txHash: string;
	readonly chainId: string;
}

/** The cancel is in the journal; the POST begins. */
export function sendingStarted(
	state: CancelState,
	{nowMs, transaction}: {nowMs: number; transaction?: OwnTransaction},
): CancelState {
	return state.phase === 'signing' ? {...state, phase: 'sending', sentAtMs: nowMs, ...transaction} : state;
}

/** What became of the POST. */
export type CancelOutcome =
	| {readonly kind: 'executed'; readonly txHash?: string}
	| {readonly kind: 'running'; readonly processId: string}
	| {readonly kind: 'failed'; readonly said: string}
	| {readonly kind: 'refused'; readonly status: number; readonly said: string}
	| {readonly kind: 'not-sent'; readonly said: string}
	| {readonly kind: 'no-answer'; readonly said: string};

export function answered(state: CancelState, outcome: CancelOutcome): CancelState {
	if (state.phase !== 'sending') return state;
	switch (outcome.kind) {
		case 'executed':
			// A hash that the service names shows nothing where the own transaction has one.
			return {
				...state,
				phase: 'claimed',
				...(outcome.txHash === undefined ? {} : {txHash: state.txHash ?? outcome.txHash}),
			};
		case 'running':
			return {...state, phase: 'running', processId: outcome.processId};
		case 'failed':
			return {...state, phase: 'failed', said: outcome.said};
		case 'not-sent':
			return {...state, phase: 'refused', said: outcome.said};
		case 'no-answer':
			return {...state, phase: 'unclear', said: outcome.said};
		case 'refused': {
			// Turned away by time, signature, shape or key: by what it says nothing was executed (spec 7). The rest may have been.
			const isTurnedAway =
				outcome.status >= 400 && outcome.status < 500 && outcome.status !== 408 && outcome.status !== 409;
			return {...state, phase: isTurnedAway ? 'refused' : 'unclear', status: outcome.status, said: outcome.said};
		}
	}
}

/** The service said how a running execution stands (contract gaps 5.3). */
export function processRead(state: CancelState, {status, said}: {status: string; said?: string}): CancelState {
	if (state.phase !== 'running') return state;
	if (status === 'settled') return {...state, phase: 'claimed'};
	if (status === 'failed') return {...state, phase: 'failed', ...(said === undefined ? {} : {said})};
	return state;
}

/** The service does not know the process any more: the listing decides. */
export function processLost(state: CancelState): CancelState {
	return state.phase === 'running' ? {...state, phase: 'unclear'} : state;
}

/** How long after its POST a cancel may still be executed: its signature is void after 30 s, a block takes a while. */
export const UNCLEAR_MS = PERP_SKEW_MS * 2 + 60_000;

/** What was seen of a cancel: whether its order is still listed, and what became of the own transaction on its chain. */
export interface CancelSight {
	readonly isListed: boolean;
	/** Undefined while it is not mined, and without one. */
	readonly isMined?: 'success' | 'reverted';
	readonly nowMs: number;
}

/** Listing and chain were read. */
export function endRead(state: CancelState, {isListed, isMined, nowMs}: CancelSight): CancelState {
	if (state.phase !== 'unclear' && state.phase !== 'claimed') return state;
	if (isMined === 'reverted' && isListed) return {...state, phase: 'failed'};
	if (isMined === 'success' || !isListed) return {...state, phase: 'done'};
	const isOver = state.phase === 'unclear' && nowMs >= (state.sentAtMs ?? 0) + UNCLEAR_MS;
	return isOver ? {...state, phase: 'failed'} : state;
}
