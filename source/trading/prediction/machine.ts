/*
 * The state of one transaction of a prediction account; transitions are pure. A transaction is signed once and sent once: when
 * the node's response is lost, the chain shows by its hash whether it was mined.
 */

/**
 * `choosing`; `built` the service's proposal is there, some check has not passed; `reviewed` all passed; `signing`; `sent`
 * may be mined.
 *
 * Ends: `done` mined, and the chain shows its purpose; `unseen` mined, and the chain does not show its purpose;
 * `reverted` mined, without effect; `refused` by the node; `replaced` another transaction with its nonce was mined.
 */
export type PredictionPhase =
	| 'choosing'
	| 'built'
	| 'reviewed'
	| 'signing'
	| 'sent'
	| 'done'
	| 'unseen'
	| 'reverted'
	| 'refused'
	| 'replaced';

export interface PredictionState {
	readonly phase: PredictionPhase;
	readonly hash?: string;
	readonly nonce?: number;
	/** Text from outside: why a node refused the transaction, or why the answer is ambiguous. */
	readonly said?: string;
	readonly block?: bigint;
}

export const CHOOSING: PredictionState = Object.freeze({phase: 'choosing'});

export function isUnderWay({phase}: PredictionState): boolean {
	return phase === 'sent' || phase === 'signing';
}

export function built(state: PredictionState): PredictionState {
	return isUnderWay(state) ? state : {phase: 'built'};
}

/** The person went back, or closed an ended transaction. */
export function dismissed(state: PredictionState): PredictionState {
	return isUnderWay(state) ? state : CHOOSING;
}

/** The transaction is in the journal, and on its way to the node. */
export function sendingStarted(state: PredictionState, {hash, nonce}: {hash: string; nonce: number}): PredictionState {
	return state.phase === 'signing' ? {phase: 'sent', hash, nonce} : state;
}

/** Outcome of the broadcast. */
export type SendOutcome =
	| {readonly kind: 'accepted'}
	/** The node refused the transaction in words. */
	| {readonly kind: 'refused'; readonly said: string}
	/** The node did not respond. */
	| {readonly kind: 'no-answer'; readonly said: string};

export function answered(state: PredictionState, outcome: SendOutcome): PredictionState {
	if (outcome.kind === 'accepted') return state;
	return outcome.kind === 'refused' ? sendRefused(state, outcome.said) : sendUnclear(state, outcome.said);
}

/** The node refused the transaction in words: it was not forwarded. */
export function sendRefused(state: PredictionState, said: string): PredictionState {
	return state.phase === 'sent' ? {...state, phase: 'refused', said} : state;
}

/** The node did not respond: it may have the transaction. */
export function sendUnclear(state: PredictionState, said: string): PredictionState {
	return state.phase === 'sent' ? {...state, said} : state;
}

/** @param receipt isKept: whether the chain shows the signed move */
export function mined(
	state: PredictionState,
	{isSuccess, isKept, block}: {isSuccess: boolean; isKept: boolean; block: bigint},
): PredictionState {
	if (state.phase !== 'sent') return state;
	const {said: _, ...rest} = state;
	return {...rest, phase: isSuccess ? (isKept ? 'done' : 'unseen') : 'reverted', block};
}

/** The account's nonce is past that of the transaction, and the chain does not know the transaction. */
export function replaced(state: PredictionState): PredictionState {
	return state.phase === 'sent' ? {...state, phase: 'replaced'} : state;
}
