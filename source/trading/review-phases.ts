/*
 * The phases up to the signature of a flow whose service makes a proposal: `built` the proposal is there, some check is
 * open; `reviewed` all passed; `signing`. Pure: a transition that does not fit returns the same object.
 */

interface Phased {
	readonly phase: string;
}

/** The checks of a review ran. */
export function checked<State extends Phased>(state: State, isReady: boolean): State {
	if (state.phase !== 'built' && state.phase !== 'reviewed') return state;
	const phase = isReady ? 'reviewed' : 'built';
	return state.phase === phase ? state : {...state, phase};
}

export function signingStarted<State extends Phased>(state: State): State {
	return state.phase === 'reviewed' ? {...state, phase: 'signing'} : state;
}

export function signingFailed<State extends Phased>(state: State): State {
	return state.phase === 'signing' ? {...state, phase: 'built'} : state;
}
