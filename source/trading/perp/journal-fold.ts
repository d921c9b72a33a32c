import type {Journal} from '../journal.ts';
import {type CancelPhase, type CancelState, isUnderWay} from './machine.ts';

/** A cancel that was sent, as the journal knows it. */
export interface JournaledCancel {
	/** See CancelTarget. */
	readonly key: string;
	readonly state: CancelState;
	readonly atMs: number;
}

/** The cancels whose end is not known yet: their orders' listing decides, nothing is sent again. */
export function openCancels(journal: Journal): readonly JournaledCancel[] {
	const cancels = new Map<string, JournaledCancel>();
	for (const {kind, id: key, data, atMs} of journal.records()) {
		if (kind === 'perp.intended') {
			const {txHash} = data as {txHash?: string};
			const state = {phase: 'unclear', key, sentAtMs: atMs, ...(txHash === undefined ? {} : {txHash})} as const;
			cancels.set(key, {key, state, atMs});
		}
		const known = cancels.get(key);
		if (known && (kind === 'perp.answered' || kind === 'perp.status')) {
			const {phase, processId} = data as {phase: CancelPhase; processId?: string};
			const state = {...known.state, phase, ...(processId === undefined ? {} : {processId})};
			cancels.set(key, {...known, state});
		}
	}
	return [...cancels.values()].filter(({state}) => isUnderWay(state));
}
