import {explain} from '../../../errors.ts';
import {clientOf, type ScreenContext} from '../../screens/screen.ts';
import type {Slice} from '../../screens/slice.ts';
import {listedPredictions, type PredictionState, predictionKey} from './prediction-state.ts';

/** Predictions in one request. */
const PAGE = 100;

export interface PredictionList {
	/** Reads the list of the source again. */
	load(): void;
	/** Reads the next page, behind what is listed. */
	loadMore(): void;
	close(): void;
}

/** The list of prediction markets: trending, or found by a search. @param onLoaded called with every page that came */
export function createPredictionList(
	slice: Slice<PredictionState>,
	context: ScreenContext,
	onLoaded: () => void,
): PredictionList {
	let reading: AbortController | undefined;

	async function read(hasMore: boolean): Promise<void> {
		const {source} = slice.get();
		reading?.abort();
		if (source === 'watched')
			return slice.change(({listAtMs: _, ...state}) => ({...state, list: {kind: 'idle'}, hasMore: false}));
		const current = new AbortController();
		reading = current;
		const last = listedPredictions(slice.get());
		const before = hasMore ? last : [];
		slice.change(state => ({...state, list: {kind: 'loading', last}}));
		try {
			const data = await request(slice.get(), before.length, current.signal);
			if (current.signal.aborted) return;
			const value = [...new Map([...before, ...data].map(market => [predictionKey(market), market])).values()];
			const atMs = context.nowMs();
			const isFull = data.length === PAGE && value.length > before.length;
			slice.change(state => ({...state, list: {kind: 'ready', value, atMs}, listAtMs: atMs, hasMore: isFull}));
			onLoaded();
		} catch (error) {
			if (!current.signal.aborted)
				slice.change(state => ({...state, list: {kind: 'failed', problem: explain(error), last}}));
		}
	}

	async function request({source, query, filter}: PredictionState, offset: number, signal: AbortSignal) {
		const {call} = clientOf(context);
		const page = {limit: PAGE, offset};
		if (source === 'trending') return (await call('marketTrending', {query: page}, {signal})).data;
		const search = {...page, ...(query !== '' && {query}), ...(filter !== '' && {status: filter})};
		return (await call('marketSearch', {query: search}, {signal})).data;
	}

	return {
		load: () => void read(false),
		loadMore: () => void read(true),
		close: () => reading?.abort(),
	};
}
