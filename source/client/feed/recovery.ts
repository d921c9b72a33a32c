import type {Entry} from '../../contract/entry.ts';
import type {Resumed} from './feed-events.ts';

/** Collects, after a loss of the stream, the changes that the full views show of the time between. */
export interface Recovery {
	/** The stream was lost. @param servedBy the address that served @param receivedAtMs when the last message came */
	lost(servedBy: string, receivedAtMs: number | undefined): void;
	/** The first full view of a new connection. @param recovered as the service says it; undefined where it does not */
	answered(view: string, recovered: boolean | undefined, missed: readonly Entry[]): void;
	/**
	 * The full views are there. @param isWhole whether all of them are
	 * @returns the report of the loss; undefined without a loss, and where there is nothing to report
	 */
	finished(servedBy: string, nowMs: number, isWhole: boolean): Resumed | undefined;
}

/** @param hasOthers whether the service has several addresses */
export function createRecovery(hasOthers: boolean): Recovery {
	/** The first loss since all views were there. */
	let loss: {readonly servedBy: string; readonly receivedAtMs: number | undefined} | undefined;
	const answers = new Map<string, boolean | undefined>();
	let missed: {readonly view: string; readonly entry: Entry}[] = [];

	return {
		lost(servedBy, receivedAtMs) {
			loss ??= {servedBy, receivedAtMs};
		},
		answered(view, recovered, entries) {
			if (loss === undefined) return;
			// A later connection cannot recover entries that an earlier one could not.
			answers.set(view, answers.get(view) === false ? false : recovered);
			missed.push(...entries.map(entry => ({view, entry})));
		},
		finished(servedBy, nowMs, isWhole) {
			if (loss === undefined || answers.size === 0) return undefined;
			const said = [...answers.values()].filter(answer => answer !== undefined);
			const movedTo = hasOthers && servedBy !== loss.servedBy ? servedBy : undefined;
			const {receivedAtMs} = loss;
			const resumed: Resumed = {
				type: 'resumed',
				...(movedTo !== undefined && {movedTo}),
				...(said.length > 0 && {isRecovered: isWhole && !said.includes(false)}),
				...(receivedAtMs !== undefined && {gapMs: Math.max(nowMs - receivedAtMs, 0)}),
				missed,
				atMs: nowMs,
			};
			loss = undefined;
			answers.clear();
			missed = [];
			return said.length > 0 || movedTo !== undefined ? resumed : undefined;
		},
	};
}
