import {firstShown, listPage} from '../../screens/list-lines.ts';
import {createMoves} from '../../screens/moves.ts';
import type {Screen, ScreenContext} from '../../screens/screen.ts';
import type {Slice} from '../../screens/slice.ts';
import {createPredictionPrices} from './prediction-prices.ts';
import {isPredictionKey, type PredictionState, predictionItem, predictionKeys} from './prediction-state.ts';

/** The wait before the prices of newly marked lines are requested: a key that repeats makes one request, after its last press. */
const REST_MS = 250;

/** Prediction markets: a list with their prices, and the details of one. */
export function createPredictionScreen(slice: Slice<PredictionState>, context: ScreenContext): Screen {
	const {monitor, input, notify} = context;
	const prices = createPredictionPrices(slice, context, inSight);
	const keys = () => predictionKeys(monitor.get());
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
		prices.next(REST_MS);
	}

	function shut(): void {
		slice.change(({open: _, ...state}) => ({...state, scroll: 0}));
	}

	function accept() {
		if (slice.get().open !== undefined) return void back();
		const key = marked();
		if (key === undefined) return notify('There is no prediction here to open.', 'warn');
		slice.change(state => ({...state, cursor: key, open: key, scroll: 0}));
		prices.next(0);
	}

	function back(): boolean {
		if (slice.get().open === undefined) return false;
		shut();
		prices.next(0);
		return true;
	}

	function watch(key: string, question: string | undefined): void {
		monitor.apply(all => {
			const watchedPredictions = new Map(all.watchedPredictions);
			if (question === undefined) watchedPredictions.delete(key);
			else watchedPredictions.set(key, question);
			return {...all, watchedPredictions};
		});
		context.save();
	}

	function toggleWatch(key: string | undefined) {
		if (key === undefined) return notify('Put the cursor on a prediction first, then watch it.', 'warn');
		const {question, isWatched} = predictionItem(slice.get(), key, monitor.get().watchedPredictions);
		watch(key, isWatched ? undefined : question);
		notify(isWatched ? 'Not watched any more.' : 'Watched: it stays in the list for the next run.');
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
			prices.next(0);
		},
		close() {
			prices.close();
			shut();
		},
		accept,
		back,
		turn() {},
		refresh: prices.refresh,
		run(action) {
			const key = slice.get().open ?? marked();
			if (action === 'add') input.open('id', '');
			else if (action === 'watch') toggleWatch(key);
			else if (action === 'copy' && key === undefined)
				notify('Put the cursor on a prediction first, then copy its name.', 'warn');
			else if (action === 'copy' && key !== undefined) context.copy(key, 'Prediction');
		},
		acceptInput(_field, text) {
			const key = text.trim();
			if (!isPredictionKey(key)) return notify('This is not the id of a prediction (PLATFORM:MARKET).', 'warn');
			input.close();
			shut();
			watch(key, monitor.get().watchedPredictions.get(key) ?? key);
			mark(key);
			prices.next(0);
		},
		turnInput() {},
		cancelInput() {},
		paste: text => input.open('id', text.trim()),
	};
}
