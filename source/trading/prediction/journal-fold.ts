import type {Journal, JournalRecord} from '../journal.ts';
import {foldClaims} from '../journal-fold.ts';
import {isUnderWay, type PredictionPhase, type PredictionState} from './machine.ts';
import type {PredictionPromise} from './proof.ts';

/** A transaction around an account that was signed, as the journal knows it. */
export interface JournaledPrediction extends PredictionPromise {
	readonly hash: string;
	readonly chainId: string;
	readonly state: PredictionState;
	readonly atMs: number;
}

/** Transactions without a known end: the chain shows their outcome, nothing is sent again. */
export function openPredictions(journal: Journal): readonly JournaledPrediction[] {
	return openActions(journal.records());
}

function openActions(records: readonly JournalRecord[]): readonly JournaledPrediction[] {
	const actions = foldClaims<JournaledPrediction>(
		records,
		{claimed: 'vault.intended'},
		(known, {kind, id: hash, data, atMs}) => {
			if (kind === 'vault.intended') {
				const {action, owner, account, amountRaw, chainId, nonce} = data as unknown as IntendedData;
				const state = {phase: 'sent', hash, nonce, said: 'the program ended before its end was seen'} as const;
				const promise = {action, owner, account, ...(amountRaw === undefined ? {} : {amountRaw})};
				return {...promise, hash, chainId, state, atMs};
			}
			if (kind !== 'vault.status') return known;
			return {...known!, state: {...known!.state, phase: (data as {phase: PredictionPhase}).phase}};
		},
	);
	return [...actions.values()].filter(({state}) => isUnderWay(state));
}

/** The journal's record of a transaction, written before it is sent. */
interface IntendedData extends PredictionPromise {
	readonly chainId: string;
	readonly nonce: number;
}

/**
 * How long a claim without a signed transaction keeps others from its nonce: a run that died meanwhile sent nothing, and
 * one that is only slow finds its claim taken before it sends.
 */
const CLAIM_MS = 120_000;

/** A nonce of a wallet on a chain: at most one transaction with it is mined. */
export interface PredictionLane {
	readonly chainId: string;
	readonly owner: string;
	readonly nonce: number;
}

/**
 * Writes down that the next transaction of a wallet is about to be signed, so that no other run of the program signs one
 * with its nonce too.
 * @returns seq of the record; undefined when another run has the claim, or a transaction with this nonce is on its way
 */
export function claimLane(journal: Journal, lane: PredictionLane): number | undefined {
	const isFree = (records: readonly JournalRecord[], nowMs: number): boolean => {
		if (openActions(records).some(({state, ...other}) => isLane({...other, nonce: state.nonce}, lane))) return false;
		const last = lastClaim(records, lane);
		return last?.kind !== 'vault.claimed' || nowMs - last.atMs >= CLAIM_MS;
	};
	return journal.claim('vault.claimed', laneId(lane), {...lane}, isFree)?.seq;
}

/** Records a signed transaction before it is sent. @returns false when the claim is another run's by now */
export function intendAction(
	journal: Journal,
	lane: PredictionLane,
	claim: number,
	hash: string,
	data: Readonly<Record<string, unknown>>,
): boolean {
	const isOurs = (records: readonly JournalRecord[]) => lastClaim(records, lane)?.seq === claim;
	if (journal.claim('vault.intended', hash, data, isOurs) === undefined) return false;
	journal.append('vault.unclaimed', laneId(lane), {});
	return true;
}

/** Gives a claim back when nothing was sent and the claim is still this run's. */
export function unclaimLane(journal: Journal, lane: PredictionLane, claim: number): void {
	journal.claim('vault.unclaimed', laneId(lane), {}, records => lastClaim(records, lane)?.seq === claim);
}

function laneId({chainId, owner, nonce}: PredictionLane): string {
	return `${chainId} ${owner.toLowerCase()} ${nonce}`;
}

function isLane(other: {chainId: string; owner: string; nonce: number | undefined}, lane: PredictionLane): boolean {
	return other.nonce === lane.nonce && laneId({...other, nonce: lane.nonce}) === laneId(lane);
}

/** The newest record about the claim on a nonce. */
function lastClaim(records: readonly JournalRecord[], lane: PredictionLane): JournalRecord | undefined {
	const id = laneId(lane);
	return records.findLast(record => record.id === id && /^vault\.(un)?claimed$/.test(record.kind));
}
