import {firstShown, listPage} from '../../screens/list-lines.ts';
import {createMoves} from '../../screens/moves.ts';
import type {Screen, ScreenContext} from '../../screens/screen.ts';
import type {Slice} from '../../screens/slice.ts';
import {createPredictionList} from './prediction-list.ts';
import {createPredictionPrices} from './prediction-prices.ts';
import {
	PREDICTION_FILTERS,
	PREDICTION_SOURCES,
	type PredictionState,
	predictionItem,
	predictionItems,
} from './prediction-state.ts';

/** The wait before the prices of newly marked lines are requested: a key that repeats makes one request, after its last press. */
const REST_MS = 250;

/** Prediction markets: a list with live prices, a watch list, and the details of one. */
export function createPredictionScreen(slice: Slice<PredictionState>, context: ScreenContext): Screen {
	const {monitor, input, notify} = context;
	const list = createPredictionList(slice, context, () => prices.next(0));
	const prices = createPredictionPrices(slice, context, inSight);
	const watched = () => monitor.get().watchedPredictions;
	const keys = () => predictionItems(slice.get(), watched()).map(item => item.id);
	/** The key of the marked line: the first while none was chosen. */
	const marked = (): string | undefined => {
		const all = keys();
		return all.find(key => key === slice.get().cursor) ?? all[0];
	};

	function inSight(): readonly string[] {
		const {open} = slice.get();
		if (open !== undefined) return [open];
		const all = keys();
		const page = listPage(monitor.get().size);
		const top = firstShown(all, slice.get(), page);
		return all.slice(top, top + page);
	}

	function mark(cursor: string): void {
		slice.change(state => (state.cursor === cursor ? state : {...state, cursor}));
		const {list: listed, hasMore, source} = slice.get();
		if (source !== 'watched' && hasMore && listed.kind === 'ready' && cursor === keys().at(-1)) list.loadMore();
		prices.next(REST_MS);
	}

	function show(source: PredictionState['source']): void {
		slice.change(({cursor: _, ...state}) => ({...state, source, list: {kind: 'idle'}, hasMore: false}));
		list.load();
		prices.next(0);
	}

	function shut(): void {
		slice.change(({open: _, ...state}) => ({...state, scroll: 0}));
	}

	function accept() {
		if (slice.get().open !== undefined) return void back();
		const key = marked();
		if (key === undefined) return notify('There is no prediction here to open.', 'warn');
		prices.expireCandles();
		slice.change(state => ({...state, cursor: key, open: key, scroll: 0, candles: {kind: 'loading'}}));
		prices.next(0);
	}

	function back(): boolean {
		const {open, query, source} = slice.get();
		if (open !== undefined) {
			shut();
			prices.next(0);
			return true;
		}
		if (source !== 'search' || query === '') return false;
		slice.change(state => ({...state, query: ''}));
		show('trending');
		return true;
	}

	function nextStatus(): void {
		const at = PREDICTION_FILTERS.indexOf(slice.get().filter);
		slice.change(state => ({...state, filter: PREDICTION_FILTERS[(at + 1) % PREDICTION_FILTERS.length]!}));
		show('search');
	}

	function toggleWatch(key: string | undefined) {
		if (key === undefined) return notify('Put the cursor on a prediction first, then watch it.', 'warn');
		const {question, isWatched} = predictionItem(slice.get(), key, watched());
		monitor.apply(all => {
			const watchedPredictions = new Map(all.watchedPredictions);
			if (!watchedPredictions.delete(key)) watchedPredictions.set(key, question);
			return {...all, watchedPredictions};
		});
		context.save();
		if (isWatched) notify('Not watched any more.');
		else notify('Watched.', 'info', '{markets.turn} shows the watch list.');
	}

	return {
		...createMoves({
			keys,
			marked: slice.get,
			mark(cursor, clicked) {
				if (clicked) slice.change(state => ({...state, clicked}));
				mark(cursor);
			},
			accept,
			size: () => monitor.get().size,
			page: {
				isShown: () => slice.get().open !== undefined,
				reach: slice.reach,
				scroll: change => slice.change(state => ({...state, scroll: change(state.scroll)})),
			},
		}),
		open() {
			prices.open();
			if (slice.get().list.kind !== 'ready') list.load();
			prices.next(0);
		},
		close() {
			prices.close();
			list.close();
			shut();
		},
		accept,
		back,
		turn(by) {
			const at = PREDICTION_SOURCES.indexOf(slice.get().source);
			shut();
			show(PREDICTION_SOURCES[(at + by + PREDICTION_SOURCES.length) % PREDICTION_SOURCES.length]!);
		},
		refresh() {
			prices.refresh();
			list.load();
			prices.next(0);
		},
		run(action) {
			const key = slice.get().open ?? marked();
			if (action === 'search') input.open('query', slice.get().query);
			else if (action === 'status') nextStatus();
			else if (action === 'watch') toggleWatch(key);
			else if (action === 'copy' && key === undefined)
				notify('Put the cursor on a prediction first, then copy its name.', 'warn');
			else if (action === 'copy' && key !== undefined) context.copy(key, 'Prediction');
		},
		acceptInput(_field, text) {
			input.close();
			slice.change(state => ({...state, query: text.trim()}));
			show('search');
		},
		turnInput() {},
		cancelInput() {},
		paste: () => notify('Pasted text does nothing here.', 'warn', '{markets.search} opens the search: paste there.'),
	};
}
