import {chainName} from '../../chains/chains.ts';
import {describeBridge} from '../../trading/bridge/describe-state.ts';
import type {BridgeFlow, BridgeView} from '../../trading/bridge/flow.ts';
import {isEnd, isInFlight} from '../../trading/bridge/machine.ts';
import {unsignedPlanOf} from '../../trading/bridge/plan.ts';
import type {MoneyPart, MoneyStatus} from './money-part.ts';

/** Labels of the lines on the batch that is signed, which stand with the checks. */
export const BATCH_DETAILS = [
	'simulated',
	'gas',
	'account',
	'executor',
	'bridge',
	'token',
	'intent',
	'nonce',
	'calls',
] as const;

/** The common steps of the windows over a BridgeFlow: a transfer and a trade are sent, followed and ended alike. */
export const TRANSFER_STEPS = {
	isReady: ({state, checks}) =>
		state.phase === 'reviewed' || (state.phase === 'retryable' && checks.length > 0 && checks.every(({ok}) => ok)),
	accept: (flow, {role}, typed) => flow.accept(role, typed),
	confirm: (flow, typed) => flow.confirm(typed),
	execute: flow => flow.execute(),

	isReviewAgain: ({state}) => state.phase === 'quoted' || state.phase === 'reviewed' || state.phase === 'confirmed',
	isUnderWay: ({state}) => isInFlight(state) || state.phase === 'sending',
	sentAtMs: ({state}) => state.sentAtMs,
	next: ({state}) => (state.phase === 'retryable' ? 'review' : isEnd(state) ? 'form' : undefined),
	document: ({plan}) => plan && unsignedPlanOf(plan),
	texts: {
		proposal: 'quote',
		sentBefore: ({state}) => (state.phase === 'retryable' ? describeBridge(state).title : undefined),
		unchecked: 'The quote is not checked yet: nothing can be signed. Enter checks it, Esc goes back.',
		firstUse: contracts =>
			contracts === 1
				? 'A contract is used here for the first time. Enter shows it, to accept or not.'
				: `${contracts} contracts are used here for the first time. Enter shows them, to accept or not.`,
		contract: ({role}, {quoted}) => `this ${role}${quoted ? ` on ${chainName(quoted.request.originChainId)}` : ''}`,
		accepted: 'Every contract is accepted.',
		failed: 'Enter checks again, Esc goes back.',
		again: 'check again',
		answers: {keep: 'Cancel', sign: 'Sign and send'},
		answerHints: {keep: 'cancel', sign: 'sign and send'},
	},
} satisfies Partial<MoneyPart<unknown, BridgeView, BridgeFlow>>;

/** Whether it ended without anything sent, and can be changed and requested again. */
export function isUnsentEnd(view: BridgeView | undefined): boolean {
	const phase = view?.state.phase;
	return phase === 'refused' || phase === 'lapsed' || phase === 'failed';
}

/**
 * The status of a transfer or trade.
 * @param followed its name in a sentence; `again` and `enter`: what Enter does after its end, in the line of hints and in the window
 */
export function transferStatus(
	{state}: BridgeView,
	described: Pick<MoneyStatus, 'title' | 'text' | 'tone'>,
	{followed, again, enter, isUnsent}: {followed: string; again: string; enter: string; isUnsent: boolean},
): MoneyStatus {
	const isOver = isEnd(state);
	const accept = state.phase === 'retryable' ? 'check again' : isUnsent ? 'to the form' : isOver && again;
	return {
		...described,
		isOpen: !isOver,
		...(isOver && state.readAtMs !== undefined && {endedAtMs: state.readAtMs}),
		hasProblem: !isOver,
		hint: !isOver
			? `Closing this window changes nothing: the ${followed} is still followed. Nothing is ever sent twice.`
			: isUnsent
				? 'Enter or Esc: back to the form, with everything that was typed.'
				: `Enter: ${enter}. Esc closes.`,
		...(accept && {accept}),
	};
}
