import type {Journal, JournalRecord} from '../journal.ts';
import {answered, type BridgeState, type ExecuteOutcome, isInFlight, restarted, sendingStarted} from './machine.ts';

/** What the journal keeps of an intent before its POST. */
export interface IntendedData {
	readonly originChainId: string;
	readonly destinationChainId: string;
	readonly originToken: string;
	readonly destinationToken?: string;
	readonly symbol: string;
	readonly decimals: number;
	readonly amountRaw: string;
	readonly authority: string;
	readonly recipient: string;
	readonly attempt: number;
	readonly deadlineS: number;
	readonly delegates: boolean;
	/** EIP-712 digest of the batch, and SHA-256 of the body as it is POSTed. */
	readonly digest: string;
	readonly bodyHash: string;
	readonly mode: string;
}

/** An intent as the journal knows it. */
export interface JournaledIntent {
	readonly intentId: string;
	readonly intended: IntendedData;
	readonly state: BridgeState;
	/** When it was first sent. */
	readonly atMs: number;
}

/** Every intent that was ever sent, the newest last, each as a new start of the program must take it. */
export function intentsIn(records: readonly JournalRecord[]): readonly JournaledIntent[] {
	const intents = new Map<string, JournaledIntent>();
	for (const {kind, id, data, atMs} of records) {
		const known = intents.get(id);
		if (kind === 'bridge.intended') {
			const intended = data as unknown as IntendedData;
			const before: BridgeState = {...(known?.state ?? {attempts: 0, intentId: id}), phase: 'signing'};
			const state = sendingStarted(before, {deadlineS: intended.deadlineS, nowMs: atMs});
			intents.set(id, {intentId: id, intended, state, atMs: known?.atMs ?? atMs});
		} else if (known && kind === 'bridge.answered') {
			intents.set(id, {...known, state: answered(known.state, data as unknown as ExecuteOutcome)});
		} else if (known && kind === 'bridge.status') {
			intents.set(id, {...known, state: {...known.state, ...(data as Partial<BridgeState>)}});
		}
	}
	return [...intents.values()].map(intent => ({...intent, state: restarted(intent.state)}));
}

/** The intents whose status must still be read: the recovery list of a start. */
export function openIntents(journal: Journal): readonly JournaledIntent[] {
	return intentsIn(journal.records()).filter(({state}) => isInFlight(state));
}

/** What the journal keeps of a reading: the state that it led to, and nothing that was only said. */
export function statusData(state: BridgeState): Record<string, unknown> {
	const {phase, depositTxHash, fillTxHash, readAtMs} = state;
	return {phase, depositTxHash, fillTxHash, readAtMs};
}

/** Whether a reading is worth a line. */
export function isNews(before: BridgeState, after: BridgeState): boolean {
	return before.phase !== after.phase || before.depositTxHash !== after.depositTxHash;
}
