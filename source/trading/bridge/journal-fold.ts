import type {TradeSide} from '../../contract/trade-target.ts';
import type {Journal, JournalRecord} from '../journal.ts';
import {foldClaims} from '../journal-fold.ts';
import {
	answered,
	type BridgeState,
	type ExecuteOutcome,
	isInFlight,
	READ,
	restarted,
	sendingStarted,
	sighted,
	withoutReading,
} from './machine.ts';

/** The newest blocks when the quote was requested: only later transfers can belong to its intent. */
export interface ChainStart {
	readonly originBlock: string;
	/** Undefined when no node of the destination could be read. */
	readonly destinationBlock?: string;
}

/** The journal's record of an intent, written before its batch is signed. */
export interface IntendedData extends Partial<ChainStart> {
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
	/** EIP-712 digest of the batch. */
	readonly digest: string;
	/** The contract of the last call, to which the tokens go. */
	readonly target?: string;
	/** Minimum amount that must arrive, raw units; undefined when the token's decimals could not be read. */
	readonly leastRaw?: string;
	/** The same in whole tokens, as the quote has it. Earlier versions did not keep it. */
	readonly leastOut?: string;
	/** Decimals of the token that arrives, where they could be read. */
	readonly destinationDecimals?: number;
	/** Slippage that was asked for, percent. */
	readonly slippage?: number;
	/** The token that was bought or sold; undefined for a plain transfer. */
	readonly trade?: IntendedTrade;
	readonly mode: string;
}

/** The journal's record of a trade, written before it is signed. */
export interface IntendedTrade {
	readonly side: TradeSide;
	readonly chainId: string;
	/** Address of the token that is bought or sold, in lower case. */
	readonly token: string;
	readonly symbol: string;
	readonly decimals?: number;
	/** Price of the feed when it was signed. */
	readonly priceUSD?: number;
	/** All fees in US dollars, decimal text, as the quote stated them. */
	readonly feeUSD?: string;
}

/** An intent as the journal knows it. */
export interface JournaledIntent {
	readonly intentId: string;
	readonly intended: IntendedData;
	readonly state: BridgeState;
	/** When it was first sent. */
	readonly atMs: number;
}

/** Whether a node of a chain is configured: see ChainReader. */
export type Knows = (chainId: string) => boolean;

/**
 * Every intent that was ever sent, the newest last, each as a new start of the program must take it.
 * @param knows an end that no node could show is open again once there is one that can
 */
export function intentsIn(records: readonly JournalRecord[], knows: Knows = () => false): readonly JournaledIntent[] {
	return [...lastStates(records).values()].map(intent => ({
		...intent,
		state: restarted(canBeSeen(intent, knows) ? sighted(intent.state) : intent.state),
	}));
}

/** Whether the end that the service says could be looked for on a node that is configured now. */
function canBeSeen({state: {claim}, intended}: JournaledIntent, knows: Knows): boolean {
	const {originChainId, destinationChainId, leastRaw, leastOut} = intended;
	if (claim === 'refunded' || claim === 'failed') return knows(originChainId);
	return knows(destinationChainId) && (leastRaw ?? leastOut) !== undefined;
}

/** Every intent that was claimed and not given up before it was signed, as its last record left it. */
function lastStates(records: readonly JournalRecord[]): ReadonlyMap<string, JournaledIntent> {
	return foldClaims<JournaledIntent>(
		records,
		{claimed: 'bridge.intended', unsigned: 'bridge.unsigned'},
		(known, {kind, id, data, atMs}) => {
			if (kind === 'bridge.intended') {
				const intended = data as unknown as IntendedData;
				const ready: BridgeState = {...(known?.state ?? {attempts: 0, intentId: id}), phase: 'signing'};
				const state = sendingStarted(ready, {deadlineS: intended.deadlineS, nowMs: atMs});
				return {intentId: id, intended, state, atMs: known?.atMs ?? atMs};
			}
			if (kind === 'bridge.answered')
				return {...known!, state: answered(known!.state, data as unknown as ExecuteOutcome)};
			if (kind !== 'bridge.status') return known;
			// A member that the record lacks no longer holds.
			return {...known!, state: {...withoutReading(known!.state), ...(data as Partial<BridgeState>)}};
		},
	);
}

/**
 * Writes down that the batch of an intent is about to be signed, so that no other run of the program signs it too: one
 * plan in twelve processes is one signature.
 * @param attempts the number of batches that this flow knows; another number means that another run was here
 * @param isBlocked whether another record of the journal forbids the batch
 * @returns false when another run has the intent, or a record forbids the batch
 */
export function claimIntent(
	journal: Journal,
	{
		intentId,
		attempts,
		intended,
	}: {readonly intentId: string; readonly attempts: number; readonly intended: IntendedData},
	isBlocked: (records: readonly JournalRecord[]) => boolean = () => false,
): boolean {
	const isFree = (records: readonly JournalRecord[]): boolean => {
		if (isBlocked(records)) return false;
		const known = lastStates(records).get(intentId);
		if (!known) return attempts === 0;
		return known.state.attempts === attempts && known.state.phase === 'retryable';
	};
	return journal.claim('bridge.intended', intentId, {...intended}, isFree) !== undefined;
}

/** Movements on chains by which intents are known to have ended: none of them shows the end of another. */
export function proofsIn(records: readonly JournalRecord[], except: string): ReadonlySet<string> {
	const proofs = records.flatMap(({kind, id, data}) =>
		kind === 'bridge.status' && id !== except && typeof data['proof'] === 'string' ? [data['proof']] : [],
	);
	return new Set(proofs);
}

/** The intents whose status must still be read: the recovery list of a start. */
export function openIntents(journal: Journal, knows?: Knows): readonly JournaledIntent[] {
	return intentsIn(journal.records(), knows).filter(({state}) => isInFlight(state));
}

/** The journal's record of a reading: the state that the reading led to, without mere claims of the service. */
export function statusData(state: BridgeState): Record<string, unknown> {
	const {phase, depositTxHash, fillTxHash, readAtMs} = state;
	return {phase, depositTxHash, fillTxHash, readAtMs, ...Object.fromEntries(READ.map(name => [name, state[name]]))};
}

/** Whether a reading is worth a line. */
export function isNews(before: BridgeState, after: BridgeState): boolean {
	const names = ['phase', 'depositTxHash', 'leftTxHash', 'revertedTxHash', 'likeTxHash', 'claim', 'blind'] as const;
	return names.some(name => before[name] !== after[name]);
}
