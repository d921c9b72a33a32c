import {defined} from '../../defined.ts';
import type {Journal, JournalRecord} from '../journal.ts';
import {foldClaims} from '../journal-fold.ts';
import {type AttemptsBefore, type CancelState, isUnderWay, mayRetry, type OwnTransaction} from './machine.ts';

/** A cancel that was sent, as the journal knows it. */
export interface JournaledCancel {
	/** See CancelTarget. */
	readonly key: string;
	readonly state: CancelState;
	readonly atMs: number;
}

/** The cancels whose end is not known yet: chain and listing decide, nothing is sent again. */
export function openCancels(journal: Journal): readonly JournaledCancel[] {
	return [...lastStates(journal.records()).values()].filter(({state}) => isUnderWay(state));
}

/**
 * Writes down that the cancel of an order is about to be signed, so that no other run of the program signs it too.
 * @returns false when a cancel of this order is under way
 */
export function claimCancel(journal: Journal, key: string, data: Readonly<Record<string, unknown>>): boolean {
	const isFree = (records: readonly JournalRecord[]): boolean => {
		const known = lastStates(records).get(key);
		return known === undefined || !isUnderWay(known.state) || mayRetry(known.state);
	};
	return journal.claim('perp.intended', key, data, isFree) !== undefined;
}

function lastStates(records: readonly JournalRecord[]): ReadonlyMap<string, JournaledCancel> {
	return foldClaims<JournaledCancel>(
		records,
		{claimed: 'perp.intended', unsigned: 'perp.unsigned'},
		(known, {kind, id: key, data, atMs}) => {
			if (kind === 'perp.intended')
				return {key, state: {phase: 'unclear', key, sentAtMs: atMs, ...attemptsBefore(known)}, atMs};
			if (kind === 'perp.signed') return {...known!, state: {...known!.state, ...(data as unknown as OwnTransaction)}};
			if (kind !== 'perp.answered' && kind !== 'perp.status') return known;
			const {phase, processId, status, claim, seenOn} = data as Partial<CancelState> & Pick<CancelState, 'phase'>;
			// A member that the record lacks no longer holds.
			const {claim: _, seenOn: __, ...state} = known!.state;
			const read = defined({phase, processId, status, claim, seenOn});
			return {...known!, state: {...state, ...read} as CancelState};
		},
	);
}

/** Every transaction by which a cancel may be mined. */
export function hashesOf({txHash, chainId, earlier = []}: CancelState): readonly string[] {
	return txHash === undefined || chainId === undefined ? earlier : [...earlier, txHash];
}

/** The facts of earlier attempts that another attempt of a cancel needs. */
export function attemptsBefore(last: JournaledCancel | undefined): AttemptsBefore {
	if (!last || !isUnderWay(last.state)) return {};
	const earlier = hashesOf(last.state);
	return {isRetry: true, ...(earlier.length > 0 && {earlier})};
}
