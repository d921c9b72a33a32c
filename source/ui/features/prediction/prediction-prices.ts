import {explain} from '../../../errors.ts';
import {createPolling} from '../../../monitor/polling.ts';
import {isInvalidResponse, isRefused} from '../../../monitor/refusals.ts';
import {clientOf, type ScreenContext} from '../../screens/screen.ts';
import type {Slice} from '../../screens/slice.ts';
import {type PredictionState, predictionNameOf, quoteFailed, quotesArrived} from './prediction-state.ts';

const EVERY_MS = 5000;
const MAX_WAIT_MS = 30_000;
/** The largest number of predictions in one batch (spec 4.11). */
const BATCH = 50;
/** The wait until a prediction that broke its batch is requested again. */
const BROKEN_MS = 60_000;

export interface PredictionPrices {
	open(): void;
	/** Requests what is in sight after `afterMs`. */
	next(afterMs: number): void;
	/** Requests everything again, broken predictions too. */
	refresh(): void;
	close(): void;
}

/** Keeps the prices of the predictions in sight up to date. @param inSight their keys */
export function createPredictionPrices(
	slice: Slice<PredictionState>,
	context: ScreenContext,
	inSight: () => readonly string[],
): PredictionPrices {
	const {nowMs} = context;
	const brokenUntilMs = new Map<string, number>();
	const {open, next, reset, close} = createPolling({poll, everyMs: () => EVERY_MS, longestMs: MAX_WAIT_MS});

	async function poll(signal: AbortSignal): Promise<boolean> {
		try {
			const now = nowMs();
			const keys = inSight().filter(key => (brokenUntilMs.get(key) ?? 0) <= now);
			for (let at = 0; at < keys.length; at += BATCH) await readQuotes(keys.slice(at, at + BATCH), signal);
			return true;
		} catch (error) {
			if (!signal.aborted) slice.change(state => ({...state, problem: explain(error)}));
			return false;
		}
	}

	/** Reads one batch. A prediction that makes the whole response unusable is found by bisection, and fails alone. */
	async function readQuotes(keys: readonly string[], signal: AbortSignal): Promise<void> {
		try {
			const items = keys.map(predictionNameOf);
			const {payload} = await clientOf(context).call('marketsBatch', {body: {items}}, {signal});
			slice.change(state => quotesArrived(state, keys, payload, nowMs()));
		} catch (error) {
			if (signal.aborted || !(isInvalidResponse(error) || isRefused(error, 400))) throw error;
			if (keys.length === 1) {
				const [key] = keys as [string];
				brokenUntilMs.set(key, nowMs() + BROKEN_MS);
				return slice.change(state => quoteFailed(state, key, explain(error).why));
			}
			const middle = keys.length >> 1;
			await readQuotes(keys.slice(0, middle), signal);
			await readQuotes(keys.slice(middle), signal);
		}
	}

	return {
		open,
		next,
		refresh() {
			brokenUntilMs.clear();
			reset();
			next(0);
		},
		close,
	};
}
