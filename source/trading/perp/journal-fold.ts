import type {Journal, JournalRecord} from '../journal.ts';
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
	const cancels = new Map<string, JournaledCancel>();
	/** What there was before a claim, for when nothing was signed after all. */
	const before = new Map<string, JournaledCancel | undefined>();
	for (const {kind, id: key, data, atMs} of records) {
		if (kind === 'perp.intended') {
			const last = cancels.get(key);
			before.set(key, last);
			const state: CancelState = {phase: 'unclear', key, sentAtMs: atMs, ...attemptsBefore(last)};
			cancels.set(key, {key, state, atMs});
		}
		const known = cancels.get(key);
		if (!known) continue;
		if (kind === 'perp.unsigned') {
			const last = before.get(key);
			if (last) cancels.set(key, last);
			else cancels.delete(key);
		}
		if (kind === 'perp.signed')
			cancels.set(key, {...known, state: {...known.state, ...(data as unknown as OwnTransaction)}});
		if (kind === 'perp.answered' || kind === 'perp.status') {
			const {phase, processId, status, claim, seenOn} = data as Partial<CancelState> & Pick<CancelState, 'phase'>;
			// What is not in the record is not so any more.
			const {claim: _, seenOn: __, ...state} = known.state;
			const news = {phase, processId, status, claim, seenOn};
			const told = Object.fromEntries(Object.entries(news).filter(([, value]) => value !== undefined));
			cancels.set(key, {...known, state: {...state, ...told} as CancelState});
		}
	}
	return cancels;
}

/** Every transaction by which a cancel may be mined. */
export function hashesOf({txHash, chainId, earlier = []}: CancelState): readonly string[] {
	return txHash === undefined || chainId === undefined ? earlier : [...earlier, txHash];
}

/** What a further try of a cancel has to know of those before. */
export function attemptsBefore(last: JournaledCancel | undefined): AttemptsBefore {
	if (!last || !isUnderWay(last.state)) return {};
	const earlier = hashesOf(last.state);
	return {isRetry: true, ...(earlier.length > 0 && {earlier})};
}
