import type {Market} from '../../../contract/prediction.ts';
import {SIMULATED_MARKETS} from '../../../contract/simulated-markets.ts';
import type {Explanation} from '../../../errors.ts';
import type {MonitorState} from '../../../monitor/state.ts';
import type {Clicked} from '../../screens/list-lines.ts';

/** A batch's report of one prediction. */
export interface Quote {
	/** The newest that was reported, also after an attempt that reported nothing. */
	readonly market?: Market;
	/** When the market was reported, local Unix ms. */
	readonly atMs?: number;
	/** Why the last attempt reported nothing of this one. */
	readonly problem?: string;
}

/** The members that identify a prediction (spec 2.4b). */
export interface PredictionName {
	readonly platform: string;
	readonly marketId: string;
}

export interface PredictionState {
	readonly quotes: ReadonlyMap<string, Quote>;
	/** Why the last batch failed as a whole. */
	readonly problem?: Explanation;
	readonly cursor?: string;
	readonly clicked?: Clicked;
	/** Key of the prediction whose details are open. */
	readonly open?: string;
	readonly scroll: number;
}

export const NO_PREDICTION: PredictionState = {quotes: new Map(), scroll: 0};

/** A prediction as a line shows it: with its newest known values. */
export interface PredictionItem extends Quote, PredictionName {
	readonly id: string;
	readonly question: string;
	/** When an active one ends, Unix ms. */
	readonly endMs?: number;
	readonly isWatched: boolean;
}

/** The name of a prediction in the watch list and in responses: `<platform>:<marketId>` (spec 2.4b). */
export function predictionKey({platform, marketId}: PredictionName): string {
	return `${platform}:${marketId}`;
}

/** Platform and id of a key. A platform has no colon in its name. */
export function predictionNameOf(key: string): PredictionName {
	const at = key.indexOf(':');
	return {platform: key.slice(0, at), marketId: key.slice(at + 1)};
}

/** Whether a text has the form of a key. */
export function isPredictionKey(text: string): boolean {
	return /^[^\s:]+:\S+$/.test(text);
}

/** The keys of the list: the watch list, newest first, and the markets of the embedded service. */
export function predictionKeys({watchedPredictions, service}: MonitorState): readonly string[] {
	const offered = service.embedded && service.recording === undefined ? SIMULATED_MARKETS : [];
	return [...new Set([...[...watchedPredictions.keys()].toReversed(), ...offered])];
}

/** One prediction of the list. @param watched questions by key */
export function predictionItem(
	{quotes}: PredictionState,
	id: string,
	watched: ReadonlyMap<string, string>,
): PredictionItem {
	const quote = quotes.get(id);
	const endMs = timeOf(quote?.market?.metadata?.endDate);
	return {
		...quote,
		...predictionNameOf(id),
		id,
		question: quote?.market?.question ?? watched.get(id) ?? id,
		...(endMs !== undefined && {endMs}),
		isWatched: watched.has(id),
	};
}

/** The outcome with the highest price, which is the most likely one; undefined without outcomes. */
export function leadingOutcome({outcomes}: Pick<Market, 'outcomes'>): Market['outcomes'][number] | undefined {
	return outcomes.reduce<Market['outcomes'][number] | undefined>(
		(best, outcome) => (best === undefined || outcome.priceUSD > best.priceUSD ? outcome : best),
		undefined,
	);
}

/** Unix ms of an ISO date; undefined for any other text. */
export function timeOf(text: string | null | undefined): number | undefined {
	const ms = text === null || text === undefined ? Number.NaN : Date.parse(text);
	return Number.isNaN(ms) ? undefined : ms;
}

/** A batch was read. A prediction that it left out is marked so, and keeps its last known values. @param requested keys of the batch */
export function quotesArrived(
	{problem: _, ...state}: PredictionState,
	requested: readonly string[],
	markets: readonly Market[],
	nowMs: number,
): PredictionState {
	const byKey = new Map(markets.map(market => [predictionKey(market), market]));
	const quotes = new Map(state.quotes);
	for (const key of requested) {
		const market = byKey.get(key);
		if (market) quotes.set(key, {market, atMs: nowMs});
		else quotes.set(key, {...quotes.get(key), problem: 'the response has no readable record of it'});
	}
	return {...state, quotes};
}

/** One prediction could not be read, while others of its batch could. */
export function quoteFailed(state: PredictionState, key: string, problem: string): PredictionState {
	return {...state, quotes: new Map(state.quotes).set(key, {...state.quotes.get(key), problem})};
}
