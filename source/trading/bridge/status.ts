import {ServiceRefused} from '../../client/http/service-errors.ts';
import type {BridgeStatusRow} from '../../contract/bridge.ts';
import {PulsetopError} from '../../errors.ts';
import {
	type FlowOptions,
	type FlowStore,
	type FlowView,
	problemForgotten,
	problemShown,
	type ReadMode,
} from '../flow.ts';
import {earlierNowMs} from '../live-signature.ts';
import {type IntendedData, intentsIn, isNews, type JournaledIntent, proofsIn} from './journal-fold.ts';
import {type BridgeState, statusRead} from './machine.ts';
import {readEvidence, readLate} from './proof.ts';
import {readingOf} from './status-reading.ts';

/** The service has reported progress of the intent by then: an intent that it does not know cannot be in these phases. */
const SEEN: ReadonlySet<BridgeState['phase']> = new Set(['deposited', 'filling', 'retrying', 'progressing', 'claimed']);

/**
 * Reads the service's status of sent intents, and the evidence on the chains.
 * @param store shows a failure of the service when the chains show news
 */
export function createStatusReader<View extends FlowView<BridgeState, unknown>>(
	{call, chains, pins, clock, journal}: FlowOptions,
	store: FlowStore<View>,
) {
	/** The intent to read, with the facts that could not be read when it was sent. */
	let late: Pick<JournaledIntent, 'intentId' | 'intended'> | undefined;

	/** The data of an intent in the journal, completed by data that could not be read when it was sent. */
	async function known({intentId, intended, atMs}: JournaledIntent): Promise<IntendedData> {
		if (late?.intentId !== intentId) late = {intentId, intended};
		const {originBlock, destinationBlock, leastRaw} = late.intended;
		const isWhole = [originBlock, destinationBlock, leastRaw].every(part => part !== undefined);
		if (!isWhole) late = {intentId, intended: await readLate(chains, late.intended, atMs)};
		return late.intended;
	}

	/**
	 * The status as the service reports it. For an intent that it does not know a service answers `pending` (contract gaps 4.4) or 404;
	 * and a service may have no `wait`.
	 */
	async function status(state: BridgeState, intentId: string, {signal, canHold}: ReadMode): Promise<BridgeStatusRow> {
		const endpoint = canHold ? 'bridgeStatusWait' : 'bridgeStatus';
		try {
			const {data} = await call(endpoint, {params: {intentId}}, signal ? {signal} : {});
			return data;
		} catch (error) {
			if (!(error instanceof ServiceRefused) || error.status !== 404) throw error;
			if (canHold) return status(state, intentId, {canHold: false, ...(signal && {signal})});
			if (SEEN.has(state.phase)) throw error;
			return {status: 'pending'};
		}
	}

	return {
		status,
		/** The state after a reading. @throws the error of the service's response, when the chains show no news */
		async read(state: BridgeState, mode: ReadMode): Promise<BridgeState> {
			const intentId = state.intentId!;
			let failure: unknown;
			const row = await status(state, intentId, mode).catch((error: unknown) => {
				failure = error;
				return undefined;
			});
			if (mode.signal?.aborted || (failure !== undefined && !(failure instanceof PulsetopError))) throw failure;
			const reading = row && readingOf(row);
			const records = journal.records();
			const intended = await known(intentsIn(records).find(intent => intent.intentId === intentId)!);
			const {depositTxHash = state.depositTxHash, fillTxHash = state.fillTxHash} = reading ?? {};
			const named = {...state, ...(depositTxHash && {depositTxHash}), ...(fillTxHash && {fillTxHash})};
			const taken = proofsIn(records, intentId);
			const now = {status: reading?.status, nowMs: earlierNowMs(clock)};
			const evidence = await readEvidence({chains, pins, taken}, {intentId, intended, state: named}, now);
			const after = statusRead(state, {...reading, nowMs: now.nowMs, evidence});
			if (failure === undefined) problemForgotten(store);
			else if (isNews(state, after)) problemShown(store, failure);
			else throw failure;
			return after;
		},
	};
}
