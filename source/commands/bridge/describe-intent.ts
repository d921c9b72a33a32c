import {clean} from '../../text.ts';
import {describeBridge} from '../../trading/bridge/describe-state.ts';
import type {BridgeFlow} from '../../trading/bridge/flow.ts';
import type {JournaledIntent} from '../../trading/bridge/journal-fold.ts';
import {type BridgeState, isEnd} from '../../trading/bridge/machine.ts';
import {formatUnits} from '../../trading/decimal.ts';
import {factsText} from '../trading/output.ts';

/** The document of a transfer. @param known its journal record, for a transfer that was sent from here */
export function intentDocument(state: BridgeState, known?: JournaledIntent) {
	const {title, text, next} = describeBridge(state);
	const {phase, intentId, attempts, depositTxHash, fillTxHash, said, status, deadlineS, sentAtMs, readAtMs} = state;
	const {liveUntilS, claim, leftTxHash, revertedTxHash, likeTxHash, seenIn, isShort, isTakenBack} = state;
	return {
		intentId: intentId!,
		phase,
		isEnd: isEnd(state),
		title,
		text,
		...(next === undefined ? {} : {next}),
		attempts,
		...(depositTxHash === undefined ? {} : {depositTxHash}),
		...(fillTxHash === undefined ? {} : {fillTxHash}),
		...(said === undefined ? {} : {said: clean(said)}),
		...(status === undefined ? {} : {httpStatus: status}),
		...(deadlineS === undefined ? {} : {deadlineS}),
		...(liveUntilS === undefined ? {} : {liveUntilS}),
		...(phase === 'claimed' && claim !== undefined ? {claim} : {}),
		...(leftTxHash === undefined ? {} : {leftTxHash}),
		...(revertedTxHash === undefined ? {} : {revertedTxHash}),
		...(likeTxHash === undefined ? {} : {likeTxHash}),
		...(isEnd(state) && leftTxHash !== undefined ? {isFinal: seenIn === undefined} : {}),
		...(isShort === true ? {isShort} : {}),
		...(isTakenBack === true ? {isTakenBack} : {}),
		...(sentAtMs === undefined ? {} : {sentAtMs: Math.round(sentAtMs)}),
		...(readAtMs === undefined ? {} : {readAtMs: Math.round(readAtMs)}),
		...(known === undefined ? {} : {transfer: transferOf(known)}),
	};
}

/** The transfer, from the journal. */
function transferOf({intended, atMs}: JournaledIntent) {
	const {originChainId, originToken, destinationChainId, destinationToken, symbol, authority, recipient} = intended;
	return {
		atMs,
		originChainId,
		originToken,
		destinationChainId,
		...(destinationToken === undefined ? {} : {destinationToken}),
		amount: formatUnits(BigInt(intended.amountRaw), intended.decimals),
		symbol: clean(symbol),
		authority,
		recipient,
	};
}

/** A transfer as text. */
export function intentText(state: BridgeState): string {
	const {title, text} = describeBridge(state);
	const {intentId, depositTxHash, fillTxHash, revertedTxHash, likeTxHash, said} = state;
	const facts = [
		...(intentId === undefined ? [] : [{label: 'intent', text: intentId}]),
		...(depositTxHash === undefined ? [] : [{label: 'deposit', text: depositTxHash}]),
		...(fillTxHash === undefined ? [] : [{label: 'fill', text: fillTxHash}]),
		...(revertedTxHash === undefined ? [] : [{label: 'reverted', text: revertedTxHash}]),
		...(likeTxHash === undefined ? [] : [{label: 'other payment', text: likeTxHash}]),
		...(said === undefined ? [] : [{label: 'said', text: said}]),
	];
	return `${title}. ${text}\n${factsText(facts)}`;
}

/** The document of a review. */
export function reviewDocument({view}: BridgeFlow) {
	const {lines, checks, toAccept} = view;
	return {isReady: checks.length > 0 && checks.every(({ok}) => ok), lines, checks, toAccept};
}
