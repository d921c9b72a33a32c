import type {Journal, JournalRecord} from '../journal.ts';
import {type CancelPhase, type CancelState, isUnderWay, type OwnTransaction} from './machine.ts';

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
		return known === undefined || !isUnderWay(known.state);
	};
	return journal.claim('perp.intended', key, data, isFree) !== undefined;
}

function lastStates(records: readonly JournalRecord[]): ReadonlyMap<string, JournaledCancel> {
	const cancels = new Map<string, JournaledCancel>();
	for (const {kind, id: key, data, atMs} of records) {
		if (kind === 'perp.intended') cancels.set(key, {key, state: {phase: 'unclear', key, sentAtMs: atMs}, atMs});
		const known = cancels.get(key);
		if (!known) continue;
		if (kind === 'perp.unsigned') cancels.delete(key);
		if (kind === 'perp.signed')
			cancels.set(key, {...known, state: {...known.state, ...(data as unknown as OwnTransaction)}});
		if (kind === 'perp.answered' || kind === 'perp.status') {
			const {phase, processId} = data as {phase: CancelPhase; processId?: string};
			const state = {...known.state, phase, ...(processId === undefined ? {} : {processId})};
			cancels.set(key, {...known, state});
		}
	}
	return cancels;
}
