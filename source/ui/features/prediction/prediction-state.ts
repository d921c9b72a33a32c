import type {ListedMarket, Market, MarketCandle} from '../../../contract/prediction.ts';
import type {Explanation} from '../../../errors.ts';
import type {Loadable} from '../../../monitor/state.ts';
import type {Clicked} from '../../screens/list-lines.ts';

/** Where the lines come from: trending predictions, search results, or the watch list. */
export const PREDICTION_SOURCES = ['trending', 'search', 'watched'] as const;
export type PredictionSource = (typeof PREDICTION_SOURCES)[number];
/** What a search may be narrowed to; the empty text is any. */
export const PREDICTION_FILTERS = ['', 'active', 'closed', 'resolved'] as const;
export type PredictionFilter = (typeof PREDICTION_FILTERS)[number];

/** What a batch reported of one prediction. */
export interface Quote {
	/** The newest that was reported, also after an attempt that reported nothing. */
	readonly market?: Market;
	/** When the market was reported, local Unix ms. */
	readonly atMs?: number;
	/** Why the last attempt reported nothing of this one. */
	readonly problem?: string;
	/** The last move of the leading price. */
	readonly move?: {readonly isUp: boolean; readonly atMs: number};
}

/** What identifies a prediction (spec 2.4b). */
export interface PredictionName {
	readonly platform: string;
	readonly marketId: string;
}

export interface PredictionState {
	readonly source: PredictionSource;
	readonly query: string;
	readonly filter: PredictionFilter;
	readonly list: Loadable<readonly ListedMarket[]>;
	/** When the list was read, local Unix ms. */
	readonly listAtMs?: number;
	/** The service has more than was read. */
	readonly hasMore: boolean;
	readonly quotes: ReadonlyMap<string, Quote>;
	/** Why the last batch failed as a whole. */
	readonly problem?: Explanation;
	readonly cursor?: string;
	readonly clicked?: Clicked;
	/** Key of the prediction whose details are open. */
	readonly open?: string;
	readonly candles: Loadable<readonly MarketCandle[]>;
	readonly scroll: number;
}

export const NO_PREDICTION: PredictionState = {
	source: 'trending',
	query: '',
	filter: '',
	list: {kind: 'idle'},
	hasMore: false,
	quotes: new Map(),
	candles: {kind: 'idle'},
	scroll: 0,
};

/** An outcome on a line or in the details. */
export interface OutcomeItem {
	readonly label: string;
	/** US dollars for one share: 0 to 1. */
	readonly price: number;
	readonly change24h?: number;
	readonly change7d?: number;
	readonly volume24h?: number;
}

/** A prediction as a line shows it: its newest known values, without the unknown ones. */
export interface PredictionItem extends PredictionName {
	readonly id: string;
	readonly question: string;
	readonly status?: string;
	readonly endMs?: number;
	readonly volume24h?: number;
	readonly liquidity?: number;
	readonly outcomes: readonly OutcomeItem[];
	/** When the prices were reported, local Unix ms. */
	readonly pricesAtMs?: number;
	readonly problem?: string;
	readonly move?: Quote['move'];
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

/** The lines of the list, in its order. @param watched questions by key */
export function predictionItems(
	state: PredictionState,
	watched: ReadonlyMap<string, string>,
): readonly PredictionItem[] {
	if (state.source === 'watched') {
		return [...watched.keys()].map(key => itemOf(key, state.quotes.get(key), undefined, watched)).toReversed();
	}
	return listedPredictions(state).map(listed => {
		const key = predictionKey(listed);
		return itemOf(key, state.quotes.get(key), {listed, atMs: state.listAtMs}, watched);
	});
}

/** One prediction, listed now or not. */
export function predictionItem(
	state: PredictionState,
	key: string,
	watched: ReadonlyMap<string, string>,
): PredictionItem {
	const listed = listedPredictions(state).find(one => predictionKey(one) === key);
	return itemOf(key, state.quotes.get(key), listed && {listed, atMs: state.listAtMs}, watched);
}

/** The listed predictions, also while a newer list is loading. */
export function listedPredictions({list}: PredictionState): readonly ListedMarket[] {
	return list.kind === 'ready' ? list.value : list.kind === 'idle' ? [] : (list.last ?? []);
}

function itemOf(
	id: string,
	quote: Quote | undefined,
	from: {listed: ListedMarket; atMs: number | undefined} | undefined,
	watched: ReadonlyMap<string, string>,
): PredictionItem {
	const market = quote?.market;
	const listed = from?.listed;
	const pricesAtMs = market ? quote.atMs : from?.atMs;
	const outcomes = market
		? market.outcomes.map(outcome => ({
				label: outcome.label,
				price: outcome.priceUSD,
				...defined('change24h', outcome.priceChange24hPercentage),
				...defined('change7d', outcome.priceChange7dPercentage),
				...defined('volume24h', outcome.volume24hUSD),
			}))
		: (listed?.outcomes ?? []).map(({label, priceUSD}) => ({label, price: priceUSD}));
	return {
		id,
		...predictionNameOf(id),
		question: market?.question ?? listed?.question ?? watched.get(id) ?? id,
		outcomes,
		...defined('status', market?.status ?? listed?.status),
		...defined('endMs', timeOf(market?.metadata?.endDate ?? listed?.endDate)),
		...defined('volume24h', market?.stats.volume24hUSD ?? listed?.volume24hUSD),
		...defined('liquidity', market?.stats.liquidityUSD ?? listed?.liquidityUSD),
		...defined('pricesAtMs', pricesAtMs),
		...defined('problem', quote?.problem),
		...defined('move', quote?.move),
		isWatched: watched.has(id),
	};
}

/** The outcome with the highest price, which is the most likely one; undefined without outcomes. */
export function leadingOutcome(outcomes: readonly OutcomeItem[]): OutcomeItem | undefined {
	return outcomes.reduce<OutcomeItem | undefined>(
		(best, outcome) => (best === undefined || outcome.price > best.price ? outcome : best),
		undefined,
	);
}

/** Unix ms of an ISO date; undefined for any other text. */
export function timeOf(text: string | null | undefined): number | undefined {
	const ms = text === null || text === undefined ? Number.NaN : Date.parse(text);
	return Number.isNaN(ms) ? undefined : ms;
}

/** A member only where its value is known: null is unknown too. */
function defined<Name extends string, T>(name: Name, value: T | null | undefined): {readonly [N in Name]?: T} {
	return (value === undefined || value === null ? {} : {[name]: value}) as {readonly [N in Name]?: T};
}

/** A batch was read. A prediction that it left out is marked so, and keeps its last known values. @param requested keys of the batch */
export function quotesArrived(
	state: PredictionState,
	requested: readonly string[],
	markets: readonly Market[],
	nowMs: number,
): PredictionState {
	const byKey = new Map(markets.map(market => [predictionKey(market), market]));
	const quotes = new Map(state.quotes);
	for (const key of requested) {
		const market = byKey.get(key);
		const before = quotes.get(key);
		if (!market) {
			quotes.set(key, {...before, problem: 'the service no longer reports it'});
			continue;
		}
		const leads = leadingOutcome(market.outcomes.map(({label, priceUSD}) => ({label, price: priceUSD})));
		const was = before?.market?.outcomes.find(({label}) => label === leads?.label)?.priceUSD;
		const is = leads?.price;
		const hasMoved = was !== undefined && is !== undefined && was !== is;
		const move = hasMoved ? {isUp: is > was, atMs: nowMs} : before?.move;
		quotes.set(key, {market, atMs: nowMs, ...(move && {move})});
	}
	const {problem: _, ...rest} = state;
	return {...rest, quotes};
}

/** The price of an outcome changed. Prices of a prediction that was not read yet are dropped. */
export function priceArrived(
	state: PredictionState,
	{key, outcomeId, priceUSD}: {readonly key: string; readonly outcomeId: string; readonly priceUSD: number},
	nowMs: number,
): PredictionState {
	const before = state.quotes.get(key);
	const changed = before?.market?.outcomes.find(outcome => outcome.outcomeId === outcomeId);
	if (before?.market === undefined || changed === undefined) return state;
	const {market} = before;
	const outcomes = market.outcomes.map(outcome => (outcome === changed ? {...outcome, priceUSD} : outcome));
	const leads = leadingOutcome(outcomes.map(outcome => ({label: outcome.label, price: outcome.priceUSD})));
	const hasMoved = leads?.label === changed.label && changed.priceUSD !== priceUSD;
	const move = hasMoved ? {isUp: priceUSD > changed.priceUSD, atMs: nowMs} : before.move;
	const quote = {...before, market: {...market, outcomes}, atMs: nowMs, ...(move && {move})};
	return {...state, quotes: new Map(state.quotes).set(key, quote)};
}

/** One prediction could not be read, while others of its batch could. */
export function quoteFailed(state: PredictionState, key: string, problem: string): PredictionState {
	return {...state, quotes: new Map(state.quotes).set(key, {...state.quotes.get(key), problem})};
}
